"""Limb lengths of a person, and how large it is in each picture, from flat points: limbs are as long as they are seen
where they lie in the picture plane, and never longer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Ints, Reals
from kinema.keypoints.points import BODY, TOES
from kinema.keypoints.smoothing import smooth

STATURE = 1.7
"""Metres that a person is taken to be high: pictures do not tell."""

NAMES = (*BODY, *TOES, "mid_hip")
"""The points of a person that is lifted: the body's, toes, and the middle between the hips."""

PARTS = ("trunk", "shoulder", "hip", "upper_arm", "forearm", "thigh", "shin", "foot", "head")
"""What has a length; both sides have the same."""

USUAL = np.array([0.50, 0.175, 0.095, 0.285, 0.25, 0.42, 0.415, 0.15, 0.22])
"""Lengths of `PARTS` of an adult of `STATURE`, metres. That of the head is from the neck to between the ears."""

LIMBS = (
    ("trunk", "mid_hip", "neck"),
    *(("shoulder", "neck", f"{side}_shoulder") for side in ("left", "right")),
    *(("hip", "mid_hip", f"{side}_hip") for side in ("left", "right")),
    *(("upper_arm", f"{side}_shoulder", f"{side}_elbow") for side in ("left", "right")),
    *(("forearm", f"{side}_elbow", f"{side}_wrist") for side in ("left", "right")),
    *(("thigh", f"{side}_hip", f"{side}_knee") for side in ("left", "right")),
    *(("shin", f"{side}_knee", f"{side}_ankle") for side in ("left", "right")),
    *(("foot", f"{side}_ankle", f"{side}_toe") for side in ("left", "right")),
)
"""Part, and its two ends."""

HEAD = {"nose": (0.0, 0.18, 0.115), "right_eye": (-0.031, 0.21, 0.09), "left_eye": (0.031, 0.21, 0.09),
        "right_ear": (-0.075, 0.205, 0.015), "left_ear": (0.075, 0.205, 0.015)}  # fmt: skip
"""Points of a head from the neck: left, up, ahead, metres, of an adult."""

_LARGE = ("trunk", "upper_arm", "forearm", "thigh", "shin")
_TURNS = 6  # rounds of lengths and scales
_FLAT, _LONGEST = 0.85, 0.9  # quantiles: limbs in a picture, and pictures of a limb, that show the whole length
_RANGE = (0.6, 1.5)  # times the usual length that a part may have
_WIDTHS = (0.75, 1.4)  # of hips and shoulders: who is only seen from the side shows none
_SLOW = 0.7  # hertz from which on changes of size are noise


@dataclass(frozen=True, eq=False)
class Proportions:
    """A person's lengths, and its size in pictures.

    Attributes:
        lengths: metres, `[9]`, of `PARTS`.
        scale: pixels a metre at the person, `[N]`.
    """

    lengths: Floats
    scale: Floats

    def length(self, part: str) -> float:
        """Metres."""
        return float(self.lengths[PARTS.index(part)])


def index(name: str) -> int:
    """The number of a point in `NAMES`."""
    return NAMES.index(name)


def limb_ends() -> Ints:
    """Numbers of the ends of `LIMBS`, `[15, 2]`."""
    return np.array([(index(one), index(other)) for _, one, other in LIMBS])


def limb_parts() -> Ints:
    """Numbers of the parts of `LIMBS`, `[15]`."""
    return np.array([PARTS.index(part) for part, _, _ in LIMBS])


def measure(points: Reals, known: Reals, fps: float) -> Proportions:
    """Lengths and scale of a clip.

    Args:
        points: `[N, 21, 2]`, pixels, of `NAMES`.
        known: `[N, 21]`, how far they are known, 0 to 1.
        fps: frames per second.
    """
    ends, parts = limb_ends(), limb_parts()
    seen = np.linalg.norm(points[:, ends[:, 1]] - points[:, ends[:, 0]], axis=-1)
    weights = np.minimum(known[:, ends[:, 0]], known[:, ends[:, 1]])
    ears = (points[:, index("left_ear")] + points[:, index("right_ear")]) / 2
    seen = np.column_stack([seen, np.linalg.norm(ears - points[:, index("neck")], axis=-1)])
    heads = known[:, [index("left_ear"), index("right_ear"), index("neck")]].min(axis=1)
    weights, parts = np.column_stack([weights, heads]), np.append(parts, PARTS.index("head"))
    lengths, large = USUAL.copy(), np.isin(parts, [PARTS.index(name) for name in _LARGE])
    scale = np.ones(len(points))
    for _ in range(_TURNS):
        scale = _scales(seen[:, large] / lengths[parts[large]], weights[:, large], fps)
        lengths = _lengths(seen / scale[:, None], weights, parts)
    return Proportions(lengths, scale)


def _scales(ratios: Floats, weights: Floats, fps: float) -> Floats:
    """Pixels a metre `[N]` from limbs' `[N, B]`: limbs that point at the viewer are shorter, none is longer."""
    count = (weights > 0.1).sum(axis=1)
    shown = np.where(weights > 0.1, ratios, np.nan)
    with np.errstate(invalid="ignore"):
        found = np.nan_to_num(np.nanquantile(np.where(count[:, None] > 0, shown, 1.0), _FLAT, axis=1))
    found, trust = np.where(count > 0, found, 0.0), count / ratios.shape[1]
    return np.maximum(smooth(found[:, None, None], trust[:, None], fps, _SLOW)[:, 0, 0], 1e-6)


def _lengths(seen: Floats, weights: Floats, parts: Ints) -> Floats:
    """Lengths of parts `[9]`, metres, from limbs `[N, B]` as they are seen; the whole is as high as `STATURE` says."""
    lengths = USUAL.copy()
    for part, name in enumerate(PARTS):
        of = seen[:, parts == part][weights[:, parts == part] > 0.3]
        if len(of):
            low, high = _WIDTHS if name in ("shoulder", "hip") else _RANGE
            lengths[part] = np.clip(np.quantile(of, _LONGEST), low * USUAL[part], high * USUAL[part])
    upright = [PARTS.index(name) for name in ("trunk", "thigh", "shin", "head")]
    return lengths * USUAL[upright].sum() / lengths[upright].sum()

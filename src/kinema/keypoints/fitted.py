"""Flat points with another body's proportions: every limb keeps its direction and how much of it is seen."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.keypoints.motions import LiftedPerson
from kinema.keypoints.points import BODY, FACE_COUNT, HAND_COUNT, TOES, BodyPoints
from kinema.keypoints.proportions import HEAD, LIMBS, PARTS, Proportions, index, limb_ends, limb_parts

_HEADS = tuple(("head", "neck", name) for name in HEAD)


def lengths_of(points: BodyPoints) -> Floats:
    """Metres `[9]` of `kinema.keypoints.proportions.PARTS` of a body, from its points in a stance.

    Args:
        points: in the world, of one pose, see `kinema.rendering.conditions.body_points.PointRig`.
    """
    known = np.concatenate([points.body, points.toes])[:, :3].astype(np.float64)
    known = np.concatenate([known, [(known[index("left_hip")] + known[index("right_hip")]) / 2]])
    ends, parts, found = limb_ends(), limb_parts(), np.zeros(len(PARTS))
    long = np.linalg.norm(known[ends[:, 1]] - known[ends[:, 0]], axis=-1)
    found[:-1] = np.bincount(parts, long, len(PARTS) - 1) / np.bincount(parts, minlength=len(PARTS) - 1)
    ears = (known[index("left_ear")] + known[index("right_ear")]) / 2
    found[-1] = np.linalg.norm(ears - known[index("neck")])
    return found


def fitted(person: LiftedPerson, lengths: Floats) -> BodyPoints:
    """A person's flat points with the lengths of another body, as large in the picture, feet where they were.

    Args:
        person: of the video.
        lengths: metres, `[9]`, of the other body, see `lengths_of`.

    Returns:
        Points as their camera would see them; hands and faces are absent.
    """
    body: Proportions = person.body
    ratios = lengths / body.lengths * (_height(body.lengths) / _height(lengths))
    seen = person.points[..., :2] * np.array([1.0, -1.0]) * body.scale[:, None, None]
    found = np.zeros_like(seen)
    for part, one, other in (*LIMBS, *_HEADS):
        limb = seen[:, index(other)] - seen[:, index(one)]
        found[:, index(other)] = found[:, index(one)] + ratios[PARTS.index(part)] * limb
    feet = [index(f"{side}_{part}") for side in ("left", "right") for part in ("ankle", "toe")]
    lower = seen[:, feet, 1].max(axis=1) - found[:, feet, 1].max(axis=1)
    found += person.flat[:, -1][:, None]
    found[..., 1] += lower[:, None]
    return _as_points(found)


def _height(lengths: Floats) -> float:
    return float(sum(lengths[PARTS.index(part)] for part in ("trunk", "thigh", "shin", "head")))


def _as_points(places: Floats) -> BodyPoints:
    bodies = len(BODY)
    sure = np.concatenate([places, np.ones((*places.shape[:2], 1))], axis=-1).astype(np.float32)
    hand, face = (np.zeros((len(places), count, 3), np.float32) for count in (HAND_COUNT, FACE_COUNT))
    return BodyPoints(sure[:, :bodies], hand, hand, face, sure[:, bodies : bodies + len(TOES)])

"""Points that are never seen in a video: half of a person, or detectors without toes."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Bools, Floats
from kinema.keypoints.proportions import HEAD, USUAL, Proportions, index

_DROP = 0.45  # share of a foot's length that toes are below the ankle


def hanging(flat: Floats, never: Bools, body: Proportions) -> Floats:
    """Flat points `[N, 21, 2]`, pixels, with arms and legs that are `never` `[21]` seen straight down."""
    found = flat.copy()
    chains = (("shoulder", "upper_arm", "elbow", "forearm", "wrist"), ("hip", "thigh", "knee", "shin", "ankle"))
    for side in ("left", "right"):
        for top, upper, middle, lower, end in chains:
            for one, part, other in ((top, upper, middle), (middle, lower, end)):
                if never[index(f"{side}_{other}")]:
                    down = body.length(part) * body.scale[:, None] * np.array([0.0, 1.0])
                    found[:, index(f"{side}_{other}")] = found[:, index(f"{side}_{one}")] + down
        if never[index(f"{side}_toe")]:
            found[:, index(f"{side}_toe")] = found[:, index(f"{side}_ankle")]
    for name in HEAD:
        if never[index(name)]:
            found[:, index(name)] = found[:, index("neck")]
    return found


def finished(points: Floats, never: Bools, body: Proportions) -> Floats:
    """Points in space `[N, 21, 3]` with feet and heads that are `never` `[21]` seen where the body faces."""
    found, up = points.copy(), np.array([0.0, 1.0, 0.0])
    for side in ("left", "right"):
        if never[index(f"{side}_toe")]:
            left = points[:, index("left_hip")] - points[:, index("right_hip")]
            ahead = _unit(np.cross(left, up))
            drop = np.sqrt(1 - _DROP**2) * ahead - _DROP * up
            found[:, index(f"{side}_toe")] = points[:, index(f"{side}_ankle")] + body.length("foot") * drop
    if never[[index(name) for name in HEAD]].any():
        left = _unit(points[:, index("left_shoulder")] - points[:, index("right_shoulder")])
        neck = points[:, index("neck")]
        ahead = _unit(np.cross(left, neck))
        axes = np.stack([left, np.cross(ahead, left), ahead], axis=1)
        for name, place in HEAD.items():
            found[:, index(name)] = neck + np.array(place) * body.length("head") / USUAL[-1] @ axes
    return found


def _unit(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)

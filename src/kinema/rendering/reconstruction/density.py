"""How many Gaussians there are while a scene is fitted: more where it is too coarse, fewer where nothing is seen.

After B. Kerbl et al., "3D Gaussian Splatting", 2023: small ones are doubled and large ones split. Their number rises
to a budget instead of following a threshold, as in S. Mallick et al., "Taming 3DGS", 2024, so that memory is bounded;
pulls are summed as lengths, as in Z. Ye et al., "AbsGS", 2024.
"""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Ints, Singles
from kinema.rendering.reconstruction.beginning import Around
from kinema.rendering.reconstruction.numbers import Numbers

FAINT = 0.01
"""Opacity below which a Gaussian is removed."""

_SHRUNK = 0.6  # of the largest standard deviation, when a Gaussian is split in two
_APART = 0.7  # standard deviations from the middle to each of both
_HUGE = 0.5  # standard deviation over the size of the scene: larger ones are fog


def thinned(numbers: Numbers, around: Around) -> Ints:
    """Which Gaussians are kept: those that can be seen, and are no fog or far away."""
    opaque = numbers.logits > float(np.log(FAINT / (1.0 - FAINT)))
    fog = (numbers.log_scales.max(axis=1) > np.log(_HUGE * around.size)) & ~around.far(numbers.means)
    return np.flatnonzero(opaque & ~fog)


def grown(numbers: Numbers, pulls: Singles, count: int) -> tuple[Numbers, Ints]:
    """Gaussians with `count` more, made from those whose places in pictures are pulled most.

    Each is split along its longest axis; both halves cover together what it did. Returned, too, are the ones `[N]` that
    all of them come from.

    Args:
        pulls: `[G]`, mean pull of each in the pictures that it is seen in.
    """
    count = min(count, int((pulls > 0).sum()))
    chosen = np.sort(np.argpartition(-pulls, count - 1)[:count]) if count else np.zeros(0, np.int64)
    parents = numbers.taken(chosen)
    longest = parents.log_scales.argmax(axis=1)
    rows = np.arange(count)
    axes = rotations.to_matrix(parents.quaternions / np.linalg.norm(parents.quaternions, axis=1, keepdims=True))
    shift = axes[rows, :, longest] * np.exp(parents.log_scales[rows, longest])[:, None] * np.float32(_APART)
    parents.log_scales[rows, longest] += np.float32(np.log(_SHRUNK))
    first, second = parents.taken(rows), parents.taken(rows)
    first.means = (parents.means + shift).astype(np.float32)
    second.means = (parents.means - shift).astype(np.float32)
    out = Numbers(**{name: getattr(numbers, name).copy() for name in vars(numbers)})
    for name in vars(numbers):
        getattr(out, name)[chosen] = getattr(first, name)
    return out.joined(second), np.concatenate([np.arange(len(numbers)), chosen])

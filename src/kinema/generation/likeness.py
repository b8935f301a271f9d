"""How like the ground truth generated motion is, window by window: covered, off the manifold, copied, as diverse.

A window is `WINDOW` frames. Each frame has, for every joint, its position by forward kinematics in the heading frame of
that frame, on the ground under the hips, and its velocity in the world, turned into that heading frame and multiplied
by `VELOCITY_SECONDS`. The distance of two windows is the root of the mean, over their frames and joints, of the squared
distances of both. So it is in units of the rig, poses at other speeds are apart, and a slide in a right pose is, too.
Velocities are taken from two frames before to two frames after: how smooth a motion is, jerk says.

Coverage with a loose threshold, and without velocities, gives a frozen mean pose full marks. Therefore the threshold is
3 % of the diameter, and windows of the ground truth in which next to nothing moves are not counted: a still pose would
cover them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Ints, Singles
from kinema.generation.channels import FPS
from kinema.generation.takes import Takes

WINDOW = 15
"""Frames."""

NEAR = 0.06
"""Units, 3 % of the diameter: windows nearer than this cover each other."""

VELOCITY_SECONDS = 0.15
"""What a velocity is multiplied by: a right pose that slides by a fifth of the diameter a second is not near."""

MOVING = 0.1
"""Units a second, 5 % of the diameter: windows whose joints move less in the mean are still."""

_REACH = 2  # frames before and after, between which velocities are taken
_PAIRS = 500


def frame_features(takes: Takes) -> Singles:
    """Features `[N, F - 4, 6 K]` of frames; the mean square distance of joints is the square distance of these.

    The first and the last two frames have none.
    """
    inner = slice(_REACH, -_REACH)
    velocities = rotations.rotate_yaw(-takes.path[1][:, inner, None], _velocities(takes))
    both = np.concatenate([takes.model_positions[:, inner], np.float32(VELOCITY_SECONDS) * velocities], axis=-1)
    return both.reshape(*both.shape[:2], -1) / np.float32(np.sqrt(takes.rig.count))


def still_windows(takes: Takes) -> Bools:
    """Windows `[N, F - 3 - WINDOW]` of these frames in which next to nothing moves."""
    speeds = np.linalg.norm(_velocities(takes), axis=-1).mean(axis=-1)
    sums = np.cumsum(np.pad(speeds, ((0, 0), (1, 0))), axis=1)
    return sums[:, WINDOW:] - sums[:, :-WINDOW] < MOVING * WINDOW


def _velocities(takes: Takes) -> Singles:
    """Velocities `[N, F - 4, K, 3]` in the world, units a second."""
    steps = takes.global_positions[:, 2 * _REACH :] - takes.global_positions[:, : -2 * _REACH]
    return steps * np.float32(FPS / (2 * _REACH))


def window_distances(a: Singles, b: Singles) -> Singles:
    """Distances `[F - WINDOW + 1, G - WINDOW + 1]`, units, of the windows of two clips.

    Args:
        a: `[F, D]`, b: `[G, D]`: features of frames.
    """
    squared = (a * a).sum(-1)[:, None] + (b * b).sum(-1) - np.float32(2) * (a @ b.T)
    rows, columns = len(a) - WINDOW + 1, len(b) - WINDOW + 1
    total = np.zeros((rows, columns), np.float32)
    for frame in range(WINDOW):
        total += squared[frame : frame + rows, frame : frame + columns]
    return np.sqrt(np.maximum(total / np.float32(WINDOW), 0.0))


def nearest(of: Sequence[Singles], among: Sequence[Singles]) -> list[Singles]:
    """Distance of each window of some clips to the nearest window of others, units: for each clip `[F - WINDOW + 1]`.

    Args:
        of, among: features `[F, D]` of clips of one rig.
    """
    together = np.concatenate(among)
    starts = _starts([len(clip) for clip in among])
    return [window_distances(clip, together)[:, starts].min(axis=1) for clip in of]


def _starts(lengths: Sequence[int]) -> Ints:
    """Where windows that lie in one clip begin, of clips one after the other."""
    ends = np.cumsum(lengths)
    return np.concatenate(
        [np.arange(end - length, end - WINDOW + 1) for end, length in zip(ends, lengths, strict=True)]
    )


def coverage(truth: Sequence[Singles], still: Sequence[Bools], made: Sequence[Singles]) -> float | None:
    """Share of the moving windows of the ground truth that a generated window is near to; None if nothing moves.

    Args:
        truth, made: features `[F, D]` of clips. still: which windows of the ground truth are.
    """
    counted = ~np.concatenate(list(still))
    if not counted.any():
        return None
    return float((np.concatenate(nearest(truth, made))[counted] < NEAR).mean())


def off_manifold(made: Sequence[Singles], truth: Sequence[Singles], usual: float) -> float:
    """Mean distance of generated windows to the nearest of the ground truth, over that between its halves.

    Near 1 is as new as other takes of the same movements are. Below 0.8 is copied, or still; above 1.8 is something
    else than the movements of the ground truth.

    Args:
        usual: what `half_distance` gives, units.
    """
    return float(np.concatenate(nearest(made, truth)).mean()) / max(usual, 1e-6)


def half_distance(truth: Sequence[Singles], halves: tuple[Ints, Ints]) -> float:
    """Mean distance of windows of one half of the ground truth to the nearest of the other, both ways, units."""
    first, second = ([truth[clip] for clip in half] for half in halves)
    return float(np.concatenate([*nearest(first, second), *nearest(second, first)]).mean())


def split_clips(kinds: Sequence[str], seed: int) -> tuple[Ints, Ints]:
    """Clips divided into two halves that do the same things: those of each kind are dealt out in turn.

    Args:
        kinds: what each clip does.
    """
    shuffled = np.random.default_rng(seed).permutation(len(kinds))
    dealt = shuffled[np.argsort(np.asarray(kinds)[shuffled], kind="stable")]
    return np.sort(dealt[::2]), np.sort(dealt[1::2])


def diversity(clips: Sequence[Singles], seed: int = 0) -> tuple[float, float]:
    """Mean distance of two windows of different clips, and of the same clip, units.

    Args:
        clips: features `[F, D]` of clips of the same length; at least two.
    """
    rng = np.random.default_rng(seed)
    features = np.stack(clips)
    first = rng.integers(0, len(clips), _PAIRS)
    second = (first + rng.integers(1, len(clips), _PAIRS)) % len(clips)
    begins = rng.integers(0, features.shape[1] - WINDOW + 1, (3, _PAIRS))

    def windows(numbers: Ints, begin: Ints) -> Singles:
        return features[numbers[:, None], begin[:, None] + np.arange(WINDOW)]

    mine = windows(first, begins[0])
    return _apart(mine, windows(second, begins[1])), _apart(mine, windows(first, begins[2]))


def _apart(a: Singles, b: Singles) -> float:
    """Mean distance of windows `[N, WINDOW, D]`."""
    return float(np.sqrt(np.square(a - b).sum(axis=-1).mean(axis=-1)).mean())

"""The figures by which AnyTop was published, for comparison with its tables and for nothing else.

After I. Gat et al., "AnyTop: Character Animation Diffusion with Any Topology", SIGGRAPH 2025, and, for the global
diversity, P. Li et al., "GANimator: Neural Motion Synthesis from a Single Sequence", SIGGRAPH 2022. Quirks are kept:

- The threshold of coverage is 20 degrees in radians, and is used for distances: 0.349, more than one and a half bones.
  Velocities do not count. A frozen mean pose therefore covers nearly everything. Always show its row.
- Windows of concatenated clips may lie across two of them.
- Frames are counted whatever their rate; those here are 1/30 s apart, those of the published tables 1/20 s.
- More is called better for the distance to the nearest window of the ground truth, so noise is the best.
- The ground truth is what was trained with.

Costs of two frames are mean distances of joints other than the hips, by the stated positions, relative to the hips, in
a scale in which the mean bone is `BONE` long.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema.arrays import Floats, Ints, Singles
from kinema.errors import UsageError
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes

WINDOW = 15
THRESHOLD = float(np.radians(20.0))
BONE = 0.20921
SHORTEST = 30
"""Frames of the shortest piece of a clip that is matched for the global diversity."""

_SUBSETS, _CLIP = 10, 120


def compatibility(rig: AnyRig, truth: Sequence[Singles], made: Singles, seed: int = 0) -> dict[str, float]:
    """Coverage, local, global and inter diversity, and the difference of intra diversities.

    Args:
        truth: clips `[F, K, CHANNELS]`; those shorter than `SHORTEST` frames are skipped.
        made: `[N, F, K, CHANNELS]`, of at least as many frames.

    Raises:
        UsageError: nothing is long enough.
    """
    whole = [positions(rig, clip) for clip in truth if len(clip) >= SHORTEST]
    if not whole or made.shape[1] < SHORTEST:
        raise UsageError(f"clips must have {SHORTEST} frames or more")
    samples = np.stack([positions(rig, clip) for clip in made])
    rng = np.random.default_rng(seed)
    frames = sum(len(clip) for clip in whole)
    subsets = [rng.permutation(len(samples))[: frames // _CLIP + 1] for _ in range(_SUBSETS)]
    covered, near, global_costs = [], [], []
    for clip in whole:
        costs = frame_costs(clip, samples)
        covered.append(_covered(costs, subsets))
        near.append(_window_means(costs.transpose(1, 0, 2)).min(axis=1))
        global_costs.append(patched_costs(costs))
    usual = np.mean([_intra(clip, rng) for clip in whole])
    return {
        "coverage": float(np.concatenate(covered, axis=1).mean()),
        "local diversity": float(np.min(near, axis=0).mean()),
        "global diversity": float(np.min(global_costs, axis=0).mean()),
        "inter diversity": float(np.linalg.norm(samples - np.roll(samples, 1, axis=0), axis=-1).mean()),
        "intra diversity difference": float(np.mean([abs(_intra(each, rng) - usual) for each in samples])),
    }


def positions(rig: AnyRig, clip: Singles) -> Singles:
    """Positions `[F, K - 1, 3]` relative to the hips, in the heading frame and the scale of the published figures."""
    stated = Takes(rig, clip[None]).stated_positions[0]
    mean_bone = float(np.linalg.norm(rig.offsets[1:], axis=-1).mean())
    return (stated[:, 1:] - stated[:, :1]) * np.float32(BONE / mean_bone)


def frame_costs(clip: Singles, samples: Singles) -> Floats:
    """Costs `[F, N, G]` of the frames of a clip `[F, K - 1, 3]` and those of samples `[N, G, K - 1, 3]`."""
    from scipy.spatial.distance import cdist  # only evaluation needs it

    flat = samples.reshape(-1, *samples.shape[2:])
    total = np.zeros((len(clip), len(flat)))
    for joint in range(clip.shape[1]):
        total += cdist(clip[:, joint], flat[:, joint])
    return (total / clip.shape[1]).reshape(len(clip), *samples.shape[:2])


def patched_costs(costs: Floats) -> Floats:
    """Mean cost `[N]` of each sample in its best division into pieces of a clip, none shorter than `SHORTEST`.

    Longer pieces than twice that never cost less than two, so dynamic programming need not try them.

    Args:
        costs: `[F, N, G]`.
    """
    frames, count, length = costs.shape
    sums = np.zeros((frames + 1, count, length + 1))
    for row in range(frames):
        sums[row + 1, :, 1:] = sums[row, :, :-1] + costs[row]
    least = np.full((count, length + 1), np.inf)
    least[:, 0] = 0.0
    longest = min(2 * SHORTEST - 1, frames, length)
    pieces = {
        width: (sums[width:, :, width:] - sums[: frames + 1 - width, :, : length + 1 - width]).min(axis=0)
        for width in range(SHORTEST, longest + 1)
    }
    for stop in range(SHORTEST, length + 1):
        tried = [least[:, stop - width] + best[:, stop - width] for width, best in pieces.items() if width <= stop]
        least[:, stop] = np.min(tried, axis=0)
    return least[:, length] / length


def _window_means(costs: Floats) -> Floats:
    """Mean costs of windows `[..., F - WINDOW + 1, G - WINDOW + 1]` from those of frames `[..., F, G]`."""
    rows, columns = costs.shape[-2] - WINDOW + 1, costs.shape[-1] - WINDOW + 1
    return np.sum([costs[..., at : at + rows, at : at + columns] for at in range(WINDOW)], axis=0) / float(WINDOW)


def _covered(costs: Floats, subsets: Sequence[Ints]) -> Floats:
    """Which windows `[S, F - WINDOW + 1]` of a clip subsets of the samples, one after the other, cover."""
    joined = [_window_means(costs[:, subset].reshape(len(costs), -1)) for subset in subsets]
    return np.stack([each.min(axis=-1) < THRESHOLD for each in joined]).astype(np.float64)


def _intra(clip: Singles, rng: np.random.Generator) -> float:
    """Cost of two random windows of a clip `[F, K - 1, 3]`."""
    first, second = rng.integers(0, len(clip) - WINDOW + 1, 2)
    return float(np.linalg.norm(clip[first : first + WINDOW] - clip[second : second + WINDOW], axis=-1).mean())

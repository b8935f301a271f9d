"""Retargeting measured: whether the feet of the target stand and swing with those of the source, and the way back."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Bools, Indices, Singles
from kinema.generation.measures import percent
from kinema.generation.takes import Takes


def contact_f1(source: Bools, target: Bools) -> float | None:
    """F1 score of the target's contacts `[F, L]` of `L` legs, as predictions of those of the source; None without any.

    Twice the common contacts over those of both.
    """
    both = int(source.sum()) + int(target.sum())
    return 2.0 * int((source & target).sum()) / both if both else None


def leg_swings(takes: Takes, joints: Indices) -> Singles:
    """How far ahead of the hips `[N, F, L]`, units, feet `[L]` are, from 0 to `K`, in the heading frame."""
    return takes.model_positions[..., joints, 2] - takes.model_positions[..., :1, 2]


def phase_correlation(source: Singles, target: Singles) -> float | None:
    """Mean cosine of the differences between the phases of the same legs, from -1 (opposite) to 1 (in phase).

    Phases are those of the analytic signals (D. Gabor, "Theory of Communication", 1946). Moments count by how far the
    leg of the source swings. None if its legs do not swing.

    Args:
        source, target: swings `[F, L]` of legs that belong together.
    """
    from scipy.signal import hilbert  # only evaluation needs it

    first, second = (np.asarray(hilbert(each - each.mean(axis=0), axis=0)) for each in (source, target))
    weights = np.abs(first)
    if not weights.sum() > 1e-6:
        return None
    return float((weights * np.cos(np.angle(first) - np.angle(second))).sum() / weights.sum())


def cycle_error(first: Takes, again: Takes) -> float:
    """Mean distance of joints in the world after the way to another rig and back, % of the diameter.

    Args:
        first, again: the same clips of the same rig, before and after.
    """
    return percent(float(np.linalg.norm(first.global_positions - again.global_positions, axis=-1).mean()))

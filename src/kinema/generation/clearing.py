"""Keeps feet above the ground, on any rig.

A network that does not know a body well lets its toes sink. The foot is raised where any of its joints does, and turned
about the ankle, so that what can stand is where it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.generation.channels import Start
from kinema.generation.reaching import posed, reach
from kinema.generation.rig import AnyRig
from kinema.generation.soles import RigidFoot
from kinema.generation.strides import remaining

EASE = 6
"""Frames over which what was not foreseen fades out."""

_SUNK = 1e-4  # units that count
_SMOOTH = 2.0  # frames: standard deviation of the smoothing of how far a foot is raised


def clear(
    rig: AnyRig,
    channels: Singles,
    feet: Sequence[RigidFoot],
    start: Start | None = None,
    before: Mapping[int, float] | None = None,
) -> tuple[Singles, dict[int, Floats]]:
    """Channels `[F, K, CHANNELS]` whose feet are above the ground, and how far ankles were raised, `[F]` units.

    Args:
        start: where the first frame is.
        before: how far ankles were raised in the first frame already, units, where that is shown.
    """
    _, positions = rig.forward(*posed(rig, channels, start))
    rises = {
        foot.limb.end: _rise(_sunk(foot, positions), None if before is None else before.get(foot.limb.end, 0.0))
        for foot in feet
    }

    def aim(foot: RigidFoot, positions: Floats) -> tuple[Floats, Floats]:
        """Where the ankle is to be, and a turn of the foot after which its ends are where they were."""
        ends, ankle = positions[:, foot.ends].mean(axis=1), positions[:, foot.limb.end]
        goal = ankle + rises[foot.limb.end][:, None] * (0.0, 1.0, 0.0)
        floor = foot.lowest[np.isin(foot.joints, foot.ends)].mean()
        wanted = ends + np.maximum(floor - ends[:, 1], 0.0)[:, None] * (0.0, 1.0, 0.0)
        tilt = rotations.between(ends - ankle, wanted - goal)
        along = [0, 2]
        goal[:, along] = (wanted - rotations.rotate(tilt, ends - ankle))[:, along]
        return goal, tilt

    raised = [foot for foot in feet if rises[foot.limb.end].max() > 0.0]
    return reach(rig, channels, raised, aim, start), rises


def _sunk(foot: RigidFoot, positions: Singles) -> Floats:
    """How far `[F]` a foot is in the ground, units, where joints are at `[F, K, 3]`."""
    return np.maximum((foot.lowest - positions[:, foot.joints, 1]).max(axis=-1), 0.0)


def _rise(sunk: Floats, before: float | None) -> Floats:
    """How far a foot is raised `[F]`, which passes smoothly, from how far it sinks `[F]`."""
    if sunk.max() < _SUNK and not before:
        return np.zeros_like(sunk)
    rise = gaussian_filter1d(maximum_filter1d(sunk, 2 * round(2 * _SMOOTH) + 1), _SMOOTH)
    if before is not None:
        rise += remaining(np.arange(len(rise)), EASE) * (before - rise[0])
        rise[1:] = np.maximum(rise[1:], sunk[1:])
    return rise

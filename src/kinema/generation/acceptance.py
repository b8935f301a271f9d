"""Whether a motion can be learned from: checks before it goes into a collection."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Singles
from kinema.generation.channels import CONTACT, FPS, Start, decode, stated_positions
from kinema.generation.rig import AnyRig
from kinema.motion import Motion

SHORTEST = 8
"""Frames of the shortest motion."""

EXACT = 2e-3
"""Units, a thousandth of the diameter: bones keep their length."""

STRETCHED = 0.1
"""Units: what motion of game rigs may be stretched, before it is brought to bones of fixed length."""

FASTEST = 60.0
"""Units a second of the root: no body is faster."""

_FARTHEST = 4.0  # units from the root, which no joint can exceed
_STANDING = 0.98  # share of contacts beyond which feet are glued to the ground while the body travels


def refusal(rig: AnyRig, motion: Motion, channels: Singles, start: Start, apart: float = EXACT) -> str | None:
    """Why a motion is no use, in one line; None if it is of use.

    Args:
        motion: of the rig's skeleton.
        channels, start: what `encode` makes of it.
        apart: units that a joint may be from where bones of fixed length put it.
    """
    if len(channels) < SHORTEST:
        return f"lasts {len(channels)} frames, the shortest that can be learned is {SHORTEST}"
    if not np.isfinite(channels).all():
        return "holds values that are not finite"
    off = _off(rig, motion, channels, start)
    if off.max() > apart:
        joint, share = rig.skeleton.names[rig.joints[int(off.argmax())]], 50 * off.max()
        return (
            f"bones change their length, or joints move that no bone carries: {joint!r} is {share:.1f} % of the "
            f"diameter off ({50 * apart:g} % are forgiven)"
        )
    if np.abs(stated_positions(rig, channels)).max() > _FARTHEST + np.abs(channels[:, 0]).max():
        return "a joint is farther from the root than the skeleton is large"
    speed = np.linalg.norm(channels[:, 0, 10:12], axis=-1)
    if speed.max() > FASTEST:
        return f"the root jumps: {speed.max() * rig.unit:.0f} m/s"
    planted = channels[..., CONTACT][..., 0]
    feet = planted.any(axis=0)
    if feet.any() and planted[:, feet].mean() > _STANDING and speed.mean() > 0.5:
        return "feet stand all the time while the body travels"
    return None


def _off(rig: AnyRig, motion: Motion, channels: Singles, start: Start) -> Singles:
    """Largest distance along an axis, units, of each animated joint `[K]` from where the channels put it."""
    truth = motion.resample(FPS)[:].global_positions[:, rig.joints]
    apart = np.abs(decode(rig, channels, start)[:].global_positions[:, rig.joints] - truth)
    return apart.max(axis=(0, 2)) / np.float32(rig.unit)

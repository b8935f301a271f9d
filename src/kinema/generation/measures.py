"""Single figures of generated motion: agreement with itself, feet, smoothness, obedience, and what was to be kept.

Lengths are measured in units of the rig, and reported in percent of its diameter, which is two units. Everything is
measured on what forward kinematics draw, since that is what a user gets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Floats, Reals, Singles
from kinema.generation import conditions
from kinema.generation.channels import CHANNELS, FPS, HEIGHT, TRAVEL
from kinema.generation.collection import OWN_CHANNELS
from kinema.generation.feet import RigFeet
from kinema.generation.takes import Takes

DIAMETER = 2.0
"""Units: the largest distance between two joints or tips at rest."""

LEAST_SKATE = 0.02
"""Units a second, 1 % of the diameter: less sliding than this is none, so a ratio to it says something."""


def percent(units: float) -> float:
    """Units as percent of the diameter."""
    return 100.0 * units / DIAMETER


def agreement(takes: Takes) -> float:
    """Mean distance between the positions that rotations lead to and those that are stated, % of the diameter."""
    apart = np.linalg.norm(takes.model_positions - takes.stated_positions, axis=-1)
    return percent(float(apart.mean()))


@dataclass(frozen=True)
class Skate:
    """How feet slide.

    Attributes:
        planted: mean ground speed, units a second, of feet that the motion calls planted; None if it never does.
        planted_share: share of feet and frames that it calls planted.
        low: mean ground speed of feet that are within 3 % of their leg of the ground; None if they never are.
        low_share: share of feet and frames that are.
    """

    planted: float | None
    planted_share: float
    low: float | None
    low_share: float

    @staticmethod
    def of(takes: Takes, feet: RigFeet) -> Skate:
        """Measures feet in frames in which they are planted, or low, now and in the next frame."""
        speeds = feet.ground_speeds(takes)
        planted, low = (_stays(on) for on in (feet.planted(takes), feet.low(takes)))
        return Skate(_mean(speeds[planted]), float(planted.mean()), _mean(speeds[low]), float(low.mean()))

    def ratio_to(self, truth: Skate) -> float:
        """The larger of the two ratios to the speeds of the ground truth; infinite if the feet are never down.

        Motion that hides its contacts, or calls only still feet planted, is found by the feet that are low.
        """
        pairs = [(self.planted, truth.planted), (self.low, truth.low)]
        ratios = [mine / max(right, LEAST_SKATE) for mine, right in pairs if mine is not None and right is not None]
        return max(ratios, default=float("inf"))


def _stays(on: Bools) -> Bools:
    return on[:, :-1] & on[:, 1:]


def _mean(values: Reals) -> float | None:
    return float(values.mean()) if values.size else None


def float_error(takes: Takes, feet: RigFeet, standing: Bools | None = None) -> float | None:
    """Mean distance of the lowest foot from the ground, above or below it, % of the diameter.

    Args:
        standing: `[N, F]`: when something should stand; None: when the motion itself calls a foot planted.

    Returns:
        None if nothing ever should.
    """
    lowest = feet.heights_of(takes).min(axis=-1)
    when = feet.planted(takes).any(axis=-1) if standing is None else standing
    mean = _mean(np.abs(lowest[when]))
    return None if mean is None else percent(mean)


def jerk(takes: Takes) -> float:
    """Mean length of the third differences of all joints in the world, units / s^3; it depends on the frame rate."""
    third = np.diff(takes.global_positions.astype(np.float64), n=3, axis=1) * FPS**3
    return float(np.linalg.norm(third, axis=-1).mean())


def travelled(takes: Takes) -> tuple[Floats, Floats]:
    """Mean speed, units a second, and mean yaw rate, rad/s, of each clip `[N]`, as conditions measure them."""
    measured = [conditions.measured(channels, 1) for channels in takes.channels]
    return (
        np.asarray([speed.mean() for speed, _ in measured]),
        np.asarray([turn.mean() for _, turn in measured]),
    )


def speed_errors(takes: Takes, asked: Reals) -> Floats:
    """How far the speed of each clip `[N]` is from what was asked, in % of that.

    Args:
        asked: `[N]`, units a second, above 0.
    """
    return 100.0 * np.abs(travelled(takes)[0] - asked) / asked


def turns_obeyed(takes: Takes, asked: Reals) -> Bools:
    """Which clips `[N]` turn to the right side at half to one and a half times the rate that was asked.

    Args:
        asked: `[N]`, rad/s, not 0.
    """
    share = travelled(takes)[1] / asked
    return (share >= 0.5) & (share <= 1.5)


def exactness(channels: Singles, given: Singles, joints: Bools, root: Bools) -> float:
    """The largest difference between kept channels and what was given; 0 where nothing was.

    Args:
        channels: `[..., F, K, CHANNELS]`. given: `[F, K, CHANNELS]`.
        joints: `[F, K]`, root: `[F]`: what is kept, as in `kinema.generation.generator.Known`.
    """
    kept = np.zeros((*joints.shape, CHANNELS), np.bool_)
    kept[..., :OWN_CHANNELS] = joints[..., None]
    kept[:, 0, TRAVEL] = root[:, None]
    kept[:, 0, HEIGHT] = joints[:, :1]
    return float(np.abs(channels - given)[..., kept].max(initial=0.0))

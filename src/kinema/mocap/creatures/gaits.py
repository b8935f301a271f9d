"""Gaits: in which order feet step, how long they stand, and which gait goes with which speed.

Footfall patterns after Hildebrand, "Symmetrical gaits of horses", Science 1965, and "The quadrupedal gaits of
vertebrates", BioScience 1989; stride lengths after Alexander, "Optimization and gaits in the locomotion of
vertebrates", Physiological Reviews 1989. Speeds are Froude speeds: v / sqrt(g L) with the leg length L.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema.arrays import Floats, Ints
from kinema.errors import ControlError
from kinema.mocap.procedural.script import smooth_step

GAITS = (
    "walk", "run", "trot", "pace", "canter", "gallop", "bound", "hop", "wave", "alternate", "tripod"
)  # fmt: skip
"""Names of gaits."""

_DUTY = {
    "walk": (0.7, 0.6), "run": (0.42, 0.33), "trot": (0.5, 0.4), "pace": (0.52, 0.42), "canter": (0.42, 0.36),
    "gallop": (0.34, 0.26), "bound": (0.4, 0.3), "hop": (0.45, 0.32), "wave": (0.78, 0.68),
    "alternate": (0.66, 0.54), "tripod": (0.62, 0.52),
}  # fmt: skip
_FOUR = {  # strike of left hind, right hind, left front, right front in shares of the stride
    "canter": (0.0, 0.27, 0.3, 0.57),
    "gallop": (0.0, 0.13, 0.4, 0.52),
    "bound": (0.0, 0.04, 0.5, 0.46),
}
_SCALES = {  # gaits of a kind of body with the Froude speed up to which each is used
    "two": (("walk", 0.72), ("run", np.inf)),
    "hopper": (("hop", np.inf),),
    "four": (("walk", 0.62), ("trot", 1.45), ("canter", 1.9), ("gallop", np.inf)),
    "sprawled": (("walk", 0.2), ("trot", np.inf)),
    "many": (("wave", 0.14), ("alternate", np.inf)),
    "train": (("wave", np.inf),),
}


_SHIFTING = 0.22
"""Strides by which a foot may shift within a stride when the gait changes."""


def duty_range(name: str) -> tuple[float, float]:
    """Largest and smallest share of the stride for which a foot stands, slow and fast."""
    return _DUTY[name]


def gait_at(build: str, froude: float) -> str:
    """The gait of a kind of body at a Froude speed; see `build_of`."""
    return next(name for name, top in _SCALES[build] if froude <= top)


def offsets(name: str, orders: Ints, sides: Ints) -> Floats:
    """When each foot strikes, `[L]`, in shares of the stride.

    Args:
        name: one of `GAITS`.
        orders: `[L]` pairs counted from the front.
        sides: `[L]` 1 left, -1 right.

    Raises:
        ControlError: there is no such gait.
    """
    if name not in _DUTY:
        raise ControlError(f"no gait is named {name!r}; there are: {', '.join(GAITS)}")
    right = (sides < 0).astype(np.float64)
    pairs = int(orders.max()) + 1
    behind = pairs - 1 - orders
    if name == "hop":
        return np.zeros(orders.size)
    if name == "pace":
        return 0.5 * right
    if name in _FOUR and pairs == 2:
        return np.asarray(_FOUR[name])[2 * (orders == 0) + (sides < 0)]
    if name == "wave" or (name == "walk" and pairs > 1):  # the lateral sequence walk is the wave of four legs
        return behind * max(0.5 / pairs, 0.09) + 0.5 * right
    return 0.5 * ((behind + right) % 2)


@dataclass(frozen=True)
class Cycle:
    """The gait over time.

    Attributes:
        phase: `[N]` strides since the start, growing.
        rate: `[N]` strides per second.
        offsets: `[N, L]` strike of each foot in the stride.
        duty: `[N]` share of the stride for which a foot stands.
        froude: `[N]` Froude speed of the feet.
    """

    phase: Floats
    rate: Floats
    offsets: Floats
    duty: Floats
    froude: Floats

    def leg_phases(self) -> Floats:
        """Phase `[N, L]` of each foot: whole at its strikes."""
        return self.phase[:, None] - self.offsets


def build_of(count: int, sprawled: bool, hops: bool, long: bool) -> str:
    """The kind of body that decides the gaits."""
    if count == 2:
        return "hopper" if hops else "two"
    if count == 4:
        return "sprawled" if sprawled else "four"
    return "train" if long else "many"


def plan_cycle(
    froude: Floats, wanted: list[str | None], orders: Ints, sides: Ints, build: str, unit: float, longest: float,
    fps: float, start: float,
) -> Cycle:  # fmt: skip
    """The gait cycle for a course of Froude speeds.

    Args:
        froude: `[N]`.
        wanted: `N` names of gaits that the script asks for, or None.
        orders, sides: `[L]` of the legs.
        build: see `build_of`.
        unit: sqrt(L / g), seconds.
        longest: largest excursion of a foot in stance, leg lengths.
        fps: frames per second.
        start: phase at the first frame.
    """
    scale = _SCALES[build]
    names = [name for name, _ in scale] + sorted({name for name in wanted if name} - {name for name, _ in scale})
    chosen = np.searchsorted(np.asarray([top for _, top in scale]), froude)
    forced = np.asarray([names.index(name) if name else -1 for name in wanted])
    chosen = np.where(forced >= 0, forced, chosen)
    rows = np.asarray([offsets(name, orders, sides) for name in names])
    weights = gaussian_filter1d(np.eye(len(names))[chosen], 0.7 * unit * fps, axis=0, mode="nearest")
    quick = np.clip(froude / 1.2, 0.0, 1.0)[:, None]
    span = np.asarray([_DUTY[name] for name in names])
    duty = np.sum(weights * (span[:, 0] + (span[:, 1] - span[:, 0]) * quick), axis=-1)
    moving = np.maximum(froude, 1e-3)
    slowest = 0.16 + 0.2 * (1 - smooth_step(froude / 0.08))  # feet that settle do not take their time
    rate = np.maximum(moving**0.4 / 2.3, moving * duty / longest)
    rate = np.maximum(np.minimum(rate / unit, fps / 6.0), slowest / unit)
    rate = gaussian_filter1d(rate, 0.4 * unit * fps, mode="nearest")
    phase = start + np.cumsum(rate) / fps
    return Cycle(phase, rate, _followed(rows[chosen], _SHIFTING * rate / fps), duty, froude)


def _followed(wanted: Floats, most: Floats) -> Floats:
    """Offsets `[N, L]` that go to the wanted ones the short way round, by at most `most` `[N]` a frame.

    A foot that went there at once would stand for strides, or step twice.
    """
    if (wanted == wanted[0]).all():
        return wanted
    now, rows = wanted[0].tolist(), []
    for row, step in zip(wanted.tolist(), most.tolist(), strict=True):  # plain numbers: a few legs at a time
        away = [goal - here - round(goal - here) for goal, here in zip(row, now, strict=True)]
        now = [here + min(max(way, -step), step) for here, way in zip(now, away, strict=True)]
        rows.append(now)
    return np.asarray(rows)

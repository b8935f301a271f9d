"""Looking into a controller: its plan, what the search weighs, what a family says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.command import Control
from kinema.control.trajectory import Trajectory
from kinema.features.spec import FeatureSpec

Floats = NDArray[np.floating]


@runtime_checkable
class Plays(Protocol):
    """A family whose plans are frames of a database, such as motion matching."""

    database: Any

    @property
    def frames(self) -> NDArray[np.int64]: ...


@runtime_checkable
class Compares(Protocol):
    """A family that searches: the query and what it is compared with."""

    spec: FeatureSpec
    features: NDArray[np.float32]
    times: tuple[float, ...]

    @property
    def frames(self) -> NDArray[np.int64]: ...

    def query(
        self, frames: NDArray[np.int64], positions: NDArray[np.float32], directions: NDArray[np.float32]
    ) -> NDArray[np.float32]: ...


@dataclass(frozen=True)
class Plan:
    """Which frame of which clip a character plays, and the seconds until the next search, where these are known."""

    clip: str = ""
    frame: int = 0
    frames: int = 0
    wait: float = float("nan")


def plan(controller: Any, row: int) -> Plan:
    """The plan of one character."""
    family = getattr(controller, "family", None)
    waits = getattr(controller, "wait", None)
    wait = float(waits[row]) if waits is not None and row < len(waits) else float("nan")
    if not isinstance(family, Plays) or row >= len(family.frames):
        return Plan(wait=wait)
    frame = int(family.frames[row])
    clip = next((clip for clip in family.database.clips if clip.start <= frame < clip.stop), None)
    if clip is None:
        return Plan(wait=wait)
    return Plan(clip.name, frame - clip.start, clip.stop - clip.start, wait)


def costs(controller: Any, control: Control, row: int) -> dict[str, float]:
    """What each feature adds to the cost of going on with the plan, by name; empty for families that do not search."""
    family, trajectory = getattr(controller, "family", None), getattr(controller, "trajectory", None)
    if not isinstance(family, Compares) or not isinstance(trajectory, Trajectory) or row >= control.count:
        return {}
    # As the controller asks: the wanted trajectory in the character's own root frame.
    positions, headings = trajectory.predict(control, family.times)
    heading, origin = trajectory.heading[row], trajectory.position[row]
    local = rotations.rotate(rotations.from_yaw(-heading), positions[row] - origin)
    relative = headings[row] - heading
    directions = np.stack([np.sin(relative), np.zeros_like(relative), np.cos(relative)], axis=-1)
    here = family.frames[row : row + 1]
    away = family.features[here] - family.query(here, local[None], directions[None].astype(np.float32))
    return {name: float((part**2).sum()) for name, part in family.spec.split(away).items()}


def figures(diagnostics: Mapping[str, Any], row: int = 0) -> tuple[dict[str, float], dict[str, Floats]]:
    """Single numbers, and rows of numbers (gate weights, phases), that a family shows; what is neither is left out.

    Arrays with a row for each character are cut to that of `row`.
    """
    numbers: dict[str, float] = {}
    arrays: dict[str, Floats] = {}
    for name, value in diagnostics.items():
        try:
            array = np.asarray(value, np.float64)
        except (TypeError, ValueError):
            continue
        if array.ndim == 2 and len(array):
            array = array[min(row, len(array) - 1)]
        if array.ndim == 0 or array.size == 1:
            numbers[name] = float(array.reshape(()) if array.ndim == 0 else array.reshape(-1)[0])
        elif array.ndim == 1:
            arrays[name] = array
    return numbers, arrays


@dataclass(frozen=True)
class Knob:
    """A number that can be turned while the controller runs.

    Attributes:
        part: whose setting it is: `controller`, `search`, `adjustment` or `foot lock`.
        name: of the setting. low, high: its limits.
    """

    part: str
    name: str
    value: float
    low: float
    high: float


PARTS = {
    "controller": ("settings",),
    "search": ("family", "settings"),
    "adjustment": ("adjustment",),
    "foot lock": ("foot_lock",),
}
"""Where the settings of each part are."""


def knobs(controller: Any) -> list[Knob]:
    """All settings that are single numbers; limits are a tenth and four times what a part has by default."""
    found: list[Knob] = []
    for part, path in PARTS.items():
        owner = _owner(controller, path)
        if owner is None or not is_dataclass(owner):
            continue
        for field in fields(owner):
            value = getattr(owner, field.name)
            if field.name.startswith("_") or type(value) is not float:
                continue
            base = field.default if isinstance(field.default, float) and field.default > 0 else max(value, 0.1)
            high = min(4 * base, 1.0) if base in (0.5, 0.98, 1.0) else 4 * base
            found.append(Knob(part, field.name, value, 0.1 * base, max(high, value)))
    return found


def turn(controller: Any, knob: Knob, value: float) -> None:
    """Set a knob; the next step obeys it."""
    path = PARTS[knob.part]
    owner = _owner(controller, path)
    holder = _owner(controller, path[:-1])
    frozen = getattr(type(owner), "__dataclass_params__").frozen  # noqa: B009
    if frozen:
        setattr(holder, path[-1], replace(owner, **{knob.name: value}))
    else:
        setattr(owner, knob.name, value)
    trajectory = getattr(controller, "trajectory", None)
    if knob.part == "controller" and trajectory is not None and hasattr(trajectory, knob.name):
        setattr(trajectory, knob.name, value)


def _owner(controller: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        controller = getattr(controller, name, None)
    return controller

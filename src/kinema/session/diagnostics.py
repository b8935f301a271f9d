"""Diagnostics of a controller: its plan, search costs, figures and settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.adjust import Adjustment
from kinema.control.command import Commands
from kinema.control.family import PlaysFrames
from kinema.control.foot_lock import FootLock
from kinema.control.trajectory import Trajectory
from kinema.features.spec import FeatureSpec
from kinema.session.settings import Slider

Floats = NDArray[np.floating]

UNITS: dict[str, tuple[str, str, int]] = {
    "tracking_cm": ("tracking", "cm", 1),
    "tracking_deg": ("turning error", "°", 1),
    "search_us": ("search", "µs", 0),
    "cost": ("match cost", "", 2),
    "patch_ms": ("patch", "ms", 0),
    "patches_ahead": ("patches ahead", "", 0),
    "late_s": ("late", "s", 1),
    "asked_speed": ("asked speed", "m/s", 2),
    "asked_turn_deg": ("asked turn", "°/s", 0),
}
"""Label, unit and digits of known figures; others are written under their own name."""


@runtime_checkable
class Compares(Protocol):
    """A family that searches: its query, and the features it is compared with."""

    spec: FeatureSpec
    features: NDArray[np.float32]
    times: tuple[float, ...]

    @property
    def frames(self) -> NDArray[np.int64]: ...

    def query(
        self, frames: NDArray[np.int64], positions: NDArray[np.float32], directions: NDArray[np.float32]
    ) -> NDArray[np.float32]: ...


@dataclass(frozen=True)
class PlanPosition:
    """The clip and frame that a character plays, and the seconds until its next search, if known."""

    clip: str = ""
    frame: int = 0
    frames: int = 0
    wait: float = float("nan")


def plan_position(controller: Any, row: int) -> PlanPosition:
    """The plan position of one character."""
    family = getattr(controller, "family", None)
    waits = getattr(controller, "wait", None)
    wait = float(waits[row]) if waits is not None and row < len(waits) else float("nan")
    if not isinstance(family, PlaysFrames) or row >= len(family.frames):
        return PlanPosition(wait=wait)
    frame = int(family.frames[row])
    clip = next((clip for clip in family.database.clips if clip.start <= frame < clip.stop), None)
    if clip is None:
        return PlanPosition(wait=wait)
    return PlanPosition(clip.name, frame - clip.start, clip.stop - clip.start, wait)


def costs(controller: Any, control: Commands, row: int) -> dict[str, float]:
    """Cost of continuing the plan by feature name; empty for families that do not search."""
    family, trajectory = getattr(controller, "family", None), getattr(controller, "trajectory", None)
    if not isinstance(family, Compares) or not isinstance(trajectory, Trajectory) or row >= control.count:
        return {}
    # The query of the controller: the desired trajectory in the root frame of the character.
    positions, headings = trajectory.predict(trajectory.steered(control), family.times)
    heading, origin = trajectory.heading[row], trajectory.position[row]
    local = rotations.rotate(rotations.from_yaw(-heading), positions[row] - origin)
    relative = headings[row] - heading
    directions = np.stack([np.sin(relative), np.zeros_like(relative), np.cos(relative)], axis=-1)
    here = family.frames[row : row + 1]
    away = family.features[here] - family.query(here, local[None], directions[None].astype(np.float32))
    return {name: float((part**2).sum()) for name, part in family.spec.split(away).items()}


def figures(diagnostics: Mapping[str, Any], row: int = 0) -> tuple[dict[str, float], dict[str, Floats]]:
    """The scalars and the vectors (gate weights, phases) of a family; anything else is left out.

    `row` selects the character from arrays with one row each.
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
        if array.size == 1:
            numbers[name] = float(array.reshape(-1)[0])
        elif array.ndim == 1:
            arrays[name] = array
    return numbers, arrays


def written(name: str, value: float) -> tuple[str, str]:
    """Label and text of a figure."""
    label, unit, digits = UNITS.get(name, (name.replace("_", " "), "", 2 if abs(value) < 100 else 0))
    return label, f"{value:.{digits}f} {unit}".rstrip()


BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"


def bars(values: Floats) -> str:
    """Values from 0 to 1 as bars of text, one for each."""
    steps = np.clip(np.round(np.nan_to_num(values) * (len(BARS) - 1)), 0, len(BARS) - 1)
    return "".join(BARS[int(step)] for step in steps)


PARTS: dict[str, tuple[str | type, ...]] = {
    "controller": ("settings",),
    "search": ("family", "settings"),
    "adjustment": ("stages", Adjustment),
    "foot lock": ("stages", FootLock),
}
"""Place of the settings of each part of a controller: attribute names, and types of stages in a list."""


def sliders(controller: Any, group: str) -> list[Slider]:
    """A slider for every float setting of a controller; changes apply from the next step.

    The range is a tenth to four times the default.
    """
    found: list[Slider] = []
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
            found.append(
                Slider(
                    group,
                    f"{part}: {field.name.replace('_', ' ')}",
                    "",
                    lambda path=path, name=field.name: getattr(_owner(controller, path), name),
                    lambda value, part=part, name=field.name: change(controller, part, name, value),
                    0.1 * base,
                    max(high, value),
                    0.001,
                    "%.3f",
                )
            )
    return found


def change(controller: Any, part: str, name: str, value: float) -> None:
    """Change a setting of a part in `PARTS`; a frozen dataclass is replaced."""
    path = PARTS[part]
    owner, holder = _owner(controller, path), _owner(controller, path[:-1])
    frozen = getattr(type(owner), "__dataclass_params__").frozen  # noqa: B009
    if frozen:
        setattr(holder, str(path[-1]), replace(owner, **{name: value}))
    else:
        setattr(owner, name, value)
    trajectory = getattr(controller, "trajectory", None)
    if part == "controller" and trajectory is not None and hasattr(trajectory, name):
        setattr(trajectory, name, value)


def _owner(controller: Any, path: tuple[str | type, ...]) -> Any:
    for step in path:
        if isinstance(step, str):
            controller = getattr(controller, step, None)
        else:
            controller = next((stage for stage in controller or () if isinstance(stage, step)), None)
    return controller

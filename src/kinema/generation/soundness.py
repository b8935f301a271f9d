"""Whether motion for a rig is sound: its conduct against what is asked, and what is usual for the body."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kinema.generation.conduct import STEADY, Conduct, conduct
from kinema.generation.rig import AnyRig
from kinema.generation.wishes import Wish
from kinema.mocap.creatures import Act, perform
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.repertoire import actions_of
from kinema.motion import Motion
from kinema.skeleton import Skeleton

SPEED_WITHIN = 0.2
"""Share of the speed that was asked by which it may be off."""

GROUND_WITHIN = 0.05
"""Leg lengths by which the lowest foot may be off the ground on average."""

BONES_WITHIN = 1e-3
"""Share of the size of a body by which a bone may change its length: that of rounding."""

MEASURED_WITHIN = 0.1
"""Share by which a measured range may be left: footfalls are known to a frame."""

_PACES = (-1.0, 0.0, 1.0)
_TURN = 0.3  # rad/s of a body with a tempo of one second
_RIGHT_WAY = np.radians(30.0)
_TURNED = 0.5, 1.5  # shares of the turn that was asked


@dataclass(frozen=True)
class Trial:
    """What a body is asked to do.

    Attributes:
        name: "walk", "turn" (a walk in a curve), "run", "fly" or "swim".
        speed: m/s. turn: rad/s.
        duty, cadence: lowest and highest of what is usual; None where one does not apply.
    """

    name: str
    speed: float
    turn: float
    duty: tuple[float, float] | None
    cadence: tuple[float, float] | None

    @property
    def action(self) -> str:
        """One of `kinema.mocap.creatures.ACTIONS`."""
        return "walk" if self.name == "turn" else self.name

    @property
    def grounded(self) -> bool:
        """Whether it happens on the ground."""
        return self.action in ("walk", "run")

    @property
    def wish(self) -> Wish:
        """The trial as a wish."""
        return Wish(action=self.action, speed=self.speed, turn=self.turn)

    def act(self, seconds: float) -> Act:
        """The trial as an act."""
        return Act(self.action, seconds, speed=self.speed, curve=self.turn)


@dataclass(frozen=True)
class Sound:
    """Which of the figures are as they should be; None where one does not apply."""

    whole: bool
    bones: bool
    ground: bool | None
    speed: bool
    way: bool
    duty: bool | None
    cadence: bool | None
    steps: bool | None

    @property
    def passed(self) -> bool:
        """Whether everything that applies is."""
        return all(value is not False for value in vars(self).values())


def trials(skeleton: Skeleton, seconds: float, plan: str | None = None) -> list[Trial]:
    """What a body is asked to do: to walk, to walk in a curve, to run, to fly, to swim, as far as it can.

    Args:
        seconds: duration of the clips that tell what is usual.
        plan: see `kinema.perform`.

    Raises:
        SkeletonError: nothing in the skeleton was recognised that could move, or it does not stand.
    """
    kind, rig = kind_of_creature(skeleton, plan=plan), AnyRig.of(skeleton)
    allowed = actions_of(kind)
    found = []
    for action in ("walk", "run", "fly", "swim"):
        if action in allowed:
            found.append(_trial(kind, rig, action, seconds, plan))
    walk = next((trial for trial in found if trial.name == "walk"), None)
    if walk is not None:
        curve = float(_TURN / np.sqrt(kind.pacing.unit))
        found.insert(1, Trial("turn", walk.speed, curve, walk.duty, walk.cadence))
    return found


def _trial(kind: Kind, rig: AnyRig, action: str, seconds: float, plan: str | None) -> Trial:
    grounded = action in ("walk", "run")
    each = [
        conduct(kind, rig, perform(kind.body.skeleton, [Act(action, seconds, pace)], plan=plan), grounded)
        for pace in _PACES
    ]
    speed = kind.pacing.of(Act(action)) or 0.0
    return Trial(
        action, speed, 0.0, _range([one.duty for one in each]), _range([one.cadence for one in each])
    )


def _range(values: Iterable[float | None]) -> tuple[float, float] | None:
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else None


def judge(kind: Kind, trial: Trial, found: Conduct) -> Sound:
    """Whether the conduct in a trial is sound."""
    walks = trial.grounded and bool(kind.body.legs)
    sideways = kind.pacing.sideways
    away = float(np.abs((found.aside - sideways + np.pi) % (2 * np.pi) - np.pi))
    turned = not trial.turn or _TURNED[0] <= found.turn / trial.turn <= _TURNED[1]
    return Sound(
        found.finite and found.reach <= 1 + BONES_WITHIN,
        found.bones <= BONES_WITHIN,
        None if found.ground is None else found.ground <= GROUND_WITHIN,
        abs(found.speed - trial.speed) <= SPEED_WITHIN * trial.speed,
        away <= _RIGHT_WAY and bool(turned),
        _within(found.duty, trial.duty) if walks else None,
        _within(found.cadence, trial.cadence),
        found.stepping == 1.0 if walks else None,
    )


def _within(value: float | None, bounds: tuple[float, float] | None) -> bool | None:
    if bounds is None:
        return None
    slack = MEASURED_WITHIN
    return value is not None and (1 - slack) * bounds[0] <= value <= (1 + slack) * bounds[1]


def gliding(kind: Kind, skeleton: Skeleton, trial: Trial, seconds: float, fps: float = 30.0) -> Motion:
    """The rest pose, carried along at the speed that is asked: what must not be taken for motion."""
    raise NotImplementedError

"""Whether motion for a rig is sound: how it conducts itself, against what is asked and what is usual for the body.

What is usual is measured on the motion of `kinema.perform` for the same body, from slow to fast; how long feet stand
may also be all that its gaits allow, since real people stand for less than `kinema.perform` does. The rest pose,
carried along at the speed that is asked, has to fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kinema.generation.channels import FPS, TRAVEL, decode
from kinema.generation.conduct import Conduct, conduct
from kinema.generation.rig import AnyRig
from kinema.generation.stance import standing_pose
from kinema.generation.takes import rest_pose
from kinema.mocap.creatures import Act, perform
from kinema.mocap.creatures.gaits import duty_range, gait_at
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.repertoire import actions_of
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton

SPEED_WITHIN = 0.2
"""Share of the speed that was asked by which it may be off."""

GROUND_WITHIN = 0.05
"""Leg lengths by which the lowest foot may be off the ground on average."""

BONES_WITHIN = 1e-3
"""Share of half the size of a body by which a bone may change its length: that of rounding."""

RANGE_WITHIN = 0.1
"""Share by which a measured range may be left: footfalls are known to a frame."""

_ACTIONS = ("walk", "run", "fly", "swim")
_PACES = -1.0, 0.0, 1.0
_SEEDS = range(8)  # with two of them, a third of other flights fell outside
_TURN = 0.3  # rad/s of a body whose tempo is a second
_RIGHT_WAY = np.radians(30.0)
_TURNED = 0.5, 1.5  # shares of the turn that was asked

Span = tuple[float, float]


@dataclass(frozen=True)
class Trial:
    """What a body is asked to do.

    Attributes:
        name: "walk", "turn" (a walk in a curve), "run", "fly" or "swim".
        speed: m/s. turn: rad/s.
        grounded: whether it happens on the ground.
        duty, cadence: lowest and highest of what is usual; None where one does not apply.
    """

    name: str
    speed: float
    turn: float
    grounded: bool
    duty: Span | None
    cadence: Span | None

    @property
    def action(self) -> str:
        """One of `kinema.mocap.creatures.ACTIONS`."""
        return "walk" if self.name == "turn" else self.name


@dataclass(frozen=True)
class Sound:
    """Which of the figures are as they should be; None where one does not apply.

    Attributes:
        whole: numbers are finite, and no joint is farther from the hips than bones allow.
        bones: bones keep their length. ground: the lowest foot is on the ground. speed: it is the one asked for.
        way: the body goes where it faces, and turns as asked.
        duty, cadence: they are usual for the body. steps: every foot takes a stride.
    """

    whole: bool
    bones: bool
    ground: bool | None
    speed: bool
    way: bool
    duty: bool | None
    cadence: bool | None
    steps: bool | None

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the figures that are not as they should be."""
        return tuple(name for name, good in vars(self).items() if good is False)


@dataclass(frozen=True, eq=False)
class Subject:
    """A body that is put to the test. Use `of`.

    Attributes:
        stance: the pose that stands in for its rest pose; None for the rest pose.
        kind, rig: as `kinema.perform` and as generation see it.
    """

    skeleton: Skeleton
    stance: Pose | None
    kind: Kind
    rig: AnyRig

    @staticmethod
    def of(skeleton: Skeleton, motions: Sequence[Motion] = ()) -> Subject:
        """The body of a skeleton; motions show how it stands where the rest pose does not.

        Raises:
            SkeletonError: nothing was recognised that could move, or no pose is known in which it stands.
        """
        stance = standing_pose(skeleton, motions)
        return Subject(skeleton, stance, kind_of_creature(skeleton, stance), AnyRig.of(skeleton, stance=stance))

    def trials(self, seconds: float) -> list[Trial]:
        """What it is asked to do: to walk, to walk in a curve, to run, to fly and to swim, as far as it can.

        Args:
            seconds: duration of the clips that tell what is usual.
        """
        allowed = actions_of(self.kind)
        found = [self._trial(action, seconds) for action in _ACTIONS if action in allowed]
        walk = next((trial for trial in found if trial.name == "walk"), None)
        if walk is not None:
            curve = float(_TURN / np.sqrt(self.kind.pacing.unit))
            found.insert(1, Trial("turn", walk.speed, curve, walk.grounded, walk.duty, walk.cadence))
        return found

    def performed(self, trial: Trial, seconds: float, seed: int = 0) -> Motion:
        """A trial as `kinema.perform` acts it out."""
        return self._acted(Act(trial.action, seconds, speed=trial.speed, curve=trial.turn), seed)

    def carried(self, trial: Trial, seconds: float) -> Motion:
        """The rest pose, carried along as the trial asks."""
        channels = rest_pose(self.rig, round(seconds * FPS))
        channels[:, 0, TRAVEL] = [0.0, trial.speed / self.rig.unit, trial.turn]
        return decode(self.rig, channels)

    def conduct(self, trial: Trial, motion: Motion) -> Conduct:
        """How a motion conducts itself in a trial."""
        return conduct(self.kind, self.rig, motion, trial.grounded)

    def judge(self, trial: Trial, found: Conduct) -> Sound:
        """Whether the conduct in a trial is sound."""
        away = (found.aside - self.kind.pacing.sideways + np.pi) % (2 * np.pi) - np.pi
        turned = not trial.turn or _TURNED[0] <= found.turn / trial.turn <= _TURNED[1]
        return Sound(
            found.finite and found.reach <= 1 + BONES_WITHIN,
            found.bones <= BONES_WITHIN,
            None if found.ground is None else found.ground <= GROUND_WITHIN,
            abs(found.speed - trial.speed) <= SPEED_WITHIN * trial.speed,
            bool(abs(away) <= _RIGHT_WAY) and turned,
            _within(found.duty, trial.duty),
            _within(found.cadence, trial.cadence),
            None if found.stepping is None else found.stepping == 1.0,
        )

    def _trial(self, action: str, seconds: float) -> Trial:
        grounded = action in ("walk", "run") and not self.kind.body.hovers
        paces = [self._acted(Act(action, seconds, pace), seed) for pace in _PACES for seed in _SEEDS]
        each = [conduct(self.kind, self.rig, motion, grounded) for motion in paces]
        speed = self.kind.pacing.of(Act(action)) or 0.0
        duty = _span(one.duty for one in each)
        if duty is not None:
            gaits = {gait_at(self.kind.build, froude) for froude in self.kind.pacing.speeds[action]}
            duty = _span([*duty, *(share for gait in gaits for share in duty_range(gait))])
        return Trial(action, speed, 0.0, grounded, duty, _span(one.cadence for one in each))

    def _acted(self, act: Act, seed: int) -> Motion:
        return perform(self.skeleton, [act], fps=FPS, seed=seed, stance=self.stance)


def _span(values: Iterable[float | None]) -> Span | None:
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else None


def _within(value: float | None, span: Span | None) -> bool | None:
    if span is None:
        return None
    return value is not None and (1 - RANGE_WITHIN) * span[0] <= value <= (1 + RANGE_WITHIN) * span[1]

"""The controller that every family shares: command in, pose out, for any number of characters at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations, springs
from kinema.control.adjust import Adjustment
from kinema.control.command import Control
from kinema.control.family import Family, PlanSample
from kinema.control.foot_lock import FootLock
from kinema.control.inertialise import Offset, add_rotation_offsets, rotation_offsets
from kinema.control.membership import carried
from kinema.control.trajectory import HEADING_HALFLIFE, VELOCITY_HALFLIFE, Trajectory
from kinema.errors import ControlError
from kinema.pose import Pose


@dataclass(frozen=True)
class Settings:
    """How a controller trades obedience for naturalness. Times in seconds.

    Attributes:
        replan_every: longest time between two plans.
        replan_jump: change of the commanded velocity, m/s, that asks for a new plan at once.
        blend_halflife: of inertialisation at a switch of plans.
        velocity_halflife, heading_halflife: of the simulated object that the character follows.
    """

    replan_every: float = 0.1
    replan_jump: float = 0.5
    blend_halflife: float = 0.16
    velocity_halflife: float = VELOCITY_HALFLIFE
    heading_halflife: float = HEADING_HALFLIFE


@dataclass
class Controller:
    """Runs a family's plans on `n` characters: trajectory, plan, inertialisation, adjustment, foot lock.

    `adjustment` and `foot_lock` may be None to leave a stage out.
    """

    family: Family
    settings: Settings = field(default_factory=Settings)
    adjustment: Adjustment | None = field(default_factory=Adjustment)
    foot_lock: FootLock | None = None

    def __post_init__(self) -> None:
        self.skeleton = self.family.skeleton
        self._parents = self.skeleton.parents.tolist()
        self.reset(1)

    def reset(self, count: int) -> Pose:
        """`count` characters at rest at the origin, facing +Z."""
        if count < 1:
            raise ControlError(f"a controller needs at least one character, not {count}")
        settings = self.settings
        self.family.reset(count)
        self.trajectory = Trajectory.start(count, settings.velocity_halflife, settings.heading_halflife)
        self._position = np.zeros((count, 3), np.float32)
        self._heading = np.zeros(count, np.float32)
        self._wait = np.zeros(count, np.float32)
        self._rate = np.ones(count, np.float32)
        self._commanded = np.zeros((count, 3), np.float32)
        joints, vector = self.skeleton.joint_count, 3 * len(self.family.translated) + 4
        self._rotation_offset = Offset.zeros((count, joints, 3))
        self._vector_offset = Offset.zeros((count, vector))
        if self.adjustment:
            self.adjustment.reset(count)
        if self.foot_lock:
            self.foot_lock.reset(count)
        self.transitions = 0
        first = self.family.sample()
        # As if it had stood in its first pose before, so that a switch right after the start is blended as well.
        self._history = [(first.local_rotations, _vector(first))] * 3
        return self._pose(first)

    def select(self, keep: ArrayLike, added: int = 0) -> Pose:
        """Characters leave and join while it runs; those who stay go on as if nothing had happened.

        Args:
            keep: rows of the present characters that stay, in their new order.
            added: new characters after them, at rest at the origin, facing +Z.

        Returns:
            The poses now, before the next step.

        Raises:
            ControlError: a row is not there or stands twice, or nobody is left.
        """
        rows, has = np.asarray(keep, np.int64).reshape(-1), len(self._position)
        if added < 0 or len(rows) + added < 1:
            raise ControlError(f"a controller needs at least one character, not {len(rows)} and {added} new ones")
        if len(np.unique(rows)) != len(rows) or (rows < 0).any() or (rows >= has).any():
            raise ControlError(f"characters to keep are some of 0 to {has - 1}, each once, not {rows.tolist()}")
        self.family.select(rows, added)
        self.trajectory.select(rows, added)
        self._position = carried(self._position, rows, added)
        self._heading = carried(self._heading, rows, added)
        self._wait = carried(self._wait, rows, added)
        self._rate = carried(self._rate, rows, added, 1)
        self._commanded = carried(self._commanded, rows, added)
        self._rotation_offset.select(rows, added)
        self._vector_offset.select(rows, added)
        for stage in (self.adjustment, self.foot_lock):
            if stage:
                stage.select(rows, added)
        now = self.family.sample()
        turned, vector = now.local_rotations[len(rows) :], _vector(now)[len(rows) :]
        self._history = [
            (carried(out[0], rows, added, turned), carried(out[1], rows, added, vector)) for out in self._history
        ]
        newest = self._history[0]
        moved = newest[1][:, :-4].reshape(len(newest[1]), -1, 3)
        return self._pose(PlanSample(newest[0], moved, now.root_velocity, now.root_turn, now.contacts))

    @property
    def locked(self) -> NDArray[np.bool_]:
        """Feet `[n, C]` that the foot lock holds; all false without one."""
        if self.foot_lock is None:
            return np.zeros((len(self._position), len(self.family.contact_joints)), np.bool_)
        return self.foot_lock.locked

    @property
    def wait(self) -> NDArray[np.float32]:
        """Seconds until each character's next plan `[n]`, if no command jumps before."""
        return np.maximum(self._wait, 0)

    @property
    def diagnostics(self) -> Mapping[str, float]:
        """Figures of the last step to show: those of the family, and how far the characters are from their commands."""
        behind = np.linalg.norm(self.trajectory.position - self._position, axis=-1)
        turned = np.abs(rotations.wrap(self.trajectory.heading - self._heading))
        return {
            **self.family.diagnostics,
            "tracking_cm": float(100 * behind.mean()),
            "tracking_deg": float(np.rad2deg(turned.mean())),
            "transitions": float(self.transitions),
        }

    def step(self, control: Control, dt: float) -> Pose:
        """Obey `control` for `dt` seconds.

        Raises:
            ControlError: the command is for another number of characters or not finite, or `dt` is not positive.
        """
        if control.count != len(self._position):
            has = len(self._position)
            raise ControlError(f"the command is for {control.count} characters, the controller has {has}")
        if not dt > 0:
            raise ControlError(f"a step needs a positive time, not {dt} s")
        if not np.isfinite(control.velocity).all():
            raise ControlError("the commanded velocity holds a value that is not finite")
        settings, dt = self.settings, float(dt)
        self.trajectory.step(control, dt)
        self._wait -= dt
        jumped = np.linalg.norm(control.velocity - self._commanded, axis=-1) > settings.replan_jump
        self._commanded = control.velocity.copy()
        due = (self._wait <= 0.5 * dt) | jumped
        switched = due & self._replan(control, due) if due.any() else due
        self._wait = np.where(due, settings.replan_every, self._wait).astype(np.float32)

        self._hold_still(dt)
        self.family.advance(dt * self._rate)
        if switched.any():
            self.transitions += int(switched.sum())
            self._begin_blend(switched, dt)
        sample = self._blended(self._paced(self.family.sample()), dt)
        self._move_root(sample, dt)
        pose = self._pose(sample)
        if self.foot_lock is None:
            return pose
        return self.foot_lock.apply(pose, self.family.sample(self.foot_lock.lead).contacts, dt)

    def _replan(self, control: Control, due: NDArray[np.bool_]) -> NDArray[np.bool_]:
        positions, headings = self.trajectory.predict(control, self.family.times)
        to_root = rotations.from_yaw(-self._heading)[:, None]
        local = rotations.rotate(to_root, positions - self._position[:, None])
        relative = headings - self._heading[:, None]
        directions = np.stack([np.sin(relative), np.zeros_like(relative), np.cos(relative)], axis=-1)
        return self.family.replan(local, directions, due)

    def _hold_still(self, dt: float) -> None:
        """Let a plan that cannot stand stop in double support when standing is commanded.

        Data without idling would else be played over and over in short stretches that go nowhere.
        """
        sample = self.family.sample()
        speed = np.linalg.norm(sample.root_velocity, axis=-1)
        still = np.linalg.norm(self.trajectory.velocity, axis=-1) < 0.1
        stuck = still & (speed > 0.1) & (speed < 1.0) & (sample.contacts > 0.5).all(axis=-1)
        self._rate = springs.approach(self._rate, np.where(stuck, 0.0, 1.0), 0.1, dt).astype(np.float32)

    def _paced(self, plan: PlanSample) -> PlanSample:
        rate = self._rate
        return replace(plan, root_velocity=plan.root_velocity * rate[:, None], root_turn=plan.root_turn * rate)

    def _begin_blend(self, switched: NDArray[np.bool_], dt: float) -> None:
        # Back along the new plan at the pace at which it will go on, or its velocity would jump.
        plans = [self._paced(self.family.sample(-dt * (age + 1) * self._rate)) for age in range(3)]
        turned = rotation_offsets(
            np.stack([out[0] for out in self._history]), np.stack([plan.local_rotations for plan in plans])
        )
        moved = np.stack([out[1] - _vector(plan) for out, plan in zip(self._history, plans, strict=True)])
        self._rotation_offset.restart(switched, turned, dt)
        self._vector_offset.restart(switched, moved, dt)

    def _blended(self, plan: PlanSample, dt: float) -> PlanSample:
        turned = add_rotation_offsets(
            plan.local_rotations, self._rotation_offset.step(self.settings.blend_halflife, dt)
        )
        vector = _vector(plan) + self._vector_offset.step(self.settings.blend_halflife, dt)
        self._history = [(turned, vector), *self._history[:2]]
        moved = vector[:, :-4].reshape(len(vector), -1, 3)
        return PlanSample(turned, moved, vector[:, -4:-1], vector[:, -1], plan.contacts)

    def _move_root(self, sample: PlanSample, dt: float) -> None:
        half_turned = rotations.from_yaw(self._heading + 0.5 * dt * sample.root_turn)
        self._position = self._position + dt * rotations.rotate(half_turned, sample.root_velocity)
        self._heading = rotations.wrap(self._heading + dt * sample.root_turn)
        if self.adjustment:
            speed = np.linalg.norm(sample.root_velocity, axis=-1)
            self._position, self._heading = self.adjustment.apply(
                self._position, self._heading, speed, sample.root_turn, self.trajectory, dt
            )

    def _pose(self, sample: PlanSample) -> Pose:
        count = len(self._position)
        translations = np.empty((count, self.skeleton.joint_count, 3), np.float32)
        translations[:] = self.skeleton.rest_translations
        translations[:, self.family.translated] = sample.local_translations
        return Pose(
            self.skeleton,
            sample.local_rotations.astype(np.float32),
            translations,
            root_positions=self._position.astype(np.float32),
            root_rotations=rotations.from_yaw(self._heading.astype(np.float32)),
            contacts=sample.contacts,
        )


def _vector(plan: PlanSample) -> NDArray[np.float32]:
    """All that is not a rotation, `[n, 3 T + 4]`: translations, root velocity, root turning."""
    flat = plan.local_translations.reshape(len(plan.local_translations), -1)
    return np.concatenate([flat, plan.root_velocity, plan.root_turn[:, None]], axis=-1)

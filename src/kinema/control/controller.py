"""The controller that every family shares: commands in, poses out, for any number of characters at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations, springs
from kinema.control.adjust import Adjustment
from kinema.control.command import Command, Commands
from kinema.control.family import Family, Moment
from kinema.control.foot_lock import FootLock
from kinema.control.ground import Ground, Plane
from kinema.control.inertialise import Offset, add_rotation_offsets, rotation_offsets
from kinema.control.membership import carried
from kinema.control.query import Query
from kinema.control.stage import Stage
from kinema.control.trajectory import HEADING_HALFLIFE, VELOCITY_HALFLIFE, Trajectory
from kinema.errors import ControlError
from kinema.pose import Pose

LONGEST_STEP = 0.1
"""Seconds beyond which a step is cut into shorter ones; springs and searches are made for frames of a picture."""

LONGEST_TIME = 60.0
"""Seconds that one call of `step` may take."""

_CLIMB = 0.1  # half-life in seconds with which the root follows the height of the ground

S = TypeVar("S")


@dataclass(frozen=True)
class Settings:
    """How a controller trades obedience for naturalness. Times in seconds.

    Attributes:
        replan_every: longest time between two plans.
        replan_jump: change of the commanded velocity, m/s, that asks for a new plan at once.
        blend_halflife: of inertialisation at a switch of plans.
        velocity_halflife, heading_halflife: of the simulated object that the character follows.
        fastest: m/s; faster commands are obeyed at this speed.
    """

    replan_every: float = 0.1
    replan_jump: float = 0.5
    blend_halflife: float = 0.16
    velocity_halflife: float = VELOCITY_HALFLIFE
    heading_halflife: float = HEADING_HALFLIFE
    fastest: float = 50.0


@dataclass
class Controller:
    """Runs a family's plans on `n` characters: trajectory, plan, inertialisation, then the stages in their order.

    Attributes:
        trajectory: the simulated objects that the characters follow; stages may hold the same ones.
        stages: see `kinema.control.stage.Stage`; `kinema.control.presets` has the usual ones.
        ground: what the characters stand on.
    """

    family: Family
    settings: Settings = field(default_factory=Settings)
    trajectory: Trajectory = field(default_factory=lambda: Trajectory.start(1))
    stages: list[Stage] = field(default_factory=list)
    ground: Ground = field(default_factory=Plane)

    def __post_init__(self) -> None:
        self.skeleton = self.family.skeleton
        self.reset(1)

    def reset(self, count: int) -> Pose:
        """`count` characters at rest at the origin, facing +Z."""
        if count < 1:
            raise ControlError(f"a controller needs at least one character, not {count}")
        self.family.reset(count)
        self.trajectory.velocity_halflife = self.settings.velocity_halflife
        self.trajectory.heading_halflife = self.settings.heading_halflife
        self.trajectory.reset(count)
        self._position = np.zeros((count, 3), np.float32)
        self._position[:, 1] = self.ground.height(self._position)
        self._heading = np.zeros(count, np.float32)
        self._wait = np.zeros(count, np.float32)
        self._commanded = np.zeros((count, 3), np.float32)
        joints, vector = self.skeleton.joint_count, 3 * len(self.family.translated) + 4
        self._rotation_offset = Offset.zeros((count, joints, 3))
        self._vector_offset = Offset.zeros((count, vector))
        for stage in self.stages:
            stage.reset(count)
        self.transitions = 0
        first = self.family.sample()
        # As if it had stood in its first pose before, so that a switch right after the start is blended as well.
        self._history = [(first.pose.local_rotations, self._vector(first))] * 3
        return self._placed(first.pose)

    def select(self, keep: ArrayLike, added: int = 0) -> Pose:
        """Characters leave and join while it runs; those who stay go on as if nothing had happened.

        Args:
            keep: rows of the present characters that stay, in their new order.
            added: new characters after them, at rest at the origin, facing +Z.

        Returns:
            The poses now, before the next step.

        Raises:
            ControlError: a row does not exist or occurs twice, or nobody is left.
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
        self._commanded = carried(self._commanded, rows, added)
        self._rotation_offset.select(rows, added)
        self._vector_offset.select(rows, added)
        for stage in self.stages:
            stage.select(rows, added)
        now = self.family.sample()
        rotation, vector = now.pose.local_rotations[len(rows) :], self._vector(now)[len(rows) :]
        self._history = [
            (carried(out[0], rows, added, rotation), carried(out[1], rows, added, vector)) for out in self._history
        ]
        return self._placed(self._moment(*self._history[0], now.pose.contacts).pose)

    def stage(self, kind: type[S]) -> S | None:
        """The first of the stages that is of a kind; None without one."""
        return next((stage for stage in self.stages if isinstance(stage, kind)), None)

    @property
    def foot_lock(self) -> FootLock | None:
        """The stage that holds the feet; None without one."""
        return self.stage(FootLock)

    @property
    def adjustment(self) -> Adjustment | None:
        """The stage that pulls the characters to their trajectories; None without one."""
        return self.stage(Adjustment)

    @property
    def locked(self) -> NDArray[np.bool_]:
        """Feet `[n, C]` that the foot lock holds; all false without one."""
        lock = self.foot_lock
        if lock is None:
            return np.zeros((len(self._position), len(self.family.contact_joints)), np.bool_)
        return lock.locked

    @property
    def wait(self) -> NDArray[np.float32]:
        """Seconds until each character's next plan `[n]`, if no command jumps before."""
        return np.maximum(self._wait, 0)

    @property
    def diagnostics(self) -> Mapping[str, float]:
        """Figures of the last step to show: those of the family, and how far the characters are from their commands."""
        behind = np.linalg.norm((self.trajectory.position - self._position)[:, [0, 2]], axis=-1)
        turned = np.abs(rotations.wrap(self.trajectory.heading - self._heading))
        return {
            **self.family.diagnostics,
            "tracking_cm": float(100 * behind.mean()),
            "tracking_deg": float(np.rad2deg(turned.mean())),
            "transitions": float(self.transitions),
        }

    def step(self, commands: Command | Sequence[Command] | Commands, dt: float) -> Pose:
        """Obey the commands for `dt` seconds. Long steps are cut into shorter ones.

        Raises:
            ControlError: the commands are for another number of characters or not finite, or `dt` is not positive or
                longer than a minute.
        """
        commands = self._checked(commands)
        if not 0 < dt <= LONGEST_TIME:
            raise ControlError(f"a step needs a time between 0 and {LONGEST_TIME:g} s, not {dt} s")
        parts = math.ceil(dt / LONGEST_STEP)
        for _ in range(parts - 1):
            self._step(commands, float(dt) / parts)
        return self._step(commands, float(dt) / parts)

    def _checked(self, commands: Command | Sequence[Command] | Commands) -> Commands:
        if not isinstance(commands, Commands):
            commands = Commands.of([commands] if isinstance(commands, Command) else commands)
        has, fastest = len(self._position), self.settings.fastest
        if commands.count != has:
            raise ControlError(f"the command is for {commands.count} characters, the controller has {has}")
        speed = np.linalg.norm(commands.velocity.astype(np.float64), axis=-1)
        return commands if not (speed > fastest).any() else commands.slowed(fastest)

    def _step(self, commands: Commands, dt: float) -> Pose:
        settings = self.settings
        self.trajectory.step(commands, dt)
        self._wait -= dt
        jumped = np.linalg.norm(commands.velocity - self._commanded, axis=-1) > settings.replan_jump
        self._commanded = commands.velocity.copy()
        due = (self._wait <= 0.5 * dt) | jumped
        query = Query(commands, self.trajectory, self.ground, self._position, self._heading, due)
        switched = due & self.family.replan(query) if due.any() else due
        self._wait = np.where(due, settings.replan_every, self._wait).astype(np.float32)

        self.family.advance(query, dt)
        if switched.any():
            self.transitions += int(switched.sum())
            self._begin_blend(switched, dt)
        moment = self._blended(self.family.sample(), dt)
        self._move_root(moment, dt)
        pose = self._placed(moment.pose)
        for stage in self.stages:
            pose = stage.apply(pose, self.ground, dt)
        self._position, self._heading = pose.root_positions, rotations.yaw(pose.root_rotations)
        return pose

    def _begin_blend(self, switched: NDArray[np.bool_], dt: float) -> None:
        plans = [self.family.sample(-dt * (age + 1)) for age in range(3)]
        rotation = rotation_offsets(
            np.stack([out[0] for out in self._history]), np.stack([plan.pose.local_rotations for plan in plans])
        )
        vector = np.stack([out[1] - self._vector(plan) for out, plan in zip(self._history, plans, strict=True)])
        self._rotation_offset.restart(switched, rotation, dt)
        self._vector_offset.restart(switched, vector, dt)

    def _blended(self, plan: Moment, dt: float) -> Moment:
        halflife = self.settings.blend_halflife
        rotation = add_rotation_offsets(plan.pose.local_rotations, self._rotation_offset.step(halflife, dt))
        vector = self._vector(plan) + self._vector_offset.step(halflife, dt)
        self._history = [(rotation, vector), *self._history[:2]]
        return self._moment(rotation, vector, plan.pose.contacts)

    def _move_root(self, moment: Moment, dt: float) -> None:
        half_turned = rotations.from_yaw(self._heading + 0.5 * dt * moment.root_turns)
        height = self._position[:, 1]
        self._position = self._position + dt * rotations.rotate(half_turned, moment.root_velocities)
        self._position[:, 1] = springs.approach(height, self.ground.height(self._position), _CLIMB, dt)
        self._heading = rotations.wrap(self._heading + dt * moment.root_turns)

    def _placed(self, pose: Pose) -> Pose:
        return pose.replace(
            root_positions=self._position.astype(np.float32),
            root_rotations=rotations.from_yaw(self._heading.astype(np.float32)),
        )

    def _vector(self, moment: Moment) -> NDArray[np.float32]:
        """All that is not a rotation, `[n, 3 T + 4]`: translations, root velocity, root turning."""
        moved = moment.pose.local_translations[:, self.family.translated]
        parts = [moved.reshape(len(moved), -1), moment.root_velocities, moment.root_turns[:, None]]
        return np.concatenate(parts, axis=-1)

    def _moment(
        self, rotation: NDArray[np.float32], vector: NDArray[np.float32], contacts: NDArray[np.float32]
    ) -> Moment:
        """The inverse of `_vector`."""
        translations = np.empty((len(vector), self.skeleton.joint_count, 3), np.float32)
        translations[:] = self.skeleton.rest_translations
        translations[:, self.family.translated] = vector[:, :-4].reshape(len(vector), -1, 3)
        pose = Pose(self.skeleton, rotation.astype(np.float32), translations, contacts=contacts)
        return Moment(pose, vector[:, -4:-1], vector[:, -1])

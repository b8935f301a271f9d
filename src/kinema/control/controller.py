"""The controller shared by all families: commands in, poses out, for any number of characters at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations, springs
from kinema.arrays import Singles
from kinema.control.adjust import Adjustment
from kinema.control.command import Command, Commands
from kinema.control.family import Family, LimitsSpeed, Moment
from kinema.control.foot_lock import FootLock
from kinema.control.footfall import level
from kinema.control.goals import BRAKING, WALK
from kinema.control.inertialise import Offset, add_rotation_offsets, rotation_offsets
from kinema.control.membership import carried
from kinema.control.query import Query
from kinema.control.stage import Stage
from kinema.control.trajectory import HEADING_HALFLIFE, TURN_SPEED, VELOCITY_HALFLIFE, Trajectory
from kinema.control.walls import Walls, find_walls
from kinema.errors import ControlError
from kinema.mocap.contacts import relative_size, tempo
from kinema.pose import Pose
from kinema.terrain import Ground, Plane, is_void

LONGEST_STEP = 0.1
"""Longest step in seconds; longer ones are split. Springs and searches are made for display frame rates."""

LONGEST_TIME = 60.0
"""Longest time of one call of `step`, seconds."""

_TOGETHER = 16  # as many characters may plan in one step, however long it is
_CLIMB = 0.1  # half-life with which the root of an adult follows the height of the ground, seconds
_STRIDE = np.linspace(-0.35, 0.35, 7, dtype=np.float32)  # metres along a step of an adult

S = TypeVar("S")


@dataclass(frozen=True)
class Settings:
    """The trade-off between responsiveness and naturalness. Times in seconds.

    Half-lives and speeds are those of an adult, but for `fastest`. They are multiplied by the tempo of the body, see
    `kinema.mocap.contacts.tempo`.

    Attributes:
        replan_every: longest time between two plans.
        dwell: time for which a new plan is followed at least, unless the command changes.
        replan_jump: change of the commanded velocity that triggers a new plan at once, m/s.
        blend_halflife: half-life of inertialisation after a switch of plans.
        velocity_halflife, heading_halflife: half-lives of the simulated object that the character follows.
        fastest: speed limit of commands, m/s.
        step_height: highest rise of the ground that an adult steps onto, metres; it is multiplied by the size of the
            body. Characters stop before what rises more, and slide along it. Infinite: they walk onto anything.
        climb: fastest rise of an adult on slopes and stairs, m/s. Commands are slowed down to it on the way up.
    """

    replan_every: float = 0.1
    dwell: float = 0.25
    replan_jump: float = 0.5
    blend_halflife: float = 0.16
    velocity_halflife: float = VELOCITY_HALFLIFE
    heading_halflife: float = HEADING_HALFLIFE
    fastest: float = 50.0
    step_height: float = 0.4
    climb: float = 1.2


@dataclass
class Controller:
    """Runs a family's plans on `n` characters: trajectory, plan, inertialisation, then the stages in order.

    Attributes:
        trajectory: the simulated objects that the characters follow. Stages may share them.
        stages: see `kinema.control.stage.Stage`. `kinema.control.presets` has the usual ones.
        ground: the ground under the characters.
        style: of commands without a style of their own.
    """

    family: Family
    settings: Settings = field(default_factory=Settings)
    trajectory: Trajectory = field(default_factory=lambda: Trajectory.start(1))
    stages: list[Stage] = field(default_factory=list)
    ground: Ground = field(default_factory=Plane)
    style: str = ""

    def __post_init__(self) -> None:
        self.skeleton = self.family.skeleton
        self._limits = self.family if isinstance(self.family, LimitsSpeed) else None
        self._size = size = relative_size(self.skeleton)
        self._stride = np.float32(size) * _STRIDE
        self._tempo = tempo(self.skeleton)
        self._climbing, self._braking = _CLIMB * self._tempo, BRAKING * self._tempo
        self.reset(1)

    def __repr__(self) -> str:
        stages = ", ".join(type(stage).__name__ for stage in self.stages) or "no stages"
        characters, joints = len(self._position), self.skeleton.joint_count
        return f"<Controller {type(self.family).__name__}, {stages}: {characters} characters, {joints} joints>"

    def reset(self, count: int) -> Pose:
        """Restart with `count` characters at rest at the origin, facing +Z. Returns their poses."""
        if count < 1:
            raise ControlError(f"a controller needs at least one character, not {count}")
        self.family.reset(count)
        trajectory, settings = self.trajectory, self.settings
        trajectory.velocity_halflife = self._tempo * settings.velocity_halflife
        trajectory.heading_halflife = self._tempo * settings.heading_halflife
        trajectory.walk, trajectory.turning = self._tempo * WALK, self._tempo * TURN_SPEED
        trajectory.braking = self._braking
        self.trajectory.reset(count)
        self._position = np.zeros((count, 3), np.float32)
        self._position[:, 1] = self.ground.height(self._position)
        self._heading, self._climb = np.zeros(count, np.float32), np.zeros(count, np.float32)
        self._wait = np.zeros(count, np.float32)
        self._commanded = np.zeros((count, 3), np.float32)
        joints, vector = self.skeleton.joint_count, 3 * len(self.family.translated) + 4
        self._rotation_offset = Offset.zeros((count, joints, 3))
        self._vector_offset = Offset.zeros((count, vector))
        for stage in self.stages:
            stage.reset(count)
        self.transitions = 0
        first = self.family.sample()
        # A past in the first pose, so that a switch right after the start is blended as well.
        self._history = [(first.pose.local_rotations, self._vector(first))] * 3
        return self._at_root(first.pose)

    def select(self, keep: ArrayLike, added: int = 0) -> Pose:
        """Let characters leave and join while the controller runs. Those that stay continue unchanged.

        Args:
            keep: rows of the characters to keep, in their new order.
            added: number of new characters after them, at rest at the origin, facing +Z.

        Returns:
            The current poses, before the next step.

        Raises:
            ControlError: a row does not exist or occurs twice, or no character is left.
        """
        rows, count = np.asarray(keep, np.int64).reshape(-1), len(self._position)
        if added < 0 or len(rows) + added < 1:
            raise ControlError(f"a controller needs at least one character, not {len(rows)} and {added} new ones")
        if len(np.unique(rows)) != len(rows) or (rows < 0).any() or (rows >= count).any():
            raise ControlError(f"characters to keep must be distinct rows from 0 to {count - 1}, not {rows.tolist()}")
        self.family.select(rows, added)
        self.trajectory.select(rows, added)
        self._position = carried(self._position, rows, added)
        self._heading = carried(self._heading, rows, added)
        self._climb = carried(self._climb, rows, added)
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
        return self._at_root(self._moment(*self._history[0], now.pose.contacts).pose)

    def stage(self, kind: type[S]) -> S | None:
        """The first stage of a type, or None."""
        return next((stage for stage in self.stages if isinstance(stage, kind)), None)

    @property
    def foot_lock(self) -> FootLock | None:
        """The foot lock, or None."""
        return self.stage(FootLock)

    @property
    def adjustment(self) -> Adjustment | None:
        """The adjustment, or None."""
        return self.stage(Adjustment)

    @property
    def locked(self) -> NDArray[np.bool_]:
        """Which feet `[n, C]` the foot lock holds. All false without a foot lock."""
        lock = self.foot_lock
        if lock is None:
            return np.zeros((len(self._position), len(self.family.contact_joints)), np.bool_)
        return lock.locked

    @property
    def wait(self) -> NDArray[np.float32]:
        """Seconds `[n]` until each character's next plan, unless a change of the command triggers one earlier."""
        return np.maximum(self._wait, 0)

    @property
    def diagnostics(self) -> Mapping[str, float | Singles]:
        """Values of the last step for display: those of the family, and the tracking error of the characters."""
        behind = np.linalg.norm((self.trajectory.position - self._position)[:, [0, 2]], axis=-1)
        angles = np.abs(rotations.wrap(self.trajectory.heading - self._heading))
        return {
            **self.family.diagnostics,
            "tracking_cm": float(100 * behind.mean()),
            "tracking_deg": float(np.rad2deg(angles.mean())),
            "transitions": float(self.transitions),
        }

    def step(self, commands: Command | Sequence[Command] | Commands, dt: float) -> Pose:
        """Step by `dt` seconds under the commands and return the poses. Long steps are split into shorter ones.

        Raises:
            ControlError: the commands are not finite or for another number of characters, or `dt` is not positive or
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
        if self.style and not all(commands.styles):
            commands = replace(commands, styles=tuple(style or self.style for style in commands.styles))
        count = len(self._position)
        if commands.count != count:
            raise ControlError(f"the commands are for {commands.count} characters, but the controller has {count}")
        fastest = self.settings.fastest
        return commands.slowed(fastest if self._limits is None else np.minimum(fastest, self._limits.fastest))

    def _step(self, commands: Commands, dt: float) -> Pose:
        settings, commands = self.settings, self.trajectory.steered(commands)
        walls = find_walls(self.ground, self._position, settings.step_height, self._size)
        ground = walls.cut(self.ground, self._position, self._size * settings.step_height)
        around = walls.moved(self.trajectory.position - self._position)
        if not ground.is_level:
            slowed = around.slowed(commands.velocity, self.trajectory.stopping, self._braking)
            commands = replace(commands, velocity=self._on_slope(slowed, ground))
        self.trajectory.step(commands, dt, around)
        self._wait -= dt
        jumped = level(commands.velocity - self._commanded) > self._tempo * settings.replan_jump
        self._commanded = commands.velocity.copy()
        due = self._waited(dt) | jumped
        query = Query(commands, self.trajectory, self.ground, self._position, self._heading, due)
        switched = due & self.family.replan(query) if due.any() else due
        pause = np.where(switched, max(settings.replan_every, settings.dwell), settings.replan_every)
        self._wait = np.where(due, pause, self._wait).astype(np.float32)

        self.family.advance(query, dt)
        if len(rows := np.flatnonzero(switched)):
            self.transitions += len(rows)
            self._begin_blend(rows, dt)
        moment = self._blended(self.family.sample(), dt)
        self._ride(dt)
        self._move_root(moment, walls, ground, dt)
        pose = self._at_root(moment.pose)
        for stage in self.stages:
            pose = stage.apply(pose, ground, dt)
        self._position, self._heading = pose.root_positions, rotations.yaw(pose.root_rotations)
        return pose

    def _waited(self, dt: float) -> NDArray[np.bool_]:
        """The characters whose time for a new plan has come: not all of a crowd in one step, the longest wait first."""
        waited = self._wait <= 0.5 * dt
        most = max(_TOGETHER, math.ceil(len(waited) * dt / self.settings.replan_every))
        if np.count_nonzero(waited) > most:
            waited[np.argsort(self._wait, kind="stable")[most:]] = False
        return waited

    def _begin_blend(self, rows: NDArray[np.int64], dt: float) -> None:
        plans = [self.family.sample(-dt * (age + 1), rows) for age in range(3)]
        rotation = rotation_offsets(
            np.stack([out[0][rows] for out in self._history]), np.stack([plan.pose.local_rotations for plan in plans])
        )
        vector = np.stack([out[1][rows] - self._vector(plan) for out, plan in zip(self._history, plans, strict=True)])
        self._rotation_offset.restart(rows, rotation, dt)
        self._vector_offset.restart(rows, vector, dt)

    def _blended(self, plan: Moment, dt: float) -> Moment:
        rotation, vector = plan.pose.local_rotations, self._vector(plan)
        if self.transitions:  # before, nothing is to be blended
            halflife = self._tempo * self.settings.blend_halflife
            rotation = add_rotation_offsets(rotation, self._rotation_offset.step(halflife, dt))
            vector = vector + self._vector_offset.step(halflife, dt)
        self._history = [(rotation, vector), *self._history[:2]]
        return self._moment(rotation, vector, plan.pose.contacts)

    def _move_root(self, moment: Moment, walls: Walls, ground: Ground, dt: float) -> None:
        middle = self._heading + 0.5 * dt * moment.root_turns
        self._position = self._position + walls.stopped(dt * rotations.rotate_yaw(middle, moment.root_velocities))
        self._position[:, 1], self._climb = springs.spring(
            self._position[:, 1], self._climb, self._ground_under(ground), self._climbing, dt
        )
        self._heading = rotations.wrap(self._heading + dt * moment.root_turns)

    def _on_slope(self, velocity: NDArray[np.float32], ground: Ground) -> NDArray[np.float32]:
        """Velocities `[n, 3]` with which nobody rises faster than `Settings.climb` from one step to the next."""
        speed = np.linalg.norm(velocity, axis=-1, keepdims=True)
        way = velocity / np.maximum(speed, 1e-6) * self._stride[-1]
        heights = ground.height(self._position[:, None] + np.stack([-way, way], axis=1))
        rise = np.where(is_void(heights).any(axis=1), 0, heights[:, 1] - heights[:, 0]) / (2 * self._stride[-1])
        fastest = self.settings.climb * self._tempo / np.maximum(rise, 1e-6)
        return (velocity * np.minimum(1, fastest[:, None] / np.maximum(speed, 1e-6))).astype(np.float32)

    def _ride(self, dt: float) -> None:
        """Move the characters and their trajectories along with the ground."""
        moved = (dt * self.ground.velocity(self._position)).astype(np.float32)
        if moved.any():
            self._position = self._position + moved
            moved[:, 1] = 0
            self.trajectory.position = self.trajectory.position + moved

    def _ground_under(self, ground: Ground) -> NDArray[np.float32]:
        """Mean height `[n]` of the ground along a step; that of the root where there is no ground at all."""
        if ground.is_level:
            return ground.height(self._position)
        ahead = rotations.rotate_yaw(self._heading, np.array([0, 0, 1], np.float32))
        heights = ground.height(self._position[:, None] + self._stride[:, None] * ahead[:, None])
        there = ~is_void(heights)
        total = np.where(there, heights, 0).sum(axis=1)
        return np.where(there.any(axis=1), total / np.maximum(there.sum(axis=1), 1), self._position[:, 1])

    def _at_root(self, pose: Pose) -> Pose:
        return pose.replace(
            root_positions=self._position.astype(np.float32),
            root_rotations=rotations.from_yaw(self._heading.astype(np.float32)),
        )

    def _vector(self, moment: Moment) -> NDArray[np.float32]:
        """Everything but rotations, `[n, 3 T + 4]`: translations, root velocity, root turn rate."""
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

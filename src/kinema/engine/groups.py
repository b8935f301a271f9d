"""Groups: characters that share a controller and are stepped as one batch, each from its own place in the world."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.command import Command, Commands
from kinema.control.membership import carried
from kinema.engine.components import Controlled, Figure, Tint, Transform, vector
from kinema.engine.framed_ground import FramedGround
from kinema.engine.poses import Poses
from kinema.engine.systems import system
from kinema.errors import ControlError, WorldError
from kinema.pose import Pose
from kinema.skeleton import Skeleton
from kinema.terrain import Ground, Plane

if TYPE_CHECKING:
    from kinema.engine.world import World

_PUSH = 0.25  # metres in one step: no character moves this fast
_TWIST = 0.9  # the same limit for rotations: the cosine of half of 52 degrees


class BatchController(Protocol):
    """A controller that can move a group, such as `kinema.control.controller.Controller`."""

    skeleton: Skeleton

    def reset(self, count: int) -> Pose: ...

    def step(self, commands: Commands, dt: float) -> Pose: ...


@runtime_checkable
class Selects(Protocol):
    """The extra method of a controller whose characters may join and leave while it runs."""

    def select(self, keep: NDArray[np.integer], added: int) -> object: ...


@runtime_checkable
class Stands(Protocol):
    """The extra attribute of a controller whose characters stand on a ground that may be replaced."""

    ground: Ground


class Group:
    """One controller and the entities it moves.

    The controller works around the origin of its own frame. The group stores that frame for each character.

    Attributes:
        ids: `[n]`, in the order of the controller's characters. New members are appended.
        pose: the result of the last step, in the controller's frames; None before the first step.
        commands: the commands of the last step, in the same frames.
    """

    def __init__(self, name: str, controller: BatchController) -> None:
        self.name, self.controller = name, controller
        self.ids: NDArray[np.int64] = np.zeros(0, np.int64)
        self.pose: Pose | None = None
        self.commands: Commands | None = None
        self.origin_positions = np.zeros((0, 3), np.float32)
        self.origin_rotations = np.zeros((0, 4), np.float32)
        # The root of each character in the controller's frame, and the Transform that was written for it.
        self._roots = np.zeros((0, 7), np.float32)
        self._written = np.zeros((0, 7), np.float32)

    def join(self, ids: NDArray[np.int64]) -> None:
        """Make `ids` (ascending) the members. Characters that stay continue as they were.

        Raises:
            WorldError: a character joins or leaves, and the controller does not support it.
        """
        if np.array_equal(np.sort(self.ids), ids):
            return
        keep = np.flatnonzero(np.isin(self.ids, ids))
        new = ids[~np.isin(ids, self.ids)]
        if len(ids) == 0:
            pass
        elif len(keep) == 0:
            if isinstance(self.controller, Stands) and isinstance(self.controller.ground, FramedGround):
                self.controller.ground = Plane()  # that of other characters
            self.controller.reset(len(new))
        elif isinstance(self.controller, Selects):
            self.controller.select(keep, len(new))
        else:
            raise WorldError(
                f"the controller of group {self.name!r} has no select(keep, added): no character can join or "
                "leave while it runs; put the entity in another group"
            )
        rest = np.array([0, 0, 0, 1, 0, 0, 0], np.float32)
        self.ids = np.concatenate([self.ids[keep], new])
        self._roots = carried(self._roots, keep, len(new), rest)
        self._written = carried(self._written, keep, len(new), np.nan)
        self.origin_positions = carried(self.origin_positions, keep, len(new), 0.0)
        self.origin_rotations = carried(self.origin_rotations, keep, len(new), rest[3:])

    def step(self, world: World, dt: float) -> None:
        """Step the controller by `dt` seconds. Write the poses and Transforms of all members."""
        columns = world.columns(Transform)
        rows = columns.rows(self.ids)
        jumped = self._follow(np.concatenate([columns.positions[rows], columns.rotations[rows]], axis=1))
        self.commands = self._commands(world)
        if world.ground is not None and isinstance(self.controller, Stands):
            now = world.ground.at(world.time + dt)
            self.controller.ground = FramedGround(now, self.origin_positions, self.origin_rotations)
        self.pose = pose = self.controller.step(self.commands, dt)
        self._roots = np.concatenate([pose.root_positions, pose.root_rotations], axis=1)
        position = self.origin_positions + rotations.rotate(self.origin_rotations, pose.root_positions)
        rotation = rotations.normalize(rotations.multiply(self.origin_rotations, pose.root_rotations))
        columns.positions[rows], columns.rotations[rows] = position, rotation
        self._written = np.concatenate([position, rotation], axis=1).astype(np.float32)
        world.poses.write(self.ids, pose, jumped)

    def _follow(self, transforms: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Move the controller's frame of each member whose Transform `[n, 7]` was changed from outside.

        Returns:
            Which members jumped `[n]`. A member that was only pushed a little continues without a cut.
        """
        moved = (transforms != self._written).any(axis=1)
        if moved.any():
            origins = rotations.multiply(transforms[moved, 3:], rotations.inverse(self._roots[moved, 3:]))
            self.origin_rotations[moved] = rotations.normalize(origins)
            self.origin_positions[moved] = transforms[moved, :3] - rotations.rotate(origins, self._roots[moved, :3])
        distances = np.linalg.norm(transforms[:, :3] - self._written[:, :3], axis=1)
        cosines = np.abs((transforms[:, 3:] * self._written[:, 3:]).sum(axis=1))
        return ~((distances < _PUSH) & (cosines > _TWIST))  # also true for new members, whose written values are NaN

    def _commands(self, world: World) -> Commands:
        """The commands of all members, in the controller's frames."""
        idle = Command()
        given = [idle if (found := world.find(entity, Command)) is None else found for entity in self.ids.tolist()]
        try:
            commands = Commands.of(given)
        except (ControlError, TypeError, ValueError):
            for entity, command in zip(self.ids.tolist(), given, strict=True):
                _check(entity, command)
            raise
        origin_rotations, origin_positions = self.origin_rotations, self.origin_positions
        return replace(
            commands,
            velocity=rotations.inverse_rotate(origin_rotations, commands.velocity),
            facing=rotations.inverse_rotate(origin_rotations, commands.facing),
            goals=rotations.inverse_rotate(origin_rotations, commands.goals - origin_positions),
            goal_facings=rotations.inverse_rotate(origin_rotations, commands.goal_facings),
        )


def _check(entity: int, command: Command) -> None:
    """WorldError when a vector of a command is not three finite numbers."""
    for name in ("velocity", "facing", "goal", "goal_facing"):
        value = getattr(command, name)
        if value is not None or name == "velocity":
            vector(value, 3, f"the commanded {name} of entity {entity}")


class Groups:
    """The groups of one world by name."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}
        self._structure = -1

    def add(self, name: str, controller: BatchController) -> Group:
        """Let `controller` move all entities that have `Controlled(name)`.

        Raises:
            WorldError: the group exists already, or the controller moves another group of this world.
        """
        if name in self._groups:
            raise WorldError(f"there is a group {name!r} already")
        for group in self._groups.values():
            if group.controller is controller:
                raise WorldError(f"the controller of group {group.name!r} cannot move {name!r} too; create another")
        self._groups[name] = group = Group(name, controller)
        self._structure = -1
        return group

    def __getitem__(self, name: str) -> Group:
        if name not in self._groups:
            groups = ", ".join(repr(other) for other in self._groups) or "none"
            raise WorldError(f"there is no group {name!r} (groups: {groups}); world.groups.add({name!r}, controller)")
        return self._groups[name]

    def __iter__(self):
        return iter(tuple(self._groups.values()))

    def regroup(self, world: World) -> None:
        """Update the members of all groups, if something has changed since the last call."""
        if self._structure == world.structure:
            return
        members: dict[str, list[int]] = {name: [] for name in self._groups}
        for entity, (controlled,) in world.query(Controlled):
            self[controlled.group]
            members[controlled.group].append(entity)
            figure, skeleton = world.find(entity, Figure), self[controlled.group].controller.skeleton
            if figure is not None and not figure.character.skeleton.same_topology(skeleton):
                shown = figure.character
                raise WorldError(
                    f"{shown.name!r} of entity {entity} has {shown.skeleton.joint_count} joints that do not match "
                    f"the {skeleton.joint_count} of group {controlled.group!r}"
                )
        for name, entities in members.items():
            self._groups[name].join(np.asarray(entities, np.int64))
        self._structure = world.structure


@system(phase="control", reads=(Controlled, Command, Figure, Tint), writes=(Transform, Poses, Groups))
def step_groups(world: World, dt: float) -> None:
    """Step the controllers of all groups, each once, in the order in which the groups were added."""
    groups = world.groups
    groups.regroup(world)
    world.regroup_figures()
    for group in groups:
        if len(group.ids):
            group.step(world, dt)

"""Groups: characters that share a controller and are stepped as one batch, each from where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.command import Control
from kinema.control.membership import carried
from kinema.engine.components import Command, Controlled, Figure, Tint, Transform, Vector, vector
from kinema.engine.poses import Poses
from kinema.engine.systems import system
from kinema.errors import WorldError
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.engine.world import World

_PUSH = 0.25  # metres in a step: nothing walks so fast
_TWIST = 0.9  # the same for turns, as the cosine of half an angle of 52 degrees


class BatchController(Protocol):
    """What can move a group, such as `kinema.control.controller.Controller`."""

    skeleton: Skeleton

    def reset(self, count: int) -> Pose: ...

    def step(self, control: Control, dt: float) -> Pose: ...


@runtime_checkable
class Selects(Protocol):
    """What a controller has besides if characters may join and leave while it runs."""

    def select(self, keep: NDArray[np.integer], added: int) -> object: ...


class Group:
    """One controller and the entities it moves.

    The controller works at the origin; the group remembers where that is for each character.

    Attributes:
        ids: `[n]`, in the order of the controller's characters: those who joined later stand later.
        pose: what the controller made in the last step, in its own frame; None before the first.
        control: what it was told, in the same frame.
    """

    def __init__(self, name: str, controller: BatchController) -> None:
        self.name, self.controller = name, controller
        self.ids: NDArray[np.int64] = np.zeros(0, np.int64)
        self.pose: Pose | None = None
        self.control: Control | None = None
        self.origin_positions = np.zeros((0, 3), np.float32)
        self.origin_rotations = np.zeros((0, 4), np.float32)
        # Where the controller has each root, and where that put the Transform.
        self._roots = np.zeros((0, 7), np.float32)
        self._written = np.zeros((0, 7), np.float32)

    def join(self, ids: NDArray[np.int64]) -> None:
        """Make `ids` (ascending) the members; those who stay go on as they were.

        Raises:
            WorldError: someone joins or leaves a controller that cannot have it.
        """
        if np.array_equal(np.sort(self.ids), ids):
            return
        keep = np.flatnonzero(np.isin(self.ids, ids))
        new = ids[~np.isin(ids, self.ids)]
        if len(ids) == 0:
            pass
        elif len(keep) == 0:
            self.controller.reset(len(new))
        elif isinstance(self.controller, Selects):
            self.controller.select(keep, len(new))
        else:
            raise WorldError(
                f"the controller of group {self.name!r} has no select(keep, added): nobody can join or leave while it "
                "runs; put the entity in another group"
            )
        rest = np.array([0, 0, 0, 1, 0, 0, 0], np.float32)
        self.ids = np.concatenate([self.ids[keep], new])
        self._roots = carried(self._roots, keep, len(new), rest)
        self._written = carried(self._written, keep, len(new), np.nan)
        self.origin_positions = carried(self.origin_positions, keep, len(new), 0.0)
        self.origin_rotations = carried(self.origin_rotations, keep, len(new), rest[3:])

    def step(self, world: World, dt: float) -> None:
        """Obey the commands of all members for `dt` seconds, write their poses and move their Transforms."""
        columns = world.columns(Transform)
        rows = columns.rows(self.ids)
        jumped = self._follow(np.concatenate([columns.positions[rows], columns.rotations[rows]], axis=1))
        self.control = self._commands(world)
        self.pose = pose = self.controller.step(self.control, dt)
        self._roots = np.concatenate([pose.root_positions, pose.root_rotations], axis=1)
        position = self.origin_positions + rotations.rotate(self.origin_rotations, pose.root_positions)
        rotation = rotations.normalize(rotations.multiply(self.origin_rotations, pose.root_rotations))
        columns.positions[rows], columns.rotations[rows] = position, rotation
        self._written = np.concatenate([position, rotation], axis=1).astype(np.float32)
        turned, placed = pose.model_rotations, pose.model_positions
        world.poses.write(self.ids, turned, placed, jumped)

    def _follow(self, transforms: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Where someone else wrote the Transform `[n, 7]`, the controller's origin moves so that it holds.

        Returns:
            Who was put elsewhere `[n]`: whoever is only pushed a little moves on without a break.
        """
        moved = (transforms != self._written).any(axis=1)
        if moved.any():
            turned = rotations.multiply(transforms[moved, 3:], rotations.inverse(self._roots[moved, 3:]))
            self.origin_rotations[moved] = rotations.normalize(turned)
            self.origin_positions[moved] = transforms[moved, :3] - rotations.rotate(turned, self._roots[moved, :3])
        away = np.linalg.norm(transforms[:, :3] - self._written[:, :3], axis=1)
        alike = np.abs((transforms[:, 3:] * self._written[:, 3:]).sum(axis=1))
        return ~((away < _PUSH) & (alike > _TWIST))  # also true of newcomers, whom nobody has written

    def _commands(self, world: World) -> Control:
        told = {entity: command for entity in self.ids.tolist() if (command := world.find(entity, Command)) is not None}
        velocity = np.zeros((len(self.ids), 3), np.float32)
        facing = np.full((len(self.ids), 3), np.nan, np.float32)
        rows = [row for row, entity in enumerate(self.ids.tolist()) if entity in told]
        velocity[rows] = _vectors({entity: command.velocity for entity, command in told.items()}, "velocity")
        ways = {entity: command.facing for entity, command in told.items() if command.facing is not None}
        rows = [row for row, entity in enumerate(self.ids.tolist()) if entity in ways]
        facing[rows] = _vectors(ways, "facing")
        return Control.create(
            rotations.inverse_rotate(self.origin_rotations, velocity),
            rotations.inverse_rotate(self.origin_rotations, facing),
        )


def _vectors(values: dict[int, Vector], what: str) -> NDArray[np.float32]:
    """Rows `[n, 3]` of what entities are told, made at once; one that is none is named."""
    try:
        array = np.asarray(list(values.values()), np.float32).reshape(-1, 3)
    except (TypeError, ValueError):
        array = np.zeros((0, 3), np.float32)
    if len(array) != len(values) or not np.isfinite(array).all():
        return np.stack([vector(one, 3, f"the commanded {what} of entity {who}") for who, one in values.items()])
    return array


class Groups:
    """The groups of one world by name."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}
        self._seen = -1

    def add(self, name: str, controller: BatchController) -> Group:
        """Let `controller` move all entities that are `Controlled` by `name`.

        Raises:
            WorldError: there is such a group, or the controller moves another group of this world.
        """
        if name in self._groups:
            raise WorldError(f"there is a group {name!r} already")
        for group in self._groups.values():
            if group.controller is controller:
                raise WorldError(f"the controller of group {group.name!r} cannot move {name!r} too; make another")
        self._groups[name] = group = Group(name, controller)
        self._seen = -1
        return group

    def __getitem__(self, name: str) -> Group:
        if name not in self._groups:
            there = ", ".join(repr(other) for other in self._groups) or "none"
            raise WorldError(f"there is no group {name!r} (there are: {there}); world.groups.add({name!r}, controller)")
        return self._groups[name]

    def __iter__(self):
        return iter(tuple(self._groups.values()))

    def regroup(self, world: World) -> None:
        """Look who is in which group, if something has changed since the last time."""
        if self._seen == world.structure:
            return
        members: dict[str, list[int]] = {name: [] for name in self._groups}
        for entity, (controlled,) in world.query(Controlled):
            self[controlled.group]
            members[controlled.group].append(entity)
            figure, skeleton = world.find(entity, Figure), self[controlled.group].controller.skeleton
            if figure is not None and not figure.character.skeleton.same_topology(skeleton):
                shown = figure.character
                raise WorldError(
                    f"{shown.name!r} of entity {entity} has {shown.skeleton.joint_count} joints that are not the "
                    f"{skeleton.joint_count} of group {controlled.group!r}"
                )
        for name, entities in members.items():
            self._groups[name].join(np.asarray(entities, np.int64))
        self._seen = world.structure


@system(phase="control", reads=(Controlled, Command, Figure, Tint), writes=(Transform, Poses, Groups))
def step_groups(world: World, dt: float) -> None:
    """Step the controllers of all groups, each once, in the order in which the groups were added."""
    groups = world.groups
    groups.regroup(world)
    world.regroup_figures()
    for group in groups:
        if len(group.ids):
            group.step(world, dt)

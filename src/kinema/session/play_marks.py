"""Marks of a steered character: desired trajectory, command, trail, feet, features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.family import ShowsFeatures
from kinema.control.trajectory import Trajectory
from kinema.engine.groups import Group
from kinema.mocap.contacts import contact_joints, contact_points
from kinema.rendering.draw import Draw
from kinema.session.feature_marks import FeatureFrame, draw_features
from kinema.session.marks import FUTURE, PAST, mark_contacts, mark_names, mark_skeleton, up
from kinema.terrain import Ground, Plane, is_void

AHEAD = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Times of the desired trajectory, seconds ahead."""

COMMANDED = (0.20, 0.66, 0.44, 1.0)
HELD = (0.24, 0.72, 0.50)


@dataclass(frozen=True, eq=False)
class SteeredMoment:
    """The steered character at one moment.

    Attributes:
        group, row: its group, and its row there. size: its height, metres.
        positions, root: `[J, 3]` joints and `[3]` root, as drawn.
        trail: past root positions, oldest first.
        ground: the ground under it.
    """

    group: Group
    row: int
    size: float
    positions: NDArray[np.float32]
    root: NDArray[np.float32]
    trail: Sequence[NDArray[np.float32]]
    ground: Ground = field(default_factory=Plane)

    @property
    def rotation(self) -> NDArray[np.float32]:
        """Rotation from the controller's frame to the world."""
        return self.group.origin_rotations[self.row]

    def to_world(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Transform points from the controller's frame to the world."""
        rotated = rotations.rotate(self.rotation, np.asarray(points, np.float32))
        return self.group.origin_positions[self.row] + rotated

    def on_ground(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Points `[..., 3]` moved vertically to the ground; to the height of the root where there is none."""
        heights = self.ground.height(points)
        placed = np.array(points, np.float32)
        placed[..., 1] = np.where(is_void(heights), self.root[1], heights)
        return placed

    @property
    def feet(self) -> NDArray[np.float32]:
        """Positions `[C, 3]` of the contact points that the controller reports, as drawn."""
        joints = getattr(getattr(self.group.controller, "family", None), "contact_joints", None)
        joints = contact_joints(self.group.controller.skeleton) if joints is None else joints
        reported = 0 if self.group.pose is None else self.group.pose.contacts.shape[1]
        return self.positions[joints[:reported]]


def _skeleton(moment: SteeredMoment, draw: Draw) -> None:
    mark_skeleton(draw, moment.group.controller.skeleton, moment.positions, moment.size)


def _names(moment: SteeredMoment, draw: Draw) -> None:
    mark_names(draw, moment.group.controller.skeleton, moment.positions)


def _trail(moment: SteeredMoment, draw: Draw) -> None:
    if len(moment.trail) < 2:
        return
    points = np.stack([*moment.trail, moment.root]) + up(0.004 * moment.size)
    fade = np.linspace(0.0, 0.9, len(points))[:, None]
    draw.line(points, np.concatenate([np.tile(PAST[:3], (len(points), 1)), fade], axis=1), 0.006 * moment.size)


def _trajectory(moment: SteeredMoment, draw: Draw) -> None:
    trajectory = getattr(moment.group.controller, "trajectory", None)
    if moment.group.commands is None or not isinstance(trajectory, Trajectory):
        return
    points, headings = trajectory.predict(trajectory.steered(moment.group.commands), AHEAD)
    heading = headings[moment.row]
    facings = np.stack([np.sin(heading), np.zeros(len(AHEAD)), np.cos(heading)], axis=-1).astype(np.float32)
    positions = moment.on_ground(moment.to_world(points[moment.row])) + up(0.006 * moment.size)
    draw.trajectory(
        positions, rotations.rotate(moment.rotation, facings), FUTURE, 0.008 * moment.size, ticks=0.11 * moment.size
    )


def _command(moment: SteeredMoment, draw: Draw) -> None:
    if moment.group.commands is not None:
        wish = rotations.rotate(moment.rotation, moment.group.commands.velocity[moment.row])
        draw.arrows(moment.root + up(0.008 * moment.size), 0.4 * wish, COMMANDED, 0.012 * moment.size)


def _contacts(moment: SteeredMoment, draw: Draw) -> None:
    """Discs under the feet, with a ring around locked feet."""
    feet, pose, size = moment.feet, moment.group.pose, moment.size
    if pose is None or not len(feet):
        return
    touching = pose.contacts[moment.row, : len(feet)]
    mark_contacts(draw, contact_points(pose.skeleton), feet, touching, size, moment.on_ground(feet)[:, 1])
    locked = getattr(moment.group.controller, "locked", None)
    if locked is not None and moment.row < len(locked):
        held = moment.on_ground(feet[np.asarray(locked[moment.row, : len(feet)], bool)])
        draw.discs(held + up(0.003 * size), (0, 1, 0), 0.085 * size, HELD, hole=0.9)


def _root(moment: SteeredMoment, draw: Draw) -> None:
    turn = moment.rotation
    if moment.group.pose is not None:
        turn = rotations.multiply(turn, moment.group.pose.root_rotations[moment.row])
    draw.axes(moment.root + up(0.004 * moment.size), turn, 0.2 * moment.size)


def _features(moment: SteeredMoment, draw: Draw) -> None:
    """Features of the search, at the character."""
    shows, pose, row = shows_features(moment.group.controller), moment.group.pose, moment.row
    if shows is None or pose is None:
        return
    parts = {name: part[row] for name, part in shows.features_now().items()}
    root = moment.to_world(pose.root_positions[row])
    facing = rotations.multiply(moment.rotation, pose.root_rotations[row])
    draw_features(draw, FeatureFrame(shows.spec, parts, root, facing), moment.positions, moment.size)


def shows_features(controller: object) -> ShowsFeatures | None:
    """The controller or its family, whichever reports features."""
    owners = (controller, getattr(controller, "family", None))
    return next((owner for owner in owners if isinstance(owner, ShowsFeatures)), None)


MARKS: Mapping[str, Callable[[SteeredMoment, Draw], None]] = {
    "Trajectory": _trajectory,
    "Command": _command,
    "Trail": _trail,
    "Contacts": _contacts,
    "Skeleton": _skeleton,
    "Joint names": _names,
    "Features": _features,
    "Root": _root,
}
"""Mark name to the function that draws it."""

SHOWN: Mapping[str, bool] = {
    "Body": True,
    **{name: name in ("Trajectory", "Command", "Trail", "Contacts") for name in MARKS},
}
"""Marks of steered characters, and whether they are on at first."""

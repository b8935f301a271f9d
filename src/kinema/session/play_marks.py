"""Marks of a steered character: where it wants to be, its command, where it came from, its feet, its features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.family import ShowsFeatures
from kinema.control.trajectory import Trajectory
from kinema.engine.groups import Group
from kinema.mocap.contacts import contact_joints
from kinema.rendering.draw import Draw
from kinema.session.feature_marks import FeatureFrame, draw_features
from kinema.session.marks import FUTURE, PAST, mark_contacts, mark_names, mark_skeleton, up

AHEAD = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Seconds ahead at which the wanted trajectory is shown."""

COMMANDED = (0.20, 0.66, 0.44, 1.0)
HELD = (0.24, 0.72, 0.50)


@dataclass(frozen=True, eq=False)
class SteeredMoment:
    """The steered character in one picture.

    Attributes:
        group, row: what moves it, and its row there. size: its height, metres.
        positions: `[J, 3]` its joints as they are drawn. root: `[3]` its root as it is drawn.
        trail: places where its root was, oldest first.
    """

    group: Group
    row: int
    size: float
    positions: NDArray[np.float32]
    root: NDArray[np.float32]
    trail: Sequence[NDArray[np.float32]]

    @property
    def turn(self) -> NDArray[np.float32]:
        """What turns vectors of the controller into vectors of the world."""
        return self.group.origin_rotations[self.row]

    def to_world(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Points of the controller in the world."""
        turned = rotations.rotate(self.turn, np.asarray(points, np.float32))
        return self.group.origin_positions[self.row] + turned

    @property
    def feet(self) -> NDArray[np.float32]:
        """Where the contact points are drawn, `[C, 3]`, as many as the controller reports."""
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
    points, headings = trajectory.predict(moment.group.commands, AHEAD)
    heading = headings[moment.row]
    ways = np.stack([np.sin(heading), np.zeros(len(AHEAD)), np.cos(heading)], axis=-1).astype(np.float32)
    places = moment.to_world(points[moment.row]) + up(0.006 * moment.size)
    draw.trajectory(places, rotations.rotate(moment.turn, ways), FUTURE, 0.008 * moment.size, ticks=0.11 * moment.size)


def _command(moment: SteeredMoment, draw: Draw) -> None:
    if moment.group.commands is not None:
        wish = rotations.rotate(moment.turn, moment.group.commands.velocity[moment.row])
        draw.arrows(moment.root + up(0.008 * moment.size), 0.4 * wish, COMMANDED, 0.012 * moment.size)


def _contacts(moment: SteeredMoment, draw: Draw) -> None:
    """Discs under the feet, with a ring around those that the foot lock holds."""
    feet, pose, size = moment.feet, moment.group.pose, moment.size
    if pose is None or not len(feet):
        return
    mark_contacts(draw, ("left", "right") * len(feet), feet, pose.contacts[moment.row, : len(feet)], size)
    locked = getattr(moment.group.controller, "locked", None)
    if locked is not None and moment.row < len(locked):
        held = feet[np.asarray(locked[moment.row, : len(feet)], bool)] * np.array([1, 0, 1], np.float32)
        draw.discs(held + up(0.003 * size), (0, 1, 0), 0.085 * size, HELD, hole=0.9)


def _root(moment: SteeredMoment, draw: Draw) -> None:
    turn = moment.turn
    if moment.group.pose is not None:
        turn = rotations.multiply(turn, moment.group.pose.root_rotations[moment.row])
    draw.axes(moment.root + up(0.004 * moment.size), turn, 0.2 * moment.size)


def _features(moment: SteeredMoment, draw: Draw) -> None:
    """What the search compares, at the character."""
    shows, pose, row = shows_features(moment.group.controller), moment.group.pose, moment.row
    if shows is None or pose is None:
        return
    parts = {name: part[row] for name, part in shows.features_now().items()}
    root = moment.to_world(pose.root_positions[row])
    facing = rotations.multiply(moment.turn, pose.root_rotations[row])
    draw_features(draw, FeatureFrame(shows.spec, parts, root, facing), moment.positions, moment.size)


def shows_features(controller: object) -> ShowsFeatures | None:
    """The controller or its family, whichever shows features."""
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
"""How each mark is drawn."""

SHOWN: Mapping[str, bool] = {
    "Body": True,
    **{name: name in ("Trajectory", "Command", "Trail", "Contacts") for name in MARKS},
}
"""What can be shown, and whether it is at first."""

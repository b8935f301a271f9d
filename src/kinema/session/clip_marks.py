"""Marks of a clip: skeleton, names, paths, contacts, velocities, features, root."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.mocap.edits.spans import Spans
from kinema.rendering.draw import Draw
from kinema.session.feature_marks import VELOCITY, VELOCITY_SECONDS, FeatureFrame, draw_features
from kinema.session.marks import FUTURE, PAST, mark_contacts, mark_names, mark_skeleton, up
from kinema.session.prepared import PreparedClip

AROUND = np.linspace(-0.5, 0.5, 13)
"""Seconds around the present at which the trajectory is shown."""

PATH_POINTS = 600
"""Points of the path of a whole clip at most."""


@dataclass(frozen=True, eq=False)
class ClipMoment:
    """A clip in one picture.

    Attributes:
        time: seconds from its first frame.
        positions: `[J, 3]`, its joints as they are drawn.
        contacts: when each contact point touches, as edited.
        features: those of this moment; None where there are none.
    """

    clip: PreparedClip
    time: float
    positions: NDArray[np.float32]
    contacts: Mapping[str, Spans]
    features: FeatureFrame | None = None

    @property
    def frame(self) -> int:
        """The nearest frame."""
        return min(int(self.time * self.clip.fps + 0.5), self.clip.frames - 1)


def _skeleton(moment: ClipMoment, draw: Draw) -> None:
    mark_skeleton(draw, moment.clip.clip.skeleton, moment.positions, moment.clip.size)


def _names(moment: ClipMoment, draw: Draw) -> None:
    mark_names(draw, moment.clip.clip.skeleton, moment.positions)


def _trajectory(moment: ClipMoment, draw: Draw) -> None:
    """The way of the root around the present, with its facings: grey behind, blue ahead."""
    clip = moment.clip
    frames = np.clip(np.rint((moment.time + AROUND) * clip.fps), 0, clip.frames - 1).astype(np.int64)
    ways = rotations.rotate(clip.facings[frames], np.array([0, 0, 1], np.float32))
    colors = np.where(AROUND[:, None] < 0, PAST, FUTURE)
    places = clip.roots[frames] + up(0.006 * clip.size)
    draw.trajectory(places, ways, colors, 0.007 * clip.size, ticks=0.085 * clip.size)


def _path(moment: ClipMoment, draw: Draw) -> None:
    roots, size = moment.clip.roots, moment.clip.size
    draw.line(roots[:: max(len(roots) // PATH_POINTS, 1)] + up(0.003 * size), (*PAST[:3], 0.9), 0.006 * size)


def _contacts(moment: ClipMoment, draw: Draw) -> None:
    feet = moment.clip.feet
    if feet is None or not len(feet.points):
        return
    touching = [any(a <= moment.frame < b for a, b in moment.contacts.get(name, ())) for name in feet.points]
    mark_contacts(draw, feet.points, moment.positions[feet.joints], np.array(touching, np.float32), moment.clip.size)


def _velocities(moment: ClipMoment, draw: Draw) -> None:
    ways = VELOCITY_SECONDS * moment.clip.velocities[moment.frame]
    draw.arrows(moment.positions, ways, VELOCITY, 0.006 * moment.clip.size, on_top=True)


def _features(moment: ClipMoment, draw: Draw) -> None:
    if moment.features is not None:
        draw_features(draw, moment.features, moment.positions, moment.clip.size)


def _root(moment: ClipMoment, draw: Draw) -> None:
    clip, frame = moment.clip, moment.frame
    draw.axes(clip.roots[frame] + up(0.004 * clip.size), clip.facings[frame], 0.2 * clip.size)


MARKS: Mapping[str, Callable[[ClipMoment, Draw], None]] = {
    "Contacts": _contacts,
    "Trajectory": _trajectory,
    "Path": _path,
    "Velocities": _velocities,
    "Features": _features,
    "Skeleton": _skeleton,
    "Joint names": _names,
    "Root": _root,
}
"""How each mark is drawn."""

STANDING = frozenset({"Skeleton", "Joint names"})
"""Marks of clips without a motion."""

SHOWN: Mapping[str, bool] = {"Body": True, **{name: name in ("Contacts", "Trajectory", "Path") for name in MARKS}}
"""What can be shown of a clip, and whether it is at first."""


def mark_clip(moment: ClipMoment, show: Mapping[str, bool], draw: Draw) -> None:
    """Draw the marks that are switched on."""
    for name, mark in MARKS.items():
        if show.get(name) and (moment.clip.motion is not None or name in STANDING):
            mark(moment, draw)

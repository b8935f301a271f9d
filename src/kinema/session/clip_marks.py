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
"""Maximum number of points drawn for the path of a clip."""


@dataclass(frozen=True, eq=False)
class ClipMoment:
    """A clip at one moment.

    Attributes:
        time: seconds from its first frame.
        positions: `[J, 3]`, joint positions as drawn.
        contacts: spans of each contact point, with edits.
        features: features at this moment; None if there are none.
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
    """Path and facing of the root around the present: the past is grey, the future blue."""
    clip = moment.clip
    frames = np.clip(np.rint((moment.time + AROUND) * clip.fps), 0, clip.frames - 1).astype(np.int64)
    facings = rotations.rotate(clip.facings[frames], np.array([0, 0, 1], np.float32))
    colors = np.where(AROUND[:, None] < 0, PAST, FUTURE)
    positions = clip.roots[frames] + up(0.006 * clip.size)
    draw.trajectory(positions, facings, colors, 0.007 * clip.size, ticks=0.085 * clip.size)


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
    arrows = VELOCITY_SECONDS * moment.clip.velocities[moment.frame]
    draw.arrows(moment.positions, arrows, VELOCITY, 0.006 * moment.clip.size, on_top=True)


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
"""Mark name to the function that draws it."""

STANDING = frozenset({"Skeleton", "Joint names"})
"""Marks that need no motion."""

SHOWN: Mapping[str, bool] = {"Body": True, **{name: name in ("Contacts", "Trajectory", "Path") for name in MARKS}}
"""Marks of clips, and whether they are on at first."""


def mark_clip(moment: ClipMoment, show: Mapping[str, bool], draw: Draw) -> None:
    """Draw the marks that are switched on."""
    for name, mark in MARKS.items():
        if show.get(name) and (moment.clip.motion is not None or name in STANDING):
            mark(moment, draw)

"""Numbers of a clip over time: of its root and feet, its labels, and the features that motion matching compares."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics
from kinema.errors import KinemaError
from kinema.features.feature import Feature
from kinema.mocap.edits.feet import Feet
from kinema.motion import Motion
from kinema.session.loading import Loader
from kinema.skeleton import Skeleton
from kinema.viewer.clip_features import Table, tabulate
from kinema.window.footage import Footage

Curves = dict[str, NDArray[np.floating]]
"""Values `[F]` by name; the part of the name before the first `/` is the group."""

AXES = {1: ("",), 2: (" x", " z"), 3: (" x", " y", " z")}
"""What components are called; others are numbered."""

FIRST = ("root/speed m/s",)
"""What is shown at first."""


def basic_curves(motion: Motion) -> Curves:
    """Of any motion: its root, its contact points, and its labels that are numbers."""
    curves: Curves = {}
    if motion.frames > 1:
        positions, turned = motion.root_frame()
        dt = 1.0 / motion.fps
        velocity = kinematics.velocities(positions, dt)
        curves["root/speed m/s"] = np.linalg.norm(velocity[:, [0, 2]], axis=-1)
        curves["root/turn \u00b0/s"] = np.rad2deg(kinematics.angular_velocities(turned, dt)[:, 1])
        curves["root/height of hips m"] = motion[:].global_positions[:, motion.skeleton.roles.hips, 1]
        feet = Feet.of(motion)
        for column, point in enumerate(feet.points):
            curves[f"feet/{point} height m"] = feet.heights[:, column]
            curves[f"feet/{point} speed m/s"] = feet.speeds[:, column]
    for name, values in motion.labels.items():
        values = np.asarray(values)
        if values.ndim == 1 and values.dtype.kind in "fiub":
            curves[f"labels/{name}"] = values.astype(np.float32)
    return curves


def feature_curves(table: Table) -> Curves:
    """One curve a number of a table of features, gaps where a frame has none."""
    curves: Curves = {}
    skeleton = table.spec.skeleton
    gone = table.piece < 0
    for feature in table.spec.features:
        values = np.where(gone[:, None], np.nan, table.vectors[:, table.spec[feature.name]])
        for column, name in enumerate(names(feature, skeleton)):
            curves[f"{feature.name}/{name}"] = values[:, column]
    return curves


def names(feature: Feature, skeleton: Skeleton) -> list[str]:
    """What each number of a feature is, in order."""
    times, entries, components = feature.shape(skeleton)
    if feature.handler.per == "joint":
        parts = [skeleton.names[joint] for joint in feature.joint_indices(skeleton).tolist()]
    else:
        parts = list(feature.labels) or [""] * entries
    axes = AXES.get(components) or tuple(f" {number}" for number in range(components))
    when = [f" {seconds:+.2f} s" if len(feature.times) > 1 and times > 1 else "" for seconds in feature.times][:times]
    return [f"{part}{axis}{time}".strip() or feature.name for time in when for part in parts for axis in axes]


class CurveBook:
    """The curves of the clip that is shown, worked out beside the window when they are first asked for.

    Attributes:
        chosen: names of those to show, kept from clip to clip.
        problem: why the clip has no features.
    """

    def __init__(self) -> None:
        self.chosen: list[str] = []
        self.problem = ""
        self._made: Curves = {}
        self._of: Footage | None = None
        self._loader: Loader[tuple[Curves, str]] = Loader()

    def of(self, footage: Footage | None) -> Mapping[str, NDArray[np.floating]]:
        """All curves, as far as they are ready."""
        if footage is not self._of:
            self._of, self._made, self.problem = footage, {}, ""
            if footage is not None and footage.motion is not None:
                motion = footage.motion
                self._loader.ask("curves", lambda: _make(motion))
        result = self._loader.take()
        if result is not None:
            made, error = result
            self._made, self.problem = made or ({}, str(error))
        return self._made

    @property
    def waiting(self) -> bool:
        """Whether there is more to come."""
        return bool(self._loader.what)

    def toggle(self, name: str) -> None:
        """Show a curve, or show it no more."""
        self.chosen = [one for one in self.chosen if one != name] if name in self.chosen else [*self.chosen, name]


def _make(motion: Motion) -> tuple[Curves, str]:
    curves, problem = basic_curves(motion), ""
    try:
        curves |= feature_curves(tabulate(motion))
    except KinemaError as error:
        problem = str(error)
    return curves, problem

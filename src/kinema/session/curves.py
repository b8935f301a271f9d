"""Curves of a clip: root, feet, labels, and the features of motion matching."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics
from kinema.errors import KinemaError
from kinema.features.feature import Feature
from kinema.mocap.edits.feet import Feet
from kinema.motion import Motion
from kinema.session.features import FeatureTable, tabulate
from kinema.session.loading import Loader
from kinema.skeleton import Skeleton

Curves = dict[str, NDArray[np.floating]]
"""Values `[F]` by name; the part of the name before the first `/` is the group."""

AXES = {1: ("",), 2: (" x", " z"), 3: (" x", " y", " z")}
"""Suffixes of vector components by dimension; other dimensions are numbered."""

FIRST = ("root/speed m/s",)
"""Curves shown at first."""


def basic_curves(motion: Motion) -> Curves:
    """Curves of the root, the contact points and the numeric labels."""
    curves: Curves = {}
    if motion.frames > 1:
        positions, facings = motion.root_frame()
        dt = 1.0 / motion.fps
        velocity = kinematics.velocities(positions, dt)
        curves["root/speed m/s"] = np.linalg.norm(velocity[:, [0, 2]], axis=-1)
        curves["root/turn \u00b0/s"] = np.rad2deg(kinematics.angular_velocities(facings, dt)[:, 1])
        curves["root/height of hips m"] = motion[:].global_positions[:, motion.skeleton.roles.hips, 1]
        feet = Feet.of(motion)
        for column, point in enumerate(feet.points):
            curves[f"feet/{point} height m"] = feet.heights[:, column]
            curves[f"feet/{point} speed m/s"] = feet.speeds[:, column]
        if feet.sides is not None:
            curves["feet/gait phase"], curves["feet/confidence of the phase"] = feet.phases.gait, feet.phases.confidence
    for name, values in motion.labels.items():
        values = np.asarray(values)
        if values.ndim == 1 and values.dtype.kind in "fiub":
            curves[f"labels/{name}"] = values.astype(np.float32)
    return curves


def feature_curves(table: FeatureTable) -> Curves:
    """One curve for each feature dimension, NaN where a frame has no features."""
    curves: Curves = {}
    skeleton = table.spec.skeleton
    gone = table.piece < 0
    for feature in table.spec.features:
        values = np.where(gone[:, None], np.nan, table.vectors[:, table.spec[feature.name]])
        for column, name in enumerate(names(feature, skeleton)):
            curves[f"{feature.name}/{name}"] = values[:, column]
    return curves


def names(feature: Feature, skeleton: Skeleton) -> list[str]:
    """The name of each dimension of a feature, in order."""
    times, entries, components = feature.shape(skeleton)
    parts = _joint_names(feature, skeleton) or list(feature.labels) or [""] * entries
    axes = AXES.get(components) or tuple(f" {number}" for number in range(components))
    when = [f" {seconds:+.2f} s" for seconds in feature.times] if times > 1 else [""]
    return [f"{part}{axis}{time}".strip() or feature.name for time in when for part in parts for axis in axes]


def _joint_names(feature: Feature, skeleton: Skeleton) -> list[str]:
    """Names of the joints of a feature; empty for a feature of the whole body."""
    joints = feature.joint_indices(skeleton).tolist() if feature.handler.per == "joint" else []
    return [skeleton.names[joint] for joint in joints]


class ClipAnalysis:
    """Curves and features of one motion, computed on a thread when first requested.

    Attributes:
        curves: curves that are ready, by name. table: features of all frames; None until they are ready.
        problem: why the motion has no features.
    """

    def __init__(self) -> None:
        self.curves: Curves = {}
        self.table: FeatureTable | None = None
        self.problem = ""
        self._motion: Motion | None = None
        self._loader: Loader[tuple[Curves, FeatureTable | None, str]] = Loader()

    @property
    def waiting(self) -> bool:
        """Whether features are still being computed."""
        return bool(self._loader.what)

    def of(self, motion: Motion | None) -> ClipAnalysis:
        """Itself, for this motion. Call it again until it is no longer `waiting`."""
        if motion is not self._motion:
            self._motion, self.curves, self.table, self.problem = motion, {}, None, ""
            if motion is not None:
                self._loader.ask("curves", lambda: _analysed(motion))
        result = self._loader.take()
        if result is not None:
            found, error = result
            self.curves, self.table, self.problem = found or ({}, None, str(error))
        return self


def _analysed(motion: Motion) -> tuple[Curves, FeatureTable | None, str]:
    curves = basic_curves(motion)
    try:
        table = tabulate(motion)
    except KinemaError as error:
        return curves, None, str(error)
    return curves | feature_curves(table), table, ""

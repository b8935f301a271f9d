"""Motions as animation stacks: one layer each, curves with a key at every frame.

Joints that stay at rest have no curves and others that do not move a single key; the first root keeps all its keys, so
that the clip keeps its length everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Floats, Ints
from kinema.formats.contents import finite
from kinema.formats.fbx.clock import TICKS
from kinema.formats.fbx.encode import shared
from kinema.formats.fbx.notes import BETWEEN, FLAGS, RATE, TAGS
from kinema.formats.fbx.out_rig import continuous_euler
from kinema.formats.fbx.out_scene import CENTIMETRES, FbxBuilder, number, string, time
from kinema.motion import Motion

_LINEAR = np.array([4], np.int32)
_NO_TANGENTS = np.array([0, 0, 9.419963346924634e-30, 0], np.float32)  # slopes of 0, two default weights in one number
_STILL = 1e-7


def write_motion(
    builder: FbxBuilder, motion: Motion, name: str, joints: Sequence[int], channels: Mapping[str, Sequence[int]]
) -> int:
    """One motion; where it ends, in ticks.

    Args:
        name: name of the stack.
        joints: ids of the skeleton's limb nodes.
        channels: ids of blend shape channels by the name of their target.
    """
    ticks = np.rint(np.arange(motion.frames) * (TICKS / motion.fps)).astype(np.int64)
    stop = int(ticks[-1]) if motion.frames else 0
    rows = [time("LocalStop", stop), time("ReferenceStop", stop), number(RATE, motion.fps, flags="U")]
    plain = {name: values for name, values in motion.labels.items() if values.ndim == 1}
    flags = [name for name, values in plain.items() if values.dtype == bool]
    for key, words in ((TAGS, motion.tags), (FLAGS, flags)):
        if words:
            rows.append(string(key, BETWEEN.join(words), "U"))
    stack, _ = builder.add("AnimationStack", name, "AnimStack", "", rows)
    layer, _ = builder.add("AnimationLayer", "BaseLayer", "AnimLayer", "")
    builder.connect(layer, stack)
    if motion.frames:
        curves = _Curves(builder, layer, ticks)
        _rotations(curves, motion, joints)
        _translations(curves, motion, joints)
        _labels(curves, plain, joints[0], channels)
    return stop


class _Curves:
    """Curves of one layer; the times of their keys are the same, and compressed once."""

    def __init__(self, builder: FbxBuilder, layer: int, ticks: Ints) -> None:
        self.builder, self.layer, self.ticks = builder, layer, ticks
        self.every, self.first = shared(ticks), shared(ticks[:1])

    def add(self, owner: int, prop: str, name: str, axes: Sequence[str], values: Floats) -> None:
        """Moves a property by values `[F, axes]`, or holds it by one row."""
        first = values[0].tolist()
        rows = [number(axis, value, "Number", "", "A") for axis, value in zip(axes, first, strict=True)]
        node, _ = self.builder.add("AnimationCurveNode", name, "AnimCurveNode", "", rows)
        self.builder.connect(node, self.layer)
        self.builder.connect(node, owner, prop)
        times = self.every if len(values) > 1 else self.first
        counts = np.array([len(values)], np.int32)
        columns = np.ascontiguousarray(values.T, dtype=np.float32)
        for axis, column, start in zip(axes, columns, first, strict=True):
            curve, record = self.builder.add("AnimationCurve", "", "AnimCurve", "", Default=start, KeyVer=4008)
            record.extend(KeyTime=times, KeyValueFloat=column, KeyAttrFlags=_LINEAR)
            record.extend(KeyAttrDataFloat=_NO_TANGENTS, KeyAttrRefCount=counts)
            self.builder.connect(curve, node, axis)


_XYZ = ("d|X", "d|Y", "d|Z")


def _rotations(curves: _Curves, motion: Motion, joints: Sequence[int]) -> None:
    rest = rotations.normalize(motion.skeleton.rest_rotations.astype(np.float64))
    local = rotations.normalize(motion.local_rotations.astype(np.float64))
    angles = continuous_euler(rotations.multiply(rotations.inverse(rest), local))  # the PreRotation comes before
    moved = np.abs(angles - angles[:1]).max(axis=(0, 2)) > _STILL
    away = np.abs(angles[0]).max(axis=1) > _STILL
    for joint, node in enumerate(joints):
        if moved[joint] or not joint:
            curves.add(node, "Lcl Rotation", "R", _XYZ, angles[:, joint])
        elif away[joint]:
            curves.add(node, "Lcl Rotation", "R", _XYZ, angles[:1, joint])


def _translations(curves: _Curves, motion: Motion, joints: Sequence[int]) -> None:
    rest = motion.skeleton.rest_translations
    for column, joint in enumerate(motion.translated.tolist()):
        values = motion.local_translations[:, column]
        if not (values != values[0]).any():
            values = values[:1]
        if len(values) > 1 or (values != rest[joint]).any():
            places = values.astype(np.float64) * CENTIMETRES
            curves.add(joints[joint], "Lcl Translation", "T", _XYZ, places)


def _labels(
    curves: _Curves, labels: Mapping[str, NDArray[Any]], root: int, channels: Mapping[str, Sequence[int]]
) -> None:
    """Weights of morph targets, in percent; other labels become properties of the first root that move."""
    for label, values in labels.items():
        kind, _, target = label.partition(".")
        column = finite(values.astype(np.float64))[:, None]
        if kind == "morph" and target in channels:
            for channel in channels[target]:
                curves.add(channel, "DeformPercent", "DeformPercent", ("d|DeformPercent",), column * 100.0)
        else:
            curves.builder.note(root, number(label, float(column[0, 0]), "Number", "", "A+U"))
            curves.add(root, label, label, (f"d|{label}",), column)

"""Motions as SkelAnimation prims: one sample a frame, blend shape weights with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema import rotations
from kinema.formats.contents import finite
from kinema.formats.usd.openusd import UsdSkel, Vt
from kinema.motion import Motion


def write_motion(
    stage: Any, path: Any, motion: Motion, tokens: list[str], shapes: list[str], per_second: float
) -> None:
    """One clip.

    Args:
        tokens: joint paths.
        shapes: blend shapes of all meshes; those with a label `morph.<name>` are animated.
        per_second: time codes in a second; frame `i` stands at `i * per_second / fps`.
    """
    prim = UsdSkel.Animation.Define(stage, path)
    prim.CreateJointsAttr(tokens)
    codes = [frame * per_second / motion.fps for frame in range(motion.frames)]
    turned = rotations.unroll(rotations.normalize(motion.local_rotations))[..., [1, 2, 3, 0]]
    turned = np.ascontiguousarray(turned, dtype=np.float32)
    moved = np.ascontiguousarray(motion[:].local_translations, dtype=np.float32)
    # Rotations have all their samples, even constant ones, so that the clip keeps its length everywhere.
    _samples(prim.CreateRotationsAttr(), [Vt.QuatfArray.FromNumpy(row) for row in turned], codes)
    still = len(moved) and (moved == moved[0]).all()
    _samples(
        prim.CreateTranslationsAttr(), [Vt.Vec3fArray.FromNumpy(row) for row in moved[: 1 if still else None]], codes
    )
    prim.CreateScalesAttr(Vt.Vec3hArray([(1, 1, 1)] * len(tokens)))
    driven = [name for name in shapes if f"morph.{name}" in motion.labels]
    if driven:
        weights = finite(np.stack([motion.labels[f"morph.{name}"] for name in driven], axis=1))
        prim.CreateBlendShapesAttr(driven)
        rows = [Vt.FloatArray.FromNumpy(row) for row in np.ascontiguousarray(weights, dtype=np.float32)]
        _samples(prim.CreateBlendShapeWeightsAttr(), rows, codes)
    prim.GetPrim().SetCustomDataByKey("kinema", _notes(motion, driven))


def _samples(attribute: Any, values: list[Any], codes: list[float]) -> None:
    if len(values) == 1:
        attribute.Set(values[0])
        return
    for value, code in zip(values, codes, strict=True):
        attribute.Set(value, code)


def _notes(motion: Motion, driven: list[str]) -> dict[str, Any]:
    """What UsdSkel has no place for: rate, name, tags, and labels with one number a frame."""
    notes: dict[str, Any] = {"fps": motion.fps, "name": motion.name}
    if motion.tags:
        notes["tags"] = Vt.StringArray(list(motion.tags))
    names = [
        name for name, values in motion.labels.items() if values.ndim == 1 and name.removeprefix("morph.") not in driven
    ]
    if names:
        notes["label_names"] = Vt.StringArray(names)
    for number, name in enumerate(names):
        values = np.ascontiguousarray(motion.labels[name])
        if values.dtype == bool:  # the reader takes bytes for yes and no
            notes[f"label_{number}"] = Vt.UCharArray.FromNumpy(values.astype(np.uint8))
        elif values.dtype.kind in "iu" and np.abs(values.astype(np.float64)).max(initial=0) < 2**31:
            notes[f"label_{number}"] = Vt.IntArray.FromNumpy(values.astype(np.int32))
        else:
            notes[f"label_{number}"] = Vt.FloatArray.FromNumpy(finite(values.astype(np.float32)))
    return notes

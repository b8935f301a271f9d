"""Motions as SkelAnimation prims: one sample a frame, blend shape weights with them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Reals
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
        per_second: time codes per second; frame `i` stands at `i * per_second / fps`.
    """
    prim = UsdSkel.Animation.Define(stage, path)
    prim.CreateJointsAttr(tokens)
    codes = [frame * per_second / motion.fps for frame in range(motion.frames)]
    turns = rotations.unroll(rotations.normalize(motion.local_rotations))[..., [1, 2, 3, 0]]
    # Rotations have all their samples, even constant ones, so that the clip keeps its length everywhere.
    _samples(prim.CreateRotationsAttr(), Vt.QuatfArray, turns, codes)
    places = motion[:].local_translations
    still = len(places) and (places == places[0]).all()
    _samples(prim.CreateTranslationsAttr(), Vt.Vec3fArray, places[:1] if still else places, codes)
    prim.CreateScalesAttr(Vt.Vec3hArray([(1, 1, 1)] * len(tokens)))
    driven = [name for name in shapes if f"morph.{name}" in motion.labels]
    if driven:
        weights = finite(np.stack([motion.labels[f"morph.{name}"] for name in driven], axis=1))
        prim.CreateBlendShapesAttr(driven)
        _samples(prim.CreateBlendShapeWeightsAttr(), Vt.FloatArray, weights, codes)
    prim.GetPrim().SetCustomDataByKey("kinema", _notes(motion, driven))


def _samples(attribute: Any, kind: Any, values: Reals, codes: list[float]) -> None:
    """Sets values `[F or 1, ...]` at time codes; a single one at all times."""
    rows = [kind.FromNumpy(row) for row in np.ascontiguousarray(values, dtype=np.float32)]
    if len(rows) == 1:
        attribute.Set(rows[0])
        return
    for row, code in zip(rows, codes, strict=True):
        attribute.Set(row, code)


def _notes(motion: Motion, driven: list[str]) -> dict[str, Any]:
    """What UsdSkel has no place for: rate, name, tags, and labels with one number a frame."""
    notes: dict[str, Any] = {"fps": motion.fps, "name": motion.name}
    if motion.tags:
        notes["tags"] = Vt.StringArray(list(motion.tags))
    shown = {f"morph.{name}" for name in driven}
    kept = {name: values for name, values in motion.labels.items() if values.ndim == 1 and name not in shown}
    if kept:
        notes["label_names"] = Vt.StringArray(list(kept))
    for number, values in enumerate(kept.values()):
        notes[f"label_{number}"] = _label(np.ascontiguousarray(values))
    return notes


def _label(values: NDArray[Any]) -> Any:
    if values.dtype == bool:  # the reader takes bytes for yes and no
        return Vt.UCharArray.FromNumpy(values.astype(np.uint8))
    if values.dtype.kind in "iu" and np.abs(values.astype(np.float64)).max(initial=0) < 2**31:
        return Vt.IntArray.FromNumpy(values.astype(np.int32))
    return Vt.FloatArray.FromNumpy(finite(values.astype(np.float32)))

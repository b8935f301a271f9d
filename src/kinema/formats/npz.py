"""Kinema's own motion file: NumPy arrays in a zip, nothing that could run code.

Members: `kinema` (JSON as bytes: format, version, joints, fps, name, tags, warnings, labels; hints and hinges if the
skeleton has any), the skeleton's and the motion's arrays under their attribute names, and `label.0`, `label.1`, ...
for the labels in order. Clips that ai4animationpy saved are read too, and poses of the SMPL models.
"""

from __future__ import annotations

import io
import json
import math
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, rotations
from kinema.errors import FormatError
from kinema.formats import Asset, smpl
from kinema.formats.atomic import atomic_write
from kinema.formats.companions import companion
from kinema.formats.contents import check_label
from kinema.formats.members import Members, open_members
from kinema.formats.rates import whole_rate
from kinema.formats.sources import Source
from kinema.motion import Motion
from kinema.rates import is_rate
from kinema.skeleton import MAX_JOINTS, Hinge, Skeleton

FORMAT, VERSION = "kinema.motion", 1
META = "kinema"
ARRAYS = {  # what a file must hold: letters of the dtype kinds allowed, dimensions
    "parents": ("i", 1),
    "rest_translations": ("f", 2),
    "rest_rotations": ("f", 2),
    "tip_joints": ("i", 1),
    "tip_offsets": ("f", 2),
    "local_rotations": ("f", 3),
    "local_translations": ("f", 3),
    "translated": ("i", 1),
}
NAMELESS = ("posed_joints", "global_rot_mats")  # Kimodo
FOREIGN = ("framerate", "positions", "quaternions", "bone_names", "parent_indices")  # ai4animationpy
_LISTS = ("joints", "tags", "warnings", "labels")
UNIT_TOLERANCE = 1e-3  # of a quaternion's length


def read(
    source: Source,
    *,
    fps: float | None = None,
    up: str = "auto",
    skeleton: str | os.PathLike[str] | Source | None = None,
) -> Asset:
    """Reads a motion that `write` saved, a clip of ai4animationpy, or poses of SMPL. Never unpickles.

    Args:
        source: the file.
        fps: frames per second of SMPL poses that do not state it.
        up: for SMPL poses, "y", "z", or "auto" by how the body stands.
        skeleton: for SMPL poses, an npz of the body model, for its exact joints.

    Raises:
        FormatError: not a zip of arrays, of another kind, or an array is missing, misshapen, too large or not finite.
    """
    members = open_members(source)
    motion = _motion(members, source, fps, up, skeleton)
    return Asset(source.path, "npz", motion.skeleton, (motion,), None, motion.warnings)


def _motion(
    members: Members, source: Source, fps: float | None, up: str, skeleton: str | os.PathLike[str] | Source | None
) -> Motion:
    names = members.names.keys()
    if META in names:
        return _native(members)
    if names >= set(FOREIGN):
        return _ai4animationpy(members)
    if smpl.holds_poses(names):
        model = None if skeleton is None else open_members(companion(skeleton))
        return smpl.read_poses(members, source.stem, fps=fps, up=up, model=model)
    if names >= set(NAMELESS):
        raise FormatError(
            f"holds joints ({', '.join(NAMELESS)}) without their names, parents and frame rate; "
            "write it as BVH with the program that made it"
        )
    listed = ", ".join(ascii(name) for name in sorted(names)[:12]) or "nothing"
    raise FormatError(
        f"is not a motion: it holds {listed}; expected a file saved by kinema, or an ai4animationpy "
        f"clip ({', '.join(FOREIGN)}), or SMPL poses (poses, trans)"
    )


def write(thing: Motion | Asset, path: str | os.PathLike[str], *, compress: bool = False) -> None:
    """Writes a motion; the same motion gives the same file, byte for byte.

    Args:
        thing: a motion, or an asset with one.
        path: the file.
        compress: deflate the arrays: typically a fifth to two fifths smaller, and ten times slower.

    Raises:
        FormatError: no motion or several, or a label that is not an array of numbers.
        WriteError: the file system refuses.
    """
    motion = thing.motion() if isinstance(thing, Asset) else thing
    if not isinstance(motion, Motion):
        raise FormatError(f"npz holds one motion, not a {type(motion).__name__}")
    arrays: dict[str, NDArray[Any]] = {META: np.frombuffer(json.dumps(_meta_of(motion)).encode(), np.uint8)}
    arrays |= {name: getattr(motion if hasattr(motion, name) else motion.skeleton, name) for name in ARRAYS}
    for number, (label, values) in enumerate(motion.labels.items()):
        check_label(label, values)
        arrays[f"label.{number}"] = np.asarray(values)
    buffer = io.BytesIO()
    (np.savez_compressed if compress else np.savez)(buffer, allow_pickle=False, **arrays)
    atomic_write(path, buffer.getbuffer())


def _meta_of(motion: Motion) -> dict[str, Any]:
    skeleton = motion.skeleton
    meta = {
        "format": FORMAT,
        "version": VERSION,
        "joints": skeleton.names,
        "fps": motion.fps,
        "name": motion.name,
        "tags": motion.tags,
        "warnings": motion.warnings,
        "labels": list(motion.labels),
    }
    hinges = [[hinge.joint, *hinge.axis, _limit(hinge.lower), _limit(hinge.upper)] for hinge in skeleton.hinges]
    return meta | ({"hints": dict(skeleton.hints)} if skeleton.hints else {}) | ({"hinges": hinges} if hinges else {})


def _native(members: Members) -> Motion:
    meta = _meta(members)
    arrays = {name: members.array(name, kind, dimensions) for name, (kind, dimensions) in ARRAYS.items()}
    for name in ("parents", "tip_joints", "translated"):
        if ((arrays[name] > MAX_JOINTS) | (arrays[name] < -1)).any():
            raise members.fail(name, "holds an index that belongs to no joint")
    tip_joints, tip_offsets = arrays["tip_joints"], arrays["tip_offsets"]
    if tip_offsets.shape != (tip_joints.size, 3):
        raise members.fail("tip_offsets", f"has shape {list(tip_offsets.shape)} for {tip_joints.size} tips")
    for name in ("rest_rotations", "local_rotations"):
        _check_unit(members, name, arrays[name])
    names = {label: f"label.{number}" for number, label in enumerate(meta["labels"])}
    labels = {label: members.array(name, "biuf", finite=False) for label, name in names.items()}
    if any(values.ndim == 0 for values in labels.values()):
        raise members.fail("labels", "hold a single value instead of one per frame")
    skeleton = Skeleton.create(
        meta["joints"],
        arrays["parents"],
        arrays["rest_translations"],
        arrays["rest_rotations"],
        list(zip(tip_joints.tolist(), tip_offsets, strict=True)),
        meta.get("hints"),
        _hinges(members, meta),
    )
    return Motion.create(
        skeleton,
        arrays["local_rotations"],
        arrays["local_translations"],
        arrays["translated"],
        meta["fps"],
        meta["name"],
        labels,
        meta["tags"],
        meta["warnings"],
    )


def _meta(members: Members) -> dict[str, Any]:
    try:
        meta = json.loads(members.array(META, "u", 1).tobytes())
    except (ValueError, RecursionError):
        raise members.fail(META, "is not JSON") from None
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise members.fail(META, f"does not say format {FORMAT!r}")
    if meta.get("version") != VERSION:
        found = ascii(meta.get("version"))[:20]
        raise members.fail(META, f"is of version {found}; this kinema reads version {VERSION}")
    fps, hints = meta.get("fps", 0), meta.get("hints", {})
    rules = {
        **{f"{key!r} must be a list of words": _are_texts(meta.get(key)) for key in _LISTS},
        "'hints' must be words by joint": isinstance(hints, dict) and _are_texts(list(hints.values())),
        "'name' must be text": isinstance(meta.get("name"), str),
        "'fps' must be a positive number, 0.001 to 100000": type(fps) in (int, float) and is_rate(fps),
    }
    for rule, holds in rules.items():
        members.require(holds, META, rule)
    return meta


def _are_texts(items: Any) -> bool:
    return isinstance(items, list) and all(isinstance(item, str) for item in items)


def _limit(angle: float) -> float | None:
    return angle if math.isfinite(angle) else None  # JSON has no infinity


def _hinges(members: Members, meta: dict[str, Any]) -> list[Hinge]:
    """The hinges; each is a row of its joint, its axis, and its limits, null for no limit."""
    rows = meta.get("hinges", [])
    try:
        return [_hinge(*row) for row in (rows if isinstance(rows, list) else [rows])]
    except (TypeError, ValueError):
        rule = "'hinges' must be a list; a hinge must be a joint, three numbers of its axis, and two limits"
        raise members.fail(META, rule) from None


def _hinge(joint: Any, x: Any, y: Any, z: Any, lower: Any, upper: Any) -> Hinge:
    lower, upper = -math.inf if lower is None else lower, math.inf if upper is None else upper
    # JSON may hold NaN, and whole numbers that no float can.
    good = (type(v) in (int, float) and (abs(v) < 1e9 or abs(v) == math.inf) for v in (x, y, z, lower, upper))
    if type(joint) is not int or not all(good):
        raise ValueError(joint)
    return Hinge(joint, (x, y, z), lower, upper)


def _check_unit(members: Members, name: str, quaternions: NDArray[Any]) -> None:
    if quaternions.shape[-1] != 4:
        raise members.fail(name, f"has shape {list(quaternions.shape)}, expected quaternions [..., 4]")
    lengths = np.einsum("...i,...i->...", quaternions, quaternions)
    if lengths.size and not np.abs(lengths - 1.0).max() < 2 * UNIT_TOLERANCE:
        raise members.fail(name, "holds rotations that are not unit quaternions")


def _ai4animationpy(members: Members) -> Motion:
    """A clip of global positions and rotations (xyzw). Its pickled `parent_names` add nothing and are not read."""
    names = members.array("bone_names", "U", 1).tolist()
    parents = members.array("parent_indices", "iu", 1).astype(np.int64)
    positions = members.array("positions", "f", 3)
    quaternions = members.array("quaternions", "f", 3)
    fps = float(members.array("framerate", "fiu", 0))
    frames = positions.shape[0]
    for name, array, size in (("positions", positions, 3), ("quaternions", quaternions, 4)):
        if array.shape != (frames, len(names), size):
            raise members.fail(name, f"has shape {list(array.shape)}, expected {[frames, len(names), size]}")
    members.require(frames != 0, "positions", "holds no frames, and the skeleton is only in them")
    _check_unit(members, "quaternions", quaternions)
    if parents.shape != (len(names),) or (parents >= np.arange(len(names))).any() or (parents < -1).any():
        raise members.fail("parent_indices", "must list a parent before its children, -1 for a root")
    unit = rotations.normalize(quaternions[..., [3, 0, 1, 2]].astype(np.float64))
    local, offsets = kinematics.to_local(unit, positions.astype(np.float64), parents)
    rest = np.median(offsets, axis=0)
    # The file has no rest pose; offsets that hardly change are constant up to rounding of the global positions.
    joints = np.flatnonzero((np.abs(offsets - rest).max(axis=(0, 2)) >= 1e-3) | (parents < 0))
    clip = str(members.array("name", "U", 0)) if "name" in members.names else os.path.basename(members.path)
    warning = "the file has no rest pose: took the median offsets, and no rest rotations"
    skeleton = Skeleton.create(names, parents, rest)
    return Motion.create(skeleton, local, offsets[:, joints], joints, whole_rate(fps, 1e-4), clip, warnings=(warning,))

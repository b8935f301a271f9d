"""ASF and AMC files as skeletons and motions.

Joint frames are those of the world at rest, so that the rest pose is one of identities: with C the frame that a bone's
angles are given in and M their rotation, the joint's own rotation is C M C^-1.
"""

from __future__ import annotations

import os
import re

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.errors import FormatError, listed
from kinema.formats import Asset, units
from kinema.formats.acclaim.motion import AcclaimMotion, parse_motion
from kinema.formats.acclaim.skeleton import AcclaimBone, AcclaimSkeleton, about_fixed_axes, parse_skeleton
from kinema.formats.checks import naming, require
from kinema.formats.companions import beside, companion, only
from kinema.formats.sources import Source
from kinema.motion import Motion
from kinema.skeleton import Skeleton

DEFAULT_FPS = 120.0  # of the CMU database
CMU_LENGTH = 0.45  # the multiplier of its files: inches are the numbers divided by it
LARGEST_ANGLE = 1e6

_FARTHEST = 1e6  # metres
_TRANSLATIONS = ("tx", "ty", "tz")


def read(
    source: Source,
    *,
    skeleton: str | os.PathLike[str] | Source | None = None,
    fps: float | None = None,
    unit: str | float = "auto",
) -> Asset:
    """Reads a skeleton (`.asf`), or a motion (`.amc`) with the skeleton it belongs to.

    Args:
        source: the file.
        skeleton: for a motion, its `.asf`. By default the one beside it with the same name, of the same subject
            (`01.asf` for `01_05.amc`), or the only one.
        fps: frames per second of a motion, which AMC does not say.
        unit: as for BVH; "auto" takes CMU units where the file's multiplier is theirs, and guesses otherwise.

    Raises:
        FormatError: the text is malformed, or a motion's skeleton is missing or does not fit it; names the line.
        UnitError: no such unit.
    """
    if source.suffix != ".amc":
        figure = parse_skeleton(source.read())
        warnings = list(figure.warnings)
        built, _ = _built(figure, unit, warnings)
        return Asset(source.path, "asf", built, (), None, tuple(warnings))
    data = source.read()
    other, choice = _skeleton_of(source, skeleton)
    with naming(other.path):
        figure = parse_skeleton(other.read())
        warnings = [*choice, *figure.warnings]
        built, scale = _built(figure, unit, warnings)
    frames = parse_motion(data, figure, warnings)
    if fps is None:
        fps = DEFAULT_FPS
        warnings.append(f"AMC has no frame rate: took {fps:g} frames per second; set it with --rate (fps=)")
    local, root = _motion(frames, figure, warnings)
    require((np.abs(root) < _FARTHEST / scale).all(), f"moves farther than {_FARTHEST:g} m")
    motion = Motion.create(built, local, scale * root[:, None], [0], fps, source.stem, warnings=warnings)
    return Asset(source.path, "amc", built, (motion,), None, motion.warnings)


def _skeleton_of(source: Source, given: str | os.PathLike[str] | Source | None) -> tuple[Source, tuple[str, ...]]:
    """The skeleton of a motion, and a line about a choice."""
    if given is not None:
        chosen = companion(given)
        if chosen.suffix != ".asf":
            raise FormatError("is not an .asf, which the skeleton of an .amc must be", path=chosen.path)
        return chosen, ()
    found = beside(source, (".asf",))
    by_stem = {other.stem.lower(): other for other in reversed(found)}
    if same := by_stem.get(source.stem.lower()):
        return same, ()
    subject = re.match(r"[0-9A-Za-z]*", source.stem)
    if same := by_stem.get(subject[0].lower() if subject else ""):
        return same, (f"takes the skeleton of its subject, {same.name}",)
    chosen = only(found, "needs its skeleton ({}): give --skeleton 01.asf (skeleton=)")
    return chosen, (f"takes the only skeleton next to it, {chosen.name}",)


def _built(figure: AcclaimSkeleton, unit: str | float, warnings: list[str]) -> tuple[Skeleton, float]:
    """The skeleton in metres, and metres in one unit of the file."""
    scale = units.metres_per(_unit(figure, warnings) if unit == "auto" else unit)
    bones = figure.bones
    starts = np.array([figure.position if bone.parent < 0 else bones[bone.parent].offset for bone in bones])
    require((np.abs(starts) < _FARTHEST / scale).all(), f"has a bone longer than {_FARTHEST:g} m")
    parents = [bone.parent for bone in bones]
    ends = [(joint, scale * bone.offset) for joint, bone in enumerate(bones) if joint not in set(parents)]
    tips = [(joint, offset) for joint, offset in ends if np.linalg.norm(offset) > 1e-9 * scale]
    return Skeleton.create([bone.name for bone in bones], parents, scale * starts, tips=tips), scale


def _unit(figure: AcclaimSkeleton, warnings: list[str]) -> str:
    """CMU units if the file's multiplier is theirs, a guess from the lengths of bones otherwise."""
    if abs(figure.length - CMU_LENGTH) < 1e-3:
        return "cmu"
    longest = figure.longest_chain()
    unit = units.guess_unit(longest)
    warnings.append(f"units taken as {units.NAMES[unit]}: the longest chain of bones is {longest:.4g} units")
    return unit


def _motion(frames: AcclaimMotion, figure: AcclaimSkeleton, warnings: list[str]) -> tuple[Singles, Floats]:
    """Local rotations `[F, J, 4]`, and the root's positions `[F, 3]` in the file's unit."""
    local = np.zeros((frames.frames, len(figure.bones), 4), np.float32)
    local[..., 0] = 1
    root: Floats = np.tile(figure.position, (frames.frames, 1))
    shifted: list[str] = []
    for joint, values in frames.values.items():
        bone = figure.bones[joint]
        local[:, joint] = _rotations(bone, values, frames.degrees)
        for channel, column in zip(bone.channels, values.T, strict=True):
            if joint == 0 and channel in _TRANSLATIONS:
                root[:, _TRANSLATIONS.index(channel)] += column
            elif channel[0] != "r" and column.any():
                shifted.append(bone.name)
    if shifted:
        warnings.append(f"bones change their length or position, which is not read: {listed(shifted)}")
    if rotations.angle(figure.bones[0].frame) > 1e-6:
        warnings.append("the root's preset orientation is taken as that of the axes of its angles")
    return local, root


def _rotations(bone: AcclaimBone, values: Floats, degrees: bool) -> Floats:
    """Local rotations `[F, 4]` of a bone from the columns `[F, C]` of its channels."""
    axes = "".join(channel[1] for channel in bone.channels if channel[0] == "r")
    angles = values[:, [channel[0] == "r" for channel in bone.channels]]
    small = (np.abs(angles) < LARGEST_ANGLE).all()
    require(small, f"has an angle beyond {LARGEST_ANGLE:g} at {bone.name[:40]!a}")
    rotation = about_fixed_axes(np.radians(angles) if degrees else angles, axes)
    return rotations.multiply(rotations.multiply(bone.frame, rotation), rotations.inverse(bone.frame))

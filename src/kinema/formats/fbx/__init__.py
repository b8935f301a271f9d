"""FBX, binary and text, versions 5 to 7.7, read and written without Autodesk's library.

What is read is turned at the border: any axes and units become Y up, Z forward, metres. See `scene` for which models
become joints and what the rest pose is, `pose` for rates, `transform` for how a model stands.
"""

from __future__ import annotations

import os

from kinema.character import Character
from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset, units
from kinema.formats.fbx.document import Document, open_document
from kinema.formats.fbx.meshes import read_character
from kinema.formats.fbx.nodes import read_nodes
from kinema.formats.fbx.notes import is_ours
from kinema.formats.fbx.pose import Effort, moved_nodes, read_motion
from kinema.formats.fbx.scene import build_rig
from kinema.formats.fbx.settings import read_settings
from kinema.formats.fbx.takes import Take, read_takes
from kinema.formats.sources import Source
from kinema.motion import Motion


def read(source: Source, fps: float | None = None, scale: float | None = None) -> Asset:
    """Reads skeleton, character and all takes.

    Args:
        source: the file.
        fps: sample animations at this rate; by default at the rate that the file was made with.
        scale: multiplies what the file's own unit makes of it. By default 1, except where that makes a person of
            impossible size, which a warning says.

    Raises:
        FormatError: the file is damaged, no FBX, or uses something that cannot be read right; names the place.
    """
    if fps is not None and not 1e-3 <= fps <= 1e5:
        raise FormatError(f"cannot be sampled at {fps} frames per second", path=source.path)
    if scale is not None and not 1e-6 <= scale <= 1e6:
        raise FormatError(f"cannot be scaled by {scale}", path=source.path)
    document = open_document(source)
    try:
        return _read(document, fps, scale)
    except SkeletonError as error:
        raise document.error(str(error)) from None


def write(thing: Motion | Character | Asset, path: str | os.PathLike[str]) -> None:
    """Writes a motion, a character, or both (an `Asset`) as binary FBX 7.4.

    Raises:
        FormatError: there is nothing to write, or skeletons differ.
        WriteError: the file system refused.
    """
    from kinema.formats.fbx.writer import write as write_file

    write_file(thing, path)


def _read(document: Document, fps: float | None, scale: float | None) -> Asset:
    settings = read_settings(document).scaled(scale or 1.0)
    nodes = read_nodes(document)
    takes = [take for take in read_takes(document, settings) if _moving(document, take)]
    moved = moved_nodes(nodes, takes)
    rig = build_rig(document, settings, nodes, moved)
    mistake = None
    if rig is not None and scale is None and not is_ours(document):
        mistake = units.mistaken_scale(units.leg_of_person(rig.skeleton))
    if mistake is not None:
        document.warn(f"makes a person of impossible size: {mistake[1]}, it was scaled by {mistake[0]:.4g}")
        settings = settings.scaled(mistake[0])
        rig = build_rig(document, settings, nodes, moved)
    if rig is None:
        document.warn("holds no skeleton, mesh or animation of one")
        return Asset(document.source.path, "fbx", warnings=tuple(document.warnings))
    character = read_character(document, settings, nodes, rig)
    effort = Effort(document)
    motions = tuple(read_motion(document, settings, nodes, rig, take, effort, fps) for take in takes)
    warnings = tuple(document.warnings)
    if character is not None:
        character = Character(
            character.name,
            character.skeleton,
            character.meshes,
            character.materials,
            character.textures,
            warnings=warnings,
        )
    own = [line for motion in motions for line in motion.warnings]
    motions = tuple(m.replace(warnings=tuple(dict.fromkeys((*warnings, *m.warnings)))) for m in motions)
    lines = tuple(dict.fromkeys((*warnings, *own)))
    return Asset(document.source.path, "fbx", rig.skeleton, motions, character, lines)


def _moving(document: Document, take: Take) -> bool:
    """Whether a take holds any curve; programs like to add empty ones."""
    if any(True for _ in take.curves()):
        return True
    document.warn(f"take {take.name[:60]!r} moves nothing and was left out")
    return False

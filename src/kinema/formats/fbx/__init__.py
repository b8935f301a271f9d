"""FBX, binary and text, versions 5 to 7.7, read and written without Autodesk's library.

Axes and units are converted when a file is read: any become Y up, Z forward, metres. See `scene` for which models
become joints and what the rest pose is, `sampling` for rates, `transform` for the transforms of models.
"""

from __future__ import annotations

import os
from dataclasses import replace

from kinema.character import Character
from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset, units
from kinema.formats.fbx.document import FbxDocument
from kinema.formats.fbx.meshes import read_character
from kinema.formats.fbx.nodes import Nodes, read_nodes
from kinema.formats.fbx.notes import is_ours
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.pose import moved_nodes, read_motion
from kinema.formats.fbx.sampling import Effort
from kinema.formats.fbx.scene import Rig, build_rig
from kinema.formats.fbx.settings import Settings, read_settings
from kinema.formats.fbx.takes import FbxTake, read_takes
from kinema.formats.rates import check_rate
from kinema.formats.sources import Source
from kinema.motion import Motion


def read(source: Source, fps: float | None = None, scale: float | None = None) -> Asset:
    """Reads skeleton, character and all takes.

    Args:
        source: the file.
        fps: sample animations at this rate; by default at the rate that the file was made with.
        scale: multiplies the file's own unit. By default 1, except if that makes a person of impossible size, which
            a warning says.

    Raises:
        FormatError: the file is damaged, no FBX, or uses something that cannot be read right; names the place.
    """
    check_rate(fps, source.path)
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


def _read(document: FbxDocument, fps: float | None, scale: float | None) -> Asset:
    settings = read_settings(document).scaled(scale or 1.0)
    nodes = read_nodes(document)
    takes = [take for take in read_takes(document, settings) if _has_curves(document, take)]
    settings, rig = _rig(document, settings, nodes, moved_nodes(nodes, takes), scale)
    if rig is None:
        document.warn("holds no skeleton, mesh or animation of one")
        return Asset(document.source.path, "fbx", warnings=tuple(document.warnings))
    character = read_character(document, settings, nodes, rig)
    effort = Effort(document)
    motions = [read_motion(document, settings, nodes, rig, take, effort, fps) for take in takes]
    warnings = tuple(document.warnings)
    lines = tuple(dict.fromkeys((*warnings, *(line for motion in motions for line in motion.warnings))))
    return Asset(
        document.source.path,
        "fbx",
        rig.skeleton,
        tuple(m.replace(warnings=tuple(dict.fromkeys((*warnings, *m.warnings)))) for m in motions),
        None if character is None else replace(character, warnings=warnings),
        lines,
    )


def _rig(
    document: FbxDocument, settings: Settings, nodes: Nodes, moved: set[int], scale: float | None
) -> tuple[Settings, Rig | None]:
    """The joints, after a correction of the unit if it makes a person of impossible size."""
    rig = build_rig(document, settings, nodes, moved)
    if rig is None or scale is not None or is_ours(document):
        return settings, rig
    mistake = units.mistaken_scale(units.leg_of_person(rig.skeleton))
    if mistake is None:
        return settings, rig
    document.warn(f"makes a person of impossible size: {mistake[1]}, it was scaled by {mistake[0]:.4g}")
    settings = settings.scaled(mistake[0])
    return settings, build_rig(document, settings, nodes, moved)


def _has_curves(document: FbxDocument, take: FbxTake) -> bool:
    """Whether a take holds any curve; programs like to add empty ones."""
    if any(True for _ in take.curves()):
        return True
    document.warn(f"{take.where} moves nothing and was left out")
    return False

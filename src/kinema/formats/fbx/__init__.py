"""FBX, binary and text, versions 5 to 7.7, read and written without Autodesk's library.

Axes and units are converted when a file is read: any become Y up, Z forward, metres. See `scene` for which models
become joints and what the rest pose is, `sampling` for rates, `transform` for the transforms of models.
"""

from __future__ import annotations

import os

from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import Asset, units
from kinema.formats.fbx.document import FbxDocument
from kinema.formats.fbx.meshes import read_character
from kinema.formats.fbx.nodes import ModelTree, read_nodes
from kinema.formats.fbx.notes import is_ours
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.pose import moved_nodes, read_motion
from kinema.formats.fbx.sampling import Effort
from kinema.formats.fbx.scene import FbxRig, build_rig
from kinema.formats.fbx.settings import FbxSettings, read_settings
from kinema.formats.fbx.takes import FbxTake, read_takes
from kinema.formats.rates import check_rate
from kinema.formats.sources import Source
from kinema.motion import Motion
from kinema.subset import ALL, Joints, subset


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
    check_rate(fps)
    if scale is not None and not 1e-6 <= scale <= 1e6:
        raise FormatError(f"cannot be scaled by {scale}")
    document = open_document(source)
    settings, rig, takes = _open(document, scale)
    if rig is None:
        return Asset(source.path, "fbx", warnings=tuple(document.warnings))
    character = read_character(rig)
    effort = Effort(document)
    motions = [read_motion(settings, rig, take, effort, fps) for take in takes]
    return Asset.create(source.path, "fbx", rig.skeleton, motions, character, document.warnings)


def read_motions(source: Source, joints: Joints = ALL) -> Asset:
    """Reads all takes, on some of the joints, without meshes and blend shapes.

    Raises:
        FormatError: as `read`.
        SkeletonError: the skeleton does not have the joints to keep.
    """
    document = open_document(source)
    settings, rig, takes = _open(document, None)
    if rig is None or not takes:
        return Asset(source.path, "fbx", warnings=tuple(document.warnings))
    part = subset(rig.skeleton, joints)
    if part is not None:
        rig = rig.above(part.joints)
        part = subset(rig.skeleton, part.skeleton.names)
    effort = Effort(document)
    motions = [read_motion(settings, rig, take, effort, morphs=False) for take in takes]
    if part is not None:
        motions = [part.motion(motion) for motion in motions]
    return Asset.create(source.path, "fbx", motions[0].skeleton, motions, None, document.warnings)


def write(thing: Motion | Character | Asset, path: str | os.PathLike[str]) -> None:
    """Writes a motion, a character, or both (an `Asset`) as binary FBX 7.4.

    Raises:
        FormatError: there is nothing to write, or skeletons differ.
        WriteError: the file system refused.
    """
    from kinema.formats.fbx.writer import write as write_file

    write_file(thing, path)


def _open(document: FbxDocument, scale: float | None) -> tuple[FbxSettings, FbxRig | None, list[FbxTake]]:
    """Settings, joints and takes of a file; warns if it has no joints."""
    settings = read_settings(document).scaled(scale or 1.0)
    nodes = read_nodes(document)
    takes = [take for take in read_takes(document, settings) if _has_curves(document, take)]
    settings, rig = _rig(settings, nodes, moved_nodes(nodes, takes), scale)
    if rig is None:
        document.warn("holds no skeleton, mesh or animation of one")
    return settings, rig, takes


def _rig(
    settings: FbxSettings, nodes: ModelTree, moved: set[int], scale: float | None
) -> tuple[FbxSettings, FbxRig | None]:
    """The joints, after a correction of the unit if it makes a person of impossible size."""
    rig = build_rig(settings, nodes, moved)
    if rig is None or scale is not None or is_ours(nodes.document):
        return settings, rig
    mistake = units.mistaken_scale(units.leg_of_person(rig.skeleton))
    if mistake is None:
        return settings, rig
    nodes.document.warn(f"makes a person of impossible size: {mistake[1]}, it was scaled by {mistake[0]:.4g}")
    settings = settings.scaled(mistake[0])
    return settings, build_rig(settings, nodes, moved)


def _has_curves(document: FbxDocument, take: FbxTake) -> bool:
    """Whether a take holds any curve; programs like to add empty ones."""
    if any(True for _ in take.curves()):
        return True
    document.warn(f"{take.where} moves nothing and was left out")
    return False

"""glTF 2.0 (.glb, .gltf) and the VRM formats made of it (.vrm, .vrma), read and written without a library.

A file is read right or refused with the place that is wrong. glTF has our axes and units already: right-handed, Y up,
+Z forward, metres; only VRM 0 faces the other way. See `scene` for which nodes become joints, `animation` for
rates.
"""

from __future__ import annotations

import os
from dataclasses import replace

from kinema.character import Character
from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset
from kinema.formats.gltf.animation import Clip, read_clips
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import Document, open_document
from kinema.formats.gltf.materials import read_materials
from kinema.formats.gltf.mesh import read_meshes, read_skins
from kinema.formats.gltf.placing import place_meshes
from kinema.formats.gltf.pose import read_motion
from kinema.formats.gltf.scene import Nodes, Rig, build_rig, read_nodes
from kinema.formats.gltf.vrm import dressed, read_vrm, stated
from kinema.formats.gltf.vrma import read_vrma
from kinema.formats.sources import Source
from kinema.motion import Motion
from kinema.roles.model import PARTS


def read(source: Source, fps: float | None = None) -> Asset:
    """Reads skeleton, character and all animations.

    Args:
        source: the file.
        fps: sample animations at this rate; by default at the rate of their keys.

    Raises:
        FormatError: the file is damaged, not glTF 2, or uses something that cannot be read right; names the place.
    """
    if fps is not None and not 1e-3 <= fps <= 1e5:
        raise FormatError(f"cannot be sampled at {fps} frames per second", path=source.path)
    document = open_document(source)
    try:
        return _read(document, fps)
    except SkeletonError as error:
        raise document.error(str(error)) from None


def write(thing: Motion | Character | Asset, path: str | os.PathLike[str], *, bones: bool = True) -> None:
    """Writes a motion, a character, or both (an `Asset`) as .glb, or as .gltf with everything embedded.

    A character alone can be a .vrm (version 1.0), and one motion a .vrma, where the joints are known to be a humanoid:
    by the skeleton's hints, or by its roles.

    Args:
        thing: an asset's motions all move its skeleton.
        bones: give a file without meshes a small mesh of bones, so that every viewer shows something.

    Raises:
        FormatError: the suffix is none of these, there is nothing to write that the format has, or skeletons differ.
        WriteError: the file system refused.
    """
    from kinema.formats.gltf.writer import write as write_file

    write_file(thing, path, bones=bones)


def _read(document: Document, fps: float | None) -> Asset:
    buffers = Buffers(document)
    nodes = read_nodes(document)
    skins = read_skins(document, buffers)
    meshes = read_meshes(document, buffers)
    clips = read_clips(document, buffers, nodes)
    skinned = sorted({node for skin in skins for node in skin.joints})
    vrm, vrma, tips = read_vrm(document, nodes), read_vrma(document), _tips(document, nodes, set(skinned))
    others = (set() if vrma is None else vrma.nodes) | (set() if vrm is None else set(vrm.ends))
    rig = build_rig(document, nodes, skinned, _moved(nodes, clips), tips, set() if vrm is None else vrm.nodes, others)
    materials, textures, thumbnail = read_materials(document, buffers, None if vrm is None else vrm.thumbnail)
    if rig is None:
        document.warn("holds no skeleton, mesh or animation that a scene uses")
        return Asset(document.source.path, "gltf", warnings=tuple(document.warnings))
    rig = replace(rig, skeleton=rig.skeleton.with_hints(_roles(document, rig)))
    if vrm is not None or vrma is not None:
        rig = stated(document, rig, vrm.bones if vrm is not None else vrma.bones if vrma is not None else {})
    placed, mesh_nodes = place_meshes(document, buffers, nodes, rig, skins, meshes)
    motions = tuple(read_motion(document, buffers, nodes, rig, clip, fps, vrma) for clip in clips)
    character = None
    if placed or vrm is not None:
        character = Character(document.source.stem, rig.skeleton, tuple(placed), materials, textures)
        if vrm is not None:
            character = dressed(document, nodes, rig, vrm, character, mesh_nodes, thumbnail)
        character = replace(character, warnings=tuple(document.warnings))
    warnings = tuple(document.warnings)
    own = [line for motion in motions for line in motion.warnings]
    motions = tuple(m.replace(warnings=tuple(dict.fromkeys((*warnings, *m.warnings)))) for m in motions)
    lines = tuple(dict.fromkeys((*warnings, *own)))
    return Asset(document.source.path, "gltf", rig.skeleton, motions, character, lines)


def _moved(nodes: Nodes, clips: list[Clip]) -> set[int]:
    """Nodes that some animation takes away from their rest transform."""
    rest = {"translation": nodes.translations, "rotation": nodes.rotations, "scale": nodes.scales}
    return {
        channel.node
        for clip in clips
        for channel in clip.channels
        if channel.path in rest and channel.strays(rest[channel.path][channel.node])
    }


def _roles(document: Document, rig: Rig) -> dict[str, str]:
    """Roles by joint name that our writer noted: what another file had stated of the same joints."""
    items, found = document.all("nodes"), {}
    for name, node in zip(rig.skeleton.names, rig.nodes, strict=True):
        extras = items[node].get("extras")
        notes = extras.get("kinema") if isinstance(extras, dict) else None
        role = notes.get("role") if isinstance(notes, dict) else None
        if isinstance(role, str) and role.removeprefix("left_").removeprefix("right_") in PARTS:
            found[name] = role
    return found


def _tips(document: Document, nodes: Nodes, skinned: set[int]) -> dict[int, int]:
    """End sites: leaf nodes that our writer marked, with their parents; other programs may bind a mesh to them."""
    tips = {}
    for node, item in enumerate(document.all("nodes")):
        extras = item.get("extras")
        notes = extras.get("kinema") if isinstance(extras, dict) else None
        leaf = not nodes.children[node] and nodes.parents[node] >= 0 and node not in skinned
        if leaf and isinstance(notes, dict) and notes.get("tip") is True:
            tips[node] = nodes.parents[node]
    return tips

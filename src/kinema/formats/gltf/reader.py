"""Reads a glTF file: skeleton, character and animations, with what VRM adds to them."""

from __future__ import annotations

from dataclasses import replace

from kinema.character import Character
from kinema.formats import Asset
from kinema.formats.gltf.animation import CHANNELS, GltfAnimation, animated_nodes, read_animations
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.container import open_document
from kinema.formats.gltf.document import GltfDocument
from kinema.formats.gltf.materials import read_materials
from kinema.formats.gltf.mesh import read_meshes, read_skins
from kinema.formats.gltf.placing import place_meshes
from kinema.formats.gltf.pose import MotionReader
from kinema.formats.gltf.scene import GltfRig, NodeTree, build_rig, read_nodes
from kinema.formats.gltf.vrm import Vrm, read_vrm, with_vrm
from kinema.formats.gltf.vrm_humanoid import hints
from kinema.formats.gltf.vrma import Vrma, read_vrma
from kinema.formats.rates import check_rate
from kinema.formats.sources import Source
from kinema.formats.trees import roles


def read(source: Source, fps: float | None = None) -> Asset:
    """Reads skeleton, character and all animations.

    Args:
        source: the file.
        fps: sample animations at this rate; by default at the rate of their keys.

    Raises:
        FormatError: the file is damaged, not glTF 2, or uses something that cannot be read right; names the place.
    """
    check_rate(fps)
    document = open_document(source)
    return _read(document, fps)


def _read(document: GltfDocument, fps: float | None) -> Asset:
    buffers, nodes = Buffers(document), read_nodes(document)
    skins, meshes = read_skins(document, buffers), read_meshes(document, buffers)
    animations = read_animations(document, buffers, nodes)
    vrm, vrma = read_vrm(document, nodes), read_vrma(document)
    skinned = sorted({node for skin in skins for node in skin.joints})
    rig = _rig(document, nodes, skinned, animations, vrm, vrma)
    images = read_materials(document, buffers, None if vrm is None else vrm.thumbnail)
    if rig is None:
        document.warn_of_losses()
        document.warn("holds no skeleton, mesh or animation that a scene uses")
        return Asset(document.source.path, "gltf", warnings=tuple(document.warnings))
    materials, textures, thumbnail = images
    used, mesh_nodes = place_meshes(buffers, nodes, rig, skins, meshes)
    reader = MotionReader(buffers, nodes, rig, vrma)
    motions = [reader.read(animation, fps) for animation in animations]
    document.warn_of_losses()
    character = None
    if used or vrm is not None:
        character = Character(document.source.stem, rig.skeleton, tuple(used), materials, textures)
    if character is not None and vrm is not None:
        character = with_vrm(nodes, rig, vrm, character, mesh_nodes, thumbnail)
    return Asset.create(document.source.path, "gltf", rig.skeleton, motions, character, document.warnings)


def _rig(
    document: GltfDocument,
    nodes: NodeTree,
    skinned: list[int],
    animations: list[GltfAnimation],
    vrm: Vrm | None,
    vrma: Vrma | None,
) -> GltfRig | None:
    """The joints, with what the file says that they are."""
    moved = {
        channel.node
        for animation in animations
        for channel in animation.channels
        if channel.path != "weights" and channel.differs_from(nodes.rest(channel.node, channel.path))
    }
    if document.lost(CHANNELS):
        moved |= animated_nodes(document)
    # Other programs may bind a mesh to what our writer marked as an end site.
    tips = {node: parent for node, parent in nodes.marked_leaves("tip").items() if node not in skinned}
    named, others, bones = set(), set(), {}
    if vrma is not None:
        others, bones = vrma.nodes, vrma.bones
    if vrm is not None:
        named, others, bones = vrm.nodes, others | set(vrm.ends), vrm.bones
    rig = build_rig(nodes, skinned, moved, tips, named, others - set(skinned))
    if rig is None:
        return None
    noted = {name: nodes.items[n].notes.get("role") for name, n in zip(rig.skeleton.names, rig.nodes, strict=True)}
    stated = {**roles(noted), **hints(document, rig, bones)}
    return replace(rig, skeleton=rig.skeleton.with_hints(stated))

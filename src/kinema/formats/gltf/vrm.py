"""VRM 0 and 1.0, read: what their extensions say about the skeleton and the meshes of the file that carries them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kinema.character import Character
from kinema.formats.gltf import vrm_expressions, vrm_meta, vrm_springs
from kinema.formats.gltf.document import GltfDocument, Item
from kinema.formats.gltf.scene import GltfRig, NodeTree
from kinema.formats.gltf.vrm_humanoid import read_bones


@dataclass(eq=False)
class Vrm:
    """The extension of one file, before there is a skeleton.

    Attributes:
        owner: the extension itself.
        old: whether it is VRM 0.
        bones: node of each bone, by its name in VRM 1.0.
        swing: springs, colliders and constraints, on nodes.
        thumbnail: index of an image.
        ends: nodes that our writer added to mark where springs end, with their parents; they are not joints.
    """

    owner: Item
    old: bool
    bones: dict[str, int]
    swing: vrm_springs.Swing
    thumbnail: int | None = None
    ends: dict[int, int] = field(default_factory=dict)

    @property
    def nodes(self) -> set[int]:
        """Nodes that must become joints."""
        return (set(self.bones.values()) | self.swing.nodes) - set(self.ends)


def read_vrm(document: GltfDocument, nodes: NodeTree) -> Vrm | None:
    """What a VRM file states; None for other files."""
    owner = document.extension("VRMC_vrm")
    if owner is not None:
        version = owner.text("specVersion")
        if version.split("-")[0] != "1.0":
            owner.warn(f"is of version {version[:20]!r}; it was read as 1.0")
        swing = replace(vrm_springs.read_springs(document), constraints=vrm_springs.read_constraints(document))
        ends = nodes.marked_leaves("spring_end")
        return Vrm(owner, False, read_bones(owner), swing, vrm_meta.thumbnail_image(owner), ends)
    owner = document.extension("VRM")
    if owner is None:
        return None
    swing = vrm_springs.read_old_springs(owner.object("secondaryAnimation"), nodes)
    return Vrm(owner, True, read_bones(owner, old=True), swing, vrm_meta.old_thumbnail_image(owner))


def with_vrm(
    nodes: NodeTree, rig: GltfRig, vrm: Vrm, character: Character, mesh_nodes: list[int], thumbnail: int | None
) -> Character:
    """The character with expressions, springs, gaze and terms of use.

    Args:
        mesh_nodes: node of each mesh.
        thumbnail: index of its texture.
    """
    owner = vrm.owner
    meshes = vrm_expressions.MeshIndex(owner.document, character.meshes, mesh_nodes)
    read = vrm_expressions.read_old_expressions if vrm.old else vrm_expressions.read_expressions
    swing = vrm_springs.on_joints(rig, vrm.swing, vrm.ends, nodes)
    return replace(
        character,
        expressions=read(owner, meshes),
        springs=swing.springs,
        colliders=swing.colliders,
        collider_groups=swing.groups,
        constraints=swing.constraints,
        gaze=vrm_expressions.read_gaze(owner, vrm.old),
        first_person=vrm_expressions.read_first_person(owner, meshes, vrm.old),
        meta=(vrm_meta.read_old_meta if vrm.old else vrm_meta.read_meta)(owner, thumbnail),
    )

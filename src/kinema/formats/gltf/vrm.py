"""VRM 0 and 1.0, read: what their extensions say about the skeleton and the meshes of the file that carries them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from kinema.character import Character
from kinema.formats.gltf import vrm_expressions as faces
from kinema.formats.gltf import vrm_meta, vrm_springs
from kinema.formats.gltf.document import Document
from kinema.formats.gltf.scene import Nodes, Rig
from kinema.formats.gltf.vrm_humanoid import hints, read_bones


@dataclass(eq=False)
class Vrm:
    """The extension of one file, before there is a skeleton.

    Attributes:
        bones: node of each bone, by its name in VRM 1.0.
        thumbnail: index of an image.
        ends: nodes that our writer added to mark where springs end, with their parents; they are no joints.
    """

    owner: dict[str, Any]
    old: bool
    bones: dict[str, int]
    swing: vrm_springs.Swing = field(default_factory=vrm_springs.Swing)
    thumbnail: int | None = None
    ends: dict[int, int] = field(default_factory=dict)

    @property
    def where(self) -> str:
        return "extensions.VRM" if self.old else "extensions.VRMC_vrm"

    @property
    def nodes(self) -> set[int]:
        """Nodes that must become joints."""
        return (set(self.bones.values()) | self.swing.nodes) - set(self.ends)


def read_vrm(document: Document, nodes: Nodes) -> Vrm | None:
    """What a VRM file states; None for other files."""
    extensions = document.object(document.root, "extensions", "extensions")
    if "VRMC_vrm" in extensions:
        where = "extensions.VRMC_vrm"
        owner = document.object(extensions, "VRMC_vrm", where)
        version = document.text(owner, "specVersion", where)
        if version.split("-")[0] != "1.0":
            document.warn(f"{where} is of version {version[:20]!r}; it was read as 1.0")
        swing = vrm_springs.Swing()
        if "VRMC_springBone" in extensions:
            place = "extensions.VRMC_springBone"
            swing = vrm_springs.read_springs(document, document.object(extensions, "VRMC_springBone", place), place)
        swing = replace(swing, constraints=vrm_springs.read_constraints(document))
        thumbnail = vrm_meta.thumbnail_image(document, owner, where, old=False)
        return Vrm(owner, False, read_bones(document, owner, where), swing, thumbnail, _ends(document, nodes))
    if "VRM" in extensions:
        where = "extensions.VRM"
        owner = document.object(extensions, "VRM", where)
        place = f"{where}.secondaryAnimation"
        second = document.object(owner, "secondaryAnimation", where)
        swing = vrm_springs.read_old_springs(document, second, place, nodes)
        thumbnail = vrm_meta.thumbnail_image(document, owner, where, old=True)
        return Vrm(owner, True, read_bones(document, owner, where, old=True), swing, thumbnail)
    return None


def stated(document: Document, rig: Rig, bones: dict[str, int]) -> Rig:
    """The rig whose skeleton knows what the file says its joints are."""
    return replace(rig, skeleton=rig.skeleton.with_hints(hints(document, rig, bones)))


def dressed(
    document: Document,
    nodes: Nodes,
    rig: Rig,
    vrm: Vrm,
    character: Character,
    places: list[int],
    thumbnail: int | None,
) -> Character:
    """The character with everything else that the file says of it.

    Args:
        places: node of each mesh. thumbnail: index of its texture.
    """
    owner, where, placed = vrm.owner, vrm.where, faces.Placed(document, character.meshes, places)
    read = faces.read_old_expressions if vrm.old else faces.read_expressions
    swing = vrm_springs.jointed(document, rig, vrm.swing, vrm.ends, nodes)
    return replace(
        character,
        expressions=read(document, owner, where, placed),
        springs=swing.springs,
        colliders=swing.colliders,
        collider_groups=swing.groups,
        constraints=swing.constraints,
        gaze=(faces.read_old_gaze if vrm.old else faces.read_gaze)(document, owner, where),
        first_person=faces.read_first_person(document, owner, where, placed, vrm.old),
        meta=(vrm_meta.read_old_meta if vrm.old else vrm_meta.read_meta)(document, owner, where, thumbnail),
    )


def _ends(document: Document, nodes: Nodes) -> dict[int, int]:
    found = {}
    for node, item in enumerate(document.all("nodes")):
        extras = item.get("extras")
        notes = extras.get("kinema") if isinstance(extras, dict) else None
        alone = not nodes.children[node] and nodes.parents[node] >= 0
        if alone and isinstance(notes, dict) and notes.get("spring_end") is True:
            found[node] = nodes.parents[node]
    return found

"""The top-level arrays of a glTF file in the making: nodes, meshes, skins, animations, materials, and their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Singles
from kinema.character import Character, Material, Mesh, Morph
from kinema.formats.contents import finite
from kinema.formats.gltf.bones import bone_mesh
from kinema.motion import Motion
from kinema.skeleton import Skeleton

_TYPES = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
_VERTICES, _INDICES = 34962, 34963
_TEXTURES = {"image/webp": "EXT_texture_webp", "image/ktx2": "KHR_texture_basisu"}
_FACES = ("morph", "expression")

NodeTrack = tuple[int, str, Singles]
"""A node that a motion moves, the property, and keys `[F or 1, 3 or 4]`."""


def assemble(
    skeleton: Skeleton, character: Character | None, motions: tuple[Motion, ...], bones: bool = True
) -> Assembly:
    """A whole file, to which more can still be added; the same input gives the same bytes."""
    file = Assembly(skeleton)
    if character is not None:
        file.materials(character)
        for mesh in character.meshes:
            file.mesh(mesh)
    if bones and (character is None or not character.meshes):
        file.mesh(bone_mesh(skeleton), {"kinema": {"bones": True}})
    if not file.skins:
        file.skin(bone_mesh(skeleton).inverse_bind)
    for number, motion in enumerate(motions):
        file.animation(motion, number, character)
    return file


class Assembly:
    """Collects the top-level arrays of one file.

    The first nodes are the joints, in their order; tips follow as marked leaves.

    Attributes:
        mesh_nodes: node of each mesh that was added; None for one without triangles.
        root: further properties of the file.
    """

    def __init__(self, skeleton: Skeleton) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.mesh_nodes: list[int | None] = []
        self.root: dict[str, Any] = {}
        self.skins: list[dict[str, Any]] = []
        self.extensions: set[str] = set()
        self._skeleton = skeleton
        self._roots: list[int] = []
        self._skin_of: dict[bytes, int] = {}
        self._chunks: list[bytes] = []
        self._size = 0
        rest = rotations.normalize(skeleton.rest_rotations.astype(np.float64))[:, [1, 2, 3, 0]].tolist()
        places = skeleton.rest_translations.tolist()
        for joint, (name, parent) in enumerate(zip(skeleton.names, skeleton.parents.tolist(), strict=True)):
            node = {"name": name, "translation": places[joint], "rotation": rest[joint]}
            if name in skeleton.hints:
                node["extras"] = {"kinema": {"role": skeleton.hints[name]}}
            self.add_node(node, parent)
        for joint, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets.tolist(), strict=True):
            tip = {"name": f"{skeleton.names[joint]}_end", "translation": offset, "extras": {"kinema": {"tip": True}}}
            self.add_node(tip, joint)
        if len(self._roots) > 1:  # a skin needs one common root
            self.nodes.append({"name": "skeleton", "children": self._roots})
            self._roots = [len(self.nodes) - 1]

    def add_node(self, node: dict[str, Any], parent: int) -> int:
        """A node below another one, or (-1) at the top; returns its index."""
        self.nodes.append(node)
        siblings = self._roots if parent < 0 else self.nodes[parent].setdefault("children", [])
        siblings.append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def mesh(self, mesh: Mesh, extras: dict[str, Any] | None = None) -> None:
        """A mesh with one primitive, and the node that uses it. A mesh without triangles is left out."""
        if not len(mesh.indices) or not len(mesh.positions):
            self.mesh_nodes.append(None)
            return
        node: dict[str, Any] = {"name": mesh.name, "mesh": len(self.root.get("meshes", ()))}
        primitive = self._primitive(mesh, node)
        entry: dict[str, Any] = {"name": mesh.name, "primitives": [primitive]}
        if mesh.morphs:
            primitive["targets"] = [self._target(morph) for morph in mesh.morphs]
            if mesh.rest_weights.any():
                entry["weights"] = mesh.rest_weights.tolist()
            extras = {**(extras or {}), "targetNames": [morph.name for morph in mesh.morphs]}
        if extras:
            entry["extras"] = extras
        self._append("meshes", entry)
        self.mesh_nodes.append(self.add_node(node, -1 if "skin" in node or mesh.joint is None else mesh.joint))

    def skin(self, inverse_bind: Singles | None) -> int:
        """The skin of all joints with these matrices `[J, 4, 4]`; equal ones are written once."""
        assert inverse_bind is not None
        columns = np.ascontiguousarray(inverse_bind.transpose(0, 2, 1), dtype=np.float32).reshape(-1, 16)
        key = columns.tobytes()
        if key not in self._skin_of:
            self._skin_of[key] = len(self.skins)
            joints = list(range(self._skeleton.joint_count))
            self.skins.append({"joints": joints, "inverseBindMatrices": self.accessor(columns, "MAT4")})
        return self._skin_of[key]

    def animation(
        self, motion: Motion, number: int, character: Character | None = None, tracks: Iterable[NodeTrack] = ()
    ) -> None:
        """Linear keys at every frame; joints that stay at rest have none, other constant ones a single key.

        The first root keeps all its keys, so that the clip keeps its length everywhere. Labels `morph.<target>` and
        `expression.<name>` become weights of the character's morph targets.

        Args:
            number: names the animation if the motion has no name.
            tracks: further nodes that move; some formats have them.
        """
        if not motion.frames:
            return
        channels = _Channels(self, motion)
        for track in (*_rotation_tracks(motion), *_translation_tracks(motion)):
            channels.add(*track)
        shown: set[str] = set()
        for mesh, node, weights in _mesh_weights(character, motion, self.mesh_nodes):
            channels.add(node, "weights", weights if (weights != weights[0]).any() else weights[:1])
            shown.update(f"morph.{morph.name}" for morph in mesh.morphs)
        for track in tracks:
            channels.add(*track)
        notes: dict[str, Any] = {"fps": motion.fps, "frames": motion.frames}
        if motion.tags:
            notes["tags"] = list(motion.tags)
        labels = self._labels(motion, shown)
        if labels:
            notes["labels"] = labels
        name = motion.name or f"animation_{number}"
        entry = {
            "name": name,
            "samplers": channels.samplers,
            "channels": channels.channels,
            "extras": {"kinema": notes},
        }
        self._append("animations", entry)

    def materials(self, character: Character) -> None:
        """Materials, and one texture with its image for each of the character's textures."""
        for number, texture in enumerate(character.textures):
            self._append(
                "images", {"name": texture.name, "mimeType": texture.mime, "bufferView": self._view(texture.data)}
            )
            entry: dict[str, Any] = {"source": number}
            if texture.mime in _TEXTURES:
                entry = {"extensions": {_TEXTURES[texture.mime]: entry}}
                self.extensions.add(_TEXTURES[texture.mime])
            self._append("textures", entry)
        if character.materials:
            self.root["materials"] = [self._material(material) for material in character.materials]

    def accessor(self, values: NDArray[Any], kind: str, target: int | None = None, limits: bool = False) -> int:
        """Adds rows `[count, width]` as a buffer view and accessor of their own."""
        values = np.ascontiguousarray(values)
        entry: dict[str, Any] = {
            "bufferView": self._view(values.tobytes(), target),
            "componentType": _TYPES[values.dtype.str[1:]],
            "count": len(values),
            "type": kind,
        }
        if limits:
            entry |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        return self._append("accessors", entry)

    def finish(self) -> tuple[dict[str, Any], bytes]:
        """The whole JSON, without empty arrays, and the binary part."""
        root: dict[str, Any] = {"asset": {"version": "2.0", "generator": "Kinema"}, "scene": 0}
        if self.extensions:
            root["extensionsUsed"] = sorted(self.extensions)
        if self.extensions & set(_TEXTURES.values()):
            root["extensionsRequired"] = sorted(self.extensions & set(_TEXTURES.values()))
        skins = {"skins": self.skins} if self.skins else {}
        root.update({"scenes": [{"nodes": self._roots}], "nodes": self.nodes, **skins, **self.root})
        data = b"".join(self._chunks)
        if data:
            root["buffers"] = [{"byteLength": len(data)}]
        return root, data

    def _append(self, collection: str, entry: dict[str, Any]) -> int:
        entries = self.root.setdefault(collection, [])
        entries.append(entry)
        return len(entries) - 1

    def _primitive(self, mesh: Mesh, node: dict[str, Any]) -> dict[str, Any]:
        """Attributes, indices and material; the node gets the mesh's skin."""
        attributes = {
            "POSITION": self.accessor(mesh.positions, "VEC3", _VERTICES, limits=True),
            "NORMAL": self.accessor(rotations.normalize_vector(mesh.normals, (0.0, 1.0, 0.0)), "VEC3", _VERTICES),
        }
        if mesh.uvs is not None:
            attributes["TEXCOORD_0"] = self.accessor(mesh.uvs, "VEC2", _VERTICES)
        if mesh.colors is not None:
            attributes["COLOR_0"] = self.accessor(np.clip(mesh.colors, 0, 1), "VEC4", _VERTICES)
        if mesh.joints is not None and mesh.weights is not None and mesh.inverse_bind is not None:
            attributes.update(self._influences(mesh.joints, mesh.weights))
            node["skin"] = self.skin(mesh.inverse_bind)
        indices = mesh.indices.reshape(-1, 1).astype(np.uint16 if len(mesh.positions) < 65535 else np.uint32)
        primitive: dict[str, Any] = {"attributes": attributes, "indices": self.accessor(indices, "SCALAR", _INDICES)}
        if mesh.material is not None:
            primitive["material"] = mesh.material
        return primitive

    def _influences(self, joints: NDArray[np.integer], weights: Singles) -> dict[str, int]:
        """Joints and weights in sets of four."""
        padding = ((0, 0), (0, -joints.shape[1] % 4))
        joints, weights = np.pad(np.where(weights > 0, joints, 0), padding), np.pad(weights, padding)
        small = np.uint8 if self._skeleton.joint_count <= 256 else np.uint16
        attributes: dict[str, int] = {}
        for number in range(joints.shape[1] // 4):
            part = slice(4 * number, 4 * number + 4)
            attributes[f"JOINTS_{number}"] = self.accessor(joints[:, part].astype(small), "VEC4", _VERTICES)
            attributes[f"WEIGHTS_{number}"] = self.accessor(weights[:, part], "VEC4", _VERTICES)
        return attributes

    def _target(self, morph: Morph) -> dict[str, int]:
        target = {"POSITION": self.accessor(morph.positions, "VEC3", _VERTICES, limits=True)}
        if morph.normals is not None:
            target["NORMAL"] = self.accessor(morph.normals, "VEC3", _VERTICES)
        return target

    def _view(self, data: bytes, target: int | None = None) -> int:
        view: dict[str, int] = {"buffer": 0, "byteOffset": self._size, "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        padded = data + b"\0" * (-len(data) % 4)
        self._chunks.append(padded)
        self._size += len(padded)
        return self._append("bufferViews", view)

    def _labels(self, motion: Motion, shown: set[str]) -> dict[str, int]:
        """Accessors of labels with one number a frame, but those that are shown as morph weights."""
        found: dict[str, int] = {}
        for name, values in motion.labels.items():
            if values.ndim == 1 and name not in shown:
                kind = np.uint8 if values.dtype == bool else np.float32  # the reader takes bytes for yes and no
                found[name] = self.accessor(finite(values).astype(kind)[:, None], "SCALAR")
        return found

    def _material(self, material: Material) -> dict[str, Any]:
        def texture(index: int | None) -> dict[str, int] | None:
            return None if index is None else {"index": index}

        surface = {
            "baseColorFactor": list(material.base_color),
            "metallicFactor": material.metallic,
            "roughnessFactor": material.roughness,
            "baseColorTexture": texture(material.base_color_texture),
            "metallicRoughnessTexture": texture(material.metallic_roughness_texture),
        }
        strength = max(1.0, *material.emissive)
        entry: dict[str, Any] = {
            "name": material.name,
            "pbrMetallicRoughness": {key: value for key, value in surface.items() if value is not None},
            "emissiveFactor": [value / strength for value in material.emissive],
            "alphaMode": material.alpha_mode,
            "doubleSided": material.double_sided,
            "normalTexture": texture(material.normal_texture),
            "occlusionTexture": texture(material.occlusion_texture),
            "emissiveTexture": texture(material.emissive_texture),
        }
        if strength > 1:
            entry["extensions"] = {"KHR_materials_emissive_strength": {"emissiveStrength": strength}}
            self.extensions.add("KHR_materials_emissive_strength")
        if material.alpha_mode == "MASK":
            entry["alphaCutoff"] = material.alpha_cutoff
        return {key: value for key, value in entry.items() if value is not None}


class _Channels:
    """Samplers and channels of one animation in the making."""

    def __init__(self, file: Assembly, motion: Motion) -> None:
        self.samplers: list[dict[str, int]] = []
        self.channels: list[dict[str, Any]] = []
        self._file = file
        # float64 division first: keys at 1/fps steps then fall on the same float32 as the reader's grid.
        self._times = (np.arange(motion.frames) / motion.fps).astype(np.float32)[:, None]
        self._inputs = {motion.frames: file.accessor(self._times, "SCALAR", limits=True)}

    def add(self, node: int, path: str, keys: Singles) -> None:
        """Keys `[F or 1, C]` of a node's property."""
        if len(keys) not in self._inputs:
            self._inputs[len(keys)] = self._file.accessor(self._times[:1], "SCALAR", limits=True)
        flat = path == "weights"
        rows, kind = (keys.reshape(-1, 1), "SCALAR") if flat else (keys, f"VEC{keys.shape[1]}")
        self.samplers.append({"input": self._inputs[len(keys)], "output": self._file.accessor(rows, kind)})
        self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": path}})


def _rotation_tracks(motion: Motion) -> Iterator[NodeTrack]:
    keys = rotations.unroll(rotations.normalize(motion.local_rotations))[..., [1, 2, 3, 0]]
    by_joint = np.ascontiguousarray(keys.transpose(1, 0, 2))
    rest = motion.skeleton.rest_rotations[:, [1, 2, 3, 0]]
    constant = np.abs(by_joint - by_joint[:, :1]).max(axis=(1, 2)) < 1e-7
    for joint, keys in enumerate(by_joint):
        if not joint or not constant[joint]:
            yield joint, "rotation", keys
        elif min(np.abs(keys[0] - sign * rest[joint]).max() for sign in (1, -1)) > 1e-7:
            yield joint, "rotation", keys[:1]


def _translation_tracks(motion: Motion) -> Iterator[NodeTrack]:
    moved, rest = motion[slice(0, 1)].local_translations[0], motion.skeleton.rest_translations
    columns = {joint: column for column, joint in enumerate(motion.translated.tolist())}
    for joint in range(motion.skeleton.joint_count):
        keys = moved[joint : joint + 1]
        if joint in columns:
            every = motion.local_translations[:, columns[joint]]
            keys = every if (every != every[0]).any() else every[:1]
        if len(keys) > 1 or (keys != rest[joint]).any():
            yield joint, "translation", np.ascontiguousarray(keys)


def _mesh_weights(
    character: Character | None, motion: Motion, nodes: list[int | None]
) -> Iterator[tuple[Mesh, int, Singles]]:
    """Meshes that labels of a motion move, their nodes, and the weights `[F, M]` of their morph targets."""
    faces = {name: values for name, values in motion.labels.items() if name.split(".")[0] in _FACES}
    if character is None or not faces:
        return
    every, end = finite(character.morph_weights(faces)), 0
    for mesh, node in zip(character.meshes, nodes, strict=True):
        end += len(mesh.morphs)
        weights = every[..., end - len(mesh.morphs) : end]
        if node is not None and mesh.morphs and weights.ndim == 2 and (weights != mesh.rest_weights).any():
            yield mesh, node, weights

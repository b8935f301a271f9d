"""The top-level arrays of a glTF file in the making: nodes, meshes, skins, animations, materials, and their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.character import Character, Material, Mesh, Morph
from kinema.formats.contents import finite
from kinema.formats.gltf.bones import bounds
from kinema.motion import Motion
from kinema.skeleton import Skeleton

_TYPES = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
_VERTICES, _INDICES = 34962, 34963
_TEXTURES = {"image/webp": "EXT_texture_webp", "image/ktx2": "KHR_texture_basisu"}
_FACES = ("morph", "expression")


class Assembly:
    """Collects the top-level arrays of one file. The first nodes are the joints, in their order.

    Attributes:
        mesh_nodes: node of each mesh that was added; None for one without triangles.
        root: further properties of the file.
    """

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.mesh_nodes: list[int | None] = []
        self.root: dict[str, Any] = {}
        self.skins: list[dict[str, Any]] = []
        self._skin_of: dict[bytes, int] = {}
        self._chunks: list[bytes] = []
        self._size = 0
        self.extensions: set[str] = set()

    def skeleton(self, skeleton: Skeleton) -> None:
        """Joints become the first nodes, in their order; tips follow as marked leaves."""
        self._skeleton = skeleton
        turned = rotations.normalize(skeleton.rest_rotations.astype(np.float64))[:, [1, 2, 3, 0]]
        for joint, name in enumerate(skeleton.names):
            self.nodes.append(
                {
                    "name": name,
                    "translation": skeleton.rest_translations[joint].tolist(),
                    "rotation": turned[joint].tolist(),
                }
            )
            if name in skeleton.hints:
                self.nodes[joint]["extras"] = {"kinema": {"role": skeleton.hints[name]}}
        self._roots = []
        for joint, parent in enumerate(skeleton.parents.tolist()):
            self._attach(joint, parent)
        for joint, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets.tolist(), strict=True):
            tip = {"name": f"{skeleton.names[joint]}_end", "translation": offset, "extras": {"kinema": {"tip": True}}}
            self._attach(self._add_node(tip), joint)
        if len(self._roots) > 1:  # a skin needs one common root
            self._roots = [self._add_node({"name": "skeleton", "children": self._roots})]

    def mesh(self, mesh: Mesh, extras: dict[str, Any] | None = None) -> None:
        """A mesh with one primitive, and the node that uses it. A mesh without triangles is left out."""
        if not len(mesh.indices) or not len(mesh.positions):
            self.mesh_nodes.append(None)
            return
        attributes = {
            "POSITION": self.accessor(mesh.positions, "VEC3", _VERTICES, limits=True),
            "NORMAL": self.accessor(rotations.normalize_vector(mesh.normals, (0.0, 1.0, 0.0)), "VEC3", _VERTICES),
        }
        if mesh.uvs is not None:
            attributes["TEXCOORD_0"] = self.accessor(mesh.uvs, "VEC2", _VERTICES)
        if mesh.colors is not None:
            attributes["COLOR_0"] = self.accessor(np.clip(mesh.colors, 0, 1), "VEC4", _VERTICES)
        node: dict[str, Any] = {"name": mesh.name, "mesh": len(self.root.get("meshes", ()))}
        if mesh.joints is not None and mesh.weights is not None and mesh.inverse_bind is not None:
            padding = ((0, 0), (0, -mesh.joints.shape[1] % 4))
            joints = np.pad(np.where(mesh.weights > 0, mesh.joints, 0), padding)
            weights = np.pad(mesh.weights, padding)
            small = np.uint8 if self._skeleton.joint_count <= 256 else np.uint16
            for number in range(joints.shape[1] // 4):
                part = slice(4 * number, 4 * number + 4)
                attributes[f"JOINTS_{number}"] = self.accessor(joints[:, part].astype(small), "VEC4", _VERTICES)
                attributes[f"WEIGHTS_{number}"] = self.accessor(weights[:, part], "VEC4", _VERTICES)
            node["skin"] = self.skin(mesh.inverse_bind)
        small = np.uint16 if len(mesh.positions) < 65535 else np.uint32
        indices = mesh.indices.reshape(-1, 1).astype(small)
        primitive: dict[str, Any] = {"attributes": attributes, "indices": self.accessor(indices, "SCALAR", _INDICES)}
        if mesh.material is not None:
            primitive["material"] = mesh.material
        entry: dict[str, Any] = {"name": mesh.name, "primitives": [primitive]}
        if mesh.morphs:
            primitive["targets"] = [self._target(morph) for morph in mesh.morphs]
            if mesh.rest_weights.any():
                entry["weights"] = mesh.rest_weights.tolist()
            extras = {**(extras or {}), "targetNames": [morph.name for morph in mesh.morphs]}
        if extras:
            entry["extras"] = extras
        self.root.setdefault("meshes", []).append(entry)
        self.mesh_nodes.append(self._add_node(node))
        self._attach(len(self.nodes) - 1, -1 if "skin" in node or mesh.joint is None else mesh.joint)

    def _target(self, morph: Morph) -> dict[str, int]:
        target = {"POSITION": self.accessor(morph.positions, "VEC3", _VERTICES, limits=True)}
        if morph.normals is not None:
            target["NORMAL"] = self.accessor(morph.normals, "VEC3", _VERTICES)
        return target

    def skin(self, inverse_bind: NDArray[np.float32] | None) -> int:
        """The skin of all joints with these matrices `[J, 4, 4]`; equal ones are written once."""
        assert inverse_bind is not None
        columns = np.ascontiguousarray(inverse_bind.transpose(0, 2, 1), dtype=np.float32).reshape(-1, 16)
        key = columns.tobytes()
        if key not in self._skin_of:
            self._skin_of[key] = len(self.skins)
            self.skins.append(
                {
                    "joints": list(range(self._skeleton.joint_count)),
                    "inverseBindMatrices": self.accessor(columns, "MAT4"),
                }
            )
        return self._skin_of[key]

    def animation(self, motion: Motion, number: int, character: Character | None = None) -> None:
        """Linear keys at every frame; joints that stay at rest have none, other constant ones a single key.

        The first root keeps all its keys, so that the clip keeps its length everywhere. Labels `morph.<target>` and
        `expression.<name>` become weights of the character's morph targets.
        """
        frames = motion.frames
        if not frames:
            return
        # float64 division first: keys at 1/fps steps then fall on the same float32 as the reader's grid.
        times = (np.arange(frames) / motion.fps).astype(np.float32)[:, None]
        inputs = {frames: self.accessor(times, "SCALAR", limits=True)}
        samplers: list[dict[str, int]] = []
        channels: list[dict[str, Any]] = []

        def channel(joint: int, path: str, keys: NDArray[np.float32]) -> None:
            if len(keys) not in inputs:
                inputs[len(keys)] = self.accessor(times[:1], "SCALAR", limits=True)
            flat = path == "weights"
            kind = "SCALAR" if flat else f"VEC{keys.shape[1]}"
            output = self.accessor(keys.reshape(-1, 1) if flat else keys, kind)
            samplers.append({"input": inputs[len(keys)], "output": output})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": joint, "path": path}})

        turned = rotations.unroll(rotations.normalize(motion.local_rotations))[..., [1, 2, 3, 0]]
        by_joint = np.ascontiguousarray(turned.transpose(1, 0, 2))
        rest = self._skeleton.rest_rotations[:, [1, 2, 3, 0]]
        constant = np.abs(by_joint - by_joint[:, :1]).max(axis=(1, 2)) < 1e-7
        for joint in range(self._skeleton.joint_count):
            if joint and constant[joint]:
                apart = min(np.abs(by_joint[joint, 0] - sign * rest[joint]).max() for sign in (1, -1))
                if apart > 1e-7:
                    channel(joint, "rotation", by_joint[joint, :1])
            else:
                channel(joint, "rotation", by_joint[joint])
        moved = motion[slice(0, 1)].local_translations[0]
        for joint in range(self._skeleton.joint_count):
            if joint in motion.translated:
                keys = motion.local_translations[:, int(np.searchsorted(motion.translated, joint))]
                keys = keys if (keys != keys[0]).any() else keys[:1]
            else:
                keys = moved[joint : joint + 1]
            if len(keys) > 1 or (keys != self._skeleton.rest_translations[joint]).any():
                channel(joint, "translation", np.ascontiguousarray(keys))
        faces = {name: values for name, values in motion.labels.items() if name.split(".")[0] in _FACES}
        shown: set[str] = set()
        for mesh, node, weights in _mesh_weights(character, faces, self.mesh_nodes):
            channel(node, "weights", weights if (weights != weights[0]).any() else weights[:1])
            shown.update(f"morph.{morph.name}" for morph in mesh.morphs)
        for node, path, keys in self.tracks(motion):
            channel(node, path, keys)
        notes: dict[str, Any] = {"fps": motion.fps, "frames": frames}
        if motion.tags:
            notes["tags"] = list(motion.tags)
        labels = {
            name: self._label(values)
            for name, values in motion.labels.items()
            if values.ndim == 1 and name not in shown
        }
        if labels:
            notes["labels"] = labels
        self.root.setdefault("animations", []).append(
            {
                "name": motion.name or f"animation_{number}",
                "samplers": samplers,
                "channels": channels,
                "extras": {"kinema": notes},
            }
        )

    def tracks(self, motion: Motion) -> list[tuple[int, str, NDArray[np.float32]]]:
        """Further nodes that a motion moves, with path and keys `[F or 1, 3 or 4]`; some formats have them."""
        return []

    def materials(self, character: Character) -> None:
        """Materials, and one texture with its image for each of the character's textures."""
        for number, texture in enumerate(character.textures):
            image = {"name": texture.name, "mimeType": texture.mime, "bufferView": self._view(texture.data)}
            self.root.setdefault("images", []).append(image)
            entry: dict[str, Any] = {"source": number}
            if texture.mime in _TEXTURES:
                entry = {"extensions": {_TEXTURES[texture.mime]: {"source": number}}}
                self.extensions.add(_TEXTURES[texture.mime])
            self.root.setdefault("textures", []).append(entry)
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
            entry.update(bounds(values))
        self.root.setdefault("accessors", []).append(entry)
        return len(self.root["accessors"]) - 1

    def finish(self) -> tuple[dict[str, Any], bytes]:
        """The whole JSON, without empty arrays, and the binary part."""
        root: dict[str, Any] = {"asset": {"version": "2.0", "generator": "Kinema"}, "scene": 0}
        if self.extensions:
            root["extensionsUsed"] = sorted(self.extensions)
        if self.extensions & set(_TEXTURES.values()):
            root["extensionsRequired"] = sorted(self.extensions & set(_TEXTURES.values()))
        skins = {"skins": self.skins} if self.skins else {}
        root["scenes"] = [{"nodes": self._roots}]
        root.update({"nodes": self.nodes, **skins, **self.root})
        data = b"".join(self._chunks)
        if data:
            root["buffers"] = [{"byteLength": len(data)}]
        return root, data

    def _view(self, data: bytes, target: int | None = None) -> int:
        view: dict[str, int] = {"buffer": 0, "byteOffset": self._size, "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        padded = data + b"\0" * (-len(data) % 4)
        self._chunks.append(padded)
        self._size += len(padded)
        self.root.setdefault("bufferViews", []).append(view)
        return len(self.root["bufferViews"]) - 1

    def _label(self, values: NDArray[Any]) -> int:
        kind = np.uint8 if values.dtype == bool else np.float32  # the reader takes bytes for yes and no
        return self.accessor(finite(values).astype(kind)[:, None], "SCALAR")

    def add_node(self, node: dict[str, Any], parent: int) -> int:
        """A node below another one, or (-1) at the top; returns its index."""
        self._attach(self._add_node(node), parent)
        return len(self.nodes) - 1

    def _add_node(self, node: dict[str, Any]) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _attach(self, node: int, parent: int) -> None:
        if parent < 0:
            self._roots.append(node)
        else:
            self.nodes[parent].setdefault("children", []).append(node)

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


def _mesh_weights(
    character: Character | None, faces: dict[str, NDArray[Any]], nodes: list[int | None]
) -> Iterator[tuple[Mesh, int, NDArray[np.float32]]]:
    """Meshes that labels of a motion move, their nodes, and the weights `[F, M]` of their morph targets."""
    if character is None or not faces:
        return
    every, end = finite(character.morph_weights(faces)), 0
    for mesh, node in zip(character.meshes, nodes, strict=True):
        end += len(mesh.morphs)
        weights = every[..., end - len(mesh.morphs) : end]
        if node is not None and mesh.morphs and weights.ndim == 2 and (weights != mesh.rest_weights).any():
            yield mesh, node, weights

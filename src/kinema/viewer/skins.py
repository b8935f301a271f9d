"""Converts characters to the skinned meshes of viser.

viser's skinned mesh has one colour, no textures, rigid bones and at most four influences, and computes its normals from
shared vertices. So textures become a few flat colours, vertices that are split at texture seams are welded, and the
scale of bind matrices moves into the vertices.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.character import Character, Material, Mesh
from kinema.formats.images import linear
from kinema.pose import Pose
from kinema.viewer.colors import to_srgb
from kinema.viewer.cuts import cut

INFLUENCES = 4
MAX_COLORS = 5
"""Maximum number of colours per mesh; each is a part with bones of its own to send."""
SMOOTH_COLORS = 4
"""The same for a mesh with vertex colours."""
MOST_PIECES = 24
"""Maximum number of pieces per part in a crowd."""
OVERLAP = 0.35
"""Weight of a corner above which its triangle belongs to the piece of a joint."""
MOST_JOINTS = 256
"""Maximum number of joints per part; larger parts are split."""


@dataclass(frozen=True, eq=False)
class SkinPart:
    """A mesh for viser.

    Attributes:
        vertices: float32 `[V, 3]` in the bind pose, metres.
        faces: uint32 `[K, 3]`.
        color: sRGB, 0 to 255. opacity: 0 to 1; None for opaque. double_sided: whether back faces are drawn.
        joints: int32 `[B]`, skeleton joint of each bone; -1 is the world.
        weights: float32 `[V, B]`; rows sum to one, with at most four weights.
        bind_rotations, bind_positions: `[B, 4]` and `[B, 3]`, the bind pose.
        face: the morph targets; None if there are none.
    """

    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]
    color: tuple[int, int, int]
    opacity: float | None
    double_sided: bool
    joints: NDArray[np.int32]
    weights: NDArray[np.float32]
    bind_rotations: NDArray[np.float32]
    bind_positions: NDArray[np.float32]
    face: MorphedVertices | None = None


@dataclass(frozen=True, eq=False)
class MorphedVertices:
    """Morph targets of a part.

    Attributes:
        mesh: the mesh. first: index of its first target among all targets of the character.
        chosen: `[V]`, vertices of the mesh in this part.
    """

    character: Character
    mesh: Mesh
    first: int
    chosen: NDArray[np.int64]

    def weights(self, weights: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """The weights `[m]` of this mesh among all weights `[M]`; None means the rest weights."""
        return self.mesh.rest_weights if weights is None else weights[self.first : self.first + len(self.mesh.morphs)]

    def vertices(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """Vertices `[V, 3]` in the bind pose, for weights of this mesh `[m]`."""
        return rigid_bind(_shaped(self.mesh, weights), self.character)[0][self.chosen]


def _shaped(mesh: Mesh, weights: NDArray[np.float32] | None = None) -> Mesh:
    return dataclasses.replace(mesh, positions=mesh.morphed(weights), morphs=())


def skin_parts(character: Character) -> list[SkinPart]:
    """All parts of a character in the order of its meshes, with rest weights."""
    parts: list[SkinPart] = []
    ends = np.cumsum([len(mesh.morphs) for mesh in character.meshes])
    for mesh, end in zip(character.meshes, ends.tolist(), strict=True):
        if not len(mesh.indices):
            continue
        first = end - len(mesh.morphs)
        material = Material() if mesh.material is None else character.materials[mesh.material]
        if mesh.colors is not None and material.base_color_texture is None:
            mesh, group, colors = _cut_colors(mesh, material)
        else:
            group, colors = _flat_colors(character, mesh, material)
        influences = strongest(mesh)
        bind = rigid_bind(_shaped(mesh), character)
        for index, color in enumerate(colors):
            faces = mesh.indices[group == index]
            parts += [
                _part(character, mesh, first, material, color, portion, influences, bind)
                for portion in portions(faces, influences[0])
            ]
    return parts


def portions(faces: NDArray[np.uint32], joints: NDArray[np.int32]) -> list[NDArray[np.uint32]]:
    """Split triangles `[K, 3]` into groups with at most `MOST_JOINTS` joints.

    A part has a weight for each pair of vertex and joint, which would take gigabytes for thousands of joints.
    """
    if not len(faces):
        return []
    if len(np.unique(joints[np.unique(faces)])) <= MOST_JOINTS:
        return [faces]
    owner = joints[faces[:, 0], 0] // MOST_JOINTS
    return [faces[owner == number] for number in np.unique(owner)]


def is_rigid(parts: Sequence[SkinPart]) -> bool:
    """Whether every vertex follows a single bone, without morph targets."""
    return all(part.face is None and bool((part.weights.max(axis=1) > 0.999).all()) for part in parts)


def pieces(
    part: SkinPart, parents: NDArray[np.integer], most: int = MOST_PIECES
) -> list[tuple[int, NDArray[np.float32], NDArray[np.uint32]]]:
    """Cut a part into rigid pieces: joint, vertices in its frame `[v, 3]` and triangles `[k, 3]` of each.

    A triangle belongs to every joint with a large weight at one of its corners, so pieces overlap where the body
    bends. The smallest pieces are merged into that of the parent joint until there are at most `most`.
    """
    above = _folded(part, parents, most)
    weights = part.weights @ np.eye(len(above), dtype=np.float32)[above]
    strong = weights > OVERLAP
    strong[np.arange(len(weights)), weights.argmax(axis=1)] = True
    found = []
    for bone in np.unique(above).tolist():
        faces = part.faces[strong[part.faces, bone].any(axis=1)]
        if len(faces):
            kept, numbers = np.unique(faces, return_inverse=True)
            vertices = rotations.inverse_rotate(
                part.bind_rotations[bone], part.vertices[kept] - part.bind_positions[bone]
            )
            found.append((int(part.joints[bone]), vertices, numbers.reshape(-1, 3).astype(np.uint32)))
    return found


def coarser(part: SkinPart, triangles: int) -> SkinPart:
    """Simplify a part to about `triangles` triangles by merging nearby vertices."""
    cell = 0.004 * float(np.ptp(part.vertices, axis=0).max(initial=0.0))
    for _ in range(12):
        if len(part.faces) <= triangles:
            break
        cell *= 1.3
        cells = np.floor(part.vertices / max(cell, 1e-9)).astype(np.int64)
        rim = np.zeros((len(cells), 1), np.int64)  # kept, so that no gaps open between parts
        rim[_rim(part.faces), 0] = 1 + _rim(part.faces)
        keys = np.concatenate([cells, part.weights.argmax(axis=1)[:, None], rim], axis=1)
        _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        faces = group.reshape(-1)[part.faces]
        solid = (faces != np.roll(faces, 1, axis=1)).all(axis=1)
        count = np.bincount(group.reshape(-1))[:, None]
        middle = np.zeros((len(first), 3))
        np.add.at(middle, group.reshape(-1), part.vertices)
        part = dataclasses.replace(
            part,
            vertices=(middle / count).astype(np.float32),
            faces=faces[solid].astype(np.uint32),
            weights=part.weights[first],
        )
    return part


def _rim(faces: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Vertices on the border of the mesh."""
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    found, count = np.unique(edges, axis=0, return_counts=True)
    return np.unique(found[count == 1]).astype(np.int64)


def _folded(part: SkinPart, parents: NDArray[np.integer], most: int) -> NDArray[np.int64]:
    """The bone `[B]` that each bone is merged into: itself or one of an ancestor joint."""
    bone_of = {joint: bone for bone, joint in enumerate(part.joints.tolist())}
    above = np.arange(len(part.joints))
    size = part.weights.sum(axis=0)
    while len(np.unique(above)) > most:
        sizes = np.bincount(above, size, len(above))
        for bone in [bone for bone in np.argsort(sizes).tolist() if above[bone] == bone]:
            parent = _bone_above(int(part.joints[bone]), bone_of, parents)
            if parent is not None:
                above[above == bone] = above[parent]
                break
        else:
            break
    return above


def _bone_above(joint: int, bone_of: dict[int, int], parents: NDArray[np.integer]) -> int | None:
    """The bone of the nearest ancestor joint that has one."""
    while joint >= 0:
        joint = int(parents[joint])
        if joint in bone_of and joint >= 0:
            return bone_of[joint]
    return None


def strongest(mesh: Mesh) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The four largest influences of each vertex: joints and weights `[V, 4]`; weights sum to one."""
    count = len(mesh.positions)
    if mesh.joints is None or mesh.weights is None:
        joint = -1 if mesh.joint is None else mesh.joint
        return np.full((count, 1), joint, np.int32), np.ones((count, 1), np.float32)
    keep = min(INFLUENCES, mesh.joints.shape[1])
    order = np.argsort(-mesh.weights, axis=1, kind="stable")[:, :keep]
    weights = np.take_along_axis(mesh.weights, order, axis=1).astype(np.float32)
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0, weights / np.where(total > 0, total, 1), np.eye(1, keep, dtype=np.float32))
    return np.take_along_axis(mesh.joints, order, axis=1).astype(np.int32), weights


def rigid_bind(mesh: Mesh, character: Character) -> tuple[NDArray[np.float32], Pose]:
    """Vertices `[V, 3]` and a bind pose without scale, as viser's bones are rigid.

    A uniform scale of all joints moves into the vertices; otherwise the mesh is bound to the rest pose.
    """
    skeleton, joint_count = character.skeleton, character.skeleton.joint_count
    if mesh.inverse_bind is None or mesh.joints is None:
        identity = np.tile(np.array([1, 0, 0, 0], np.float32), (joint_count, 1))
        return mesh.positions, Pose.from_model(skeleton, identity, np.zeros((joint_count, 3), np.float32))
    matrices = mesh.inverse_bind[:, :3, :3].astype(np.float64)
    used = np.unique(mesh.joints[mesh.weights > 0]) if mesh.weights is not None else np.arange(joint_count)
    scales = np.cbrt(np.abs(np.linalg.det(matrices)))
    scale = float(np.median(scales[used])) or 1.0
    unscaled = matrices / scale
    error = np.abs(unscaled @ np.swapaxes(unscaled, -1, -2) - np.eye(3))[used].max(initial=0.0)
    if error > 1e-3 or np.linalg.det(unscaled[used]).min(initial=1.0) < 0:
        return mesh.skin(skeleton.rest_pose), skeleton.rest_pose
    bind_rotations = rotations.from_matrix(np.swapaxes(unscaled, -1, -2))
    bind_positions = -rotations.rotate(bind_rotations, mesh.inverse_bind[:, :3, 3].astype(np.float64))
    vertices = (mesh.positions * scale).astype(np.float32)
    return vertices, Pose.from_model(skeleton, bind_rotations.astype(np.float32), bind_positions.astype(np.float32))


def _part(
    character: Character,
    mesh: Mesh,
    first: int,
    material: Material,
    color: tuple[int, int, int],
    faces: NDArray[np.uint32],
    influences: tuple[NDArray[np.int32], NDArray[np.float32]],
    bind: tuple[NDArray[np.float32], Pose],
) -> SkinPart:
    vertices, bind_pose = bind
    kept = np.unique(faces)
    renumber = np.zeros(len(vertices), np.int64)
    renumber[kept] = weld(
        vertices[kept], mesh.normals[kept], influences[0][kept], influences[1][kept], _morph_keys(mesh)[kept]
    )
    chosen = np.zeros(int(renumber[kept].max()) + 1, np.int64)
    chosen[renumber[kept]] = kept
    joints, weights = influences[0][chosen], influences[1][chosen]
    bones, slots = np.unique(np.where(weights > 0, joints, joints[:, :1]), return_inverse=True)
    dense = np.zeros((len(chosen), len(bones)), np.float32)
    np.add.at(dense, (np.arange(len(chosen))[:, None], slots.reshape(joints.shape)), weights)
    world = bones < 0
    rotation = np.where(world[:, None], np.array([1, 0, 0, 0], np.float32), bind_pose.global_rotations[bones])
    position = np.where(world[:, None], np.float32(0), bind_pose.global_positions[bones])
    alpha = material.base_color[3]
    return SkinPart(
        vertices[chosen],
        renumber[faces].astype(np.uint32),
        color,
        alpha if material.alpha_mode == "BLEND" and alpha < 0.99 else None,
        material.double_sided,
        bones.astype(np.int32),
        dense,
        rotation,
        position,
        MorphedVertices(character, mesh, first, chosen) if mesh.morphs else None,
    )


def _morph_keys(mesh: Mesh) -> NDArray[np.float32]:
    """Three numbers per vertex `[V, 3]`, equal for vertices that all morph targets move alike."""
    mixed = np.zeros_like(mesh.positions)
    for morph, share in zip(mesh.morphs, np.random.default_rng(0).uniform(0.5, 1.5, len(mesh.morphs)), strict=True):
        mixed += np.float32(share) * morph.positions
    return mixed


def weld(
    positions: NDArray[np.float32],
    normals: NDArray[np.float32],
    joints: NDArray[np.int32],
    weights: NDArray[np.float32],
    morph_keys: NDArray[np.float32],
) -> NDArray[np.int64]:
    """New vertex indices: vertices with the same position, normal, influences and morph targets share one.

    Vertices with different normals are not merged, which keeps hard edges.
    """
    extent = max(float(np.abs(positions).max(initial=0.0)), 1e-6)
    keys = np.concatenate(
        [
            np.rint(positions / (extent * 1e-6)).astype(np.int64),
            np.rint(normals * 32).astype(np.int64),
            joints.astype(np.int64),
            np.rint(weights * 255).astype(np.int64),
            np.rint(morph_keys / max(1e-5 * float(np.abs(morph_keys).max(initial=0.0)), 1e-12)),
        ],
        axis=1,
    )
    return np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)


def _cut_colors(mesh: Mesh, material: Material) -> tuple[Mesh, NDArray[np.int64], list[tuple[int, int, int]]]:
    """The mesh cut between colours, the colour index of each triangle `[K]`, and the colours."""
    assert mesh.colors is not None
    seen = to_srgb(np.clip(mesh.colors[:, :3] * np.array(material.base_color[:3]), 0, 1))
    label, _ = cluster(seen, SMOOTH_COLORS)
    # The median, not the mean, so that gradients do not wash out the colour.
    palette = np.array([np.median(seen[label == index], axis=0) for index in range(int(label.max()) + 1)])
    mesh = dataclasses.replace(mesh, colors=seen.astype(np.float32))
    mesh, group = cut(mesh, label, palette)
    return mesh, group, [(int(r), int(g), int(b)) for r, g, b in np.rint(palette * 255)]


def _flat_colors(
    character: Character, mesh: Mesh, material: Material
) -> tuple[NDArray[np.int64], list[tuple[int, int, int]]]:
    """The colour index of each triangle `[K]`, and the colours."""
    colors = np.tile(np.array(material.base_color[:3], np.float64), (len(mesh.indices), 1))
    if mesh.colors is not None:
        colors = colors * mesh.colors[mesh.indices][..., :3].mean(axis=1)
    if material.base_color_texture is not None and mesh.uvs is not None:
        colors = colors * _sampled(character.textures[material.base_color_texture].data, mesh.uvs[mesh.indices])
    return cluster(np.clip(to_srgb(np.clip(colors, 0, 1)), 0, 1))


def _sampled(data: bytes, uvs: NDArray[np.float32]) -> NDArray[np.float64]:
    """Linear texture colour `[K, 3]` at the centres of triangles `[K, 3, 2]`; white if the image cannot be read."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as image:
            pixels = np.asarray(image.convert("RGB"), np.float64) / 255.0
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return np.ones((len(uvs), 3))
    middle = uvs.mean(axis=1) % 1.0
    height, width = pixels.shape[:2]
    column = np.minimum((middle[:, 0] * width).astype(np.int64), width - 1)
    row = np.minimum((middle[:, 1] * height).astype(np.int64), height - 1)
    return linear(pixels[row, column])


def cluster(
    colors: NDArray[np.float64], most: int = MAX_COLORS
) -> tuple[NDArray[np.int64], list[tuple[int, int, int]]]:
    """Group colours `[K, 3]` (0 to 1): group indices and the colours of at most `most` groups."""
    levels = np.rint(colors * 32).astype(np.int64)
    distinct, group, counts = np.unique(levels, axis=0, return_inverse=True, return_counts=True)
    group = group.reshape(-1)
    if len(distinct) > most:
        centres = _spread(distinct.astype(np.float64), counts, most)
        group = np.argmin(((distinct[:, None] - centres) ** 2).sum(-1), axis=1)[group]
    means = [colors[group == index].mean(axis=0) for index in np.unique(group)]
    group = np.unique(group, return_inverse=True)[1].reshape(-1)
    return group, [(int(r), int(g), int(b)) for r, g, b in np.rint(np.array(means) * 255)]


def _spread(points: NDArray[np.float64], counts: NDArray[np.int64], most: int) -> NDArray[np.float64]:
    """Cluster centres by Lloyd's algorithm, initialised with the heaviest, farthest points (no randomness)."""
    centres = points[[int(np.argmax(counts))]]
    while len(centres) < most:
        nearest = ((points[:, None] - centres) ** 2).sum(-1).min(axis=1)
        centres = np.concatenate([centres, points[[int(np.argmax(nearest * counts))]]])
    for _ in range(12):
        owner = np.argmin(((points[:, None] - centres) ** 2).sum(-1), axis=1)
        weights = np.array([counts[owner == index].sum() for index in range(most)])
        sums = np.stack([(points * counts[:, None])[owner == index].sum(axis=0) for index in range(most)])
        centres = np.where(weights[:, None] > 0, sums / np.maximum(weights, 1)[:, None], centres)
    return centres

"""Meshes of a USD file as ours: triangles, one set of attributes a vertex, one material a mesh, a skin or a joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.character import Mesh, Morph
from kinema.errors import FormatError
from kinema.formats.normals import cofactors, smooth, unit
from kinema.formats.polygons import triangulate
from kinema.formats.rigid import rigid_frames
from kinema.formats.usd.morphs import MorphTable
from kinema.formats.usd.rig import Rig

MAX_INFLUENCES = 64
MAX_WEIGHTS = 64 * 1024**2
MAX_PARTS = 4096  # meshes that one mesh becomes


@dataclass(eq=False)
class Placing:
    """How a mesh's points become ours, and what they then hang on."""

    frame: NDArray[np.float64]  # [4, 4] from the mesh's points to our mesh space
    joints: NDArray[np.int32] | None = None  # [P, I]
    weights: NDArray[np.float32] | None = None
    inverse_bind: NDArray[np.float32] | None = None
    joint: int | None = None


def place_mesh(
    item: dict[str, Any],
    rig: Rig,
    scene: dict[str, Any],
    poses: dict[int, NDArray[np.float64]],
    table: MorphTable,
    warnings: list[str],
) -> list[Mesh]:
    """The meshes that one mesh of the file becomes, one a material.

    Args:
        poses: joint matrices of skeletons (by index) that show what scale their clips hold; see `pose.first_worlds`.

    Raises:
        FormatError: sizes or indices that do not fit; names the prim.
    """
    where = f"<{item['path']}>"
    points = item["points"]
    if not np.isfinite(points).all():
        raise FormatError("points hold a number that is not finite", node=where)
    corners, owners, indices = _triangles(item, where)
    if not len(corners):
        warnings.append(f"{where} has no faces and was left out")
        return []
    placing = _placing(item, rig, scene, poses, where, warnings)
    frame = placing.frame
    positions = points @ frame[:3, :3].T + frame[:3, 3]
    if not (np.abs(positions) < 1e15).all():
        raise FormatError("lies outside of any sensible range", node=where)
    mirrored = np.linalg.det(frame[:3, :3]) < 0
    normal = cofactors(frame[:3, :3]) * (-1 if mirrored else 1)
    size = abs(float(np.linalg.det(frame[:3, :3]))) ** (2 / 3)
    normal /= size if size > 0 else 1.0  # offsets of normals are added to normals of length one
    attributes, splits = _attributes(item, indices, len(points), owners, where, warnings)
    shapes = [morph for shape in item["shapes"] for morph in table.morphs(shape, frame[:3, :3], normal)]
    flat = smooth(positions, indices[corners[:, ::-1] if mirrored else corners])
    uvs, colors = attributes.get("uvs"), _colors(attributes)
    meshes = []
    for number, (faces, material) in enumerate(_parts(item, owners)):
        used = corners[faces].reshape(-1)
        vertices, first = _vertices(used, indices, attributes, splits)
        taken = used[first]  # one corner that stands for each vertex
        point = indices[taken]
        triangles = vertices.reshape(-1, 3)
        normals = attributes["normals"][taken] @ normal.T if "normals" in attributes else flat[point]
        meshes.append(
            Mesh(
                name=item["name"] if not number else f"{item['name']}.{number}",
                positions=positions[point].astype(np.float32),
                normals=unit(normals),
                indices=np.ascontiguousarray(triangles[:, ::-1] if mirrored else triangles).astype(np.uint32),
                uvs=None if uvs is None else np.stack([uvs[taken, 0], 1 - uvs[taken, 1]], axis=1).astype(np.float32),
                colors=None if colors is None else colors[taken].astype(np.float32),
                joints=None if placing.joints is None else placing.joints[point],
                weights=None if placing.weights is None else placing.weights[point],
                inverse_bind=placing.inverse_bind,
                joint=placing.joint,
                material=material,
                morphs=tuple(
                    Morph(
                        morph.name,
                        morph.positions[point],
                        None if morph.normals is None else morph.normals[point],
                        morph.weight,
                    )
                    for morph in shapes
                ),
            )
        )
    return meshes


def _triangles(item: dict[str, Any], where: str) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Corners `[T, 3]` of triangles, the face of each `[T]`, and the point of every corner `[C]`."""
    counts, indices, points = item["counts"], item["indices"], item["points"]
    if (counts < 0).any() or int(np.clip(counts, 0, 1 << 40).sum()) != len(indices):
        raise FormatError(f"faceVertexCounts do not add up to the {len(indices)} faceVertexIndices", node=where)
    if len(indices) and not 0 <= indices.min() <= indices.max() < len(points):
        raise FormatError(f"faceVertexIndices lie beyond the {len(points)} points", node=where)
    corners, owners = triangulate(counts, points[indices])
    holes = item["holes"]
    if len(holes):
        kept = ~np.isin(owners, holes)
        corners, owners = corners[kept], owners[kept]
    if item["left_handed"]:
        corners = corners[:, ::-1]
    return corners, owners, indices


def _attributes(
    item: dict[str, Any],
    indices: NDArray[np.int64],
    points: int,
    owners: NDArray[np.int64],
    where: str,
    warnings: list[str],
) -> tuple[dict[str, NDArray[np.float64]], bool]:
    """Values by corner `[C, ...]`, and whether vertices have to be split for them."""
    faces = np.repeat(np.arange(len(item["counts"])), item["counts"])
    found: dict[str, NDArray[np.float64]] = {}
    splits = False
    for name in ("normals", "uvs", "color", "opacity"):
        given = item[name]
        if given is None or (name == "normals" and item["subdivided"]):
            continue  # USD ignores the normals of subdivision surfaces
        values = given["values"].reshape(len(given["values"]), -1)
        chosen, size = {
            "constant": (np.zeros(len(indices), np.int64), 1),
            "uniform": (faces, len(item["counts"])),
            "faceVarying": (np.arange(len(indices)), len(indices)),
        }.get(given["interpolation"], (indices, points))
        if len(values) != size or not np.isfinite(values).all():
            warnings.append(f"{where} has {len(values)} {given['name']} where {size} finite ones belong; left out")
            continue
        found[name] = values[chosen]
        splits |= given["interpolation"] in ("uniform", "faceVarying")
    return found, splits


def _colors(attributes: dict[str, NDArray[np.float64]]) -> NDArray[np.float64] | None:
    if "color" not in attributes:
        return None
    color = attributes["color"]
    return np.concatenate([color, attributes.get("opacity", np.ones((len(color), 1)))], axis=1)


def _vertices(
    used: NDArray[np.int64], indices: NDArray[np.int64], attributes: dict[str, NDArray[np.float64]], splits: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The vertex of each used corner, and for each vertex a place in `used`."""
    if not splits:
        _, first, inverse = np.unique(indices[used], return_index=True, return_inverse=True)
        return inverse.reshape(-1), first
    parts = [indices[used].astype(np.int32)[:, None]]
    parts += [attributes[name][used].astype(np.float32).view(np.int32) for name in sorted(attributes)]
    keys = np.ascontiguousarray(np.concatenate(parts, axis=1))
    mixed = np.zeros(len(keys), np.uint64)  # rows as one number each sort ten times as fast as rows of bytes
    for column in range(keys.shape[1]):
        mixed = (mixed ^ keys[:, column].astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    if (keys[first[inverse]] != keys).any():
        whole = keys.view(np.dtype((np.void, keys.dtype.itemsize * keys.shape[1])))[:, 0]
        _, first, inverse = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # vertices in the order of the file
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[inverse.reshape(-1)], first[order]


def _parts(item: dict[str, Any], owners: NDArray[np.int64]) -> list[tuple[NDArray[np.int64], int | None]]:
    """Triangles `[K]` of each material; those that no subset names come first."""
    (_, whole), *subsets = item["materials"]
    count = len(item["counts"])
    subset = np.zeros(count, np.int64)  # of each face, counted from one; zero for those that none names
    for number, (faces, _) in reversed(list(enumerate(subsets, 1))):  # the first that names a face has it
        subset[faces[(faces >= 0) & (faces < count)]] = number
    order = np.argsort(subset[owners], kind="stable")
    numbers, starts = np.unique(subset[owners][order], return_index=True)
    if len(numbers) > MAX_PARTS:
        raise FormatError(f"has {len(numbers)} subsets with materials, more than {MAX_PARTS}", node=f"<{item['path']}>")
    materials = [whole, *(whole if material is None else material for _, material in subsets)]
    triangles = np.split(order, starts[1:])
    return [(part, materials[number]) for number, part in zip(numbers.tolist(), triangles, strict=True)]


def _placing(
    item: dict[str, Any],
    rig: Rig,
    scene: dict[str, Any],
    poses: dict[int, NDArray[np.float64]],
    where: str,
    warnings: list[str],
) -> Placing:
    skin = item["skin"]
    bone = rig.bones[item["skeleton"]] if item["skeleton"] >= 0 else None
    if skin is not None and (bone is None or not bone.tokens):
        raise FormatError("has joint weights, but its skeleton has no joints", node=where)
    if skin is None or bone is None:
        return _hung(item, rig, scene)
    joints, weights = _influences(item, bone.tokens, where, warnings)
    stand = rig.worlds[bone.node]
    frame = stand @ skin["bind"]
    undo = inverses(stand[None])[0]
    if not np.isfinite(undo).all():  # scaled to nothing: there is no world that the mesh could be in
        frame, undo = skin["bind"], np.eye(4)
    rest = rig.rest[bone.joints]
    scaled = poses.get(item["skeleton"], rest)
    residues = [np.linalg.inv(rigid_frames(worlds)) @ worlds for worlds in (rest, scaled)]
    if np.abs(residues[1] - residues[0]).max() > 1e-4 * max(np.abs(residues[0]).max(), 1e-9):
        warnings.append(f"<{bone.path}> is scaled by its animation; its meshes have the sizes of the first frame")
    used = np.unique(joints[weights > 0])
    unbind = inverses(bone.bind)
    fit = np.asarray(np.isfinite(unbind).all(axis=(1, 2)))
    unfit = used[~fit[used]]
    if unfit.size:
        raise FormatError(
            f"is bound to joint {bone.tokens[unfit[0]]!r}, whose bind transform cannot be inverted", node=where
        )
    inverse_bind = np.tile(np.eye(4), (len(rig.parents), 1, 1))
    inverse_bind[bone.joints[fit]] = residues[1][fit] @ unbind[fit] @ undo
    if not (np.abs(inverse_bind) < 1e15).all():
        raise FormatError("is bound by transforms out of any sensible range", node=where)
    if skin["constant"] and joints.shape[1] == 1 and len(joints):
        joint = int(bone.joints[joints[0, 0]])
        return Placing(inverse_bind[joint] @ frame, joint=joint)
    return Placing(frame, bone.joints[joints], weights, inverse_bind.astype(np.float32))


def inverses(matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inverse matrices `[N, 4, 4]`; not finite where there is none."""
    result = np.full(matrices.shape, np.nan)
    with np.errstate(all="ignore"):
        sizes = np.abs(np.linalg.det(matrices))
        for number in np.flatnonzero(np.isfinite(sizes) & (sizes > 1e-60)).tolist():
            try:
                result[number] = np.linalg.inv(matrices[number])
            except np.linalg.LinAlgError:
                continue
    return result


def _influences(
    item: dict[str, Any], tokens: list[str], where: str, warnings: list[str]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Joints of the skeleton `[P, I]` and weights that sum to one."""
    skin, count = item["skin"], len(item["points"])
    indices, weights, size = skin["indices"], skin["weights"], skin["size"]
    rows = 1 if skin["constant"] else count
    if not 0 < size <= MAX_INFLUENCES * (len(indices) if skin["constant"] else 1):
        raise FormatError(f"has {size} joints a point; 1 to {MAX_INFLUENCES} are read", node=where)
    if skin["constant"]:
        size = len(indices)
    if size > 4096 or len(indices) != rows * size or len(weights) != rows * size or size * count > MAX_WEIGHTS:
        raise FormatError(
            f"has {len(indices)} jointIndices and {len(weights)} jointWeights where {rows} times {size} belong",
            node=where,
        )
    joints = np.broadcast_to(indices.reshape(rows, size), (count, size)).copy()
    shares = np.broadcast_to(weights.reshape(rows, size), (count, size)).copy()
    if not np.isfinite(shares).all() or (shares < 0).any():
        raise FormatError("has a joint weight that is negative or not finite", node=where)
    order = skin["order"]
    names = tokens if order is None else order
    outside = (joints < 0) | (joints >= len(names))
    if (outside & (shares > 0)).any():
        raise FormatError(f"jointIndices lie beyond the {len(names)} joints", node=where)
    joints[outside] = 0
    if order is not None:
        place = {token: joint for joint, token in enumerate(tokens)}
        table = np.array([place.get(token, -1) for token in order] or [-1])
        joints = table[joints]
        lost = joints < 0
        if (lost & (shares > 0)).any():
            warnings.append(f"{where} is bound to joints that its skeleton does not have; those weights were dropped")
        shares[lost], joints[lost] = 0, 0
    total = shares.sum(axis=1, keepdims=True)
    empty = total[:, 0] <= 0
    if empty.any():
        warnings.append(f"{where} has {int(empty.sum())} points without a joint; they follow the first one")
        joints[empty, 0], shares[empty, 0], total[empty] = 0, 1, 1
    used = np.flatnonzero((shares > 0).any(axis=0))
    return joints[:, used], (shares / total)[:, used].astype(np.float32)


def _hung(item: dict[str, Any], rig: Rig, scene: dict[str, Any]) -> Placing:
    """A mesh without a skin hangs on the joint that its own transform or one above it is; else it stands still."""
    node = item["node"]
    world = rig.worlds[node]
    while node >= 0 and node not in rig.nodes:
        node = scene["nodes"][node]["parent"]
    if node < 0:
        return Placing(world)
    joint = rig.nodes[node]
    return Placing(np.linalg.inv(rigid_frames(rig.rest[joint])) @ world, joint=joint)

"""Meshes of a USD file as ours: triangles, one set of attributes a vertex, one material a mesh, a skin or a joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.character import Mesh, Morph
from kinema.errors import FormatError
from kinema.formats.checks import require, within
from kinema.formats.normals import cofactors, smooth, unit
from kinema.formats.polygons import triangulate
from kinema.formats.rigid import rigid_frames
from kinema.formats.usd.influences import read_influences
from kinema.formats.usd.morphs import MorphTable
from kinema.formats.usd.rig import FARTHEST, Floats, UsdRig, UsdSkeleton, nearest

MAX_PARTS = 4096  # meshes that one mesh becomes


@dataclass(frozen=True, eq=False)
class Placing:
    """How a mesh's points become ours, and what they then hang on."""

    frame: Floats  # [4, 4] from the mesh's points to our mesh space
    joints: NDArray[np.int32] | None = None  # [P, I]
    weights: NDArray[np.float32] | None = None
    inverse_bind: NDArray[np.float32] | None = None
    joint: int | None = None


@dataclass(frozen=True, eq=False)
class _Geometry:
    """A whole mesh in our space, before it is split by materials."""

    positions: Floats  # [P, 3]
    corners: NDArray[np.int64]  # [T, 3] of triangles
    indices: NDArray[np.int64]  # [C] the point of every corner
    attributes: dict[str, Floats]  # by corner
    splits: bool  # whether points have several values of an attribute
    normal: Floats  # [3, 3] that takes normals to our space
    mirrored: bool
    smooth_normals: Floats  # [P, 3]
    morphs: list[Morph]
    placing: Placing

    def mesh(self, name: str, triangles: NDArray[np.int64], material: int | None) -> Mesh:
        """The mesh of some triangles."""
        used = self.corners[triangles].reshape(-1)
        vertices, first = _vertices(used, self.indices, self.attributes, self.splits)
        taken = used[first]  # one corner that stands for each vertex
        point = self.indices[taken]
        faces = vertices.reshape(-1, 3)
        values = {key: rows[taken] for key, rows in self.attributes.items()}
        uvs = np.stack([values["uvs"][:, 0], 1 - values["uvs"][:, 1]], axis=1) if "uvs" in values else None
        opacity = values.get("opacity", np.ones((len(taken), 1)))
        colors = np.concatenate([values["color"], opacity], axis=1) if "color" in values else None
        normals = values["normals"] @ self.normal.T if "normals" in values else self.smooth_normals[point]
        placing = self.placing
        return Mesh(
            name=name,
            positions=self.positions[point].astype(np.float32),
            normals=unit(normals),
            indices=np.ascontiguousarray(faces[:, ::-1] if self.mirrored else faces).astype(np.uint32),
            uvs=None if uvs is None else uvs.astype(np.float32),
            colors=None if colors is None else colors.astype(np.float32),
            joints=None if placing.joints is None else placing.joints[point],
            weights=None if placing.weights is None else placing.weights[point],
            inverse_bind=placing.inverse_bind,
            joint=placing.joint,
            material=material,
            morphs=tuple(_part_of(morph, point) for morph in self.morphs),
        )


class MeshPlacer:
    """Turns the meshes of a scene into ours, on the joints of a rig.

    Args:
        poses: joint matrices of skeletons (by index) that show what scale their clips hold; see `pose.first_worlds`.
    """

    def __init__(
        self, scene: dict[str, Any], rig: UsdRig, poses: dict[int, Floats], table: MorphTable, warnings: list[str]
    ) -> None:
        self._scene, self._rig, self._poses, self._table, self._warnings = scene, rig, poses, table, warnings

    def place(self, item: dict[str, Any]) -> list[Mesh]:
        """The meshes that one mesh of the file becomes, one a material.

        Raises:
            FormatError: sizes or indices that do not fit; names the prim.
        """
        where, points, indices = f"<{item['path']}>", item["points"], item["indices"]
        require(np.isfinite(points).all(), "points hold a number that is not finite", node=where)
        corners, owners = _triangles(item, where)
        if not len(corners):
            self._warnings.append(f"{where} has no faces and was left out")
            return []
        placing = self._placing(item, where)
        linear = placing.frame[:3, :3]
        positions = points @ linear.T + placing.frame[:3, 3]
        require((np.abs(positions) < FARTHEST).all(), "lies outside of any sensible range", node=where)
        mirrored = bool(np.linalg.det(linear) < 0)
        normal = _normal_map(linear, mirrored)
        attributes, splits = _attributes(item, where, self._warnings)
        morphs = [morph for shape in item["shapes"] for morph in self._table.morphs(shape, linear, normal)]
        flat = smooth(positions, indices[corners[:, ::-1] if mirrored else corners])
        geometry = _Geometry(positions, corners, indices, attributes, splits, normal, mirrored, flat, morphs, placing)
        return [
            geometry.mesh(item["name"] if not number else f"{item['name']}.{number}", triangles, material)
            for number, (triangles, material) in enumerate(_parts(item, owners))
        ]

    def _placing(self, item: dict[str, Any], where: str) -> Placing:
        skeleton = self._rig.skeletons[item["skeleton"]] if item["skeleton"] >= 0 else None
        if item["skin"] is None:
            return self._hung(item["node"])
        if skeleton is None or not skeleton.tokens:
            raise FormatError("has joint weights, but its skeleton has no joints", node=where)
        return self._skinned(item, skeleton, where)

    def _hung(self, node: int) -> Placing:
        """A mesh without a skin hangs on the joint that its own transform or one above it is; else it stands still."""
        rig, world = self._rig, self._rig.worlds[node]
        above = nearest(self._scene["nodes"], node, rig.nodes)
        if above < 0:
            return Placing(world)
        joint = rig.nodes[above]
        return Placing(np.linalg.inv(rigid_frames(rig.rest[joint])) @ world, joint=joint)

    def _skinned(self, item: dict[str, Any], skeleton: UsdSkeleton, where: str) -> Placing:
        skin, rig = item["skin"], self._rig
        joints, weights = read_influences(item, skeleton.tokens, where, self._warnings)
        stand = rig.worlds[skeleton.node]
        frame, undo = stand @ skin["bind"], inverses(stand[None])[0]
        if not np.isfinite(undo).all():  # scaled to nothing: there is no world that the mesh could be in
            frame, undo = skin["bind"], np.eye(4)
        residue = self._residue(item["skeleton"], skeleton)
        unbind = inverses(skeleton.bind)
        fit = np.asarray(np.isfinite(unbind).all(axis=(1, 2)))
        used = np.unique(joints[weights > 0])
        unfit = used[~fit[used]]
        if unfit.size:
            raise FormatError(
                f"is bound to joint {skeleton.tokens[unfit[0]]!r}, whose bind transform cannot be inverted", node=where
            )
        inverse_bind = np.tile(np.eye(4), (len(rig.parents), 1, 1))
        inverse_bind[skeleton.joints[fit]] = residue[fit] @ unbind[fit] @ undo
        require((np.abs(inverse_bind) < FARTHEST).all(), "is bound by transforms out of any sensible range", node=where)
        if skin["constant"] and joints.shape[1] == 1 and len(joints):
            joint = int(skeleton.joints[joints[0, 0]])
            return Placing(inverse_bind[joint] @ frame, joint=joint)
        return Placing(frame, skeleton.joints[joints], weights, inverse_bind.astype(np.float32))

    def _residue(self, number: int, skeleton: UsdSkeleton) -> Floats:
        """What rigid frames leave of a skeleton's joints `[Js, 4, 4]`: their scale, by the first frame of a clip."""
        rest = self._rig.rest[skeleton.joints]
        still, scaled = (
            np.linalg.inv(rigid_frames(worlds)) @ worlds for worlds in (rest, self._poses.get(number, rest))
        )
        if np.abs(scaled - still).max() > 1e-4 * max(np.abs(still).max(), 1e-9):
            self._warnings.append(
                f"<{skeleton.path}> is scaled by its animation; its meshes have the sizes of the first frame"
            )
        return scaled


def _part_of(morph: Morph, points: NDArray[np.int64]) -> Morph:
    normals = None if morph.normals is None else morph.normals[points]
    return Morph(morph.name, morph.positions[points], normals, morph.weight)


def _normal_map(linear: Floats, mirrored: bool) -> Floats:
    normal = cofactors(linear) * (-1 if mirrored else 1)
    size = abs(float(np.linalg.det(linear))) ** (2 / 3)
    return normal / (size if size > 0 else 1.0)  # offsets of normals are added to normals of length one


def _triangles(item: dict[str, Any], where: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Corners `[T, 3]` of triangles, and the face of each `[T]`."""
    counts, indices, points = item["counts"], item["indices"], item["points"]
    if (counts < 0).any() or int(np.clip(counts, 0, 1 << 40).sum()) != len(indices):
        raise FormatError(f"faceVertexCounts do not add up to the {len(indices)} faceVertexIndices", node=where)
    require(within(indices, len(points)), f"faceVertexIndices lie beyond the {len(points)} points", node=where)
    corners, owners = triangulate(counts, points[indices])
    if len(item["holes"]):
        kept = ~np.isin(owners, item["holes"])
        corners, owners = corners[kept], owners[kept]
    return corners[:, ::-1] if item["left_handed"] else corners, owners


def _attributes(item: dict[str, Any], where: str, warnings: list[str]) -> tuple[dict[str, Floats], bool]:
    """Values by corner `[C, ...]`, and whether vertices have to be split for them."""
    counts, indices = item["counts"], item["indices"]
    chosen_by = {
        "constant": (np.zeros(len(indices), np.int64), 1),
        "uniform": (np.repeat(np.arange(len(counts)), counts), len(counts)),
        "faceVarying": (np.arange(len(indices)), len(indices)),
    }
    found: dict[str, Floats] = {}
    splits = False
    for name in ("normals", "uvs", "color", "opacity"):
        given = item[name]
        if given is None or (name == "normals" and item["subdivided"]):
            continue  # USD ignores the normals of subdivision surfaces
        values = given["values"].reshape(len(given["values"]), -1)
        chosen, size = chosen_by.get(given["interpolation"], (indices, len(item["points"])))
        if len(values) != size or not np.isfinite(values).all():
            warnings.append(f"{where} has {len(values)} {given['name']} where {size} finite ones belong; left out")
            continue
        found[name] = values[chosen]
        splits |= given["interpolation"] in ("uniform", "faceVarying")
    return found, splits


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

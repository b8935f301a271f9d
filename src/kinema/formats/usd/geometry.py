"""Meshes of a USD file as ours: triangles, one set of attributes a vertex, one material a mesh, joint influences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kinema.arrays import Floats, Indices, Ints, Singles
from kinema.character import Mesh, Morph
from kinema.errors import FormatError
from kinema.formats.checks import require, within
from kinema.formats.normals import normal_map, smooth, unit
from kinema.formats.polygons import triangulate
from kinema.formats.rigid import inverses, rigid_frames
from kinema.formats.rows import unique_rows
from kinema.formats.usd.morphs import MorphTable
from kinema.formats.usd.rig import FARTHEST, UsdRig, UsdSkeleton, nearest

MAX_PARTS = 4096  # meshes that one mesh becomes
MAX_INFLUENCES = 64  # of one point
MAX_WEIGHTS = 64 * 1024**2


@dataclass(frozen=True, eq=False)
class Placing:
    """How a mesh's points become ours, and which joints move them."""

    frame: Floats  # [4, 4] from the mesh's points to our mesh space
    joints: Indices | None = None  # [P, I]
    weights: Singles | None = None
    inverse_bind: Singles | None = None
    joint: int | None = None


@dataclass(frozen=True, eq=False)
class _Geometry:
    """A whole mesh in our space, before it is split by materials."""

    positions: Floats  # [P, 3]
    corners: Ints  # [T, 3] of triangles
    indices: Ints  # [C] the point of every corner
    attributes: dict[str, Floats]  # by corner
    splits: bool  # whether points have several values of an attribute
    normal: Floats  # [3, 3] that takes normals to our space
    mirrored: bool
    smooth_normals: Floats  # [P, 3]
    morphs: list[Morph]
    placing: Placing

    def mesh(self, name: str, triangles: Ints, material: int | None) -> Mesh:
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
        poses: joint matrices of skeletons (by index) that show what scale their clips hold; see `pose.ClipReader`.
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
        normal, mirrored = normal_map(linear)
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
        try:
            return self._skinned(item, skeleton, where)
        except FormatError as error:  # its shape can be read all the same
            self._warnings.append(f"{where} {error.message}; it was left rigid")
            return self._hung(item["node"])

    def _hung(self, node: int) -> Placing:
        """Attaches a mesh without a skin to the nearest joint among its transform and its ancestors, if any."""
        rig, world = self._rig, self._rig.worlds[node]
        above = nearest(self._scene["nodes"], node, rig.nodes)
        if above < 0:
            return Placing(world)
        joint = rig.nodes[above]
        return Placing(np.linalg.inv(rigid_frames(rig.rest[joint])) @ world, joint=joint)

    def _skinned(self, item: dict[str, Any], skeleton: UsdSkeleton, where: str) -> Placing:
        skin, rig = item["skin"], self._rig
        joints, weights = read_influences(item, skeleton.tokens, where, self._warnings)
        world = rig.worlds[skeleton.node]
        frame, undo = world @ skin["bind"], inverses(world[None])[0]
        if not np.isfinite(undo).all():  # scaled to zero: no world space can be inverted
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
        require((np.abs(inverse_bind) < FARTHEST).all(), "is bound by transforms beyond any sensible range", node=where)
        if skin["constant"] and joints.shape[1] == 1 and len(joints):
            joint = int(skeleton.joints[joints[0, 0]])
            return Placing(inverse_bind[joint] @ frame, joint=joint)
        return Placing(frame, skeleton.joints[joints], weights, inverse_bind.astype(np.float32))

    def _residue(self, number: int, skeleton: UsdSkeleton) -> Floats:
        """The scale of a skeleton's joints `[Js, 4, 4]` that rigid frames lack, at the first frame of a clip."""
        rest = self._rig.rest[skeleton.joints]
        still, scaled = (
            np.linalg.inv(rigid_frames(worlds)) @ worlds for worlds in (rest, self._poses.get(number, rest))
        )
        if np.abs(scaled - still).max() > 1e-4 * max(np.abs(still).max(), 1e-9):
            self._warnings.append(
                f"<{skeleton.path}> is scaled by its animation; its meshes have the sizes of the first frame"
            )
        return scaled


def _part_of(morph: Morph, points: Ints) -> Morph:
    normals = None if morph.normals is None else morph.normals[points]
    return Morph(morph.name, morph.positions[points], normals, morph.weight)


def _triangles(item: dict[str, Any], where: str) -> tuple[Ints, Ints]:
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
            warnings.append(f"{where} has {len(values)} {given['name']} where {size} finite ones are needed; left out")
            continue
        found[name] = values[chosen]
        splits |= given["interpolation"] in ("uniform", "faceVarying")
    return found, splits


def _vertices(used: Ints, indices: Ints, attributes: dict[str, Floats], splits: bool) -> tuple[Ints, Ints]:
    """The vertex of each used corner, and for each vertex an index into `used`."""
    if not splits:
        _, first, inverse = np.unique(indices[used], return_index=True, return_inverse=True)
        return inverse.reshape(-1), first
    columns = [indices[used].astype(np.int32)[:, None]]
    columns += [attributes[name][used].astype(np.float32).view(np.int32) for name in sorted(attributes)]
    first, vertices = unique_rows(np.concatenate(columns, axis=1))
    return vertices, first


def _parts(item: dict[str, Any], owners: Ints) -> list[tuple[Ints, int | None]]:
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


def read_influences(item: dict[str, Any], tokens: list[str], where: str, warnings: list[str]) -> tuple[Ints, Singles]:
    """Joints of the skeleton `[P, I]` and weights that sum to one.

    Args:
        item: a mesh; see `meshes`.
        tokens: the skeleton's joint paths.

    Raises:
        FormatError: sizes that do not fit each other, a joint that does not exist, or a weight that cannot be.
    """
    joints, shares = _sets(item, where)
    names = tokens if item["skin"]["order"] is None else item["skin"]["order"]
    outside = (joints < 0) | (joints >= len(names))
    require(not (outside & (shares > 0)).any(), f"jointIndices lie beyond the {len(names)} joints", node=where)
    joints[outside] = 0
    if names is not tokens:
        place = {token: joint for joint, token in enumerate(tokens)}
        joints = np.array([place.get(token, -1) for token in names] or [-1])[joints]
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


def _sets(item: dict[str, Any], where: str) -> tuple[Ints, Floats]:
    """Indices and weights `[P, I]` as the file has them, each point with its own."""
    skin, count = item["skin"], len(item["points"])
    indices, weights, size = skin["indices"], skin["weights"], skin["size"]
    rows, most = (1, MAX_INFLUENCES * len(indices)) if skin["constant"] else (count, MAX_INFLUENCES)
    require(0 < size <= most, f"has {size} joints a point; 1 to {MAX_INFLUENCES} are read", node=where)
    size = len(indices) if skin["constant"] else size
    if size > 4096 or {len(indices), len(weights)} != {rows * size} or size * count > MAX_WEIGHTS:
        raise FormatError(
            f"has {len(indices)} jointIndices and {len(weights)} jointWeights where {rows} times {size} are needed",
            node=where,
        )
    finite = np.isfinite(weights) & (weights >= 0)
    require(finite.all(), "has a joint weight that is negative or not finite", node=where)
    shape = (count, size)
    joints = np.broadcast_to(indices.reshape(rows, size), shape).copy()
    return joints, np.broadcast_to(weights.reshape(rows, size), shape).copy()

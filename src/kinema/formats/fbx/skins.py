"""Skins: which joints move the control points of a geometry, by how much, and from where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Floats, Indices, Ints, Singles
from kinema.formats.fbx.document import Object, matrix
from kinema.formats.fbx.nodes import ModelTree
from kinema.formats.fbx.records import Record

MOST_INFLUENCES = 256  # joints of one point; only hostile files have more


@dataclass(frozen=True)
class Clusters:
    """The clusters of a geometry, with at most one of each joint.

    Attributes:
        bones: nodes `[B]` of the joints.
        binds: float64 `[B, 4, 4]`: from the space of the geometry's node to that of each bone, when it was bound.
        links: float64 `[B, 4, 4]`: where each bone was then, in the file's world.
        owners: int64 `[N]`, which bone; `points` int64 `[N]` and `weights` float64 `[N]` belong to it.
    """

    bones: tuple[int, ...]
    binds: Floats
    links: Floats
    owners: Ints
    points: Ints
    weights: Floats


def read_skin(nodes: ModelTree, node: int, geometry: Object, point_count: int) -> Clusters | None:
    """The skin of a geometry on a node; None without one that moves anything."""
    bones: dict[int, int] = {}
    binds: list[Floats] = []
    links: list[Floats] = []
    rows: list[tuple[Ints, Ints, Floats]] = []
    for cluster, bone in _clusters(nodes, geometry):
        link, bind = _places(nodes, node, cluster, bone)
        if bone not in bones:
            bones[bone] = len(bones)
            binds.append(bind)
            links.append(link)
        elif not np.allclose(binds[bones[bone]], bind, rtol=1e-4, atol=1e-4):
            name = nodes.models[bone].name
            geometry.warn(f"is bound to {name!r} twice, in different places; the first was taken")
        points, weights = _weights(geometry, cluster, point_count)
        rows.append((np.full(len(points), bones[bone]), points, weights))
    if not any(len(points) for _, points, _ in rows):
        return None
    owners, points, weights = (np.concatenate(column) for column in zip(*rows, strict=True))
    return Clusters(tuple(bones), np.stack(binds), np.stack(links), owners, points, weights)


def influences(geometry: Object, skin: Clusters, point_count: int) -> tuple[Indices, Singles, Bools]:
    """Bones `[P, I]` of all control points, largest weight first, their weights, and the points that have none `[P]`.

    Weights of a point sum to one, or to zero where it has none.
    """
    # One row for each pair of a point and a bone, which several clusters may have named.
    key, which = np.unique(skin.points * len(skin.bones) + skin.owners, return_inverse=True)
    weight = np.bincount(which.reshape(-1), skin.weights, len(key))
    point, bone = np.divmod(key, len(skin.bones))
    order = np.lexsort((bone, -weight, point))
    point, bone, weight = point[order], bone[order], weight[order]
    counts = np.bincount(point, minlength=point_count)
    rank = np.arange(len(point)) - np.repeat(np.cumsum(counts) - counts, counts)
    width = int(counts.max(initial=1))
    if width > MOST_INFLUENCES:
        geometry.warn(f"has points with {width} joints; the {MOST_INFLUENCES} with the largest weights were kept")
        kept = rank < MOST_INFLUENCES
        point, bone, weight, rank, width = point[kept], bone[kept], weight[kept], rank[kept], MOST_INFLUENCES
    geometry.charge(16 * point_count * width)
    bones = np.zeros((point_count, width), np.int32)
    weights = np.zeros((point_count, width))
    bones[point, rank] = bone
    weights[point, rank] = weight
    total = weights.sum(axis=1, keepdims=True)
    weights /= np.where(total > 0, total, 1)
    return bones, weights.astype(np.float32), total[:, 0] <= 0


def _weights(geometry: Object, cluster: Object, point_count: int) -> tuple[Ints, Floats]:
    """Points that a cluster moves, and their weights; those that do not exist are left out."""
    points, weights = cluster.record.array("Indexes", np.int64), cluster.record.array("Weights")
    if points is None or weights is None:
        return np.zeros(0, np.int64), np.zeros(0)
    count = min(len(points), len(weights))
    geometry.charge(64 * count)
    points, weights = points[:count], weights[:count]
    good = (points >= 0) & (points < point_count) & np.isfinite(weights)
    if not good.all():
        cluster.warn("moves points that do not exist; they were left out")
    good &= weights > 0
    return points[good], weights[good]


def _places(nodes: ModelTree, node: int, cluster: Object, bone: int) -> tuple[Floats, Floats]:
    """The bone in the bind pose, in the file's world, and the transform from the mesh's node to it."""
    link, bind = (_affine(cluster.record, name) for name in ("TransformLink", "Transform"))
    if link is None or not link.any():
        link = nodes.rest[bone]
    if bind is None or not bind.any():
        cluster.warn("does not say where its mesh was bound; taken from the rest pose")
        rest = nodes.rest[bone]
        bind = (np.linalg.inv if abs(np.linalg.det(rest)) > 1e-30 else np.linalg.pinv)(rest) @ nodes.rest[node]
    return link, bind


def _clusters(nodes: ModelTree, geometry: Object) -> Iterator[tuple[Object, int]]:
    """Clusters that move a geometry, with the node of each."""
    for skin in geometry.children("Deformer"):
        if skin.subclass != "Skin":
            continue
        kind = skin.record.text("SkinningType")
        if kind not in ("", "Linear", "Rigid"):
            geometry.warn(f"is skinned by {kind}; linear blending was taken instead")
        for cluster in skin.children("Deformer"):
            bones = cluster.children("Model") if cluster.subclass == "Cluster" else []
            if bones:
                cluster.document.visit(cluster)
                _warn_of_mode(cluster)
                yield cluster, nodes.index[bones[0].id]
            elif cluster.subclass == "Cluster":
                cluster.warn("has no joint and was left out")


def _warn_of_mode(cluster: Object) -> None:
    mode = cluster.record.text("Mode") or cluster.text("Mode")
    if mode in ("Additive", "TotalOne", "Total1"):
        cluster.warn(f"is linked in the mode {mode}; weights were made to sum to one instead")


def _affine(record: Record, name: str) -> Floats | None:
    found = matrix(record.array(name))
    if found is not None and found.any():
        found[3] = [0, 0, 0, 1]
    return found

"""Cuts meshes with vertex colours into areas of one colour.

viser draws a skinned mesh in one colour. One colour per triangle would make jagged borders, so triangles are cut where
the colour is halfway between two.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from kinema.character import Mesh

Floats = NDArray[np.floating]


def cut(mesh: Mesh, labels: NDArray[np.int64], palette: Floats) -> tuple[Mesh, NDArray[np.int64]]:
    """Cut the mesh where its vertex colours change between palette colours; returns it and a colour per triangle.

    Args:
        labels: `[V]` index of the nearest palette colour of each vertex.
        palette: `[C, 3]`, in the colour space of the mesh.
    """
    assert mesh.colors is not None
    faces = mesh.indices.astype(np.int64)
    corner_labels = labels[faces]
    alone = np.stack([corner_labels[:, (k + 1) % 3] == corner_labels[:, (k + 2) % 3] for k in range(3)], axis=1)
    mixed = np.flatnonzero(alone.any(axis=1) & ~alone.all(axis=1))
    kept = np.setdiff1d(np.arange(len(faces)), mixed)
    if not mixed.size:
        return mesh, corner_labels[:, 0]
    # Corner 0 is the one whose colour differs from the other two.
    rolled = np.stack([np.roll(faces[f], -int(np.argmax(alone[f]))) for f in mixed])
    ends = np.concatenate([rolled[:, [0, 1]], rolled[:, [0, 2]]])
    low, high = ends.min(axis=1), ends.max(axis=1)
    edges, number = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True)
    added = (len(labels) + number.reshape(2, -1)).astype(np.int64)
    new = _between(mesh, edges, _halfway(mesh.colors[:, :3], labels, edges, palette))
    first, second = added
    tip = np.stack([rolled[:, 0], first, second], axis=1)
    rest = [np.stack([first, rolled[:, 1], rolled[:, 2]], axis=1), np.stack([first, rolled[:, 2], second], axis=1)]
    every = np.concatenate([faces[kept], tip, *rest])
    other = labels[rolled[:, 1]]
    return (
        dataclasses.replace(new, indices=every.astype(np.uint32)),
        np.concatenate([corner_labels[kept, 0], labels[rolled[:, 0]], other, other]),
    )


def _halfway(colors: Floats, labels: NDArray[np.int64], edges: NDArray[np.int64], palette: Floats) -> Floats:
    """The position along each edge `[E]` at which the colour is equally near to the colours of both ends."""
    a, b = palette[labels[edges[:, 0]]], palette[labels[edges[:, 1]]]
    way, middle = b - a, 0.5 * (a + b)
    start = ((colors[edges[:, 0]] - middle) * way).sum(-1)
    end = ((colors[edges[:, 1]] - middle) * way).sum(-1)
    return np.clip(start / np.where(start == end, 1, start - end), 0.02, 0.98)


def _between(mesh: Mesh, edges: NDArray[np.int64], at: Floats) -> Mesh:
    """Add vertices on edges of the mesh."""
    share = np.asarray(at[:, None], np.float32)

    def mix(values: NDArray[np.float32]) -> NDArray[np.float32]:
        added = (1 - share) * values[edges[:, 0]] + share * values[edges[:, 1]]
        return np.concatenate([values, added.astype(np.float32)])

    normals = mix(mesh.normals)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    joints, weights = mesh.joints, mesh.weights
    if joints is not None and weights is not None:
        both = np.concatenate([joints[edges[:, 0]], joints[edges[:, 1]]], axis=1)
        mixed = np.concatenate([(1 - share) * weights[edges[:, 0]], share * weights[edges[:, 1]]], axis=1)
        same = both[:, :, None] == both[:, None, :]
        first = np.argmax(same, axis=2) == np.arange(both.shape[1])  # a joint of both ends is counted once
        mixed = np.where(first, (same * mixed[:, None, :]).sum(axis=2), 0)
        room = ((0, 0), (0, both.shape[1] - joints.shape[1]))
        joints = np.concatenate([np.pad(joints, room, mode="edge"), both]).astype(np.int32)
        weights = np.concatenate([np.pad(weights, room), mixed]).astype(np.float32)
    return dataclasses.replace(
        mesh,
        positions=mix(mesh.positions),
        normals=normals,
        colors=None if mesh.colors is None else mix(mesh.colors),
        uvs=None if mesh.uvs is None else mix(mesh.uvs),
        joints=joints,
        weights=weights,
        morphs=tuple(dataclasses.replace(m, positions=mix(m.positions), normals=None) for m in mesh.morphs),
    )

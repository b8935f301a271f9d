"""Skin weights by heat that flows over the surface (Baran and Popović 2007).

Every vertex is held at one for the joint whose piece it was made by, at zero for all others, as strongly as it is near
to that piece's bone; in between the weights are as smooth as the surface allows. Weights never jump from one limb to
another through the air, because heat flows along the skin.
"""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats, Indices, Ints, Singles

INFLUENCES = 4


def heat_weights(vertices: Floats, faces: Ints, owners: Ints, away: Floats) -> tuple[Indices, Singles]:
    """Joints and weights `[V, 4]`, strongest first, rows summing to one.

    Args:
        vertices, faces: a closed surface, `[V, 3]` and `[K, 3]`.
        owners: the joint that each vertex belongs to, `[V]`.
        away: distance of each vertex to that joint's bone, `[V]`, metres: half the width over which weights blend.
    """
    from scipy.sparse import diags
    from scipy.sparse.linalg import splu

    stiffness, area = _laplacian(vertices, faces)
    hold = area / np.maximum(away, 1e-3 * float(away.mean()) + 1e-12) ** 2
    joints, number = np.unique(owners, return_inverse=True)
    solved = splu((stiffness + diags(hold)).tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
    wanted = np.zeros((len(vertices), len(joints)))
    wanted[np.arange(len(vertices)), number] = hold
    weights = np.clip(solved.solve(wanted), 0, 1)
    kept = min(INFLUENCES, len(joints))
    order = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    strongest = np.take_along_axis(weights, order, axis=1)
    if len(joints) > kept:  # what falls away does so smoothly: the first that is left out is taken off the others
        fifth = np.sort(weights, axis=1)[:, -kept - 1]
        strongest = np.maximum(strongest - fifth[:, None], 0)
    strongest = np.where(strongest < 0.005, 0, strongest)
    strongest[:, 0] = np.maximum(strongest[:, 0], 0.005)  # one holds where all are alike
    strongest /= strongest.sum(axis=1, keepdims=True)
    found = np.where(strongest > 0, joints[order], joints[order[:, :1]])
    if kept < INFLUENCES:
        pad = ((0, 0), (0, INFLUENCES - kept))
        found, strongest = np.pad(found, pad, mode="edge"), np.pad(strongest, pad)
    return found.astype(np.int32), strongest.astype(np.float32)


def _laplacian(vertices: Floats, faces: Ints):
    """Cotangent stiffness `[V, V]` (kept from going negative) and the area of each vertex `[V]`."""
    from scipy.sparse import coo_matrix, diags

    count = len(vertices)
    corners = vertices[faces]
    doubled = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    doubled = np.maximum(doubled, 1e-12 * float(doubled.mean()) + 1e-30)
    rows, columns, values = [], [], []
    for k in range(3):
        one = corners[:, (k + 1) % 3] - corners[:, k]
        two = corners[:, (k + 2) % 3] - corners[:, k]
        cotangent = np.clip((one * two).sum(-1) / doubled, 0.02, 20.0)
        rows.append(faces[:, (k + 1) % 3])
        columns.append(faces[:, (k + 2) % 3])
        values.append(0.5 * cotangent)
    half = coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(count, count))
    links = (half + half.T).tocsr()
    total = np.asarray(links.sum(axis=1)).reshape(-1)
    area = np.bincount(faces.reshape(-1), np.repeat(doubled / 6, 3), count)
    return diags(total) - links, area

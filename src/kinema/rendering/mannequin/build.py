"""A body for a skeleton that has none: a smooth skinned mannequin for any creature."""

from __future__ import annotations

import dataclasses

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Ints, Singles
from kinema.character import Character, Material, Mesh
from kinema.formats import Asset
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rendering.mannequin import creature, field, person, smooth, surface
from kinema.rendering.mannequin.modelling_pose import modelling_pose
from kinema.rendering.mannequin.pieces import Clay
from kinema.rendering.mannequin.tree import flesh
from kinema.rendering.mannequin.weights import heat_weights
from kinema.skeleton import Skeleton

_PEBBLE = 0.1  # metres: radius of the ball that represents a single joint
_MOST_LOST = 1e-4  # share of the volume that may be left out
CLAY, LEFT, RIGHT = (0.64, 0.585, 0.51), (0.045, 0.20, 0.50), (0.73, 0.125, 0.035)
VISOR = (0.035, 0.042, 0.055)
"""Linear colours: warm light clay; blue for the left and vermilion for the right, distinct for the colour-blind too."""


def build_mannequin(skeleton: Skeleton, *, motion: Motion | None = None, sides: bool = True) -> Character:
    """A character with one closed, skinned mesh around the bones of a skeleton.

    Args:
        motion: a motion of the skeleton. If the rest pose is not a stance, the body is modelled in the mean pose of the
            motion.
        sides: colour left and right, so that they can be distinguished in motion.
    """
    pose = modelling_pose(skeleton, motion)
    clay = Clay()
    if person.fits(pose):
        person.model(clay, pose)
    else:
        creature.model(clay, skeleton, flesh(pose))
    if not clay.rows:
        clay.add(0, pose.global_positions[0], pose.global_positions[0], _PEBBLE)  # a joint alone
    fineness = np.array(clay.fineness)
    unit = float(max(fineness.min(), 0.004 * fineness.max()))
    body = clay.body()
    bodies = sum(parent < 0 for parent in clay.parents)
    vertices, faces, lost = surface.largest(*surface.extract(body, fineness, unit), bodies)
    for width in (0.35, 0.0):  # a gap has cut a limb off: better a web than a missing limb
        if lost > _MOST_LOST:
            body = (*body[:6], width * np.array(clay.fineness))
            vertices, faces, lost = surface.largest(*surface.extract(body, fineness, unit), bodies)
    if lost > _MOST_LOST:  # better a limb that floats than a missing one
        vertices, faces, _ = surface.largest(*surface.extract(body, fineness, unit), len(clay.parents))
    starts, others = smooth.neighbours(len(vertices), faces)
    for share in (0.6, 0.9, 1.0):
        facing = smooth.normals(vertices, faces)
        vertices = smooth.relax(vertices, facing, starts, others, body, 0.5 * unit, share)
    vertices = smooth.smooth(vertices, starts, others, 3)
    facing = smooth.normals(vertices, faces)
    _, nearest = field.distances(body, vertices)
    owners = np.array(clay.joints)[nearest]
    joints, weights = heat_weights(vertices, faces, owners, _girth(body[0][nearest], vertices))
    material = Material("clay", (1.0, 1.0, 1.0, 1.0) if sides else (*CLAY, 1.0), 0.0, 0.6)
    mesh = Mesh(
        "mannequin",
        vertices.astype(np.float32),
        facing.astype(np.float32),
        faces.astype(np.uint32),
        colors=_colors(clay, body[0], nearest, vertices, (starts, others)) if sides else None,
        joints=joints,
        weights=weights,
        inverse_bind=_inverse_bind(pose),
        material=0,
    )
    return Character("mannequin", skeleton, (mesh,), (material,))


def dressed(asset: Asset) -> Asset:
    """The asset with a mannequin in place of its meshes; unchanged if it has no skeleton."""
    if asset.skeleton is None:
        return asset
    motion = asset.motions[0] if asset.motions else None
    return dataclasses.replace(asset, character=build_mannequin(asset.skeleton, motion=motion))


def _colors(clay: Clay, pieces: Floats, nearest: Ints, vertices: Floats, around: tuple[Ints, Ints]) -> Singles:
    """Linear colours `[V, 4]`: clay that turns into the colour of its side toward the ends of limbs."""
    rows, tints = pieces[nearest], np.array(clay.tints)[nearest]
    at = ((vertices - rows[:, :3]) * rows[:, 9:12]).sum(-1) / np.maximum(rows[:, 12], 1e-12)
    tint = np.clip(tints[:, 0] + (tints[:, 1] - tints[:, 0]) * np.clip(at, 0, 1), 0, 1) * tints[:, 2]
    starts, others = around
    for _ in range(2):
        tint = 0.5 * tint + 0.5 * np.add.reduceat(tint[others], starts[:-1]) / np.diff(starts)
    share = np.abs(tint)[:, None]
    share = share * share * (3 - 2 * share)
    side = np.where(tint[:, None] > 0, np.array(LEFT), np.array(RIGHT))
    color = (1 - share) * np.array(CLAY) + share * side
    if clay.visor is not None:
        face = np.array(clay.joints)[nearest] == clay.visor.joint
        room = clay.visor.inside(vertices) / (0.8 * clay.visor.half)  # soft over two triangles: no jagged border
        dark = np.where(face, np.clip(0.5 + room, 0, 1), 0)[:, None]
        color = (1 - dark) * color + dark * np.array(VISOR)
    return np.column_stack([color, np.ones(len(color))]).astype(np.float32)


def _girth(pieces: Floats, places: Floats) -> Floats:
    """Mean radius `[V]` of the piece `[V, COLUMNS]` beside each place `[V, 3]`, metres."""
    at = ((places - pieces[:, :3]) * pieces[:, 9:12]).sum(-1) / np.maximum(pieces[:, 12], 1e-12)
    x = np.clip(at, 0, 1) * (field.KNOTS - 1)
    low = np.minimum(x.astype(np.int64), field.KNOTS - 2)
    row, share = np.arange(len(pieces)), x - low
    wide, deep = field.WIDE, field.DEEP
    radii = np.sqrt(pieces[:, wide:deep] * pieces[:, deep : 2 * deep - wide])
    return (1 - share) * radii[row, low] + share * radii[row, low + 1]


def _inverse_bind(pose: Pose) -> Singles:
    matrices = np.tile(np.eye(4), (pose.skeleton.joint_count, 1, 1))
    matrices[:, :3, :3] = np.swapaxes(rotations.to_matrix(pose.global_rotations), -1, -2)
    matrices[:, :3, 3] = -rotations.inverse_rotate(pose.global_rotations, pose.global_positions)
    return matrices.astype(np.float32)

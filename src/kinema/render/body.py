"""A body for a skeleton that has none: rounded limbs, one colour a side, thick where a person is thick.

Every bone is a tapered capsule fixed to the joint it starts from, so any skeleton gives something recognisable; where
roles are known the trunk is broad, the head is a head and limbs have their girth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.character import Character, Material, Mesh
from kinema.roles import Arm, Leg
from kinema.skeleton import Skeleton

LEFT, RIGHT, MIDDLE, DARK = range(4)
COLORS = ((0.20, 0.42, 0.74), (0.83, 0.32, 0.18), (0.72, 0.71, 0.68), (0.07, 0.08, 0.10))
"""Linear base colours: left blue, right vermilion, trunk warm grey, visor near black (safe for colour-blind eyes)."""

_AROUND, _CAP = 14, 4
_Segment = tuple[int, int, NDArray[np.float64], NDArray[np.float64], float, float, NDArray[np.float64], float]


def build_body(skeleton: Skeleton) -> Character:
    """A character with up to four skinned meshes (left, right, trunk, visor) around the bones of a skeleton."""
    turned, placed = (np.asarray(array, np.float64) for array in skeleton.rest_globals())
    segments = _segments(skeleton, turned, placed)
    inverse_bind = _inverse_bind(turned, placed)
    meshes: list[Mesh] = []
    for color in (LEFT, RIGHT, MIDDLE, DARK):
        pieces = [(segment[0], *capsule(*segment[2:])) for segment in segments if segment[1] == color]
        if pieces:
            meshes.append(_join(pieces, color, inverse_bind))
    names = ("left", "right", "middle", "visor")
    materials = tuple(Material(name, (*color, 1.0), 0.0, 0.6) for name, color in zip(names, COLORS, strict=True))
    return Character("body", skeleton, tuple(meshes), materials)


def _join(
    pieces: list[tuple[int, NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]],
    color: int,
    inverse_bind: NDArray[np.float32],
) -> Mesh:
    starts = np.cumsum([0, *(len(piece[1]) for piece in pieces)])
    joints = np.concatenate([np.full((len(piece[1]), 1), piece[0], np.int32) for piece in pieces])
    return Mesh(
        name=("left", "right", "middle", "visor")[color],
        positions=np.concatenate([piece[1] for piece in pieces]).astype(np.float32),
        normals=np.concatenate([piece[2] for piece in pieces]).astype(np.float32),
        indices=np.concatenate(
            [piece[3] + start for piece, start in zip(pieces, starts[:-1], strict=True)]
        ).astype(np.uint32),
        joints=joints,
        weights=np.ones(joints.shape, np.float32),
        inverse_bind=inverse_bind,
        material=color,
    )


def _inverse_bind(turned: NDArray[np.float64], placed: NDArray[np.float64]) -> NDArray[np.float32]:
    matrices = np.tile(np.eye(4), (len(placed), 1, 1))
    matrices[:, :3, :3] = np.swapaxes(rotations.to_matrix(turned), -1, -2)
    matrices[:, :3, 3] = -rotations.inverse_rotate(turned, placed)
    return matrices.astype(np.float32)


def _segments(skeleton: Skeleton, turned: NDArray[np.float64], placed: NDArray[np.float64]) -> list[_Segment]:
    """``(joint, colour, start, end, start radius, end radius, broad axis, broadness)`` of every piece, in the world."""
    size = _size(skeleton, placed)
    girth = _girths(skeleton, size).tolist()
    side = _sides(skeleton)
    roles = skeleton.roles
    # Some rest poses are no pose at all, and chest and hips face different ways in them: each has its own left.
    across = _across((roles.legs, roles.arms), placed)
    across_chest = _across((roles.arms, roles.legs), placed)
    trunk = {roles.hips, *roles.spine} if roles.is_biped or roles.spine else set()
    found: list[_Segment] = []

    def add(joint: int, color: int, start: NDArray, end: NDArray, r0: float, r1: float, broad: float = 1.0) -> None:
        length = float(np.linalg.norm(end - start))
        if length > 1e-4 * size:
            # A short bone must not become a ball that swallows its neighbours.
            limit = (1.0 if broad > 1 else 0.6) * length + 0.004 * size
            wide = across if joint == roles.hips else across_chest
            found.append((joint, color, start, end, min(r0, limit), min(r1, limit), wide, broad))

    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent < 0 or (skeleton.parents[parent] < 0 and parent not in trunk and skeleton.joint_count > 12):
            continue  # from a root on the ground up to the hips there is no flesh
        if parent in trunk and joint in trunk:
            add(parent, MIDDLE, placed[parent], placed[joint], girth[parent], girth[joint], 1.45)
        elif parent in trunk and joint == roles.neck:
            # The chest: as broad as the shoulders below, closing toward the neck.
            middle = 0.6 * placed[parent] + 0.4 * placed[joint]
            add(parent, MIDDLE, placed[parent], middle, girth[parent], 1.1 * girth[parent], 1.6)
            add(parent, MIDDLE, middle, placed[joint], 1.1 * girth[parent], 0.9 * girth[joint], 1.6)
        else:
            add(parent, side[joint], placed[parent], placed[joint], girth[parent], girth[joint])
    for joint, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True):
        if joint != roles.head:
            tip = placed[joint] + rotations.rotate(turned[joint], offset.astype(np.float64))
            add(joint, side[joint], placed[joint], tip, girth[joint], 0.7 * girth[joint])
    for arm in roles.arms:
        if not skeleton.children[arm.hand]:
            reach = placed[arm.hand] - placed[arm.lower]
            end = placed[arm.hand] + reach / max(float(np.linalg.norm(reach)), 1e-9) * 0.085 * size
            add(arm.hand, side[arm.hand], placed[arm.hand], end, girth[arm.hand], 0.7 * girth[arm.hand])
    forward = np.cross(across, (0.0, 1.0, 0.0))
    for leg in roles.legs:
        if not skeleton.children[leg.foot] and leg.foot not in skeleton.tip_joints:
            end = placed[leg.foot] + forward * 0.09 * size - np.array([0, 0.4 * girth[leg.foot], 0])
            add(leg.foot, side[leg.foot], placed[leg.foot], end, girth[leg.foot], 0.7 * girth[leg.foot])
    if roles.head is not None:
        found += _head(roles.head, int(skeleton.parents[roles.head]), placed, across_chest, size)
    return found


def _head(joint: int, neck: int, placed: NDArray[np.float64], across: NDArray, size: float) -> list[_Segment]:
    axis = placed[joint] - placed[neck]
    axis = axis / max(float(np.linalg.norm(axis)), 1e-9)
    front = np.cross(across, axis)
    front /= max(float(np.linalg.norm(front)), 1e-9)
    radius = 0.046 * size
    low, high = placed[joint] + axis * 0.6 * radius, placed[joint] + axis * 1.9 * radius
    eyes = placed[joint] + axis * 1.55 * radius + front * 0.62 * radius
    half = across * 0.38 * radius
    return [
        (joint, MIDDLE, low + front * 0.1 * radius, high, 0.82 * radius, 1.04 * radius, across, 0.94),
        (joint, DARK, eyes - half, eyes + half, 0.46 * radius, 0.46 * radius, axis, 0.75),
    ]


def _size(skeleton: Skeleton, placed: NDArray[np.float64]) -> float:
    """Body size in metres that girths scale with: the height of a biped, else from the extent of the rest pose."""
    roles = skeleton.roles
    if roles.is_biped:
        chains = [[leg.lower, leg.foot] for leg in roles.legs]
        legs = np.mean([sum(float(skeleton.bone_lengths[j]) for j in chain) for chain in chains])
        return max(float(legs) / 0.48, 1e-3)
    extent = float(np.linalg.norm(np.ptp(placed, axis=0))) if len(placed) > 1 else 1.0
    return max(0.8 * extent, 1e-3)


def _girths(skeleton: Skeleton, size: float) -> NDArray[np.float64]:
    """Radius in metres of the flesh around each joint."""
    roles, girth = skeleton.roles, np.full(skeleton.joint_count, np.nan)

    def put(joint: int | None, share: float) -> None:
        if joint is not None:
            girth[joint] = share * size

    for joint, share in zip((roles.hips, *roles.spine), np.linspace(0.052, 0.058, 1 + len(roles.spine)), strict=True):
        put(joint, float(share))
    put(roles.neck, 0.030)
    put(roles.head, 0.028)
    for leg in roles.legs:
        for joint, share in ((leg.upper, 0.047), (leg.lower, 0.033), (leg.foot, 0.023), (leg.toe, 0.019)):
            put(joint, share)
    for arm in roles.arms:
        for joint, share in ((arm.shoulder, 0.034), (arm.upper, 0.031), (arm.lower, 0.024), (arm.hand, 0.019)):
            put(joint, share)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if np.isnan(girth[joint]):
            inherited = 0.78 * girth[parent] if parent >= 0 else 0.045 * size
            length = float(skeleton.bone_lengths[joint]) or inherited
            girth[joint] = max(min(inherited, 0.42 * length), 0.006 * size)
    return girth


def _sides(skeleton: Skeleton) -> list[int]:
    """The colour of each joint: by its name's partner; a joint without one takes its parent's."""
    from kinema import naming

    colors: list[int] = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        named = naming.side(skeleton.names[joint])
        inherited = colors[parent] if parent >= 0 else MIDDLE
        colors.append({"left": LEFT, "right": RIGHT}.get(str(named), inherited))
    return colors


def _across(
    limbs: tuple[tuple[Leg, ...] | tuple[Arm, ...], ...], placed: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Unit direction from right to left in the rest pose, by the first pair of limbs that tells."""
    for pair in limbs:
        if len(pair) == 2:
            way = placed[pair[0].upper] - placed[pair[1].upper]
            length = float(np.linalg.norm(way))
            if length > 1e-6:
                return way / length
    return np.array([1.0, 0.0, 0.0])


def capsule(
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    start_radius: float,
    end_radius: float,
    broad: NDArray[np.float64],
    broadness: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Positions ``[V, 3]``, normals ``[V, 3]`` and triangles ``[K, 3]`` of a round cone, wider along ``broad``."""
    axis = end - start
    length = max(float(np.linalg.norm(axis)), 1e-9)
    axis = axis / length
    side = broad - np.dot(broad, axis) * axis
    if np.linalg.norm(side) < 1e-3:
        side = np.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.7 else (0.0, 1.0, 0.0))
    side = side / np.linalg.norm(side)
    depth = np.cross(axis, side)
    # The straight part touches both spheres: its normals lean by the difference of the radii.
    lean = np.arcsin(np.clip((start_radius - end_radius) / length, -0.98, 0.98))
    back, front = np.linspace(-np.pi / 2, lean, _CAP + 1), np.linspace(lean, np.pi / 2, _CAP + 1)
    latitude = np.concatenate([back, front])
    along = np.concatenate([start_radius * np.sin(back), length + end_radius * np.sin(front)])
    radius = np.concatenate([start_radius * np.cos(back), end_radius * np.cos(front)])
    angle = np.arange(_AROUND) * (2 * np.pi / _AROUND)
    ring = np.cos(angle)[:, None] * side * broadness + np.sin(angle)[:, None] * depth
    outward = np.cos(angle)[:, None] * side / broadness + np.sin(angle)[:, None] * depth
    positions = start + along[:, None, None] * axis + radius[:, None, None] * ring
    normals = np.sin(latitude)[:, None, None] * axis + np.cos(latitude)[:, None, None] * outward
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    row, column = np.meshgrid(np.arange(len(latitude) - 1), np.arange(_AROUND), indexing="ij")
    corner, right = row * _AROUND + column, row * _AROUND + (column + 1) % _AROUND
    first = np.stack([corner, right, corner + _AROUND], -1)
    second = np.stack([right, right + _AROUND, corner + _AROUND], -1)
    faces = np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])
    return positions.reshape(-1, 3), normals.reshape(-1, 3), faces

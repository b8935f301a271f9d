"""The axes of a file: what it has up and ahead, turned to +Y and +Z."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.formats.units import ROLE_JOINTS, UnitError

if TYPE_CHECKING:
    from kinema.character import Character, Mesh
    from kinema.formats import Asset
    from kinema.motion import Motion
    from kinema.skeleton import Skeleton

_AHEAD = {"y": "z", "-y": "z", "z": "-y", "-z": "y", "x": "z", "-x": "z"}
"""What is ahead in a file with an axis up, where it is not stated: what a turn about one level axis leaves ahead."""


def axis_of(text: str) -> Floats:
    """The unit vector `[3]` of an axis such as `z`, `+Z` or `-y`. UnitError for anything else."""
    name = text.lower().removeprefix("+")
    if name not in _AHEAD:
        raise UnitError(f"no axis {text!r}; use {', '.join(_AHEAD)}")
    return np.eye(3)["xyz".index(name[-1])] * (-1.0 if name[0] == "-" else 1.0)


def turn_of(up: str | None, forward: str | None) -> Floats:
    """The rotation `[4]` that takes the axes of a file to +Y up and +Z ahead.

    Args:
        up: axis that is up in the file; None for +Y.
        forward: axis that is ahead; None takes the one that the smallest usual turn leaves ahead.

    Raises:
        UnitError: no such axis, or both lie along one line.
    """
    above = axis_of(up or "y")
    ahead = axis_of(forward or _AHEAD[(up or "y").lower().removeprefix("+")])
    if abs(float(above @ ahead)) > 0.5:
        raise UnitError(f"up {up or 'y'} and forward {forward} lie along one line")
    return rotations.inverse(rotations.from_matrix(np.stack([np.cross(above, ahead), above, ahead], axis=-1)))


def turned(asset: Asset, turn: Floats) -> Asset:
    """An asset with its roots, and what hangs on no joint, rotated.

    The rest pose stays as it is if it stands upright while there is motion: then the motion alone has other axes.
    """
    if abs(turn[0]) > 1 - 1e-9:
        return asset
    skeleton = asset.skeleton
    tips_over = abs(float(rotations.rotate(turn, np.array([0.0, 1.0, 0.0]))[1])) < 0.5
    kept = tips_over and bool(asset.motions) and skeleton is not None and _stands(skeleton)
    motions = tuple(_turned_motion(motion, turn, not kept) for motion in asset.motions)
    if skeleton is not None and not kept:
        skeleton = _turned_skeleton(skeleton, turn)
    character = asset.character
    if character is not None and skeleton is not None:
        character = replace(character, skeleton=skeleton)
        character = character if kept else _turned_meshes(character, turn)
    return replace(asset, skeleton=skeleton, motions=motions, character=character)


def _stands(skeleton: Skeleton) -> bool:
    """Whether legs show that a rest pose stands upright."""
    from kinema.roles import rest_pose  # imported here because it is slow to import

    if skeleton.joint_count > ROLE_JOINTS or not any(chain.kind == "leg" for chain in skeleton.roles.chains):
        return False
    rest = rest_pose(skeleton)
    return rest.kind != "none" and rest.sure and float(rest.up[1]) > 0.9


def _turned_skeleton(skeleton: Skeleton, turn: Floats) -> Skeleton:
    turns, offsets = skeleton.rest_rotations.copy(), skeleton.rest_translations.copy()
    roots = np.flatnonzero(skeleton.parents < 0)
    turns[roots] = rotations.normalize(rotations.multiply(turn, turns[roots].astype(np.float64)))
    offsets[roots] = rotations.rotate(turn, offsets[roots].astype(np.float64))
    return replace(skeleton, rest_rotations=turns, rest_translations=offsets, known_roles=None)


def _turned_motion(motion: Motion, turn: Floats, rest: bool) -> Motion:
    skeleton = motion.skeleton
    roots = np.flatnonzero(skeleton.parents < 0)
    local = motion.local_rotations.copy()
    local[:, roots] = rotations.normalize(rotations.multiply(turn, local[:, roots].astype(np.float64)))
    moved = np.union1d(motion.translated, roots).astype(np.int32)
    translations = motion[:].local_translations[:, moved].copy()
    at = np.searchsorted(moved, roots)
    translations[:, at] = rotations.rotate(turn, translations[:, at].astype(np.float64))
    return motion.replace(
        skeleton=_turned_skeleton(skeleton, turn) if rest else skeleton,
        local_rotations=local,
        local_translations=np.ascontiguousarray(translations, np.float32),
        translated=moved,
    )


def _turned_meshes(character: Character, turn: Floats) -> Character:
    """Rotate the meshes that hang on no joint."""

    def turned_mesh(mesh: Mesh) -> Mesh:
        if mesh.joints is not None or mesh.joint is not None:
            return mesh
        morphs = tuple(
            replace(
                morph,
                positions=_rotated(turn, morph.positions),
                normals=None if morph.normals is None else _rotated(turn, morph.normals),
            )
            for morph in mesh.morphs
        )
        positions, normals = _rotated(turn, mesh.positions), _rotated(turn, mesh.normals)
        return replace(mesh, positions=positions, normals=normals, morphs=morphs)

    return replace(character, meshes=tuple(map(turned_mesh, character.meshes)))


def _rotated(turn: Floats, vectors: Singles) -> Singles:
    return rotations.rotate(turn, vectors.astype(np.float64)).astype(np.float32)

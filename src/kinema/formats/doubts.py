"""What is odd about a body in a file: how it stands, how it moves and how tall it is, one line each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kinema.arrays import Floats, Reals
from kinema.formats.units import ROLE_JOINTS

if TYPE_CHECKING:
    from kinema.formats import Asset
    from kinema.motion import Motion
    from kinema.roles import Roles
    from kinema.skeleton import Skeleton

PERSON = (0.7, 2.05)
"""Metres from the ankles to the head joint along the bones: from a child of three years to the tallest people."""

_FRAMES = 48  # of a motion that are looked at
_CLIPS = 12  # of a file that are looked at
_NEARLY_ALL = 0.9  # share of the frames
_LEVEL = 0.4  # sine of the angle of a lying body against the ground
_ONE_WAY = 0.85  # length of the mean of unit vectors that keep to one direction
_STAYS = 0.5  # of the height: a body that stands does not travel so far along its own up axis


def doubts(asset: Asset, stated: Collection[str] = ()) -> tuple[str, ...]:
    """Warnings about the body in a file; none for what is no body.

    Args:
        asset: what a reader made of the file.
        stated: options of `formats.load` that the user gave; axes and lengths that were stated are not doubted.
    """
    skeleton = asset.skeleton
    if skeleton is None or not 4 < skeleton.joint_count <= ROLE_JOINTS:
        return ()
    if asset.kind == "c3d":  # markers are no joints
        return ()
    moving = [motion for motion in asset.motions if motion.frames > 1]
    found = []
    if "up" not in stated:
        found.append(_lying(moving) if moving else _rest_doubt(skeleton))
    if not {"unit", "scale"} & set(stated):
        found.append(_size_doubt(skeleton, asset.kind))
    found.append(_facing_doubt(skeleton))
    return tuple(filter(None, found))


def with_doubts(asset: Asset, stated: Collection[str] = ()) -> Asset:
    """An asset with its doubts among the warnings of the file and of its motions, see `doubts`."""
    found = doubts(asset, stated)
    if not found:
        return asset
    motions = tuple(motion.replace(warnings=(*motion.warnings, *found)) for motion in asset.motions)
    return replace(asset, motions=motions, warnings=(*asset.warnings, *found))


def _rest_doubt(skeleton: Skeleton) -> str | None:
    """A line if the rest pose does not stand along +Y, or may not."""
    from kinema.roles import rest_pose  # imported here because it is slow to import

    rest = rest_pose(skeleton)
    if rest.kind == "none" and rest.sure:
        return None
    axis = _axis_name(rest.up)
    if not rest.sure:
        legs = any(chain.kind == "leg" for chain in skeleton.roles.chains)
        why = "but the legs do not point down" if legs else "and there are no legs to confirm it"
        return f"{axis} was taken as up, {why}; if the file has another axis up, state it (--up)"
    return None if axis == "+Y" else f"the body stands along {axis}; to make that up, read it with {_option(axis)}"


def _facing_doubt(skeleton: Skeleton) -> str | None:
    """A line if the front legs of an animal are behind its hind legs."""
    from kinema.roles import rest_pose  # imported here because it is slow to import

    roles, places = skeleton.roles, skeleton.rest_pose.global_positions
    front, hind = ([chain.joints[0] for chain in roles.chains if chain.kind == kind] for kind in ("front_leg", "leg"))
    if not front or not hind:
        return None
    ahead = float((places[front].mean(axis=0) - places[hind].mean(axis=0)) @ rest_pose(skeleton).forward)
    if ahead >= 0:
        return None
    return (
        "the front legs are behind the hind legs; check left, right and the legs with --roles, and state them in a file"
    )


def _lying(motions: Sequence[Motion]) -> str | None:
    """A line if a person's head is no higher than the hips in nearly all frames of all clips."""
    skeleton = motions[0].skeleton
    roles = skeleton.roles
    if not _is_person(roles) or roles.head is None:
        return None
    places = np.concatenate([_some_positions(motion) for motion in motions[:_CLIPS]])
    hips = places[:, roles.hips]
    trunk, legs = _unit(places[:, roles.head] - hips), _unit(hips - places[:, [leg.foot for leg in roles.legs]].mean(1))
    if np.mean(trunk[:, 1] < _LEVEL) < _NEARLY_ALL:
        return None
    way = _unit(trunk + legs).mean(axis=0)
    axis = int(np.argmax(np.abs(way)))
    steady = bool(abs(way[axis]) > _ONE_WAY and (trunk[:, axis] * legs[:, axis] > 0).mean() > _NEARLY_ALL)
    stays = bool(np.ptp(hips[:, axis]) < _STAYS * _person_length(skeleton))
    if steady and stays:
        name = _axis_name(way)
        return f"the body lies along {name} the whole time; if it should stand, read the file with {_option(name)}"
    return "the head is hardly ever above the hips; if the body should not lie, state which axis is up (--up)"


def _some_positions(motion: Motion) -> Floats:
    chosen = np.linspace(0, motion.frames - 1, min(motion.frames, _FRAMES)).astype(np.int64)
    return motion[chosen].global_positions.astype(np.float64)


def _is_person(roles: Roles) -> bool:
    return roles.plan == "biped" and len(roles.legs) == len(roles.arms) == 2 and roles.head is not None


def _size_doubt(skeleton: Skeleton, kind: str) -> str | None:
    """A line if a person is too small or too tall for one."""
    roles = skeleton.roles
    if not _is_person(roles):
        return None
    length = _person_length(skeleton)
    if PERSON[0] <= length <= PERSON[1] or length == 0:
        return None
    states = kind not in ("bvh", "c3d", "acclaim")
    hint = "check the unit that the file states" if states else "if that is wrong, state the unit (--unit)"
    return f"a person of {length:.2f} m from the ankles to the head: {hint}"


def _person_length(skeleton: Skeleton) -> float:
    """Metres from the ankles over the knees to the tops of the legs, and on to the head."""
    roles, places = skeleton.roles, skeleton.rest_pose.global_positions.astype(np.float64)
    legs = [
        np.linalg.norm(places[leg.foot] - places[leg.lower]) + np.linalg.norm(places[leg.lower] - places[leg.upper])
        for leg in roles.legs
    ]
    if not legs or roles.head is None:
        return 0.0
    return float(np.mean(legs) + np.linalg.norm(places[roles.head] - places[[leg.upper for leg in roles.legs]].mean(0)))


def _unit(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def _axis_name(way: Reals) -> str:
    axis = int(np.argmax(np.abs(way)))
    return ("+" if way[axis] > 0 else "-") + "XYZ"[axis]


def _option(axis: str) -> str:
    """The option that makes an axis up."""
    return f"--up={axis[0].replace('+', '')}{axis[1].lower()}"

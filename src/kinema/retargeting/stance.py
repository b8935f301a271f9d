"""How a body stands: the pose that source and target are compared in.

A rest pose in which a body could stand is taken as it is. Many motion files have one that nobody ever stood in (all
bones along one axis, legs spread sideways); there the mean pose of the motion's upright frames takes its place, and
the hinges of knees and elbows and the soles of the feet are measured from the motion, which no rest pose could tell.
Where the motion is never upright, a trunk stands as it does at rest, which is straight in such files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, rotations
from kinema.errors import SkeletonError
from kinema.mocap import contacts
from kinema.mocap.ground import stance_height
from kinema.motion import Motion
from kinema.roles import Chain, Roles
from kinema.skeleton import Skeleton

Floats = NDArray[np.float32]

LIMBS = ("leg", "front_leg", "arm", "wing")
LEGS = ("leg", "front_leg")
LOOKS = 1500  # frames that are looked at, at most
_UPRIGHT = {True: np.cos(np.radians(25.0)), False: np.cos(np.radians(10.0))}  # of animals, whose trunk sways, and men
_ENOUGH = 0.03  # share of the frames that must be upright
_SNAP = np.cos(np.radians(35.0))  # an up that is this near to an axis of the file is that axis
_BENT = 0.08  # mean sine of a joint's bend from which its hinge can be told
_UP: Floats = np.array([0, 1, 0], np.float32)


@dataclass(frozen=True, eq=False)
class Stance:
    """A body that stands.

    Attributes:
        global_rotations: `[J, 4]`. positions: `[J, 3]`, metres.
        axes: `[4]`: turns +X, +Y, +Z into the body's left, up and front.
        measured: from a motion, as the rest pose is none.
        hinges: joint to the axis `[3]` in its own frame about which the next joint bends, where that was measured.
        soles: joint to the direction `[3]` in its own frame that is up while the foot stands, where measured.
        bends: upper joint of a limb to the cosine of its bend where it is (nearly) straightest, where measured.
    """

    global_rotations: Floats
    positions: Floats
    axes: Floats
    measured: bool = False
    hinges: dict[int, Floats] = field(default_factory=dict)
    soles: dict[int, Floats] = field(default_factory=dict)
    bends: dict[int, float] = field(default_factory=dict)


def find_stance(skeleton: Skeleton, motions: Sequence[Motion] = ()) -> Stance:
    """The stance of a skeleton: its rest pose if a body can stand so, else measured from motions on it.

    Raises:
        SkeletonError: the rest pose is none and there is no motion.
    """
    turned, placed = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    axes = rest_axes(skeleton, turned, placed)
    if axes is not None:
        return Stance(turned, placed, axes)
    if not any(motion.frames for motion in motions):
        axes = _roughly(skeleton, placed)
        if axes is not None:
            return Stance(turned, placed, axes)
        raise SkeletonError(
            "the rest pose is none that a body stands in (bones laid out along an axis); a motion of this skeleton "
            "is needed to see how it stands"
        )
    return _measured(skeleton, [motion for motion in motions if motion.frames])


def limbs(roles: Roles, kinds: Sequence[str] = LIMBS) -> list[Chain]:
    """The chains of legs and arms that have at least two joints."""
    return [chain for chain in roles.chains if chain.kind in kinds and len(chain.joints) >= 2]


def segments(roles: Roles, chain: Chain) -> tuple[int, int, int | None]:
    """Upper and lower joint of a limb and the joint at its end (ankle, wrist), None where the chain stops before."""
    named = {roles.parts[joint]: joint for joint in reversed(chain.joints)}
    for upper, lower, end in (("thigh", "shin", "foot"), ("upper_arm", "forearm", "hand")):
        if upper in named and lower in named:
            return named[upper], named[lower], named.get(end)
    rest = list(chain.joints)
    if roles.parts[rest[0]] == "leg":  # what comes before the last four is a hip of several joints
        rest = rest[-4:]
    elif roles.parts[rest[0]] == "shoulder" and len(rest) > 3:
        rest = rest[1:]
    return rest[0], rest[1], rest[2] if len(rest) > 2 else None


def across(skeleton: Skeleton, positions: Floats) -> Floats:
    """From right to left through the tops of all paired limbs, unit `[..., 3]`; zero where there is no pair."""
    roles = skeleton.roles
    total = np.zeros_like(positions[..., 0, :])
    for chain in limbs(roles):
        if chain.side is not None:
            sign = 1.0 if chain.side == "left" else -1.0
            total = total + sign * positions[..., segments(roles, chain)[0], :]
    return rotations.normalize_vector(total)


def _ends(skeleton: Skeleton, kinds: Sequence[str]) -> tuple[list[int], list[int]]:
    roles = skeleton.roles
    found = [(segments(roles, chain), chain) for chain in limbs(roles, kinds)]
    return [s[0] for s, _ in found], [s[2] if s[2] is not None else s[1] for s, _ in found]


def body_up(skeleton: Skeleton, positions: Floats) -> Floats:
    """From the bottom to the top of the body, unit `[..., 3]`: along the trunk of an upright one, across the trunk
    of one on four legs. Zero where nothing tells."""
    roles = skeleton.roles
    behind, front = _ends(skeleton, ("leg",))[0], _ends(skeleton, ("front_leg",))[0]
    if behind and front:
        forward = positions[..., front, :].mean(axis=-2) - positions[..., behind, :].mean(axis=-2)
        return rotations.normalize_vector(np.cross(forward, across(skeleton, positions)))
    top = next((joint for joint in (roles.neck, roles.head, *roles.spine[::-1]) if joint is not None), None)
    if top is None or roles.plan == "many-legged":
        return np.broadcast_to(_UP, positions[..., 0, :].shape)
    return rotations.normalize_vector(positions[..., top, :] - positions[..., roles.hips, :])


def rest_axes(skeleton: Skeleton, turned: Floats, placed: Floats) -> Floats | None:
    """The body's axes `[4]` in a pose, or None if nobody could stand so: legs must point away from the trunk."""
    side, up = across(skeleton, placed), body_up(skeleton, placed)
    tops, ends = _ends(skeleton, LEGS)
    if not tops:  # nothing stands: what swims and flies is in the world's axes
        forward = np.cross(side, _UP) if abs(side[1]) < 0.5 and side.any() else np.array([0, 0, 1], np.float32)
        return rotations.look_rotation(forward.astype(np.float32), _UP)
    if not side.any() or not up.any():
        return None
    if front := _ends(skeleton, ("front_leg",))[0]:
        behind = _ends(skeleton, ("leg",))[0]
        tops = [*behind, *front]
    legs = rotations.normalize_vector(placed[ends] - placed[tops])
    axis = np.argmax(np.abs(up))
    snapped = np.zeros(3, np.float32)
    snapped[axis] = np.sign(up[axis])
    up = snapped if abs(up[axis]) > _SNAP else up
    most_down = -0.35 if skeleton.roles.plan == "many-legged" else -0.75
    if (legs @ up).mean() > most_down or (legs @ up).max() > most_down + 0.3 or abs(side @ up) > 0.3:
        return None
    return rotations.look_rotation(np.cross(side, up), up) if _arms_fit(skeleton, placed, side, up) else None


def _roughly(skeleton: Skeleton, placed: Floats) -> Floats | None:
    """Axes for a rest pose of which nothing else is known: upright in the world if the legs go down at all."""
    side, (tops, ends) = across(skeleton, placed), _ends(skeleton, LEGS)
    if not tops or not side.any() or abs(side[1]) > 0.5:
        return None
    down = rotations.normalize_vector(placed[ends] - placed[tops])[:, 1]
    return rotations.look_rotation(np.cross(side, _UP), _UP) if down.mean() < -0.3 else None


def _arms_fit(skeleton: Skeleton, placed: Floats, side: Floats, up: Floats) -> bool:
    """Whether the arms of a pose are beside the body and do not point up, as those of a body that rests."""
    found = [(chain.side, segments(skeleton.roles, chain)) for chain in limbs(skeleton.roles, ("arm",))]
    tops = {which: placed[upper] for which, (upper, _, _) in found}
    if len(found) != 2 or len(tops) != 2:
        return True
    row = rotations.normalize_vector(tops["left"] - tops["right"])
    along = [
        rotations.normalize_vector(placed[end if end is not None else low] - placed[top])
        for _, (top, low, end) in found
    ]
    return bool(row @ side > 0.7) and max(float(arm @ up) for arm in along) < 0.6


def _measured(skeleton: Skeleton, motions: Sequence[Motion]) -> Stance:
    every = sampled(motions)
    turned, placed = every
    side, up = across(skeleton, placed), body_up(skeleton, placed)
    four_legged = any(chain.kind == "front_leg" for chain in skeleton.roles.chains)
    upright = (up[:, 1] > _UPRIGHT[four_legged]) & (np.abs(side[:, 1]) < 0.5)
    stands = np.count_nonzero(upright) >= max(2, _ENOUGH * len(up))
    if stands:
        turned, placed, side = turned[upright], placed[upright], side[upright]
        up = np.broadcast_to(_UP, side.shape)
    axes = rotations.look_rotation(np.cross(side, up), up)
    mean = mean_rotation(rotations.multiply(rotations.inverse(axes)[:, None], turned))
    if not stands and not four_legged:
        mean = _straight_trunk(skeleton, mean, rotations.inverse_rotate(turned[:, skeleton.roles.hips], side))
    is_root = (skeleton.parents < 0)[:, None]
    local = np.where(is_root, mean, rotations.relative(mean[np.maximum(skeleton.parents, 0)], mean)).astype(np.float32)
    rest = np.where(is_root, 0, skeleton.rest_translations).astype(np.float32)
    positions = kinematics.forward(local, rest, skeleton.parents.tolist())[1]
    hinges, bends = _hinges(skeleton, *every)
    identity = rotations.identity((), mean)
    return Stance(mean, positions, identity, True, hinges, _soles(skeleton, motions), bends)


def _straight_trunk(skeleton: Skeleton, mean: Floats, sides: Floats) -> Floats:
    """`mean` with hips, spine, neck and head as at rest, the line from the hips to the neck upright."""
    roles, rest = skeleton.roles, skeleton.rest_pose
    turned, placed = rest.global_rotations, rest.global_positions
    trunk = [joint for chain in roles.chains if chain.kind in ("spine", "neck", "head") for joint in chain.joints]
    top = roles.neck if roles.neck is not None else roles.head
    if top is None or not trunk:
        return mean
    up = rotations.normalize_vector(placed[top] - placed[roles.hips])
    side = rotations.rotate(turned[roles.hips], rotations.normalize_vector(sides.mean(axis=0)))
    axes = rotations.look_rotation(np.cross(side, up), up)
    straight = mean.copy()
    joints = [roles.hips, *trunk]
    straight[joints] = rotations.relative(np.broadcast_to(axes, (len(joints), 4)), turned[joints])
    return straight


def sampled(motions: Sequence[Motion]) -> tuple[Floats, Floats]:
    """Global rotations `[N, J, 4]` and positions `[N, J, 3]` of some frames of all, `LOOKS` at most."""
    each = max(LOOKS // len(motions), 1)
    looks = [m[np.unique(np.linspace(0, m.frames - 1, min(each, m.frames)).astype(np.int64))] for m in motions]
    return (
        np.concatenate([look.global_rotations for look in looks]),
        np.concatenate([look.global_positions for look in looks]),
    )


def mean_rotation(turned: Floats) -> Floats:
    """The mean `[..., 4]` of rotations `[N, ..., 4]` whatever their signs (Markley et al., "Averaging
    Quaternions", 2007)."""
    moments = np.einsum("n...i,n...j->...ij", turned.astype(np.float64), turned.astype(np.float64))
    return rotations.canonical(np.linalg.eigh(moments)[1][..., -1].astype(np.float32))


def _hinges(skeleton: Skeleton, turned: Floats, placed: Floats) -> tuple[dict[int, Floats], dict[int, float]]:
    """Axes of knees and elbows in the frames of both their bones (the mean of bone across bone, which is longer the
    more they bend), and the cosines of the bends of nearly straight limbs by their upper joints."""
    found: dict[int, Floats] = {}
    bends: dict[int, float] = {}
    for chain in limbs(skeleton.roles):
        upper, lower, end = segments(skeleton.roles, chain)
        if end is None:
            continue
        first = rotations.normalize_vector(placed[:, lower] - placed[:, upper])
        second = rotations.normalize_vector(placed[:, end] - placed[:, lower])
        normal = np.cross(first, second)
        bends[upper] = float(np.quantile(np.sum(first * second, axis=-1), 0.9))
        for joint in (upper, lower):
            axis = rotations.inverse_rotate(turned[:, joint], normal).mean(axis=0)
            if np.linalg.norm(axis) > _BENT:
                found[joint] = rotations.normalize_vector(axis)
    return found, bends


def _soles(skeleton: Skeleton, motions: Sequence[Motion]) -> dict[int, Floats]:
    """What is up in the frames of feet and toes while these stand."""
    roles = skeleton.roles
    sums: dict[int, Floats] = {}
    scale = contacts.leg_length(skeleton) / contacts.REFERENCE_LEG
    for chain in limbs(roles, ("leg",)):
        feet = [joint for joint in chain.joints if roles.parts[joint] in ("foot", "toe")]
        if not feet:
            continue
        for motion in motions:
            world = motion[: 4 * LOOKS]
            turned, placed = world.global_rotations, world.global_positions
            points = placed[:, feet[-1:]]
            stands = contacts.detect(points, motion.fps, stance_height(points, motion.fps, scale), scale)[:, 0]
            for joint in feet:
                ups = rotations.inverse_rotate(turned[stands, joint], _UP)
                sums[joint] = sums.get(joint, np.zeros(3, np.float32)) + ups.sum(axis=0)
    return {joint: rotations.normalize_vector(total) for joint, total in sums.items() if np.linalg.norm(total) > 1}

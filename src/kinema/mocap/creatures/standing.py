"""A body as it stands: its rest pose turned to face +Z on the ground, its legs, and its sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.errors import SkeletonError
from kinema.mocap.creatures.anatomy import CreatureAnatomy, CreatureLimb, upright_rest
from kinema.mocap.creatures.legs import LegModel, leg_model
from kinema.pose import Pose
from kinema.skeleton import Skeleton

_LOWEST = 0.03  # height of the hips above the feet in a stance, leg lengths
_HANGING = 0.35
"""Share of the height of the hips above which feet hang in the air."""
_SOLE = 0.1
"""Share of the height of the hips that soles may be thick."""
_LONGEST = 0.97
"""Share of a leg's length that it uses when the body stands still."""


@dataclass(frozen=True, eq=False)
class Standing:
    """A body that stands and faces +Z.

    Attributes:
        skeleton, anatomy: of the body.
        positions, rotations: `[J, 3]` and `[J, 4]` at rest, global, metres.
        local: `[J, 4]` local rotations at rest.
        legs: models of the legs, pair after pair from the front.
        pivot: `[3]` point about which the body pitches, rolls and turns.
        leg: height of the hips, or length of legs that reach sideways, metres; without legs a share of the body.
        length: from nose to rump without limp tail, metres.
        sag: how much lower than at rest it stands, so that no leg is locked straight, metres.
        sprawled: whether its legs reach sideways.
        girth: half the width of the trunk, metres.
    """

    skeleton: Skeleton
    anatomy: CreatureAnatomy
    positions: Floats
    rotations: Floats
    local: Singles
    legs: tuple[LegModel, ...]
    pivot: Floats
    leg: float
    length: float
    sag: float
    sprawled: bool
    girth: float

    @property
    def upright(self) -> bool:
        """Whether the trunk stands rather than lies."""
        front = self.anatomy.front
        if len(self.legs) != 2 or not front:
            return False
        way = self.positions[front[-1]] - self.positions[self.anatomy.root]
        return bool(way[1] > 2.0 * abs(way[2]))

    @property
    def level_tail(self) -> bool:
        """Whether the end of the tail is wide rather than high, as in whales."""
        if self.legs or not self.anatomy.tails:
            return False
        wide, high, _ = np.ptp(self.below(self.anatomy.tails[0][-1]), axis=0)
        return bool(wide > max(1.5 * high, 0.02 * self.length))

    @property
    def hovers(self) -> bool:
        """Whether the body has wings and its feet do not reach the ground."""
        return bool(self.anatomy.wings) and any(leg.place[1] > _HANGING * leg.hip[1] for leg in self.legs)

    @property
    def stance_radius(self) -> float:
        """Mean distance of the feet from the pivot on the ground, metres."""
        away = [np.hypot(leg.place[0], leg.place[2] - self.pivot[2]) for leg in self.legs]
        return float(np.mean(away)) if away else 0.0

    def ends(self, joint: int) -> list[tuple[int, Floats]]:
        """A joint, everything below it, and their tips, with the rest position `[3]` of each."""
        under = self.skeleton.below([joint])
        tips = self.positions[self.skeleton.tip_joints] + rotations.rotate(
            self.rotations[self.skeleton.tip_joints], np.asarray(self.skeleton.tip_offsets, np.float64)
        )
        found = [(int(index), self.positions[index]) for index in np.flatnonzero(under)]
        return found + [
            (int(index), tip) for index, tip in zip(self.skeleton.tip_joints, tips, strict=True) if under[index]
        ]

    def below(self, joint: int) -> Floats:
        """Rest positions `[K, 3]` of a joint, everything below it, and their tips."""
        return np.asarray([place for _, place in self.ends(joint)])


def stand(
    skeleton: Skeleton, anatomy: CreatureAnatomy, known: bool, stance: Pose | None = None, swims: bool = False
) -> Standing:
    """How a body stands.

    Args:
        skeleton: its joints.
        anatomy: of the same skeleton.
        known: whether the rest pose is known to face +Z on the ground.
        stance: a pose in which the body stands; None is the rest pose.
        swims: whether a body without legs is above the ground.

    Raises:
        SkeletonError: the body has no extent, or does not stand on its legs.
    """
    if known:
        positions = np.asarray(skeleton.rest_pose.global_positions, np.float64)
        frames = rotations.normalize(np.asarray(skeleton.rest_pose.global_rotations, np.float64))
    else:
        positions, frames = upright_rest(skeleton, stance)
    if np.ptp(positions, axis=0).max() < 1e-4:
        raise SkeletonError("all joints of the skeleton are at one place; it needs a rest pose of some size")
    anatomy = replace(anatomy, legs=anatomy.legs or _tentacle_legs(anatomy))
    local = skeleton.rest_rotations if stance is None else stance.local_rotations
    body = Standing(skeleton, anatomy, positions, frames, local, (), np.zeros(3), 1.0, 1.0, 0.0, False, 0.1)
    if anatomy.legs:
        ground = min(float(body.below(leg.joints[-1])[:, 1].min()) for leg in anatomy.legs)
        lowest = float(body.below(anatomy.root)[:, 1].min())
        hips = float(np.mean([positions[leg.joints[0], 1] for leg in anatomy.legs]))
        if anatomy.wings and hips - ground < (1.0 - _HANGING) * (hips - lowest):
            ground = lowest  # insects in flight
        elif not known:
            ground = _below_soles(skeleton, positions, anatomy.root, ground, hips)
        positions = positions - [0.0, ground, 0.0]
        body = replace(body, positions=positions)
    elif not known:
        body = replace(body, positions=positions - [0.0, _floor(body, swims), 0.0])
    return _measured(body)


def _below_soles(skeleton: Skeleton, positions: Floats, root: int, feet: float, hips: float) -> float:
    """Height of the ground: that of a reference joint just below the feet, where a rig has one, else of the feet."""
    above = positions[skeleton.ancestors(root), 1]
    near = above[(above < feet) & (above > feet - _SOLE * (hips - feet))]
    return float(near.min(initial=feet))


def _floor(body: Standing, swims: bool) -> float:
    """Height of the ground below a body without legs: a snake lies on it, a fish swims above it."""
    lowest, size = float(body.positions[:, 1].min()), float(np.ptp(body.positions, axis=0).max())
    return lowest - (0.25 if swims else 0.02) * size


def _tentacle_legs(anatomy: CreatureAnatomy) -> tuple[CreatureLimb, ...]:
    """The part of each tentacle that carries the body."""
    return tuple(
        replace(limb, joints=limb.joints[: max(3, round(0.6 * len(limb.joints)))]) for limb in anatomy.tentacles
    )


def _measured(body: Standing) -> Standing:
    anatomy, positions = body.anatomy, body.positions
    parents = body.skeleton.parents
    front = _front_orders(anatomy)
    legs = tuple(
        leg_model(leg, positions, parents, leg.order < front, not _is_shank(body.skeleton, leg.joints[-2]))
        for leg in anatomy.legs
    )
    if legs and np.mean([(leg.hip[1] - leg.place[1]) / leg.length for leg in legs]) < _LOWEST:
        raise SkeletonError("the rest pose does not stand on its legs; give a pose that does as the stance")
    trunk = positions[[anatomy.root, *anatomy.front]]
    length = max(float(np.linalg.norm(np.diff(trunk, axis=0), axis=-1).sum()), 0.3 * body.skeleton.height, 1e-3)
    if not legs:
        tail = [positions[list(row)] for row in anatomy.tails]
        behind = max((float(np.linalg.norm(row[-1] - positions[anatomy.root])) for row in tail), default=0.0)
        length = length + behind
        return replace(body, pivot=positions[anatomy.root], leg=0.25 * length, length=length, girth=0.06 * length)
    sprawled = bool(np.mean([leg.sprawled for leg in legs]) > 0.5)
    size = float(np.mean([leg.length if sprawled else min(leg.hip[1], leg.length) for leg in legs]))
    height = positions[anatomy.root][1]
    middle = np.mean([leg.place for leg in legs], axis=0)
    pivot = np.asarray([0.0, height, positions[anatomy.root][2] if len(legs) == 2 else middle[2]])
    sag = max(_sag(leg) for leg in legs)
    hips = np.asarray([leg.hip for leg in legs])
    girth = max(float(np.abs(hips[:, 0]).max()), 0.08 * size)
    return replace(body, legs=legs, pivot=pivot, leg=size, length=length, sag=sag, sprawled=sprawled, girth=girth)


def _is_shank(skeleton: Skeleton, joint: int) -> bool:
    """Whether a joint begins a lower leg. Those of frogs lie as flat as a foot does."""
    role = skeleton.roles.role(joint)
    return role is not None and role.endswith(("shin", "forearm"))


def _front_orders(anatomy: CreatureAnatomy) -> int:
    """How many pairs are front legs: half of them on all fours, none on two legs."""
    pairs = max((leg.order for leg in anatomy.legs), default=-1) + 1
    return pairs // 2 if pairs == 2 else 0


def _sag(leg: LegModel) -> float:
    """How much a body must sink so that a leg is not locked straight."""
    line = leg.hip - (leg.place + leg.foot)
    flat = np.hypot(line[0], line[2])
    most = _LONGEST * float(leg.table[1][0])
    return max(float(line[1]) - float(np.sqrt(max(most**2 - flat**2, (0.3 * most) ** 2))), 0.0)

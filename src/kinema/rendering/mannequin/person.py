"""Flesh for a person: proportions of an artist's mannequin, hung on whatever joints the rig has.

All measures are shares of the body's height, which is told from the legs (thigh and shin are 0.48 of it).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.rendering.mannequin.hand import HandModel
from kinema.rendering.mannequin.pieces import Clay, Visor
from kinema.rendering.mannequin.pose import across, upright
from kinema.roles import Arm, Leg
from kinema.skeleton import Skeleton

Floats = NDArray[np.float64]

# Height over the hips' line (0) as share of that of the shoulders' line (1), half width and half depth of the trunk.
_TRUNK = np.array(
    [(-0.16, 0.054, 0.046), (-0.06, 0.074, 0.058), (0.06, 0.0825, 0.0620), (0.20, 0.0785, 0.0585),
     (0.34, 0.0715, 0.0545), (0.50, 0.0775, 0.0580), (0.66, 0.0905, 0.0655), (0.80, 0.0965, 0.0675),
     (0.90, 0.0900, 0.0600), (1.00, 0.0680, 0.0470), (1.08, 0.0420, 0.0370)]
)  # fmt: skip
_THIGH = (0.0490, 0.0490, 0.0450, 0.0390, 0.0345)
_SHIN = (0.0345, 0.0360, 0.0325, 0.0255, 0.0215)
_CALF = (0.0, -0.0075, -0.0065, -0.0015, 0.0)
_UPPER_ARM = (0.0335, 0.0330, 0.0290, 0.0260, 0.0238)
_FOREARM = (0.0238, 0.0262, 0.0240, 0.0198, 0.0168)
_FADE = (-0.35, 1.25)  # a side's colour at both ends of forearm and shin: none at first, all before the end


def fits(skeleton: Skeleton, placed: Floats) -> bool:
    """Whether a skeleton in a pose `[J, 3]` is a person: two legs, two arms and a head, upright, in proportion."""
    roles = skeleton.roles
    if len(roles.arms) != 2 or roles.head is None or not upright(skeleton, placed):
        return False
    shoulders = placed[[arm.upper for arm in roles.arms]].mean(axis=0)
    thighs = placed[[leg.upper for leg in roles.legs]].mean(axis=0)
    height, head = _height(skeleton), placed[roles.head]
    apart = float(np.linalg.norm(np.subtract(*(placed[leg.upper] for leg in roles.legs))))
    return (
        height > 1e-6
        and float(np.linalg.norm(shoulders - thighs)) > 0.12 * height
        and float(np.linalg.norm(head - shoulders)) < 0.26 * height
        and apart < 0.25 * height
    )


def _height(skeleton: Skeleton) -> float:
    lengths = skeleton.bone_lengths
    legs = []
    for leg in skeleton.roles.legs:
        chain = _path(skeleton, leg.upper, leg.foot)[1:]
        legs.append(sum(float(lengths[joint]) for joint in chain))
    by_legs = float(np.mean(legs)) / 0.48
    chain = _path(skeleton, skeleton.roles.hips, int(skeleton.roles.head or 0))[1:]
    by_trunk = float(sum(float(lengths[joint]) for joint in chain)) / 0.38
    # A toy's short legs say as little about its girth as the long hips of some rigs: only what is far off counts.
    return by_legs if by_trunk < 1.7 * by_legs else (by_legs + by_trunk) / 2


def _path(skeleton: Skeleton, top: int, bottom: int) -> list[int]:
    """Joints from `top` down to `bottom`."""
    found = [bottom]
    while found[-1] != top and skeleton.parents[found[-1]] >= 0:
        found.append(int(skeleton.parents[found[-1]]))
    return found[::-1]


def _unit(way: Floats) -> Floats:
    return way / max(float(np.linalg.norm(way)), 1e-12)


def model(clay: Clay, skeleton: Skeleton, turned: Floats, placed: Floats) -> set[int]:
    """Add the pieces of a person in a pose `[J, 4]`, `[J, 3]`; returns the joints that need no more flesh."""
    return _Person(clay, skeleton, turned, placed).build()


class _Person:
    def __init__(self, clay: Clay, skeleton: Skeleton, turned: Floats, placed: Floats) -> None:
        self.clay, self.skeleton, self.turned, self.placed = clay, skeleton, turned, placed
        self.roles = skeleton.roles
        self.size = _height(skeleton)
        self.thighs = placed[[leg.upper for leg in self.roles.legs]].mean(axis=0)
        self.shoulders = placed[[arm.upper for arm in self.roles.arms]].mean(axis=0)
        self.up = _unit(self.shoulders - self.thighs)
        self.rise = float(np.linalg.norm(self.shoulders - self.thighs))
        self.left = _unit(self._flat(across((self.roles.legs, self.roles.arms), placed)))
        self.left_chest = _unit(self._flat(across((self.roles.arms, self.roles.legs), placed)))
        self.front = np.cross(self.left, self.up)

    def _flat(self, way: Floats) -> Floats:
        return way - np.dot(way, self.up) * self.up

    def build(self) -> set[int]:
        pelvis, chest = self._trunk()
        neck = self._neck(chest)
        self._head(neck)
        for leg in self.roles.legs:
            self._leg(leg, pelvis)
        for arm in self.roles.arms:
            self._arm(arm, chest)
        return set(range(self.skeleton.joint_count))

    # Trunk

    def _trunk(self) -> tuple[int, int]:
        """Pelvis, waist and chest; returns the lowest and the highest piece."""
        roles, size = self.roles, self.size
        nodes = [(roles.hips, self.thighs - 0.035 * size * self.up)]
        for joint in roles.spine:
            at = self._height_of(self.placed[joint])
            if 0.08 < at < 0.90 and at > self._height_of(nodes[-1][1]) + 0.05:
                nodes.append((joint, self.placed[joint]))
            elif at <= 0.08 and len(nodes) == 1:
                continue
        if len(nodes) == 1 and roles.spine:  # no joint between: the chest moves with the last of the spine
            nodes.append((roles.spine[-1], self.thighs + 0.3 * self.rise * self.up))
        top = self.shoulders + 0.035 * size * self.up
        half_shoulders = 0.5 * float(np.linalg.norm(np.subtract(*(self.placed[arm.upper] for arm in roles.arms))))
        half_hips = 0.5 * float(np.linalg.norm(np.subtract(*(self.placed[leg.upper] for leg in roles.legs))))
        broad = float(np.clip(half_shoulders / (0.112 * size), 0.8, 1.2))
        hips = float(np.clip(half_hips / (0.056 * size), 0.92, 1.08))
        first = last = -1
        ends = [*[place for _, place in nodes[1:]], top]
        for (joint, start), end in zip(nodes, ends, strict=True):
            at = np.linspace(self._height_of(start), self._height_of(end), 5)
            share = np.clip((at - 0.2) / 0.5, 0, 1)
            wide = np.interp(at, _TRUNK[:, 0], _TRUNK[:, 1]) * size * (hips + (broad - hips) * share)
            deep = np.interp(at, _TRUNK[:, 0], _TRUNK[:, 2]) * size
            left = self.left + (self.left_chest - self.left) * share[2]
            last = self.clay.add(
                joint,
                start,
                end,
                wide,
                deep,
                left,
                parent=last,
                melts=0.2,
                caps=(0.7, 0.5),
                fine=1.1,
            )
            first = last if first < 0 else first
        return first, last

    def _height_of(self, place: Floats) -> float:
        return float(np.dot(place - self.thighs, self.up)) / self.rise

    def _neck(self, chest: int) -> int:
        roles, size = self.roles, self.size
        head = self._skull_base() + (0.016 * self.up - 0.008 * self.front) * size
        base = self.shoulders + 0.012 * size * self.up
        if np.dot(head - base, self.up) < 0.02 * size:
            base = head - 0.05 * size * self.up
        between = self.skeleton.ancestors(int(roles.head or 0))[::-1]
        start = roles.spine[-1] if roles.spine else roles.hips
        necks = between[between.index(start) + 1 :] or [start]
        piece = chest
        for index, joint in enumerate(necks):
            a, b = (base + (head - base) * (k / len(necks)) for k in (index, index + 1))
            thick = np.linspace(1.0, 0.86, len(necks) + 1)[index : index + 2] * 0.0335 * size
            piece = self.clay.add(joint, a, b, thick, parent=piece, melts=0.9 if not index else 0.2, fine=1.2)
        return piece

    def _skull_base(self) -> Floats:
        """Where the skull sits on the neck: the head's joint, or lower where that stands inside the skull."""
        head = self.placed[int(self.roles.head or 0)]
        way = head - self.shoulders
        length = float(np.linalg.norm(way))
        return head - min(max(length - 0.070 * self.size, 0.0), 0.05 * self.size) * way / max(length, 1e-12)

    def _head(self, neck: int) -> None:
        joint, size = int(self.roles.head or 0), self.size
        base = self._skull_base()
        way = base - self.shoulders
        up = _unit(0.5 * _unit(way) + 0.5 * self.up)
        left = _unit(self.left_chest - np.dot(self.left_chest, up) * up)
        front = np.cross(left, up)
        h = size
        low, high = (base + k * h * up - 0.001 * h * front for k in (0.062, 0.078))
        skull = self.clay.add(joint, low, high, 0.0450 * h, 0.0535 * h, left, neck, 0.5, (0.9, 0.9), fine=6.0)
        chin, cheek = base + (0.026 * up + 0.023 * front) * h, base + (0.046 * up + 0.017 * front) * h
        self.clay.add(
            joint,
            chin,
            cheek,
            np.array([0.0265, 0.0335]) * h,
            np.array([0.0285, 0.0365]) * h,
            left,
            skull,
            1.25,
            fine=3.0,
        )
        self.clay.visor = Visor(joint, base + 0.066 * h * up + 0.004 * h * front, up, front, 0.0150 * h)

    # Limbs

    def _sweep(
        self,
        top: int,
        bottom: int,
        parent: int,
        radii: Sequence[float],
        melts: float,
        side: Floats | None = None,
        shift: Sequence[float] = (0.0, 0.0),
        flat: float = 1.0,
        limb: bool = False,
        tints: Sequence[float] = (0.0, 0.0),
        sign: float = 0.0,
    ) -> int:
        """Pieces from one joint to one below it over all joints between, with one profile along them."""
        chain = _path(self.skeleton, top, bottom)
        steps = [float(np.linalg.norm(self.placed[b] - self.placed[a])) for a, b in pairwise(chain)]
        whole, gone = max(sum(steps), 1e-9), 0.0
        knots = np.linspace(0, 1, len(radii))
        for joint, end, step in zip(chain, chain[1:], steps, strict=False):
            at = np.linspace(gone, gone + step, 5) / whole
            gone += step
            if step < 1e-4 * self.size:
                continue
            wide = np.interp(at, knots, radii) * self.size
            moved = np.interp(at, np.linspace(0, 1, len(shift)), shift) * self.size
            parent = self.clay.add(
                joint,
                self.placed[joint],
                self.placed[end],
                wide,
                wide * flat,
                side,
                parent,
                melts,
                behind=moved,
                limb=limb,
                tint=(float(np.interp(at[0], [0, 1], tints)), float(np.interp(at[-1], [0, 1], tints)), sign),
            )
            melts, limb = 0.3, False
        return parent

    def _leg(self, leg: Leg, pelvis: int) -> None:
        thigh = self._sweep(leg.upper, leg.lower, pelvis, _THIGH, 0.55, self.left, flat=1.04, limb=True)
        seat = self.placed[leg.upper] - 0.024 * self.size * self.front - 0.002 * self.size * self.up
        cheek = self.clay.add(
            self.roles.hips, seat, seat - 0.02 * self.size * self.up, 0.0455 * self.size, parent=pelvis, melts=0.8
        )
        self.clay.melt(cheek, thigh, 0.035 * self.size)
        sign = 1.0 if leg.side == "left" else -1.0
        shin = self._sweep(leg.lower, leg.foot, thigh, _SHIN, 0.25, self.left, shift=_CALF, tints=_FADE, sign=sign)
        self._foot(leg, shin, sign)

    def _foot(self, leg: Leg, shin: int, sign: float) -> None:
        size, ankle = self.size, self.placed[leg.foot]
        down = _unit(ankle - self.placed[leg.lower])
        ball = None if leg.toe is None else self.placed[leg.toe]
        if ball is None or np.linalg.norm(ball - ankle) < 0.02 * size:
            tips = [
                ankle + rotations.rotate(self.turned[leg.foot], offset.astype(np.float64))
                for tip, offset in zip(self.skeleton.tip_joints.tolist(), self.skeleton.tip_offsets, strict=True)
                if tip == leg.foot and np.linalg.norm(offset) > 0.02 * size
            ]
            way = tips[0] - ankle if tips else self.front - np.dot(self.front, down) * down
            ball = ankle + 0.085 * size * _unit(way) + (0.0 if tips else 0.018) * size * down
        ahead = _unit(ball - ankle - np.dot(ball - ankle, down) * down)
        if np.dot(ahead, self.front) < -0.5:
            down = self.up * -1.0
            ahead = _unit(ball - ankle - np.dot(ball - ankle, down) * down)
        side = np.cross(-down, ahead)
        drop = max(float(np.dot(ball - ankle, down)) - 0.004 * size, 0.016 * size)
        heel = ankle + (drop - 0.006 * size) * down - 0.016 * size * ahead
        arch = ankle + 0.30 * drop * down + 0.006 * size * ahead
        toe = leg.foot if leg.toe is None else leg.toe
        sole = self.clay.add(
            leg.foot,
            heel,
            ball,
            np.array([0.0195, 0.0195, 0.0205, 0.0235, 0.0250]) * size,
            np.array([0.0200, 0.0180, 0.0165, 0.0165, 0.0150]) * size,
            side,
            shin,
            1.1,
            fine=1.1,
            tint=(1.0, 1.0, sign),
        )
        instep = self.clay.add(
            leg.foot,
            arch,
            ball - 0.006 * size * down,
            np.array([0.0205, 0.0200, 0.0195, 0.0195, 0.018]) * size,
            np.array([0.0200, 0.0190, 0.0165, 0.0125, 0.009]) * size,
            side,
            shin,
            0.6,
            tint=(1.0, 1.0, sign),
        )
        self.clay.melt(sole, instep, 0.016 * size)
        end = ball + 0.042 * size * ahead + 0.002 * size * down
        self.clay.add(
            toe,
            ball,
            end,
            np.array([0.0250, 0.0250, 0.0235, 0.0205, 0.0160]) * size,
            np.array([0.0150, 0.0135, 0.0120, 0.0105, 0.0090]) * size,
            side,
            sole,
            0.4,
            fine=1.1,
            tint=(1.0, 1.0, sign),
        )

    def _arm(self, arm: Arm, chest: int) -> None:
        size, shoulder = self.size, self.placed[arm.upper]
        collar = arm.upper if arm.shoulder is None else arm.shoulder
        owner = collar if arm.shoulder is not None else int(self.skeleton.parents[arm.upper])
        inner = self.shoulders + 0.30 * (shoulder - self.shoulders) + 0.012 * size * self.up
        outer = shoulder + 0.06 * (self.shoulders - shoulder) + 0.002 * size * self.up
        yoke = self.clay.add(
            max(owner, 0),
            inner,
            outer,
            np.array([0.042, 0.039, 0.0345]) * size,
            np.array([0.034, 0.034, 0.0330]) * size,
            self.front,
            chest,
            1.1,
        )
        upper = self._sweep(arm.upper, arm.lower, yoke, _UPPER_ARM, 0.5, limb=True)
        self.clay.melt(upper, chest, 0.022 * size)
        sign = 1.0 if arm.side == "left" else -1.0
        lower = self._sweep(arm.lower, arm.hand, upper, _FOREARM, 0.25, tints=_FADE, sign=sign)
        HandModel(self.clay, self.skeleton, self.turned, self.placed, self.size, self.front, arm).model(lower, sign)

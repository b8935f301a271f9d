"""A person's body: the proportions of an artist's mannequin on whatever joints the rig has.

All measures are shares of the body's height, which follows from the legs (thigh and shin are 0.48 of it).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kinema.arrays import Floats
from kinema.pose import Pose
from kinema.rendering.mannequin.hand import HandModel
from kinema.rendering.mannequin.modelling_pose import across, upright
from kinema.rendering.mannequin.pieces import Clay, Visor
from kinema.rendering.mannequin.tree import tip_positions
from kinema.roles import Arm, Leg
from kinema.rotations import normalize_vector
from kinema.skeleton import Skeleton

# Height over the hips' line (0) as share of that of the shoulders' line (1), half width and half depth of the trunk.
_TRUNK = np.array(
    [(-0.16, 0.054, 0.046), (-0.06, 0.074, 0.058), (0.06, 0.0825, 0.0620), (0.20, 0.0785, 0.0585),
     (0.34, 0.0715, 0.0545), (0.50, 0.0775, 0.0580), (0.66, 0.0905, 0.0655), (0.80, 0.0965, 0.0675),
     (0.90, 0.0900, 0.0600), (1.00, 0.0680, 0.0470), (1.08, 0.0420, 0.0370)]
)  # fmt: skip
# Radii along the bones; of those with two, half widths and half depths.
_THIGH = (0.0490, 0.0490, 0.0450, 0.0390, 0.0345)
_SHIN = (0.0345, 0.0360, 0.0325, 0.0255, 0.0215)
_CALF = (0.0, -0.0075, -0.0065, -0.0015, 0.0)
_UPPER_ARM = (0.0335, 0.0330, 0.0290, 0.0260, 0.0238)
_FOREARM = (0.0238, 0.0262, 0.0240, 0.0198, 0.0168)
_SHOULDER = (0.042, 0.039, 0.0345), (0.034, 0.034, 0.0330)
_CHIN = (0.0265, 0.0335), (0.0285, 0.0365)
_SOLE = (0.0195, 0.0195, 0.0205, 0.0235, 0.0250), (0.0200, 0.0180, 0.0165, 0.0165, 0.0150)
_INSTEP = (0.0205, 0.0200, 0.0195, 0.0195, 0.0180), (0.0200, 0.0190, 0.0165, 0.0125, 0.0090)
_TOES = (0.0250, 0.0250, 0.0235, 0.0205, 0.0160), (0.0150, 0.0135, 0.0120, 0.0105, 0.0090)
_NECK, _SEAT = 0.0335, 0.0455
_FADE = (-0.35, 1.25)  # a side's colour at both ends of forearm and shin: none at first, all before the end


def fits(pose: Pose) -> bool:
    """Whether a body in a pose is a person: two legs, two arms and a head, upright, in proportion."""
    roles, positions = pose.skeleton.roles, pose.global_positions
    if len(roles.arms) != 2 or roles.head is None or not upright(pose):
        return False
    shoulders, thighs = _middle(roles.arms, positions), _middle(roles.legs, positions)
    height, head = _height(pose.skeleton), positions[roles.head]
    return (
        height > 1e-6
        and float(np.linalg.norm(shoulders - thighs)) > 0.12 * height
        and float(np.linalg.norm(head - shoulders)) < 0.26 * height
        and _distance_apart(roles.legs, positions) < 0.25 * height
    )


def _middle(limbs: Sequence[Leg] | Sequence[Arm], positions: Floats) -> Floats:
    """The point between the first joints of a pair of limbs."""
    return positions[[limb.upper for limb in limbs]].mean(axis=0)


def _distance_apart(limbs: Sequence[Leg] | Sequence[Arm], positions: Floats) -> float:
    return float(np.linalg.norm(np.subtract(*(positions[limb.upper] for limb in limbs))))


def _height(skeleton: Skeleton) -> float:
    lengths, roles = skeleton.bone_lengths, skeleton.roles
    legs = [lengths[_path(skeleton, leg.upper, leg.foot)[1:]].sum(dtype=np.float64) for leg in roles.legs]
    by_legs = float(np.mean(legs)) / 0.48
    trunk = _path(skeleton, roles.hips, int(roles.head or 0))[1:]
    by_trunk = float(lengths[trunk].sum(dtype=np.float64)) / 0.38
    # Short legs of toys and long hips of some rigs say little about girth: only large differences count.
    return by_legs if by_trunk < 1.7 * by_legs else (by_legs + by_trunk) / 2


def _path(skeleton: Skeleton, top: int, bottom: int) -> list[int]:
    """Joints from `top` down to `bottom`."""
    chain = [bottom, *skeleton.ancestors(bottom)]
    return chain[: chain.index(top) + 1 if top in chain else None][::-1]


def model(clay: Clay, pose: Pose) -> None:
    """Add the pieces of a person in a pose."""
    clay.scale = _height(pose.skeleton)
    person = _Person(clay, pose)
    pelvis, chest = person.add_trunk()
    person.add_head(person.add_neck(chest))
    for leg in pose.skeleton.roles.legs:
        person.add_leg(leg, pelvis)
    for arm in pose.skeleton.roles.arms:
        person.add_arm(arm, chest)


class _Person:
    def __init__(self, clay: Clay, pose: Pose) -> None:
        self.clay, self.pose, self.skeleton = clay, pose, pose.skeleton
        self.roles, self.size = pose.skeleton.roles, clay.scale
        self.positions = positions = pose.global_positions
        self.tips = tip_positions(pose)
        self.thighs = _middle(self.roles.legs, positions)
        self.shoulders = _middle(self.roles.arms, positions)
        self.up: Floats = normalize_vector(self.shoulders - self.thighs)
        self.rise = float(np.linalg.norm(self.shoulders - self.thighs))
        self.left: Floats = self._level(across((self.roles.legs, self.roles.arms), positions))
        self.left_chest = self._level(across((self.roles.arms, self.roles.legs), positions))
        self.front: Floats = np.cross(self.left, self.up)

    def _level(self, way: Floats) -> Floats:
        """The unit direction perpendicular to the trunk that lies nearest to a direction."""
        return normalize_vector(way - np.dot(way, self.up) * self.up)

    def _height_of(self, place: Floats) -> float:
        """0 at the hips, 1 at the shoulders."""
        return float(np.dot(place - self.thighs, self.up)) / self.rise

    # Trunk

    def add_trunk(self) -> tuple[int, int]:
        """Pelvis, waist and chest; returns the lowest and the highest piece."""
        nodes = self._trunk_nodes()
        broad = float(np.clip(0.5 * _distance_apart(self.roles.arms, self.positions) / (0.112 * self.size), 0.8, 1.2))
        hips = float(np.clip(0.5 * _distance_apart(self.roles.legs, self.positions) / (0.056 * self.size), 0.92, 1.08))
        pieces = [-1]
        ends = [*[place for _, place in nodes[1:]], self.shoulders + 0.035 * self.size * self.up]
        for (joint, start), end in zip(nodes, ends, strict=True):
            at = np.linspace(self._height_of(start), self._height_of(end), 5)
            share = np.clip((at - 0.2) / 0.5, 0, 1)
            wide = np.interp(at, _TRUNK[:, 0], _TRUNK[:, 1]) * (hips + (broad - hips) * share)
            deep = np.interp(at, _TRUNK[:, 0], _TRUNK[:, 2])
            left = self.left + (self.left_chest - self.left) * share[2]
            pieces.append(self.clay.add(joint, start, end, wide, deep, left, pieces[-1], 0.2, (0.7, 0.5), fine=1.1))
        return pieces[1], pieces[-1]

    def _trunk_nodes(self) -> list[tuple[int, Floats]]:
        """Joints that the trunk bends at, and the places where their pieces start, upward."""
        nodes = [(self.roles.hips, self.thighs - 0.035 * self.size * self.up)]
        for joint in self.roles.spine:
            at = self._height_of(self.positions[joint])
            if 0.08 < at < 0.90 and at > self._height_of(nodes[-1][1]) + 0.05:
                nodes.append((joint, self.positions[joint]))
        if len(nodes) == 1 and self.roles.spine:  # no joint between: the chest moves with the last of the spine
            nodes.append((self.roles.spine[-1], self.thighs + 0.3 * self.rise * self.up))
        return nodes

    def add_neck(self, chest: int) -> int:
        """Pieces from the chest to the skull; returns the last."""
        roles, size = self.roles, self.size
        head = self._skull_base() + (0.016 * self.up - 0.008 * self.front) * size
        base = self.shoulders + 0.012 * size * self.up
        if np.dot(head - base, self.up) < 0.02 * size:
            base = head - 0.05 * size * self.up
        between = self.skeleton.ancestors(int(roles.head or 0))[::-1]
        start = roles.spine[-1] if roles.spine else roles.hips
        necks = between[between.index(start) + 1 :] or [start]
        piece, radii = chest, np.linspace(1.0, 0.86, len(necks) + 1) * _NECK
        for index, joint in enumerate(necks):
            a, b = (base + (head - base) * (k / len(necks)) for k in (index, index + 1))
            melts = 0.2 if index else 0.9
            piece = self.clay.add(joint, a, b, radii[index : index + 2], parent=piece, melts=melts, fine=1.2)
        return piece

    def _skull_base(self) -> Floats:
        """Where the skull sits on the neck: the head's joint, or lower where that is inside the skull."""
        head = self.positions[int(self.roles.head or 0)]
        way = head - self.shoulders
        length = float(np.linalg.norm(way))
        return head - min(max(length - 0.070 * self.size, 0.0), 0.05 * self.size) * way / max(length, 1e-12)

    def add_head(self, neck: int) -> None:
        """Skull, jaw and visor."""
        joint, size, clay = int(self.roles.head or 0), self.size, self.clay
        base = self._skull_base()
        up: Floats = normalize_vector(0.5 * normalize_vector(base - self.shoulders) + 0.5 * self.up)
        left: Floats = normalize_vector(self.left_chest - np.dot(self.left_chest, up) * up)
        front = np.cross(left, up)
        low, high = (base + (k * up - 0.001 * front) * size for k in (0.062, 0.078))
        skull = clay.add(joint, low, high, 0.0450, 0.0535, left, neck, 0.5, (0.9, 0.9), fine=6.0)
        chin, cheek = base + (0.026 * up + 0.023 * front) * size, base + (0.046 * up + 0.017 * front) * size
        clay.add(joint, chin, cheek, *_CHIN, left, skull, 1.25, fine=3.0)
        clay.visor = Visor(joint, base + (0.066 * up + 0.004 * front) * size, up, front, 0.0150 * size)

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
        """Pieces from one joint down to another over all joints between, with one profile along them."""
        chain = _path(self.skeleton, top, bottom)
        steps = [float(np.linalg.norm(self.positions[b] - self.positions[a])) for a, b in pairwise(chain)]
        whole, gone = max(sum(steps), 1e-9), 0.0
        for joint, end, step in zip(chain, chain[1:], steps, strict=False):
            at = np.linspace(gone, gone + step, 5) / whole
            gone += step
            if step < 1e-4 * self.size:
                continue
            wide = np.interp(at, np.linspace(0, 1, len(radii)), radii)
            behind = np.interp(at, np.linspace(0, 1, len(shift)), shift)
            low, high = np.interp(at[[0, -1]], [0, 1], tints).tolist()
            a, b, tint = self.positions[joint], self.positions[end], (low, high, sign)
            parent = self.clay.add(
                joint, a, b, wide, wide * flat, side, parent, melts, behind=behind, limb=limb, tint=tint
            )
            melts, limb = 0.3, False
        return parent

    def add_leg(self, leg: Leg, pelvis: int) -> None:
        """Thigh, buttock, shin and foot."""
        thigh = self._sweep(leg.upper, leg.lower, pelvis, _THIGH, 0.55, self.left, flat=1.04, limb=True)
        seat = self.positions[leg.upper] - (0.024 * self.front + 0.002 * self.up) * self.size
        below = seat - 0.02 * self.size * self.up
        cheek = self.clay.add(self.roles.hips, seat, below, _SEAT, parent=pelvis, melts=0.8)
        self.clay.melt(cheek, thigh, 0.035 * self.size)
        sign = 1.0 if leg.side == "left" else -1.0
        shin = self._sweep(leg.lower, leg.foot, thigh, _SHIN, 0.25, self.left, shift=_CALF, tints=_FADE, sign=sign)
        self._add_foot(leg, shin, (1.0, 1.0, sign))

    def _add_foot(self, leg: Leg, shin: int, tint: tuple[float, float, float]) -> None:
        size, clay, ankle = self.size, self.clay, self.positions[leg.foot]
        down: Floats = normalize_vector(ankle - self.positions[leg.lower])
        ball = self._ball(leg, down)
        ahead: Floats = normalize_vector(ball - ankle - np.dot(ball - ankle, down) * down)
        if np.dot(ahead, self.front) < -0.5:
            down = -self.up
            ahead = normalize_vector(ball - ankle - np.dot(ball - ankle, down) * down)
        side: Floats = np.cross(-down, ahead)
        drop = max(float(np.dot(ball - ankle, down)) - 0.004 * size, 0.016 * size)
        heel = ankle + (drop - 0.006 * size) * down - 0.016 * size * ahead
        arch, top = ankle + 0.30 * drop * down + 0.006 * size * ahead, ball - 0.006 * size * down
        end = ball + (0.042 * ahead + 0.002 * down) * size
        sole = clay.add(leg.foot, heel, ball, *_SOLE, side, shin, 1.1, fine=1.1, tint=tint)
        instep = clay.add(leg.foot, arch, top, *_INSTEP, side, shin, 0.6, tint=tint)
        clay.melt(sole, instep, 0.016 * size)
        clay.add(leg.foot if leg.toe is None else leg.toe, ball, end, *_TOES, side, sole, 0.4, fine=1.1, tint=tint)

    def _ball(self, leg: Leg, down: Floats) -> Floats:
        """Where the ball of a foot is: at the toes' joint, toward the foot's tip, or ahead of the ankle."""
        ankle, size = self.positions[leg.foot], self.size
        if leg.toe is not None and np.linalg.norm(self.positions[leg.toe] - ankle) >= 0.02 * size:
            return self.positions[leg.toe]
        tips = [tip - ankle for tip in self.tips.get(leg.foot, ()) if np.linalg.norm(tip - ankle) > 0.02 * size]
        way = tips[0] if tips else self.front - np.dot(self.front, down) * down
        return ankle + 0.085 * size * normalize_vector(way) + (0.0 if tips else 0.018) * size * down

    def add_arm(self, arm: Arm, chest: int) -> None:
        """Shoulder, upper arm, forearm and hand."""
        size, shoulder = self.size, self.positions[arm.upper]
        owner = int(self.skeleton.parents[arm.upper]) if arm.shoulder is None else arm.shoulder
        inner = self.shoulders + 0.30 * (shoulder - self.shoulders) + 0.012 * size * self.up
        outer = shoulder + 0.06 * (self.shoulders - shoulder) + 0.002 * size * self.up
        yoke = self.clay.add(max(owner, 0), inner, outer, *_SHOULDER, self.front, chest, 1.1)
        upper = self._sweep(arm.upper, arm.lower, yoke, _UPPER_ARM, 0.5, limb=True)
        self.clay.melt(upper, chest, 0.022 * size)
        sign = 1.0 if arm.side == "left" else -1.0
        lower = self._sweep(arm.lower, arm.hand, upper, _FOREARM, 0.25, tints=_FADE, sign=sign)
        HandModel(self.clay, self.pose, self.front, arm, sign).build(lower)

"""Legs with any number of joints: how they stand at rest, and how they bend to reach a point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Indices
from kinema.mocap.creatures.anatomy import CreatureLimb

_STRAIGHT = 0.03
"""Legs whose joints lie closer to the line from hip to foot than this share of its length are straight."""
_MOST_BENT = 2.7
_SMALL = 0.45  # radians
_ASIDE, _GIRDLE = 0.8, 0.45  # shares: of a first bone that goes aside, and of the leg, of a bone that only carries it
_LYING = 0.75  # share of the length of a foot that its ankle is above its toes, at most
_LOW, _FLAT = 0.4, 0.2  # heights of an ankle, and of more joints of the foot, shares of the height of the hip
_IN_LINE = 0.02  # radians; joints bent by less, such as twist joints, stay straight
_TABLE = 160
_BENT = 0.88  # share of the reach beyond which legs in the air straighten ever less
_SHARPEST = 0.5  # sprawled legs turn as if their feet were at least this share of their reach from the hip
_Y = np.asarray([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class LegModel:
    """One leg of a standing body that faces +Z.

    All joints between the two ends bend together, in proportion to their bend at rest: from the straight leg at
    -1 through the rest pose at 0 to the folded leg at 1.

    Attributes:
        joints: from the hip to the end that is placed: the ankle of a flat foot, else the contact joint.
        contact: the joint that touches the ground.
        mount: the joint that carries the leg.
        side, order: see `CreatureLimb`.
        bones: `[m, 3]` from joint to joint at rest, metres.
        axis: `[3]` about which the joints bend.
        closing, opening: `[m]` rotation of each bone about the axis at bend 1 and -1, radians.
        table: `[T]` bends, and `[T]` distances from the first to the last joint at them, falling.
        place: `[3]` contact joint at rest.
        foot: `[3]` from contact to end joint, foot flat.
        length: of all bones, metres.
        sprawled: whether the leg reaches sideways, and bends in a vertical plane.
        detached: see `CreatureLimb`.
    """

    joints: tuple[int, ...]
    contact: int
    mount: int
    side: int
    order: int
    bones: Floats
    axis: Floats
    closing: Floats
    opening: Floats
    table: tuple[Floats, Floats]
    place: Floats
    hip: Floats
    foot: Floats
    length: float
    sprawled: bool
    detached: bool

    @property
    def reach(self) -> float:
        """Longest distance from hip to end that is used, metres."""
        return 0.995 * float(self.table[1][0])

    def neutral(self) -> Floats:
        """Contact point `[3]` of a leg in the middle of its stance: that at rest, unless the leg is stretched there."""
        line = self.place + self.foot - self.hip
        distance, most = float(np.linalg.norm(line)), 0.86 * self.reach
        if not self.sprawled or distance <= most:
            return self.place
        flat = float(np.hypot(line[0], line[2]))
        shorter = np.sqrt(max(most**2 - line[1] ** 2, (0.3 * flat) ** 2)) / flat
        return self.hip + line * np.asarray([shorter, 1.0, shorter]) - self.foot

    def solve(self, hips: Floats, targets: Floats, base: Floats, free: Floats) -> list[Floats]:
        """Global rotations `[N, 4]` of the joints, relative to rest, that bring the end to its targets.

        Args:
            hips, targets: `[N, 3]`, metres.
            base: `[N, 4]` rotation of the joint that carries the leg, relative to rest.
            free: `[N]` share to which the end may fall short of targets that are far away, so that the leg does not
                snap straight: 0 for feet on the ground, 1 in the air.
        """
        line = targets - hips
        distance = np.linalg.norm(line, axis=-1)
        near, room = _BENT * self.reach, (1 - _BENT) * self.reach
        eased = near + room * (1 - np.exp(-np.maximum(distance - near, 0.0) / room))
        distance = distance + free * np.minimum(eased - distance, 0.0)
        distance = np.clip(distance, self.table[1][-1], self.reach)
        bend = np.interp(-distance, -self.table[1], self.table[0])
        turns = np.where(bend[:, None] > 0, bend[:, None] * self.closing, -bend[:, None] * self.opening)
        bent = rotations.from_axis_angle(self.axis + np.zeros((*turns.shape, 3)), turns)
        chord = np.sum(rotations.rotate(bent, self.bones + np.zeros((*turns.shape, 3))), axis=1)
        own = rotations.look_rotation(chord, self.axis + 0 * chord)
        whole = rotations.multiply(rotations.look_rotation(line, self._axes(line, base)), rotations.inverse(own))
        return [rotations.multiply(whole, bent[:, bone]) for bone in range(len(self.bones))]

    def _axes(self, line: Floats, base: Floats) -> Floats:
        """The axis of bending in the world, `[N, 3]`."""
        if not self.sprawled:
            return rotations.rotate(base, self.axis + 0 * line)
        rest = np.sum(self.bones, axis=0)[[0, 2]]
        local = rotations.inverse_rotate(base, line)[:, [0, 2]]
        # a foot below the hip has no direction of its own, and one beyond it must not turn the leg over
        out = rest / np.linalg.norm(rest)
        along = _SHARPEST * np.linalg.norm(rest)
        away = along * (1 + np.logaddexp(0.0, local @ out / along - 1))
        azimuth = np.arctan2(local[:, 0] * out[1] - local[:, 1] * out[0], away)
        return rotations.rotate(base, rotations.rotate_yaw(azimuth, self.axis + 0 * line))


def leg_model(limb: CreatureLimb, places: Floats, parents: Indices, front: bool, ankle: bool = True) -> LegModel:
    """The model of a leg from a standing rest pose.

    Args:
        limb: the joints.
        places: `[J, 3]` global rest positions, metres.
        parents: `[J]` of the skeleton.
        front: whether it is a front leg, whose elbow points backward if the leg is straight.
        ankle: whether its last bones may be those of a flat foot.
    """
    points = places[list(limb.joints)]
    begin = int(len(points) > 3 and _is_girdle(points))
    ends = limb.joints[begin:]
    ends = ends[: _ankle(points[begin:]) + 1] if ankle else ends
    chain = places[list(ends)]
    bones = np.diff(chain, axis=0)
    chord = chain[-1] - chain[0]
    away = np.hypot(chord[0], chord[2]) / max(-chord[1], 1e-6)
    sprawled = bool(away > 0.7)
    axis, bends = _bends(chain, bones, chord, front, sprawled)
    lengths = np.linalg.norm(bones, axis=-1)
    opening = np.concatenate([[0.0], np.cumsum(-bends)])
    closing = _closing(bends, lengths, not sprawled)
    table = _table(bones, axis, closing, opening)
    contact = limb.joints[-1]
    return LegModel(
        ends, contact, int(parents[ends[0]]), limb.side, limb.order, bones, axis, closing, opening, table,
        places[contact], chain[0], chain[-1] - places[contact], float(lengths.sum()), sprawled, limb.detached,
    )  # fmt: skip


def _ankle(points: Floats) -> int:
    """At which joint of a leg `[m + 1, 3]` a flat foot begins; at the last one if there is none."""
    ankle, lowest = len(points) - 1, _LOW
    for at in range(ankle - 1, 1, -1):
        foot = points[-1] - points[at]
        if points[at][1] >= lowest * points[0][1] or abs(foot[1]) >= _LYING * np.linalg.norm(foot):
            break
        ankle, lowest = at, _FLAT
    return ankle


def _is_girdle(points: Floats) -> bool:
    """Whether the first bone of a leg `[m + 1, 3]` goes aside to where the leg begins, as clavicles do."""
    first, rest = points[1] - points[0], points[-1] - points[1]
    aside = abs(first[0]) > _ASIDE * np.linalg.norm(first)
    upright = np.hypot(rest[0], rest[2]) < -rest[1]
    return bool(aside and upright and np.linalg.norm(first) < _GIRDLE * np.linalg.norm(rest))


def _closing(bends: Floats, lengths: Floats, fold_small: bool) -> Floats:
    """How far each bone `[m]` of a leg turns until the leg is folded, radians."""
    room = np.maximum(_MOST_BENT - np.abs(bends), 0.15)
    # joints that are bent at rest bend on; small ones at the end of a leg do not swing about
    share = np.clip(np.abs(bends) / max(float(np.abs(bends).max(initial=0.0)), 1e-9), 0.0, 1.0)
    share = share * np.clip(np.minimum(lengths[1:], lengths[:-1]) / (0.4 * lengths.max()), 0.1, 1.0)
    sense = np.sign(bends)
    if fold_small:
        _fold_small(sense, share, bends)
    return np.concatenate([[0.0], np.cumsum(sense * room * share)])


def _fold_small(sense: Floats, share: Floats, bends: Floats) -> None:
    """Let nearly straight joints of upright legs, such as wrists and fetlocks, fold against the joint above."""
    widest = float(np.abs(bends).max(initial=0.0))
    for at in range(1, len(bends)):
        if _IN_LINE < abs(bends[at]) < min(_SMALL, 0.8 * widest):
            sense[at], share[at] = -sense[at - 1], 0.6


def _bends(chain: Floats, bones: Floats, chord: Floats, front: bool, sprawled: bool) -> tuple[Floats, Floats]:
    """Axis `[3]` of bending, and the signed bend `[m - 1]` at each inner joint about it, radians."""
    way = chord / max(float(np.linalg.norm(chord)), 1e-9)
    off = chain[1:-1] - chain[0]
    off = off - (off @ way)[:, None] * way
    size = np.linalg.norm(off, axis=-1)
    widest = int(np.argmax(size)) if size.size else 0
    straight = not size.size or size[widest] < _STRAIGHT * np.linalg.norm(chord)
    if straight:
        aside = _Y if sprawled else np.asarray([0.0, 0.0, -1.0 if front else 1.0])
    else:
        aside = off[widest]
    axis = np.cross(way, aside)
    axis = axis / max(float(np.linalg.norm(axis)), 1e-9)
    first, second = bones[:-1], bones[1:]
    first, second = (v - (v @ axis)[:, None] * axis for v in (first, second))
    bends = np.arctan2(np.cross(first, second) @ axis, np.sum(first * second, axis=-1))
    if straight and bends.size:  # a hint of a bend says which way the joint goes
        middle = int(np.argmax(np.minimum(np.linalg.norm(first, axis=-1), np.linalg.norm(second, axis=-1))))
        bends = np.zeros_like(bends)
        bends[middle] = -1e-3
    return axis, bends


def _table(bones: Floats, axis: Floats, closing: Floats, opening: Floats) -> tuple[Floats, Floats]:
    """Bends from straight to folded, and the distance between the ends at each, falling."""
    bend = np.concatenate([np.linspace(-1, 0, _TABLE)[:-1], np.linspace(0, 1, _TABLE)])
    turns = np.where(bend[:, None] > 0, bend[:, None] * closing, -bend[:, None] * opening)
    bent = rotations.from_axis_angle(axis + np.zeros((*turns.shape, 3)), turns)
    ends = np.sum(rotations.rotate(bent, bones + np.zeros((*turns.shape, 3))), axis=1)
    reach = np.minimum.accumulate(np.linalg.norm(ends, axis=-1))
    falling = np.concatenate([[True], np.diff(reach) < -1e-9])
    return bend[falling], reach[falling]

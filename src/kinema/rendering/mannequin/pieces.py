"""The pieces that a mannequin is built from, before they become one surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from kinema.arrays import Bools, Floats, Ints, Reals
from kinema.rendering.mannequin import field as kernel

Radii = float | Sequence[float] | Reals

_VISOR_REACH = np.radians(68)  # to each side of straight ahead
_FAR = 4  # pieces along one limb from which on it may be folded back on itself


@dataclass(frozen=True, eq=False)
class Visor:
    """A dark band across a face: it shows where a head looks.

    Attributes:
        joint: joint of the head.
        center: middle of the head behind it, `[3]`.
        up, front: unit axes of the head.
        half: half its height, metres.
    """

    joint: int
    center: Floats
    up: Floats
    front: Floats
    half: float

    def inside(self, places: Floats) -> Floats:
        """How far places `[V, 3]` of the head lie within the band, metres; negative outside."""
        offset = places - self.center
        ahead, high, aside = offset @ self.front, offset @ self.up, offset @ np.cross(self.up, self.front)
        angle = np.arctan2(aside, ahead) / _VISOR_REACH
        room = self.half * np.sqrt(np.maximum(1 - np.minimum(np.abs(angle), 1) ** 3, 0)) - np.abs(high)
        return np.where(np.abs(angle) < 1, room, -self.half * np.abs(angle))


@dataclass(eq=False)
class Clay:
    """A growing list of pieces: add them from the trunk outward, each with its parent.

    Attributes:
        scale: metres of one unit of the radii and shifts given to `add`.
    """

    scale: float = 1.0
    rows: list[Floats] = field(default_factory=list)
    joints: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    blends: list[float] = field(default_factory=list)
    fineness: list[float] = field(default_factory=list)
    limbs: list[int] = field(default_factory=list)
    tints: list[tuple[float, float, float]] = field(default_factory=list)
    visor: Visor | None = None

    def add(
        self,
        joint: int,
        start: Floats,
        end: Floats,
        wide: Radii,
        deep: Radii | None = None,
        side: Floats | None = None,
        parent: int = -1,
        melts: float = 0.5,
        caps: tuple[float, float] = (1.0, 1.0),
        aside: Radii = 0.0,
        behind: Radii = 0.0,
        fine: float = 1.0,
        limb: bool = False,
        tint: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> int:
        """Add a swept ellipse from `start` to `end` `[3]` that moves with `joint`; returns its number.

        Args:
            wide, deep: radii along `side` and perpendicular to it: one, or several along the bone.
            side: direction `[3]` of the wide axis; None takes any.
            parent: the piece it grows from.
            melts: width over which it blends into its parent, share of the smaller radius; less where it continues
                straight.
            caps: length of the round ends, share of the smaller radius there.
            aside, behind: shift of the middle along the wide and the deep axis.
            fine: cells per radius, relative to the default.
            limb: whether a limb starts here that must stay separate from all others and from its parent.
            tint: how much of its side's colour it has at both ends (0 or less none, 1 or more all), and the side: 1 is
                left, -1 right, 0 none.
        """
        axis = end - start
        length = float(np.linalg.norm(axis))
        axis = axis / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
        radii = self._knots(wide), self._knots(wide if deep is None else deep)
        frame = [_across(axis, side), axis]
        frame.insert(1, np.cross(axis, frame[0]))
        number = len(self.rows)
        self.rows.append(
            np.concatenate([start, *frame, [length], caps, *radii, self._knots(aside), self._knots(behind)])
        )
        self.joints.append(joint)
        self.parents.append(parent)
        self.tints.append(tint)
        self.limbs.append(number if limb or parent < 0 else self.limbs[parent])
        thin = float(min(radii[0].min(), radii[1].min()))
        usual = float(np.sqrt(radii[0].mean() * radii[1].mean()))
        self.fineness.append(0.80 * thin**0.4 * usual**0.6 / fine)
        if parent >= 0 and melts > 0:
            other = self.rows[parent]
            theirs = float(other[kernel.WIDE : kernel.ASIDE].mean())
            turn = self._turn(other, start, axis, max(length, usual))
            self.melt(number, parent, melts * turn * min(usual, theirs))
        return number

    def melt(self, one: int, two: int, width: float) -> None:
        """Blend two pieces into each other over `width` metres."""
        self.pairs.append((one, two))
        self.blends.append(width)

    def body(self) -> tuple[Floats, Ints, Ints, Bools, Ints, Floats, Floats]:
        """The leading arguments of the field; gaps are about as wide as the cells that must resolve them."""
        depths = np.zeros(len(self.rows), np.int64)
        for piece, parent in enumerate(self.parents):
            if parent >= 0:
                depths[piece] = depths[parent] + 1
        return (
            np.array(self.rows).reshape(-1, kernel.COLUMNS),
            np.array(self.parents, np.int64),
            depths,
            self._strangers(),
            np.array(self.pairs, np.int64).reshape(-1, 2),
            np.array(self.blends, np.float64),
            0.7 * np.array(self.fineness),
        )

    @staticmethod
    def _turn(other: Floats, start: Floats, axis: Floats, size: float) -> float:
        """Sine of the turn from a parent to a piece at its end; 1 where it starts elsewhere or turns back."""
        end = other[:3] + other[9:12] * other[12]
        if np.linalg.norm(end - start) >= 1e-6 * size or np.dot(axis, other[9:12]) < 0:
            return 1.0
        return float(np.linalg.norm(np.cross(axis, other[9:12])))

    def _strangers(self) -> Bools:
        """`[P, P]`: pieces of different limbs, or far apart on one limb, that do not blend into each other."""
        count = len(self.rows)
        apart = np.zeros((count, count), np.int64)
        for piece, parent in enumerate(self.parents):
            if parent >= 0:
                apart[piece, :piece] = apart[parent, :piece] + 1
                apart[:piece, piece] = apart[piece, :piece]
        limbs = np.array(self.limbs)
        strangers = (limbs[:, None] != limbs) | (apart >= _FAR)
        np.fill_diagonal(strangers, False)
        for one, two in (*self.pairs, *((k, parent) for k, parent in enumerate(self.parents) if parent >= 0)):
            strangers[one, two] = strangers[two, one] = False
        return strangers

    def _knots(self, values: Radii) -> Floats:
        """Metres at the knots of a piece."""
        given = np.atleast_1d(np.asarray(values, np.float64)) * self.scale
        if len(given) == kernel.KNOTS:
            return given
        return np.interp(np.linspace(0, 1, kernel.KNOTS), np.linspace(0, 1, len(given)), given)


def _across(axis: Floats, side: Floats | None) -> Floats:
    """The unit vector perpendicular to a bone's axis that lies nearest to `side`."""
    broad = np.zeros(3) if side is None else side - np.dot(side, axis) * axis
    if np.linalg.norm(broad) < 1e-3:
        # The world axis farthest from the bone: a mirrored bone gets the mirrored frame.
        broad = np.eye(3)[int(np.argmin(np.abs(axis)))]
        broad = broad - np.dot(broad, axis) * axis
    return broad / np.linalg.norm(broad)

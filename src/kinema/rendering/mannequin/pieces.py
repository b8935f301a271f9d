"""The pieces that a mannequin is put together from, before they become one surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema.rendering.mannequin import field as kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_VISOR_REACH = np.radians(68)  # to each side of straight ahead
_FAR = 4  # pieces along one limb from which on it may be folded back on itself
Radii = float | Sequence[float] | NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Visor:
    """A dark band across a face: it shows where a head looks.

    Attributes:
        joint: of the head. center: middle of the head behind it, `[3]`. up, front: unit axes of the head.
        half: half its height, metres.
    """

    joint: int
    center: Floats
    up: Floats
    front: Floats
    half: float

    def inside(self, places: Floats) -> Floats:
        """How far places `[V, 3]` of the head lie within the band, metres; negative outside."""
        way = places - self.center
        ahead, high, beside = way @ self.front, way @ self.up, way @ np.cross(self.up, self.front)
        angle = np.arctan2(beside, ahead) / _VISOR_REACH
        room = self.half * np.sqrt(np.maximum(1 - np.minimum(np.abs(angle), 1) ** 3, 0)) - np.abs(high)
        return np.where(np.abs(angle) < 1, room, -self.half * np.abs(angle))


@dataclass(eq=False)
class Clay:
    """Pieces in the making: add them from the trunk outward; every one but the first of a body names its parent."""

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
        """Add a sweep from `start` to `end` `[3]` that moves with `joint`; returns its number.

        Args:
            wide, deep: radii, metres, along `side` and at a right angle to it: one, or several along the bone.
            side: direction `[3]` of the broad axis; any where it is None.
            parent: the piece it grows from. melts: how far it melts into it, share of the smaller radius;
                less where it goes straight on.
            caps: how far the round ends reach, share of the smaller radius there.
            aside, behind: shift of the middle along side and depth, metres.
            fine: cells per radius, relative to the usual.
            limb: whether a limb starts here that is to be kept apart from all others and from what it hangs on.
            tint: how much of its side's colour it has at both ends (0 or less none, 1 or more all), and the side: 1 is
                left, -1 right, 0 none.
        """
        axis = end - start
        length = float(np.linalg.norm(axis))
        axis = axis / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
        broad = np.zeros(3) if side is None else side - np.dot(side, axis) * axis
        if np.linalg.norm(broad) < 1e-3:
            # The world axis farthest from the bone: a mirrored bone gets the mirrored frame.
            broad = np.eye(3)[int(np.argmin(np.abs(axis)))]
            broad = broad - np.dot(broad, axis) * axis
        broad = broad / np.linalg.norm(broad)
        radii = _knots(wide), _knots(wide if deep is None else deep)
        row = np.concatenate(
            [start, broad, np.cross(axis, broad), axis, [length], caps, *radii, _knots(aside), _knots(behind)]
        )
        number = len(self.rows)
        self.rows.append(row)
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
            turn = 1.0
            if np.linalg.norm(other[:3] + other[9:12] * other[12] - start) < 1e-6 * max(length, usual):
                turn = 1.0 if np.dot(axis, other[9:12]) < 0 else float(np.linalg.norm(np.cross(axis, other[9:12])))
            self.melt(number, parent, melts * turn * min(usual, theirs))
        return number

    def melt(self, one: int, two: int, width: float) -> None:
        """Let two pieces flow into each other over `width` metres."""
        self.pairs.append((one, two))
        self.blends.append(width)

    def body(self) -> tuple[Floats, Ints, Ints, NDArray[np.bool_], Ints, Floats, Floats]:
        """The leading arguments of the field; gaps are about as wide as the cells that must resolve them."""
        depths = np.zeros(len(self.rows), np.int64)
        for piece, parent in enumerate(self.parents):
            if parent >= 0:
                depths[piece] = depths[parent] + 1
        return (
            np.array(self.rows).reshape(-1, kernel.COLUMNS),
            np.array(self.parents, np.int64),
            depths,
            self._strangers(depths),
            np.array(self.pairs, np.int64).reshape(-1, 2),
            np.array(self.blends, np.float64),
            0.7 * np.array(self.fineness),
        )

    def _strangers(self, depths: Ints) -> NDArray[np.bool_]:
        """`[P, P]`: pieces of different limbs, or of one limb but far along it, that do not melt into each other."""
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


def _knots(values: Radii) -> Floats:
    given = np.atleast_1d(np.asarray(values, np.float64))
    if len(given) == kernel.KNOTS:
        return given
    return np.interp(np.linspace(0, 1, kernel.KNOTS), np.linspace(0, 1, len(given)), given)

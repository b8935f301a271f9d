"""Units and axes of files, converted to metres with Y up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinema.errors import KinemaError

if TYPE_CHECKING:
    from kinema.skeleton import Skeleton

METRES: dict[str, float] = {
    "m": 1.0,
    "dm": 0.1,
    "cm": 0.01,
    "mm": 0.001,
    "in": 0.0254,
    "cmu": 0.0254 / 0.45,  # the CMU database stores inches scaled by 0.45
}
"""Metres in one unit."""

NAMES = {
    "m": "metres",
    "dm": "decimetres",
    "cm": "centimetres",
    "in": "inches",
    "cmu": "CMU units of 5.64 cm",
}
"""What `guess_unit` and `unit_of_person` may return, in words."""

LONGEST_IN_METRES = 8.0
LONGEST_IN_CMU_UNITS = 40.0
LONGEST_USUAL = 3.0  # metres; more is a large animal, or a file in decimetres

SHORTEST_USUAL = 0.9  # metres; less is a small animal, or a file in decimetres or inches
LEG_POSSIBLE = (0.5, 1.25)  # metres from hip to ankle: people from a child of school age to a giant
LEG_USUAL = (0.65, 1.05)

LEG_OF_GIANT, LEG_OF_DWARF = 3.0, 0.03  # metres; beyond these the unit is wrong, not the body

ROLE_JOINTS = 2000  # larger trees are not bodies; searching them for limbs would only take time

UP_AXES = ("y", "z")


class UnitError(KinemaError):
    """An option names a unit or axis that does not exist."""


def longest_chain(
    parents: Iterable[int], lengths: NDArray[Any], tips: Iterable[tuple[int, NDArray[Any]]] = ()
) -> float:
    """Length of the longest path of bones from a root to a leaf or tip.

    Args:
        parents: parent of each joint, -1 for a root; parents come before their children.
        lengths: `[J]`, from each joint to its parent; of a root what is to count, usually 0.
        tips: joints that end in a tip, and the offset of the tip.
    """
    reach: list[float] = []
    for parent, length in zip(parents, lengths.tolist(), strict=True):
        reach.append(length + (reach[parent] if parent >= 0 else 0.0))
    return max([*reach, *(reach[joint] + float(np.linalg.norm(offset)) for joint, offset in tips)])


def metres_per(unit: str | float) -> float:
    """Metres in one unit: a name in `METRES`, or a positive number that is returned as it is.

    Raises:
        UnitError: no such unit; lists those there are.
    """
    if isinstance(unit, str):
        if unit in METRES:
            return METRES[unit]
    elif np.isfinite(unit) and unit > 0:
        return float(unit)
    raise UnitError(f"no unit {unit!r}; use {', '.join(METRES)}, or a positive number of metres per unit")


def guess_unit(longest_chain: float) -> str:
    """The unit of a file that states none, from its longest chain of bones from a root to a tip.

    A person's is about 1 in metres, 18 in CMU units and 100 in centimetres; animals from cat to giraffe are in the
    same three ranges.
    """
    if longest_chain <= LONGEST_IN_METRES:
        return "m"
    return "cmu" if longest_chain <= LONGEST_IN_CMU_UNITS else "cm"


def is_doubtful(unit: str, longest_chain: float) -> bool:
    """Whether a guessed unit gives a body that is small or large for a person, so that limbs should be measured too."""
    metres = longest_chain * METRES[unit]
    return metres > LONGEST_USUAL if unit == "m" else metres < SHORTEST_USUAL


def unit_of_person(unit: str, leg: float) -> str:
    """The unit guessed for a whole body, corrected by the length of a person's leg from hip to ankle in that file.

    If it makes the leg impossible for a person and another unit makes it a usual one, the other is right:
    decimetres and inches lie between the ranges of `guess_unit`.
    """
    low, high = LEG_POSSIBLE
    if not leg or low <= leg * METRES[unit] <= high:
        return unit
    low, high = LEG_USUAL
    return next((other for other in NAMES if low <= leg * METRES[other] <= high), unit)


def leg_of_person(skeleton: Skeleton) -> float:
    """Length of a leg from hip to ankle at rest; 0 without two legs, two arms and a head."""
    if skeleton.joint_count > ROLE_JOINTS:
        return 0.0
    roles = skeleton.roles
    if not roles.is_biped or len(roles.arms) != 2 or roles.head is None:
        return 0.0
    leg, length = roles.legs[0], 0.0
    joint = leg.foot
    while joint != leg.upper:
        length += float(np.linalg.norm(skeleton.rest_translations[joint]))
        joint = int(skeleton.parents[joint])
    return length


def mistaken_scale(leg: float) -> tuple[float, str] | None:
    """For a file that states its unit: the factor that corrects it, and why, if it makes a person impossible.

    Programs that read any numbers as metres write them as metres. Giants and dwarfs are left
    as they are: only a leg far beyond them, and a usual one in another unit, is a mistake.

    Args:
        leg: length of a person's leg in the file's unit, metres; 0 without a person.
    """
    low, high = LEG_USUAL
    if leg > LEG_OF_GIANT:
        for other, name in NAMES.items():
            if other != "m" and low <= leg * METRES[other] <= high:
                return METRES[other], f"its metres are {name}"
    if 0 < leg < LEG_OF_DWARF and low <= leg * 100 <= high:
        return 100.0, "its centimetres are metres"
    return None


def check_up(up: str) -> str:
    """The name of an up axis, or "auto". UnitError for anything else."""
    if up not in ("auto", *UP_AXES):
        raise UnitError(f"no up axis {up!r}; use auto, {', '.join(UP_AXES)}")
    return up


def vectors_from_z_up(vectors: NDArray[Any]) -> NDArray[Any]:
    """Vectors `[..., 3]` of a Z-up world in the Y-up one: a rotation by -90 degrees about X."""
    return np.stack([vectors[..., 0], vectors[..., 2], -vectors[..., 1]], axis=-1)


def rotations_from_z_up(rotations: NDArray[Any]) -> NDArray[Any]:
    """Quaternions wxyz `[..., 4]` of a Z-up world in the Y-up one.

    World and joint frames change alike (a change of basis), so that a rest pose of identities stays one.
    """
    return np.stack([rotations[..., 0], rotations[..., 1], rotations[..., 3], -rotations[..., 2]], axis=-1)

"""Marks that all sessions share: skeletons, joint names, contacts, and their colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kinema.rendering.draw import INK, Draw
from kinema.skeleton import Skeleton

LEFT, RIGHT = (0.27, 0.55, 0.90), (0.93, 0.42, 0.22)
"""Sides of the body, as on the mannequin."""

PAST, FUTURE = (0.50, 0.55, 0.62, 1.0), (0.25, 0.44, 0.90, 1.0)
"""Where a character was, and where it will be."""


def up(metres: float) -> NDArray[np.float32]:
    """An offset upwards, so that marks on the ground can be told apart."""
    return np.array([0.0, metres, 0.0], np.float32)


def side_colors(points: Sequence[str]) -> NDArray[np.float64]:
    """Colours `[C, 3]` of contact points by their names; those of no side take turns."""
    right = [
        "right" in name.lower() or ("left" not in name.lower() and index % 2 == 1) for index, name in enumerate(points)
    ]
    return np.where(np.array(right, bool)[:, None], RIGHT, LEFT)


def mark_skeleton(draw: Draw, skeleton: Skeleton, positions: NDArray[np.float32], size: float) -> None:
    """The bones of a character whose joints are at `positions` `[J, 3]`, over its body."""
    draw.skeleton(skeleton.parents, positions, INK, 0.0055 * size, on_top=True)


def mark_names(draw: Draw, skeleton: Skeleton, positions: NDArray[np.float32]) -> None:
    """The name of each joint beside it."""
    draw.text(positions, skeleton.names, 13.0, INK, pixels=True, on_top=True, anchor=(0.0, 0.5))


def mark_contacts(
    draw: Draw, names: Sequence[str], feet: NDArray[np.float32], touching: NDArray[np.floating], size: float
) -> None:
    """Discs on the ground under contact points at `feet` `[C, 3]`, full where they touch `[C]`, 0 to 1."""
    draw.contacts(feet, touching, side_colors(names)[: len(feet)], 0.075 * size)

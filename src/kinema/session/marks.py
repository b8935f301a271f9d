"""Marks that all sessions share: skeletons, joint names and contacts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema.rendering.draw import INK, Draw
from kinema.skeleton import Skeleton

LEFT, RIGHT = (0.27, 0.55, 0.90), (0.93, 0.42, 0.22)
"""Colours of the sides of the body, as on the mannequin."""

PAST, FUTURE = (0.50, 0.55, 0.62, 1.0), (0.25, 0.44, 0.90, 1.0)
"""Colours of past and future paths."""


def up(metres: float) -> NDArray[np.float32]:
    """An offset upwards, so that marks on the ground do not overlap."""
    return np.array([0.0, metres, 0.0], np.float32)


def side_colors(points: Sequence[str]) -> NDArray[np.float64]:
    """Colours `[C, 3]` of contact points by side; names without a side alternate."""
    right = [
        "right" in name.lower() or ("left" not in name.lower() and index % 2 == 1) for index, name in enumerate(points)
    ]
    return np.where(np.array(right, bool)[:, None], RIGHT, LEFT)


def mark_skeleton(draw: Draw, skeleton: Skeleton, positions: NDArray[np.float32], size: float) -> None:
    """Draw bones between joint positions `[J, 3]`, on top of the body."""
    draw.skeleton(skeleton.parents, positions, INK, 0.0055 * size, on_top=True)


def mark_names(draw: Draw, skeleton: Skeleton, positions: NDArray[np.float32]) -> None:
    """Draw the name of each joint."""
    draw.text(positions, skeleton.names, 13.0, INK, pixels=True, on_top=True, anchor=(0.0, 0.5))


def mark_contacts(
    draw: Draw,
    names: Sequence[str],
    feet: NDArray[np.float32],
    touching: NDArray[np.floating],
    size: float,
    ground: ArrayLike = 0.0,
) -> None:
    """Draw discs under contact points `feet` `[C, 3]`, at the height of the `ground`; `touching` `[C]` is 0 to 1."""
    draw.contacts(feet, touching, side_colors(names)[: len(feet)], 0.075 * size, ground)

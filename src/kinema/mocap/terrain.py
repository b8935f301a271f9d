"""Terrain for the clips of a database: what ground their feet may have walked on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.mocap.database import MotionDatabase
from kinema.terrain import Ground, fit_patches, heights_across


def fit_heights(
    database: MotionDatabase, candidates: Sequence[Ground], *, tries: int = 1000, seed: int = 0, width: float = 0.25
) -> Singles:
    """Heights `[N, 3]` of terrain left of, under and right of the root in all frames of a database, metres.

    Each clip gets the patch that fits its footfalls best; a clip in which no foot stands, or that no patch fits, is on
    level ground. As `database.labels["height"]` the heights are what the feature `height` reads.

    Args:
        candidates, tries, seed: as in `kinema.terrain.fit_patches`.
        width: distance of the outer lines, metres.

    Raises:
        UsageError: the candidates or the number of tries do not fit.
    """
    heights = np.zeros((database.frames, 3), np.float32)
    for clip in database.clips:
        frames = slice(clip.start, clip.stop)
        pose = database.pose(frames)
        feet = pose.global_positions[:, database.contact_joints] - np.array([0, database.clearance, 0], np.float32)
        contacts = pose.contacts > 0.5
        patches = fit_patches(candidates, feet, contacts, tries=tries, keep=1, seed=seed) if contacts.any() else []
        if patches:
            headings = rotations.yaw(pose.root_rotations)
            heights[frames] = heights_across(patches[0].ground, pose.root_positions, headings, width)
    return heights

"""Motion of many skeletons onto one, for a database: what `kinema build --to FILE` does to each take."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kinema import rotations
from kinema.mocap.assemble import skeleton_to_json
from kinema.mocap.ingest import Fit
from kinema.motion import Motion
from kinema.retargeting.files import load_target
from kinema.retargeting.overrides import Overrides
from kinema.retargeting.retargeter import Retargeter, target_skeleton
from kinema.skeleton import Skeleton

FIGURES = ("direction_error_deg", "position_error_cm", "skate_before_cm_s", "skate_after_cm_s", "jerk_ratio")
"""Figures of each take's report that are kept, with the number of `joints` of its source."""

SAME_PLACE = 1e-3  # m, and
SAME_TURN = 2e-3  # rad by which rest poses of one skeleton may differ


@dataclass(frozen=True)
class Gather:
    """Brings motions to the skeleton of a file; see `kinema.mocap.ingest.Gathers`.

    Attributes:
        path: the file of the target. overrides: matches stated by the user.

    Raises:
        FormatError: the file cannot be read.
        SkeletonError: it holds no skeleton.
    """

    path: str | os.PathLike[str]
    overrides: Overrides = field(default_factory=lambda: Overrides.create(None))

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", os.path.abspath(self.path))
        target_skeleton(load_target(os.fspath(self.path)))

    @property
    def skeleton(self) -> Skeleton:
        return target_skeleton(load_target(os.fspath(self.path)))

    @property
    def key(self) -> str:
        """Equal for equal targets, wherever their files are."""
        hinges = [(hinge.joint, hinge.lower, hinge.upper) for hinge in self.skeleton.hinges]
        parts = [skeleton_to_json(self.skeleton), self.skeleton.hints, hinges, repr(self.overrides)]
        return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()

    def fit(self, motions: Sequence[Motion]) -> Fit:
        """What is done to motions of one file; a skeleton that several share is matched once."""
        target = load_target(os.fspath(self.path))
        setups: list[Retargeter] = []

        def bring(motion: Motion) -> tuple[Motion, Mapping[str, float | None] | None]:
            if alike(motion.skeleton, self.skeleton):
                return motion, None
            setup = next((setup for setup in setups if motion.skeleton.same_topology(setup.source)), None)
            if setup is None:
                same = [other for other in motions if other.skeleton.same_topology(motion.skeleton)]
                setup = Retargeter(motion.skeleton, target, motions=same, mapping=self.overrides)
                setups.append(setup)
            result = setup(motion)
            figures = {name: getattr(result.report, name) for name in FIGURES}
            return result.motion, {"joints": float(motion.skeleton.joint_count), **figures}

        return bring


def alike(one: Skeleton, other: Skeleton) -> bool:
    """Whether poses mean the same on both: the same joints in the same rest pose, except for the roots' positions."""
    if not one.same_topology(other):
        return False
    distances = np.abs(one.rest_translations - other.rest_translations).max(axis=-1)
    angles = rotations.angle(rotations.relative(one.rest_rotations, other.rest_rotations))
    return bool((distances[one.parents >= 0] < SAME_PLACE).all() and (angles < SAME_TURN).all())

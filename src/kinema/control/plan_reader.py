"""Plans out of what networks say: vectors of features become poses of a body.

Rotations are made orthonormal and bones keep their lengths. Without that, errors feed on themselves until the motion
falls apart.
"""

from __future__ import annotations

import numpy as np

from kinema.arrays import Indices, Singles
from kinema.control import plan_kernels
from kinema.control.plans import PlanFrames
from kinema.features import FeatureSpec
from kinema.pose import Pose


class PlanReader:
    """Reads plans from vectors of features.

    Args:
        wanted: what the vectors mean. They have "root" (root_delta), "positions", "rotations" (rotation6d) and
            "contacts", all at the same times, which begin now.
        translated: joints `[T]` whose translations are not fixed. fps: of the plans.

    Attributes:
        frames: of a plan.
    """

    def __init__(self, wanted: FeatureSpec, translated: Indices, fps: float) -> None:
        self.wanted, self.translated, self.fps = wanted, translated, fps
        self.skeleton = wanted.skeleton
        by_name = {feature.name: feature for feature in wanted.features}
        self._root, self.frames = by_name["root"], by_name["contacts"].samples
        known = by_name["positions"].joint_indices(self.skeleton)
        self._columns = np.full(self.skeleton.joint_count, -1, np.int64)
        self._columns[known] = np.arange(len(known))
        self._parents = np.asarray(self.skeleton.parents, np.int32)

    def at_rest(self, start: Pose, carried: Singles) -> PlanFrames:
        """A plan of one character that stays in a pose, with what it carries `[D]`."""
        more = np.tile(np.asarray(carried, np.float32), (1, self.frames, 1))
        return PlanFrames.of(start[None, None][:, [0] * self.frames], self.translated, self.fps, more)

    def part(self, y: Singles, name: str) -> Singles:
        """The numbers `[n, F, D]` of a feature, by frame, in vectors `[n, D_y]`."""
        return y[:, self.wanted[name]].reshape(len(y), self.frames, -1)

    def __call__(self, y: Singles, carried: Singles) -> PlanFrames:
        """Plans `[n, F]` from vectors `[n, D_y]`, with what they carry `[n, F, D]`."""
        count, joints = len(y), self.skeleton.joint_count
        turned, moved = plan_kernels.local_poses(
            np.ascontiguousarray(self.part(y, "rotations"), np.float32).reshape(-1, joints, 6),
            self._parents,
            np.ascontiguousarray(self.part(y, "positions"), np.float32).reshape(count * self.frames, -1, 3),
            self._columns,
            self.translated,
        )
        translations = self.skeleton.translations(self.translated, moved)
        places, turns = self._root.decode(y[:, self.wanted["root"]], self.skeleton)
        whole = Pose(
            self.skeleton,
            turned.reshape(count, self.frames, joints, 4),
            translations.reshape(count, self.frames, joints, 3),
            contacts=self.part(y, "contacts").clip(0.0, 1.0),
            root_positions=places,
            root_rotations=turns,
        )
        return PlanFrames.of(whole, self.translated, self.fps, carried)

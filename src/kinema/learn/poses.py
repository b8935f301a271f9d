"""Poses in vectors of features: read them, assemble their bones, measure their errors."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from kinema import rotations
from kinema.arrays import Indices
from kinema.errors import LearningError
from kinema.features import FeatureSpec
from kinema.pose import Pose
from kinema.skeleton import Skeleton


def moved_joints(skeleton: Skeleton, translated: Indices) -> Indices:
    """The joints whose positions a pose needs beside all rotations: those with free translation, and their parents."""
    parents = skeleton.parents[translated]
    return np.union1d(translated, parents[parents >= 0]).astype(np.int32)


def _trained(six: Tensor) -> Tensor:
    """`rotations.matrix_from_6d` in a third of the time, for training: of parallel columns it makes no rotation."""
    first = functional.normalize(six[..., :3], dim=-1)
    second = six[..., 3:]
    second = functional.normalize(second - (first * second).sum(-1, keepdim=True) * first, dim=-1)
    return torch.stack([first, second, torch.linalg.cross(first, second)], dim=-1)


class PoseReader(nn.Module):
    """Reads poses from vectors with "positions" and "rotations" (rotation6d) at one or several times.

    Rotations are of all joints. Positions are of all joints, too, or of `moved_joints`: a vector with all of them holds
    more than a pose needs, and contradicts itself. Rotations apply to bones of fixed length; positions count for joints
    with free translation only (the hips).
    """

    def __init__(self, spec: FeatureSpec, translated: Indices) -> None:
        super().__init__()
        skeleton = spec.skeleton
        by_name = {feature.name: feature for feature in spec.features}
        for name, kind in (("positions", "position"), ("rotations", "rotation6d")):
            if name not in by_name or by_name[name].kind != kind:
                raise LearningError(f"an output with poses has {name!r} of kind {kind}")
        known = by_name["positions"].joint_indices(skeleton)
        missing = np.setdiff1d(moved_joints(skeleton, translated), known)
        if by_name["rotations"].joints or len(missing):
            raise LearningError(
                f"an output with poses has rotations of all joints, and positions of {len(missing)} joints more: "
                f"{', '.join(skeleton.names[joint] for joint in missing)}"
            )
        self.skeleton, self.translated = skeleton, translated
        self.times = by_name["positions"].times
        self.whole = len(known) == skeleton.joint_count
        self._positions, self._rotations = spec["positions"], spec["rotations"]
        parents = skeleton.parents
        # [j, k]: whether k is j or an ancestor of j
        above = np.stack([skeleton.below([joint]) for joint in range(skeleton.joint_count)], axis=1)
        free = np.zeros(skeleton.joint_count, bool)
        free[translated] = True
        free[(parents < 0) & np.isin(np.arange(len(parents)), known)] = True
        for name, values in (
            ("_above", torch.from_numpy(above.astype(np.float32))),
            ("_offsets", torch.from_numpy(np.array(skeleton.rest_translations))[:, :, None]),
            ("_parents", torch.from_numpy(np.maximum(parents, 0).astype(np.int64))),
            ("_is_root", torch.from_numpy(parents < 0)[:, None]),
            ("_free", torch.from_numpy(free)[:, None]),
            ("_known", torch.from_numpy(known.astype(np.int64))),
        ):
            self.register_buffer(name, values, persistent=False)
        self._above: Tensor
        self._offsets: Tensor
        self._parents: Tensor
        self._is_root: Tensor
        self._free: Tensor
        self._known: Tensor

    def positions(self, y: Tensor) -> Tensor:
        """Positions `[..., T, K, 3]` of joints as the vectors `[..., D]` have them, m."""
        return y[..., self._positions].unflatten(-1, (len(self.times), len(self._known), 3))

    def matrices(self, y: Tensor, times: Sequence[int] | slice = slice(None)) -> Tensor:
        """Joint rotations `[..., T, J, 3, 3]` in the root frame, at some of the times."""
        six = y[..., self._rotations].unflatten(-1, (len(self.times), self.skeleton.joint_count, 6))[..., times, :, :]
        return _trained(six) if torch.is_grad_enabled() else rotations.matrix_from_6d(six)

    def assembled(self, y: Tensor, times: Sequence[int] | slice = slice(None)) -> Tensor:
        """Joint positions `[..., T, J, 3]` of the poses as they would be drawn, with bones of fixed length.

        Forward kinematics without a loop: all bones are rotated at once and added along the tree.
        """
        return self._placed(y, self.matrices(y, times), times)

    def _placed(self, y: Tensor, turned: Tensor, times: Sequence[int] | slice) -> Tensor:
        """Joint positions `[..., T, J, 3]`, given the `matrices` of the same vectors and times."""
        offsets = self._offsets[..., 0]
        bones = (turned[..., self._parents, :, :] @ self._offsets)[..., 0]
        bones = torch.where(self._is_root, offsets, bones)
        said = self.positions(y)[..., times, :, :]
        positions = said if self.whole else bones.new_zeros(bones.shape).index_copy(-2, self._known, said)
        free = positions - torch.where(self._is_root, 0.0, positions[..., self._parents, :])
        return self._above @ torch.where(self._free, free, bones)

    def pose(self, y: Tensor) -> Pose:
        """Poses `[..., T]` that the vectors `[..., D]` hold, in root layout, with bones of fixed length."""
        matrices = self.matrices(y)
        placed = self._placed(y, matrices, slice(None)).cpu().numpy()
        model = Pose.from_model(self.skeleton, rotations.from_matrix(matrices).cpu().numpy(), placed)
        free = self._free[:, 0].cpu().numpy()
        translations = np.where(free[:, None], model.local_translations, self.skeleton.rest_translations)
        return Pose(self.skeleton, model.local_rotations, translations)

    def errors(self, predicted: Tensor, true: Tensor, times: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Distances of joints `[B, T, J]` in m and of their rotations `[B, T, J]` in rad, of vectors `[B, D]`.

        The predicted pose is measured as it would be drawn, with bones of fixed length; the true one as it is.
        """
        turned, truly = self.matrices(predicted, times), self.matrices(true, times)
        placed = self.positions(true)[..., times, :, :] if self.whole else self._placed(true, truly, times)
        distances = torch.linalg.vector_norm(self._placed(predicted, turned, times) - placed, dim=-1)
        # |A - B|_F = 2 sqrt(2) sin(angle / 2), which is exact near zero, where the trace is not.
        difference = torch.linalg.matrix_norm(turned - truly)
        return distances, 2.0 * torch.asin((difference / (2.0 * math.sqrt(2.0))).clamp(max=1.0))

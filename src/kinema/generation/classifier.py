"""Tells what is done from motion and rig alone, so that generated motion can be checked against what was asked.

It sees positions and velocities that forward kinematics draw, and the shape of the skeleton; no texts
and no conditions. Each joint is convolved over time; then joints hear from parents, children and the whole body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.generation.encoding import SHAPE, SHAPED, encode_rig
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes
from kinema.learn.model import Model, TrainingStep
from kinema.learn.setting import Setting
from kinema.mocap.creatures.acts import ACTIONS

FRAMES = 32
"""Frames of a window that is judged."""

_MOTION = 6
_WIDTH, _LAYERS, _DROPOUT = 128, 2, 0.1
_VELOCITY_SECONDS = 0.2


class Sight(NamedTuple):
    """Windows of many rigs, padded to `K` joints.

    Attributes:
        motion: `[B, FRAMES, K, 6]`. shape: `[B, K, SHAPE]`. above: `[B, K, K]`: 1 where the second joint is the parent
            of the first. valid: `[B, K]`, 0 or 1. action: `[B]`, indices into `ACTIONS`; -1 where not known.
    """

    motion: Tensor
    shape: Tensor
    above: Tensor
    valid: Tensor
    action: Tensor


def seen_motion(takes: Takes) -> Singles:
    """Offsets from the rest pose and velocities `[N, F, K, 6]` in the heading frame; the last frame moves on."""
    velocities = rotations.rotate_yaw(-takes.path[1][:, :-1, None], takes.global_velocities)
    velocities = np.concatenate([velocities, velocities[:, -1:]], axis=1) * np.float32(_VELOCITY_SECONDS)
    return np.concatenate([takes.model_positions - takes.rig.rest_positions, velocities], axis=-1)


def to_sight(windows: Sequence[tuple[AnyRig, Singles, Singles]], actions: Sequence[int]) -> Sight:
    """Windows as a batch.

    Args:
        windows: of each, the rig, its shape `[K, SHAPE]` and what `seen_motion` gives, `[FRAMES, K, 6]`.
    """
    count, size = max(rig.count for rig, _, _ in windows), len(windows)
    motion = np.zeros((size, FRAMES, count, _MOTION), np.float32)
    shape = np.zeros((size, count, SHAPE), np.float32)
    above = np.zeros((size, count, count), np.float32)
    valid = np.zeros((size, count), np.float32)
    for row, (rig, static, seen) in enumerate(windows):
        motion[row, :, : rig.count], shape[row, : rig.count], valid[row, : rig.count] = seen, static, 1.0
        above[row, np.arange(1, rig.count), rig.parents[1:]] = 1.0
    return Sight(
        torch.from_numpy(motion),
        torch.from_numpy(shape),
        torch.from_numpy(above),
        torch.from_numpy(valid),
        torch.as_tensor(np.asarray(actions, np.int64)),
    )


def shape_of(rig: AnyRig) -> Singles:
    """What is known of a rig's joints, `[K, SHAPE]`, without roles and names."""
    return encode_rig(rig).joints[:, SHAPED]


class ActionModel(Model):
    """The classifier: about 0.3 million parameters."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.shape = nn.Linear(SHAPE, 64)
        self.first = nn.Conv1d(_MOTION, 64, 5, 2, 2)
        self.later = nn.Sequential(
            nn.SiLU(), nn.Conv1d(64, 96, 5, 2, 2), nn.SiLU(), nn.Conv1d(96, 96, 3, 2, 1), nn.SiLU(), nn.Flatten()
        )
        self.enter = nn.Linear(96 * FRAMES // 8, _WIDTH)
        self.layers = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(4 * _WIDTH), nn.Linear(4 * _WIDTH, _WIDTH), nn.SiLU(), nn.Linear(_WIDTH, _WIDTH))
            for _ in range(_LAYERS)
        )
        self.leave = nn.Sequential(
            nn.Dropout(_DROPOUT), nn.Linear(2 * _WIDTH, _WIDTH), nn.SiLU(), nn.Linear(_WIDTH, len(ACTIONS))
        )

    def forward(self, sight: Sight) -> Tensor:
        """Logits `[B, len(ACTIONS)]`."""
        batch, frames, count = sight.motion.shape[:3]
        series = sight.motion.permute(0, 2, 3, 1).reshape(batch * count, _MOTION, frames)
        joints = self.first(series) + self.shape(sight.shape).reshape(batch * count, -1, 1)
        joints = self.enter(self.later(joints)).unflatten(0, (batch, count))
        valid = sight.valid[..., None]
        below = sight.above.transpose(1, 2)
        below = below / below.sum(-1, keepdim=True).clamp(min=1.0)
        for layer in self.layers:
            whole = (joints * valid).sum(1, keepdim=True) / valid.sum(1, keepdim=True)
            heard = [joints, sight.above @ joints, below @ joints, whole.expand_as(joints)]
            joints = joints + layer(torch.cat(heard, -1))
        mean = (joints * valid).sum(1) / valid.sum(1)
        most = joints.masked_fill(valid == 0, -1e4).amax(1)
        return self.leave(torch.cat([mean, most], -1))

    def loss(self, batch: Sight, step: TrainingStep) -> dict[str, Tensor]:
        return {"action": functional.cross_entropy(self(batch), batch.action, label_smoothing=0.05)}


@torch.inference_mode()
def judged(model: ActionModel, takes: Takes) -> Floats:
    """Probabilities `[N, len(ACTIONS)]` of the actions in clips of `FRAMES` frames."""
    static = shape_of(takes.rig)
    sight = to_sight([(takes.rig, static, seen) for seen in seen_motion(takes)], [-1] * takes.count)
    return torch.softmax(model.eval()(sight), -1).double().numpy()

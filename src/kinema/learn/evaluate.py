"""Errors of a model on motion it has not seen, beside those of simple baselines.

Errors of single poses hide how a motion moves: feet that slide, bones that shake. The motions that a model makes of
held-out clips are therefore measured like those of controllers, beside the clips themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kinema import rotations
from kinema.features import Dataset
from kinema.learn.poses import PoseReader
from kinema.learn.setting import Setting
from kinema.learn.shown import shown_poses
from kinema.learn.vectors import Predict, VectorData, VectorModel
from kinema.metrics import Rollout
from kinema.metrics.calibration import Calibration
from kinema.metrics.evaluate import motion_metrics
from kinema.metrics.rollout import clip_rollout
from kinema.mocap import MotionDatabase
from kinema.motion import Motion

SAMPLES = 8192
CHUNK = 512
SECONDS = 60.0
"""Of held-out clips whose motions are measured."""
MOTION = (
    "skate_contact_cm_s",
    "skate_near_cm_s",
    "glides_per_min",
    "jerk_m_s3",
    "joint_turn_max_deg",
    "joint_turn_p999_deg",
    "knee_hyper_percent",
)
"""Metrics of motions in each row; docs/metrics.md defines them."""


def evaluate(
    model: VectorModel, data: VectorData, shown: Sequence[int], baselines: Mapping[str, Predict]
) -> list[dict[str, Any]]:
    """Errors on the held-out clips: one row for the model, one for each baseline, and the ground truth.

    Args:
        model: on the CPU.
        shown: which times of the output are a pose to measure.
        baselines: what the model must beat, by name, beside the mean pose.

    Returns:
        Rows with name, position_cm (mean distance of joints of the assembled pose in the root frame), position_p95_cm
        (of the mean over a pose's joints), rotation_deg (mean over joints, in the root frame), root_cm, root_deg
        (where the path is predicted: at its end), and `MOTION`, metrics of the motions made of up to a minute of
        held-out clips. Errors of the ground truth are None.
    """
    dataset, database, setting = data.dataset, data.database, data.setting
    predictions: dict[str, Predict] = {"model": model.eval(), **baselines, "mean pose": _mean(dataset)}
    errors = {name: _Errors(setting, list(shown)) for name in predictions}
    held = dataset.samples("validation")
    chosen = held[np.unique(np.linspace(0, len(held) - 1, min(SAMPLES, len(held))).astype(np.int64))]
    with torch.no_grad():
        for begin in range(0, len(chosen), CHUNK):
            batch = dataset[chosen[begin : begin + CHUNK]]
            x, y = torch.from_numpy(batch.x), torch.from_numpy(batch.y)
            for name, predict in predictions.items():
                errors[name].add(predict(x), y)
    clips = _clips(database, np.unique(dataset.clip[held]))
    truth = [clip_rollout(database, clip, database.fps) for clip in clips]
    calibration = Calibration.of(truth)
    rows: list[dict[str, Any]] = []
    for name, predict in predictions.items():
        poses = [shown_poses(shown, predict, setting, database, clip) for clip in clips]
        made = [
            replace(true, motion=Motion.from_pose(pose, setting.fps)) for true, pose in zip(truth, poses, strict=True)
        ]
        rows.append({"name": name, **errors[name].row(), **_motion(made, calibration)})
    unknown = dict.fromkeys(key for key in rows[0] if key not in MOTION)
    return [*rows, {**unknown, "name": "ground truth", **_motion(truth, calibration)}]


def _clips(database: MotionDatabase, held: NDArray[np.integer]) -> list[int]:
    """Held-out clips of up to `SECONDS` in all, at least one; longer than a moment."""
    long = [clip for clip in held.tolist() if database.clips[clip].frames >= 4]
    ends = np.cumsum([database.clips[clip].frames for clip in long]) / database.fps
    return long[: max(int(np.searchsorted(ends, SECONDS, side="right")), 1)]


def _motion(rollouts: Sequence[Rollout], calibration: Calibration) -> dict[str, Any]:
    """Metrics of motions that a model may be judged by, rounded."""
    found = motion_metrics(rollouts, calibration)
    return {key: round(value, 4) if isinstance(value := found[key], float) else value for key in MOTION}


def _mean(dataset: Dataset) -> Predict:
    offset = torch.from_numpy(dataset.normalizers()[1].offset)
    return lambda x: offset.expand(len(x), -1)


class _Errors:
    def __init__(self, setting: Setting, shown: list[int]) -> None:
        self._spec, self._shown = setting.specs["y"], shown
        self._reader = PoseReader(self._spec, setting.translated)
        self._poses: list[Tensor] = []
        self._angles: list[Tensor] = []
        self._roots: list[tuple[float, float]] = []

    def add(self, predicted: Tensor, true: Tensor) -> None:
        distances, angles = self._reader.errors(predicted, true, self._shown)
        self._poses.append(distances.mean(-1).reshape(-1))
        self._angles.append(angles.mean(-1).reshape(-1))
        if "root" in self._spec.slices:
            ends = [self._spec.decode(y.numpy(), ("root",))["root"] for y in (predicted, true)]
            distance = np.linalg.norm(ends[0][0][:, -1] - ends[1][0][:, -1], axis=-1)
            angle = rotations.angle(rotations.relative(ends[0][1][:, -1], ends[1][1][:, -1]))
            self._roots += zip(distance.tolist(), angle.tolist(), strict=True)

    def row(self) -> Mapping[str, float]:
        poses, angles = torch.cat(self._poses).numpy(), torch.cat(self._angles).numpy()
        row = {
            "position_cm": 100 * float(poses.mean()),
            "position_p95_cm": 100 * float(np.percentile(poses, 95)),
            "rotation_deg": float(np.degrees(angles.mean())),
        }
        if self._roots:
            distance, angle = np.mean(self._roots, axis=0).tolist()
            row |= {"root_cm": 100 * distance, "root_deg": float(np.degrees(angle))}
        return {name: round(value, 4) for name, value in row.items()}

"""How near a model comes to motion it has not seen, beside what is possible without it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from kinema import rotations
from kinema.features import Dataset
from kinema.learn.model import Model, Predict, Setting, Task
from kinema.learn.poses import PoseReader

SAMPLES = 8192
CHUNK = 512


def evaluate(task: Task, network: Model, dataset: Dataset, setting: Setting, options: Any) -> list[dict[str, Any]]:
    """Errors on the held-out clips: one row for the model and one for each baseline.

    Args:
        network: on the CPU.

    Returns:
        Rows with name, position_cm (mean distance of joints of the assembled pose in the root frame), position_p95_cm
        (of the mean over a pose's joints), rotation_deg (mean over joints, in the root frame), and root_cm, root_deg
        (where the path is predicted: at its end).
    """
    predictions: dict[str, Predict] = {
        "model": network.eval(),
        **task.baselines(dataset, setting, options),
        "mean pose": _mean(setting),
    }
    rows = {name: _Errors(setting, list(task.SHOWN)) for name in predictions}
    held = dataset.samples("validation")
    chosen = held[np.unique(np.linspace(0, len(held) - 1, min(SAMPLES, len(held))).astype(np.int64))]
    with torch.no_grad():
        for begin in range(0, len(chosen), CHUNK):
            batch = dataset[chosen[begin : begin + CHUNK]]
            x, y = torch.from_numpy(batch.x), torch.from_numpy(batch.y)
            for name, predict in predictions.items():
                rows[name].add(predict(x), y)
    return [{"name": name, **errors.row()} for name, errors in rows.items()]


def _mean(setting: Setting) -> Predict:
    offset = torch.from_numpy(np.array(setting.y_scaling.offset))
    return lambda x: offset.expand(len(x), -1)


class _Errors:
    def __init__(self, setting: Setting, shown: list[int]) -> None:
        self._reader, self._spec, self._shown = PoseReader(setting.y_spec, setting.translated), setting.y_spec, shown
        self._poses: list[Tensor] = []
        self._angles: list[Tensor] = []
        self._roots: list[tuple[float, float]] = []

    def add(self, predicted: Tensor, true: Tensor) -> None:
        distances, angles = self._reader.errors(predicted, true, self._shown)
        self._poses.append(distances.mean(-1).reshape(-1))
        self._angles.append(angles.mean(-1).reshape(-1))
        if "root" in self._spec.slices:
            ends = [self._spec.decode(y.numpy())["root"] for y in (predicted, true)]
            apart = np.linalg.norm(ends[0][0][:, -1] - ends[1][0][:, -1], axis=-1)
            turned = rotations.angle(rotations.relative(ends[0][1][:, -1], ends[1][1][:, -1]))
            self._roots += zip(apart.tolist(), turned.tolist(), strict=True)

    def row(self) -> Mapping[str, float]:
        poses, angles = torch.cat(self._poses).numpy(), torch.cat(self._angles).numpy()
        row = {
            "position_cm": 100 * float(poses.mean()),
            "position_p95_cm": 100 * float(np.percentile(poses, 95)),
            "rotation_deg": float(np.degrees(angles.mean())),
        }
        if self._roots:
            apart, turned = np.mean(self._roots, axis=0).tolist()
            row |= {"root_cm": 100 * apart, "root_deg": float(np.degrees(turned))}
        return {name: round(value, 4) for name, value in row.items()}

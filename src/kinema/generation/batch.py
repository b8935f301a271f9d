"""Windows as tensors: a batch of many skeletons, padded to the largest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from kinema.generation import text, tree
from kinema.generation.windows import RigWindow
from kinema.learn.networks.joint_patches import BodyBatch


class RigBatch(NamedTuple):
    """Windows as tensors, padded to `K` joints; see `RigWindow`."""

    channels: Tensor
    known: Tensor
    known_root: Tensor
    asked: Tensor
    path: Tensor
    texts: Tensor
    sentences: Tensor
    stretch: Tensor
    static: Tensor
    hops: Tensor
    relations: Tensor
    valid: Tensor
    size: Tensor
    rest: Tensor
    offsets: Tensor
    above: Tensor
    told: Tensor

    @property
    def bodies(self) -> BodyBatch:
        return BodyBatch(self.static, self.hops, self.relations, self.valid, self.size)


def to_batch(windows: Sequence[RigWindow]) -> RigBatch:
    """Windows of one length as a batch."""
    count = max(window.rig.count for window in windows)

    def padded(arrays: Sequence[np.ndarray], *axes: int) -> Tensor:
        rows = []
        for array in arrays:
            widths = [(0, count - array.shape[axis] if axis in axes else 0) for axis in range(array.ndim)]
            rows.append(np.pad(array, widths))
        return torch.from_numpy(np.stack(rows))

    most = max(len(window.texts) for window in windows)
    lists = [each for window in windows for each in [*window.texts, *[[]] * (most - len(window.texts))]]
    sentences = [window.sentences for window in windows]
    encodings = [window.encoding for window in windows]
    return RigBatch(
        padded([window.channels for window in windows], 1),
        padded([window.known.astype(np.float32) for window in windows], 1),
        padded([window.known_root.astype(np.float32) for window in windows]),
        padded([window.asked for window in windows]),
        padded([window.path for window in windows]),
        torch.from_numpy(text.padded(lists)).unflatten(0, (len(windows), most)),
        torch.from_numpy(np.stack([np.pad(each, ((0, most - len(each)), (0, 0))) for each in sentences])),
        padded([window.stretch.astype(np.int64) for window in windows]),
        padded([window.static for window in windows], 0),
        padded([each.hops.astype(np.int64) for each in encodings], 0, 1),
        padded([each.relations.astype(np.int64) for each in encodings], 0, 1),
        padded([np.ones(window.rig.count, np.bool_) for window in windows], 0),
        torch.tensor([window.size for window in windows]),
        padded([window.rig.rest_positions for window in windows], 0),
        padded([window.rig.offsets for window in windows], 0),
        torch.from_numpy(tree.jumps([window.rig for window in windows], count)),
        torch.tensor([window.told for window in windows]),
    )

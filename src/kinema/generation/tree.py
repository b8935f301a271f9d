"""Forward kinematics of a batch of different skeletons, in torch.

Every joint is composed with its parent, then with the joint that its parent was composed with, and so on: the number of
rounds is the logarithm of the depth of the tree, and joints, frames and skeletons are all treated at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from kinema.arrays import Ints
from kinema.generation.rig import AnyRig


def jumps(rigs: Sequence[AnyRig], count: int) -> Ints:
    """Which joint each joint is composed with, round after round: `[R, B * (count + 1)]`, indices into all of them.

    The last of each skeleton's `count + 1` places is nothing, which everything ends in.
    """
    depth = max(int(rig.depths.max()) for rig in rigs)
    rounds = max(int(np.ceil(np.log2(depth + 1))), 0)
    nothing = np.arange(len(rigs)) * (count + 1) + count
    above = np.repeat(nothing[:, None], count + 1, axis=1)
    for number, rig in enumerate(rigs):
        hung = rig.parents >= 0
        above[number, : rig.count][hung] = rig.parents[hung] + number * (count + 1)
    flat = above.reshape(-1)
    found = np.empty((rounds, flat.size), np.int64)
    for row in found:
        row[:] = flat
        flat = flat[flat]
    return found


def forward(matrices: Tensor, offsets: Tensor, above: Tensor) -> tuple[Tensor, Tensor]:
    """Global turns `[B, T, K, 3, 3]` and positions `[B, T, K, 3]` from those relative to the parent.

    Args:
        matrices: `[B, T, K, 3, 3]`. offsets: `[B, T, K, 3]`, from the parent; of the root, its position.
        above: what `jumps` gives.
    """
    batch, frames, count = matrices.shape[:3]
    moved = torch.cat([matrices, offsets[..., None]], -1).permute(0, 2, 1, 3, 4)  # [B, K, T, 3, 4]
    nothing = torch.eye(3, 4, dtype=moved.dtype, device=moved.device).expand(batch, 1, frames, 3, 4)
    moved = torch.cat([moved, nothing], 1).flatten(0, 1)
    for indices in above:
        upper = moved.index_select(0, indices)
        turned = upper[..., :3] @ moved
        moved = torch.cat([turned[..., :3], turned[..., 3:] + upper[..., 3:]], -1)
    moved = moved.unflatten(0, (batch, count + 1))[:, :count].permute(0, 2, 1, 3, 4)
    return moved[..., :3], moved[..., 3]

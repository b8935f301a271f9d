"""The kernel and its plain form agree."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.retargeting import Retargeter, transfer


def test_kernel_and_reference_agree(walk: Motion, rig: Skeleton) -> None:
    constants = Retargeter(walk.skeleton, rig).transfer
    assert {transfer.KEEP, transfer.LINK, transfer.LOWER, transfer.UPPER} == set(constants.ops.tolist())
    turned = walk[:].global_rotations
    ours, plain = transfer.transfer_rotations(constants, turned), transfer.transfer_reference(constants, turned)
    assert rotations.angle(rotations.relative(ours, plain)).max() < 3e-3
    assert np.allclose(np.linalg.norm(ours, axis=-1), 1, atol=1e-5)


@pytest.mark.parametrize("count", [2, 3, 6])
def test_chains_of_other_length_end_alike_and_bend_evenly(walk: Motion, count: int) -> None:
    """A spine of `count` joints: its last turns as the source's last, those before lie between."""
    source = walk.skeleton
    spine = [j for c in source.roles.chains if c.kind == "spine" for j in c.joints if source.roles.parts[j] == "spine"]
    last, above = spine[-1], [j for j in range(source.joint_count) if j not in spine]
    total = source.rest_translations[spine].sum(axis=0)
    names, parents, offsets = [], [], []
    index: dict[int, int] = {}
    for joint in above:
        if spine[0] not in index and int(source.parents[joint]) == last:
            for number in range(count):
                names.append(f"Spine{number}")
                parents.append(index[int(source.parents[spine[0]])] if number == 0 else len(names) - 2)
                offsets.append(total / count)
            index[spine[0]] = index[last] = len(names) - 1
        index[joint] = len(names)
        names.append(source.names[joint])
        parents.append(-1 if source.parents[joint] < 0 else index[int(source.parents[joint])])
        offsets.append(source.rest_translations[joint])
    order = sorted(range(len(names)), key=lambda j: j)
    target = Skeleton.create([names[j] for j in order], [parents[j] for j in order], [offsets[j] for j in order])
    result = Retargeter(source, target)(walk, contacts=False).motion
    chest = target.index(f"Spine{count - 1}")
    ours, theirs = result[:].global_rotations[:, chest], walk[:].global_rotations[:, last]
    assert rotations.angle(rotations.relative(ours, theirs)).max() < 5e-3

"""The kernel and its plain form agree."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.retargeting import Retargeter, kernels, transfer


def test_kernel_and_reference_agree(walk: Motion, rig: Skeleton) -> None:
    constants = Retargeter(walk.skeleton, rig).transfer
    assert {transfer.KEEP, transfer.LINK, transfer.LOWER, transfer.UPPER} == set(constants.ops.tolist())
    turned = walk[:].global_rotations
    ours, plain = kernels.transfer_rotations(constants, turned), transfer.transfer_reference(constants, turned)
    assert rotations.angle(rotations.relative(ours, plain)).max() < 3e-3
    assert np.allclose(np.linalg.norm(ours, axis=-1), 1, atol=1e-5)


@pytest.mark.parametrize(
    ("turned", "bone", "end"),
    [
        ("LeftHand", "LeftForeArm", "LeftHand"),
        ("RightFoot", "RightLeg", "RightFoot"),
        ("LeftArm", "LeftArm", "LeftForeArm"),
        ("RightUpLeg", "RightUpLeg", "RightLeg"),
    ],
)
def test_twist_joints_take_their_share(walk: Motion, rig: Skeleton, turned: str, bone: str, end: str) -> None:
    """A joint turns by 1 rad about a bone that ends or begins there; the twist joint sits halfway along it."""
    source, setup = walk.skeleton, Retargeter(walk.skeleton, rig)
    axis = rotations.normalize_vector(source.rest_translations[source.index(end)])
    twist, local = rotations.from_axis_angle(axis, np.float32(1.0)), walk.local_rotations.copy()
    joint = source.index(turned)
    local[:, joint] = rotations.multiply(*((local[:, joint], twist) if turned == bone else (twist, local[:, joint])))
    before, after = (setup(m, contacts=False).motion[:] for m in (walk, walk.replace(local_rotations=local)))
    changes = rotations.log(rotations.multiply(after.global_rotations, rotations.inverse(before.global_rotations)))
    line = before.global_positions[:, rig.index(end)] - before.global_positions[:, rig.index(bone)]
    turns = (changes * rotations.normalize_vector(line)[:, None]).sum(axis=-1)
    assert turns[:, rig.index(turned)] == pytest.approx(1.0, abs=0.01)
    assert turns[:, rig.index(f"{bone}Twist")] == pytest.approx(0.5, abs=0.01)
    assert turned == bone or np.abs(changes[:, rig.index(bone)]).max() < 1e-2


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

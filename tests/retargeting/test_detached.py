"""Feet that are not children of their leg."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.retargeting import Retargeter
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.detached import carrier, detached_ends, detached_joints
from kinema.retargeting.stance import with_detached


def detached(skeleton: Skeleton) -> Skeleton:
    """The same with feet as children of the root, as in rigs whose feet are targets of IK."""
    placed = skeleton.rest_pose.global_positions
    names = ["Root", *skeleton.names]
    parents, offsets = [-1], [np.zeros(3, np.float32)]
    for joint, parent in enumerate(skeleton.parents.tolist()):
        free = skeleton.names[joint].endswith("Foot")
        parents.append(0 if parent < 0 or free else parent + 1)
        offsets.append(placed[joint] if free else skeleton.rest_translations[joint])
    order = sorted(range(len(names)), key=lambda j: (names[j] != "Root", j))
    return Skeleton.create([names[j] for j in order], parents, offsets)


def test_detached_feet_belong_to_their_legs(biped: Skeleton) -> None:
    rig = detached(biped)
    body = Anatomy.of(rig)
    assert {rig.names[j]: chain.name for j, chain in body.detached.items()} == {
        "LeftFoot": "left_leg",
        "RightFoot": "right_leg",
    }
    assert {name: rig.names[j] for name, j in body.ends.items()} == {"left_leg": "LeftFoot", "right_leg": "RightFoot"}


def test_detached_feet_go_where_the_legs_go(walk: Motion) -> None:
    rig = detached(walk.skeleton)
    result = Retargeter(walk.skeleton, rig)(walk, contacts=False).motion
    ours, theirs = result[:].global_positions, walk[:].global_positions
    for name in ("LeftFoot", "RightFoot", "LeftToeBase"):
        assert np.abs(ours[:, rig.index(name)] - theirs[:, walk.skeleton.index(name)]).max() < 0.05


def test_the_body_is_carried_by_the_topmost_hips(biped: Skeleton) -> None:
    assert carrier(biped) == biped.roles.hips


def test_a_measured_stance_has_its_feet_at_its_legs(walk: Motion) -> None:
    """Where feet hang on the root, the mean of the rotations does not say where they are."""
    rig = detached(walk.skeleton)
    moving = Retargeter(walk.skeleton, rig)(walk, contacts=False).motion[:]
    rest = rig.rest_pose
    lost = rest.local_translations.copy()
    feet, shins = ([rig.index(f"{side}{name}") for side in ("Left", "Right")] for name in ("Foot", "Leg"))
    lost[feet] += np.array([0.3, 0.2, 0.1], np.float32)
    found = with_detached(rest.replace(local_translations=lost), moving)
    for foot, shin in zip(feet, shins, strict=True):
        assert np.abs(found.global_positions[foot] - rest.global_positions[foot]).max() < 0.01
        assert np.linalg.norm(lost[foot] - rest.local_translations[foot]) > 0.3
        np.testing.assert_array_equal(found.local_translations[shin], rest.local_translations[shin])


def test_only_what_has_the_side_of_a_limb_is_detached(biped: Skeleton) -> None:
    """Neither a lamp on the root, nor what is above the hips, nor a toe below a loose foot."""
    rig = detached(biped)
    names, parents = [*rig.names, "Lamp", "LeftKite"], [*rig.parents.tolist(), 0, rig.joint_count]
    lit = Skeleton.create(names, parents, [*rig.rest_translations, [9, 9, 9], [0, 0.1, 0]])
    body = Anatomy.of(lit)
    found = {lit.names[joint] for joint in body.detached}
    assert {"LeftFoot", "RightFoot"} <= found and not {"Root", "Lamp", "Hips", "LeftToeBase"} & found
    assert {lit.names[joint] for joint in body.ends.values()} == {"LeftFoot", "RightFoot"}


@pytest.mark.parametrize(
    ("names", "distances", "end"),
    [
        (("LeftFoot", "LeftFootPole"), (0.30, 0.05), "LeftFoot"),
        (("LeftKite", "LeftBall"), (0.30, 0.05), "LeftBall"),
        (("LeftKite", "LeftBall"), (0.05, 0.30), "LeftKite"),
        (("LeftKite", "LeftBall"), (0.345, 0.9), None),
    ],
)
def test_of_several_loose_joints_a_foot_or_the_nearest_ends_a_leg(
    biped: Skeleton, names: tuple[str, str], distances: tuple[float, float], end: str | None
) -> None:
    """If it is nearer to the knee than 85 % of its way to the hip; distances are below the knee."""
    feet = [
        joint
        for joint, name in enumerate(biped.names)
        if name.startswith("Left") and name.endswith(("Foot", "ToeBase"))
    ]
    kept = [joint for joint in range(biped.joint_count) if joint not in feet]
    parents = [-1, *(0 if biped.parents[j] < 0 else kept.index(int(biped.parents[j])) + 1 for j in kept)]
    knee = biped.rest_pose.global_positions[biped.index("LeftLeg")]
    offsets = [[0, 0, 0], *biped.rest_translations[kept], *(knee - [0, distance, 0] for distance in distances)]
    if end is None:  # above the knee, nearly at the hip
        offsets[-2:] = [knee + np.array([0.9, 0, 0]), knee + np.array([0, 0.9, 0.1])]
    rig = Skeleton.create(["Root", *(biped.names[j] for j in kept), *names], [*parents, 0, 0], offsets)
    loose = detached_joints(rig.rest_pose)
    assert {rig.names[joint] for joint in loose} == set(names)
    ends = {rig.names[joint] for joint in detached_ends(rig.rest_pose, loose).values()}
    assert ends == ({end} if end else set())

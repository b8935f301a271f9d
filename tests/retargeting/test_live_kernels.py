"""The kernel of live retargeting against plain forms."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.ik.two_bone import two_bone_reference
from kinema.pose import Pose
from kinema.retargeting import Retargeter, live, live_kernels
from kinema.retargeting.contacts import bend_direction
from kinema.retargeting.limbs import set_global_rotations


def test_heading_is_the_turn_about_the_vertical() -> None:
    rng = np.random.default_rng(4)
    rest = rotations.normalize(rng.standard_normal(4)).astype(np.float32)
    for yaw in (-2.0, 0.3, 1.4):
        turn = rotations.from_yaw(np.float32(yaw))
        tilted = rotations.multiply(turn, rotations.exp(np.float32([0.7, 0, 0])))
        found = live_kernels.heading(tuple(rotations.multiply(tilted, rest).tolist()), tuple(rest.tolist()))
        assert rotations.angle(rotations.relative(np.float32(found), turn)) == pytest.approx(0.0, abs=1e-3)
    assert live_kernels.heading((0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)


def test_knees_bend_as_in_the_contact_pass() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        knee, end, front = rng.standard_normal((3, 3)) * [[0.1], [1.0], [1.0]] + [[0, -0.4, 0], [0, -0.9, 0], [0, 0, 1]]
        plain = bend_direction(*(v[None].astype(np.float32) for v in (knee, end, front)), 0.9)[0]
        found = live_kernels.bend_direction(tuple(knee), tuple(end), tuple(front), 0.9)
        np.testing.assert_allclose(found, plain, atol=1e-4)


def test_detached_joints_come_after_their_leaders() -> None:
    parents = np.array([-1, 0, 1, 0], np.int32)
    leaders = np.array([-1, 3, -1, -1], np.int32)
    order = live._order(parents, leaders).tolist()
    assert order.index(3) < order.index(1) < order.index(2)


def followed(pair: live.Live, source: Pose) -> tuple[Pose, np.ndarray]:
    """What the kernel does, written out for all poses at once, and how far the hips sink `[N]`."""
    setup, (_, hips, legs) = pair.setup, pair._constants
    turns, places = source.model_rotations, source.model_positions
    turn = rotations.multiply(turns[:, hips.driver], hips.turn)
    place = hips.scale * places[:, hips.tops].mean(axis=1) - rotations.rotate(turn, hips.offset)
    place[:, 1] += hips.lift
    local = setup.local_rotations(turns)
    pose = setup.pose(local, place.astype(np.float32))
    sinks, goals = np.zeros(len(source)), []
    for number, leg in enumerate(setup.legs):
        limb, stood = leg.target, setup.bodies[0].standing.rotations[leg.source.touch]
        point = leg.source.path(source)
        change = rotations.multiply(turns[:, leg.source.touch], rotations.inverse(stood))
        aside = rotations.rotate(rotations.swing_twist(change, np.float32([0, 1, 0]))[1], legs.offsets[number])
        height = hips.scale * (point[:, 1] - legs.grounds[number])
        touch = hips.scale * point + aside
        touch[:, 1] = leg.clearance + height
        goal = touch + limb.ends(pose) - limb.path(pose)
        line = pose.global_positions[:, limb.upper] - goal
        now = np.linalg.norm(limb.ends(pose) - pose.global_positions[:, limb.upper], axis=-1)
        reach = np.maximum(live_kernels.STRETCH * limb.length, now)
        level = line[:, 0] ** 2 + line[:, 2] ** 2
        needed = line[:, 1] - np.sqrt(np.maximum(reach**2 - level, 0))
        near = np.clip(1 - height / (live_kernels.LOW * limb.length), 0, 1)
        far = (level < reach**2) & (np.linalg.norm(line, axis=-1) > reach)
        sinks = np.maximum(sinks, np.where(far, np.minimum(needed, live_kernels.MOST_SUNK * limb.length) * near, 0))
        goals.append(goal)
    for leg, goal in zip(setup.legs, goals, strict=True):
        limb, turned, positions = leg.target, pose.global_rotations, pose.global_positions
        goal[:, 1] += sinks
        top, knee, end = positions[:, limb.upper], positions[:, limb.lower], limb.ends(pose)
        pole = bend_direction(knee - top, end - top, rotations.rotate(turned[:, limb.upper], limb.front), limb.length)
        chain = turned[:, limb.upper], turned[:, limb.lower], top, knee, end, goal.astype(np.float32)
        upper, lower = two_bone_reference(*chain, pole, live_kernels.SOFT)
        new = {limb.upper: upper, limb.lower: lower}
        set_global_rotations(local, pose, new if limb.end is None else new | {limb.end: turned[:, limb.end]})
    place[:, 1] -= sinks
    return setup.pose(local, place.astype(np.float32)), sinks


def test_the_kernel_does_what_its_plain_form_does(walk: Motion, rig: Skeleton) -> None:
    """Legs of other proportions, one shorter than the other, so that the hips have to sink; on uneven ground too."""
    offsets = rig.rest_translations.copy()
    for leg, shin in zip(rig.roles.legs, (0.9, 1.05), strict=True):
        offsets[leg.foot] *= shin
    tips = list(zip(rig.tip_joints.tolist(), rig.tip_offsets, strict=True))
    uneven = Skeleton.create(rig.names, rig.parents, offsets, rig.rest_rotations, tips)
    pair = live.Live(Retargeter(walk.skeleton, uneven), [walk])
    pair._constants[2].grounds[:] += np.float32([0.02, -0.03])
    source = walk[::3]
    found, (plain, sinks) = pair.pose(source), followed(pair, source)
    assert sinks.max() > 0.005 and np.count_nonzero(sinks == 0) > 5
    np.testing.assert_allclose(found.global_positions, plain.global_positions, atol=2e-3)
    turned = rotations.angle(rotations.relative(found.global_rotations, plain.global_rotations))
    assert turned.max() < 0.02
    hips = pair.setup.pose(found.local_rotations, found.global_positions[:, uneven.roles.hips])
    np.testing.assert_allclose(found.global_positions, hips.global_positions, atol=1e-4)

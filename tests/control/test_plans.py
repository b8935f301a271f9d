"""Plans of a few frames, faded from one to the next."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Pose, Skeleton, rotations
from kinema.control import plan_kernels
from kinema.control.plans import PlanFrames, Plans

FPS, COUNT = 30.0, 12
HIPS = np.array([0], np.int32)


def plan(skeleton: Skeleton, rng: np.random.Generator, plans: int = 1) -> PlanFrames:
    """Random motion: joints that turn steadily, a root that walks a curve."""
    times = np.arange(COUNT)[:, None] / FPS
    axes = rng.normal(size=(plans, 1, skeleton.joint_count, 3))
    turns = rotations.exp(axes * times[:, None]).astype(np.float32)
    moved = np.broadcast_to(skeleton.rest_translations, (plans, COUNT, skeleton.joint_count, 3)).copy()
    moved[:, :, 0, 1] += rng.normal(size=(plans, 1)) * times[:, 0]
    speed, bend = rng.normal(size=(2, plans, 1))
    headings = bend * times[:, 0]
    place = np.cumsum(rotations.rotate_yaw(headings, np.array([0.0, 0.0, 1.0])) * speed[..., None] / FPS, axis=1)
    down = rng.random((plans, COUNT, 2)).astype(np.float32)
    pose = Pose(
        skeleton,
        turns,
        moved,
        contacts=down,
        root_positions=place.astype(np.float32),
        root_rotations=rotations.from_yaw(headings).astype(np.float32),
    )
    return PlanFrames.of(pose, HIPS, FPS)


@pytest.fixture
def plans(biped: Skeleton, rng: np.random.Generator) -> Plans:
    return Plans(biped, HIPS, plan(biped, rng), FPS, fade=0.2)


def moment(frames: PlanFrames, place: float) -> PlanFrames:
    """The plans at a place in frames, by themselves."""
    chosen = np.arange(len(frames.rotations))
    around, weights = plan_kernels.stencils(place + chosen * COUNT, chosen * COUNT, (chosen + 1) * COUNT - 1)
    turns, values = frames.rotations, frames.values
    return PlanFrames(
        plan_kernels.sample_rotations(turns.reshape(-1, *turns.shape[2:]), around, weights),
        plan_kernels.sample_values(values.reshape(-1, values.shape[2]), around, weights),
        frames.shapes,
    )


def apart(a, b) -> float:
    """Largest difference of two moments."""
    return max(
        float(rotations.angle(rotations.relative(a.rotations, b.rotations)).max()),
        *(
            float(np.abs(getattr(a, n) - getattr(b, n)).max())
            for n in ("translations", "contacts", "root", "velocities")
        ),
    )


def test_velocities_are_those_of_the_motion(biped, rng):
    """Of joints relative to the world, in the root frame; and of the root itself."""
    dt, made = 1 / FPS, plan(biped, rng)
    headings = np.cumsum(np.full(COUNT, made.root[0, 5, 3] * dt)) - made.root[0, 5, 3] * dt
    assert np.ptp(made.root[0, :, 3]) < 1e-4  # it turns steadily
    speed = np.linalg.norm(made.root[0, 2:-2, :3], axis=-1)
    assert np.ptp(speed) < 1e-3 and speed[0] > 0.01
    pose = Pose(biped, made.rotations[0], biped.translations(HIPS, made.translations[0]))
    place = np.zeros((COUNT, 3))
    step = rotations.rotate_yaw(headings, made.root[0, :, :3])
    place[1:] = np.cumsum(0.5 * dt * (step[1:] + step[:-1]), axis=0)
    world = rotations.rotate_yaw(headings[:, None], pose.model_positions) + place[:, None]
    expected = rotations.rotate_yaw(-headings[1:-1, None], (world[2:] - world[:-2]) / (2 * dt))
    np.testing.assert_allclose(made.velocities[0, 1:-1], expected, atol=5e-3)


def test_parts_are_those_of_the_poses(biped, rng):
    made = plan(biped, rng, 2)
    more = rng.normal(size=(2, COUNT, 5)).astype(np.float32)
    pose = Pose(
        biped,
        made.rotations,
        np.broadcast_to(biped.rest_translations, (*made.rotations.shape[:-1], 3)),
        contacts=made.contacts,
        root_positions=np.zeros((2, COUNT, 3), np.float32),
        root_rotations=rotations.from_yaw(np.zeros((2, COUNT))),
    )
    again = PlanFrames.of(pose, HIPS, FPS, more)
    np.testing.assert_array_equal(again.carried, more)
    np.testing.assert_array_equal(again.contacts, made.contacts)
    np.testing.assert_allclose(again.translations, pose.local_translations[:, :, HIPS])
    assert again.velocities.shape == (2, COUNT, biped.joint_count, 3) and not again.root.any()


@pytest.mark.parametrize("waits", [(0.05,), (0.1, 0.1), (0.03, 0.02, 0.15)])
def test_nothing_jumps_when_a_plan_is_replaced(plans, biped, rng, waits):
    """Wherever in a fade that is."""
    for wait in (*waits, 0.0):
        plans.replace(np.array([0]), plan(biped, rng))
        plans.advance(wait)
        before = plans.at()
        plans.replace(np.array([0]), plan(biped, rng))
        assert apart(plans.at(), before) < 0.02  # the old plan is kept in frames
        plans.advance(1e-4)
        assert apart(plans.at(), before) < 0.03


def test_after_the_fade_the_new_plan_is_followed(plans, biped, rng):
    new = plan(biped, rng)
    plans.replace(np.array([0]), new)
    plans.advance(0.1)
    half = plans.at()
    plans.advance(0.2)
    assert apart(plans.at(), moment(new, 0.3 * FPS)) < 1e-5
    assert apart(half, moment(new, 0.1 * FPS)) > 0.05
    plans.advance(9.0)  # it ends with its last frame
    assert apart(plans.at(), moment(new, COUNT - 1.0)) < 1e-5


def test_characters_have_plans_of_their_own(plans, biped, rng):
    plans.reset(3)
    new = plan(biped, rng, 2)
    plans.replace(np.array([2, 0]), new)
    plans.advance(0.25)
    now = plans.at()
    assert apart(plans.at(0.0, np.array([2, 0])), moment(new, 0.25 * FPS)) < 1e-5
    plans.select(np.array([2, 1]), 2)
    np.testing.assert_allclose(plans.at().rotations[:2], now.rotations[[2, 1]])
    plans.reset(1)
    np.testing.assert_allclose(plans.at().rotations, Plans(biped, HIPS, plans._start, FPS, 0.2).at().rotations)

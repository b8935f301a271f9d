"""Characters whose joints are not those of the data obey all the same."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from kinema import Motion, Skeleton, formats, rotations
from kinema.benchmarks import data
from kinema.character import Character, Mesh
from kinema.control.command import Commands
from kinema.control.retargeted import (
    RetargetedController,
    fits,
    read_character,
    retarget_controller,
    sample,
    source_skeleton,
)
from kinema.engine import Command, Controlled, Figure, Transform, World
from kinema.errors import FormatError, SkeletonError
from kinema.mocap.creatures import make_creature
from kinema.mocap.procedural import humanoid
from kinema.terrain import Placed, Plane, slope


@pytest.fixture(scope="module")
def character() -> Character:
    """Another rig, of another size, with a triangle at its head."""
    skeleton = data.rig()
    mesh = Mesh(
        "m",
        np.zeros((3, 3), np.float32),
        np.tile(np.array([0, 1, 0], np.float32), (3, 1)),
        np.array([[0, 1, 2]], np.uint32),
        joint=skeleton.index("Head"),
    )
    return Character("other", skeleton, (mesh,))


@pytest.fixture
def robot(fresh, database, character) -> RetargetedController:
    found = retarget_controller(fresh(), database, character)
    assert isinstance(found, RetargetedController)
    return found


def ahead(speed: float, count: int = 1) -> Commands:
    return Commands.create(np.tile(np.array([0, 0, speed], np.float32), (count, 1)))


def test_it_obeys_commands_in_its_own_metres(robot, character):
    assert robot.skeleton.same_topology(character.skeleton) and abs(robot.live.scale - 1) > 0.02
    robot.reset(1)
    places = [robot.step(ahead(1.3), 1 / 60).root_positions[0] for _ in range(240)]
    assert (places[-1] - places[-121])[2] / 2.0 == pytest.approx(1.3, rel=0.15)
    assert robot.trajectory.velocity[0, 2] == pytest.approx(1.3, rel=0.02)
    assert np.abs(robot.trajectory.position[0] - places[-1]).max() < 0.3
    assert robot.diagnostics["tracking_cm"] == pytest.approx(robot.inner.diagnostics["tracking_cm"] * robot.live.scale)


def test_its_ground_is_in_its_own_metres(robot):
    assert robot.ground == Plane()
    ramp = Placed(slope(length=50.0, rise=10.0, width=90.0), (0.0, 0.0, -10.0))
    robot.ground = ramp
    assert robot.ground is ramp
    robot.reset(1)
    for _ in range(120):
        place = robot.step(ahead(1.0), 1 / 60).root_positions[0]
    assert place[2] > 1.0 and place[1] == pytest.approx(float(ramp.height(place)), abs=0.06)


def test_what_is_commanded_in_its_metres_is_that_far_for_the_controller_inside(robot):
    """Places and speeds are divided by the scale, directions and words stay."""
    scale = robot.live.scale
    given = Commands.of([Command((0.3, 0, 1.2), (0, 0, 1), style="proud", goal=(2.0, 0.0, -3.0)), Command()])
    inner = robot.to_inner_commands(given)
    np.testing.assert_allclose(inner.velocity * scale, given.velocity, rtol=1e-5)
    np.testing.assert_allclose(inner.goals * scale, given.goals, rtol=1e-5)
    np.testing.assert_array_equal(inner.facing, given.facing)
    assert inner.styles == given.styles
    alone = robot.to_inner_commands(Command((0.3, 0, 1.2)))
    np.testing.assert_array_equal(alone.velocity, inner.velocity[:1])
    robot.reset(1)
    robot.step(ahead(1.0), 1 / 60)
    own, inside = robot.trajectory, robot.inner.trajectory
    np.testing.assert_allclose(own.position, scale * inside.position, rtol=1e-5)
    np.testing.assert_allclose(own.velocity, scale * inside.velocity, rtol=1e-5)
    np.testing.assert_allclose(own.acceleration, scale * inside.acceleration, rtol=1e-5)


def test_its_feet_hold_where_the_controller_holds_its_own(robot):
    robot.reset(1)
    pose = None
    feet, held = [], []
    for _ in range(240):
        pose = robot.step(ahead(1.2), 1 / 60)
        feet.append([leg.target.path(pose)[0] for leg in robot.live.setup.legs])
        held.append(robot.locked[0])
    speeds = np.linalg.norm(np.diff(feet, axis=0)[..., [0, 2]], axis=-1) * 60
    both = np.asarray(held)[1:] & np.asarray(held)[:-1]
    assert both.sum() > 60 and speeds[both].mean() < 0.08 < speeds[~both].mean()


def test_a_crowd_is_one_batch_and_members_come_and_go(robot):
    robot.reset(3)
    for _ in range(30):
        before = robot.step(ahead(1.0, 3), 1 / 60)
    after = robot.select([2, 0], added=1)
    np.testing.assert_allclose(after.root_positions[:2], before.root_positions[[2, 0]], atol=1e-5)
    above = [j for j, part in enumerate(robot.skeleton.roles.parts) if part in ("spine", "upper_arm", "head")]
    np.testing.assert_allclose(after.local_rotations[1, above], before.local_rotations[0, above], atol=1e-4)
    assert len(after) == 3 and robot.step(ahead(1.0, 3), 1 / 60).local_rotations.shape[1] == robot.skeleton.joint_count


def test_a_world_takes_it_as_any_other_controller(robot, character):
    world = World(step=1 / 60)
    world.groups.add("crowd", robot)
    entities = [
        world.spawn(Transform((x, 0, 0)), Figure(character), Controlled("crowd"), Command((0, 0, 1.2)))
        for x in (0.0, 2.0)
    ]
    for _ in range(120):
        world.step()
    pose = world.poses.of(entities[1])
    hips = pose.global_positions[character.skeleton.roles.hips]
    assert hips[2] > 1.0 and 1.5 < hips[0] < 2.5
    np.testing.assert_allclose(np.linalg.norm(pose.global_rotations, axis=-1), 1, atol=1e-4)


def test_who_fits_the_data_is_left_alone(fresh, database):
    controller = fresh()
    assert retarget_controller(controller, database, Character("same", database.skeleton)) is controller
    assert fits(database.skeleton, database.skeleton)
    assert not fits(humanoid(1.2), database.skeleton), "other lengths"
    turned = database.skeleton.rest_rotations.copy()
    turned[-1] = rotations.from_yaw(np.float32(0.5))
    own = database.skeleton
    assert not fits(Skeleton.create(own.names, own.parents, own.rest_translations, turned), own)


def test_small_differences_and_those_of_hips_do_not_count(database):
    """Lengths within a centimetre, angles within a degree; hips may be anywhere, since motion places them."""
    own = database.skeleton
    shin, hips = own.index("LeftLeg"), own.roles.hips
    offsets = own.rest_translations.copy()
    offsets[hips] += [0.5, 0.5, 0.5]
    offsets[shin] += [0.0, 0.008, 0.0]
    assert fits(Skeleton.create(own.names, own.parents, offsets, own.rest_rotations), own)
    offsets[shin] += [0.0, 0.008, 0.0]
    assert not fits(Skeleton.create(own.names, own.parents, offsets, own.rest_rotations), own)
    for angle, expected in ((0.015, True), (0.03, False)):
        turned = own.rest_rotations.copy()
        turned[shin] = rotations.multiply(turned[shin], rotations.from_yaw(np.float32(angle)))
        assert fits(Skeleton.create(own.names, own.parents, own.rest_translations, turned), own) == expected
    turned = own.rest_rotations.copy()
    turned[hips] = rotations.multiply(turned[hips], rotations.from_yaw(np.float32(1.0)))
    assert fits(Skeleton.create(own.names, own.parents, own.rest_translations, turned), own)


def test_motion_is_sampled_from_all_over(database):
    motions = sample(database)
    assert 1 <= len(motions) <= 8 and all(isinstance(motion, Motion) and motion.seconds <= 10.0 for motion in motions)


def test_what_cannot_obey_is_one_line(fresh, database, tmp_path: Path):
    fish = Skeleton.create(["body", "tail", "fin"], [-1, 0, 1], [[0, 1, 0], [0, 0, -0.5], [0, 0, -0.5]])
    with pytest.raises(SkeletonError, match="legs") as caught:
        source_skeleton(fish)
    assert "\n" not in str(caught.value)
    with pytest.raises(SkeletonError) as caught:
        retarget_controller(fresh(), database, Character("fish", fish))
    assert "\n" not in str(caught.value)
    assert source_skeleton(database.skeleton) is database.skeleton
    formats.save(Motion.create(fish, fish.rest_rotations[None]), tmp_path / "fish.bvh")
    with pytest.raises(FormatError, match="holds no character"):
        read_character(tmp_path / "fish.bvh")


def test_a_rig_without_a_mesh_is_a_character(tmp_path: Path):
    skeleton = make_creature("dog").skeleton
    formats.save(Character("dog", skeleton), tmp_path / "dog.glb")
    read = read_character(tmp_path / "dog.glb").character
    assert read is not None and read.name == "dog" and not read.meshes
    assert set(skeleton.names) <= set(read.skeleton.names)


@pytest.mark.parametrize(("clips", "chosen"), [(1, [0]), (3, [0, 1, 2]), (8, [*range(8)]), (15, [*range(0, 15, 2)])])
def test_samples_are_spread_evenly_over_clips_that_are_not_mirrored(clips, chosen):
    """Each second clip is mirrored, the first ten seconds of each are taken."""
    asked = []

    def clip_motion(clip):
        return SimpleNamespace(cut=lambda begin, end: asked.append((clip, begin, end)) or clip)

    entries = [SimpleNamespace(mirrored=number % 2 == 1) for number in range(2 * clips)]
    found = sample(SimpleNamespace(clips=entries, clip_motion=clip_motion, fps=30.0))  # type: ignore[arg-type]
    assert found == [2 * number for number in chosen]
    assert asked == [(clip, 0, 300) for clip in found]
    mirrored = [SimpleNamespace(mirrored=True)] * 3
    assert sample(SimpleNamespace(clips=mirrored, clip_motion=clip_motion, fps=30.0)) == [0]  # type: ignore[arg-type]


def test_nobody_joins_who_was_not_asked_for(robot):
    robot.reset(3)
    assert len(robot.select([2, 0]).root_positions) == 2
    assert len(robot.select([0], 2).root_positions) == 3

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.errors import ControlError, SkeletonError
from kinema.mocap.creatures import ACTIONS, Act, Creature, allowed_actions, make_creature, perform
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.procedural import humanoid
from kinema.pose import Pose

ALL = (
    "person", "raptor", "sparrow", "dog", "horse", "bear", "lizard", "ant", "spider", "crab", "centipede", "snake",
    "fish", "dragon", "octopus",
)  # fmt: skip
LEGGED = tuple(name for name in ALL if name not in ("snake", "fish"))


@pytest.mark.parametrize("name", LEGGED)
def test_planted_feet_do_not_move(name, tools):
    assert tools.drift(tools.travel(name)) < 1e-3 * max(1.0, tools.size(tools.travel(name)))


@pytest.mark.parametrize("name", LEGGED)
def test_feet_stand_and_step(name, tools):
    motion = tools.travel(name)
    walking = motion.labels["speed"] > 0.8 * motion.labels["speed"].max()
    for _, planted, path in tools.feet(motion):
        assert 0.35 < planted[walking].mean() < 0.9
        assert planted[-8:].all()  # stops settle
        assert np.ptp(path[:, 1]) > 0.01 * motion.skeleton.height


@pytest.mark.parametrize("name", ALL)
def test_bones_keep_their_lengths_and_rotations_are_units(name, tools):
    motion = tools.travel(name)
    positions = motion[:].global_positions.astype(np.float64)
    parents = motion.skeleton.parents
    still = [j for j in range(motion.skeleton.joint_count) if j not in motion.translated]
    lengths = np.linalg.norm(positions[:, still] - positions[:, parents[still]], axis=-1)
    np.testing.assert_allclose(lengths, np.broadcast_to(motion.skeleton.bone_lengths[still], lengths.shape), atol=2e-5)
    np.testing.assert_allclose(np.linalg.norm(motion.local_rotations, axis=-1), 1, atol=1e-5)


@pytest.mark.parametrize("name", [name for name in ALL if name != "snake"])  # whose parts wind to both sides
def test_speed_is_what_was_commanded(name, tools):
    kind = "swim" if name == "fish" else "walk"
    allowed = 0.4 * tools.creature(name).skeleton.height
    motion = tools.clip(name, (Act(kind, 4.0, speed=allowed),))
    root = motion[:].global_positions[:, tools.creature(name).anatomy.root, [0, 2]]
    assert np.linalg.norm(root[-1] - root[0]) / (motion.seconds - 1 / 30) == pytest.approx(allowed, rel=0.06)


@pytest.mark.parametrize("name", ALL)
def test_starts_at_the_origin_heading_ahead(name, tools):
    motion = tools.travel(name)
    path = motion[:].global_positions[:, tools.creature(name).anatomy.root]
    np.testing.assert_allclose(path[0, [0, 2]], 0, atol=1e-5)
    gone = path[-1] - path[0]
    ahead, aside = (gone[0], gone[2]) if name == "crab" else (gone[2], gone[0])
    assert ahead > 0 and ahead > 5 * abs(aside)


@pytest.mark.parametrize(("name", "rig"), [(name, 3 * (at % 2)) for at, name in enumerate(ALL)])
def test_every_action_of_every_plan_keeps_above_the_ground_without_flips(name, rig, tools):
    body = tools.creature(name, rig)
    for action in allowed_actions(body):
        script = (Act("idle", 0.4), Act(action, 2.2, turn=1.2 if action == "turn" else 0.0))
        motion = perform(body, script, seed=rig)
        positions = motion[:].global_positions
        assert positions[..., 1].min() > -0.03 * tools.size(motion), action
        assert tools.spin(motion).max() < 40 * max(1.0, 0.2 / kind_of_creature(body).pacing.unit), action
        assert tools.drift(motion) < 1e-3 * max(1.0, tools.size(motion)), action
        assert set(np.unique(motion.labels["action"])) <= {ACTIONS.index("idle"), ACTIONS.index(action)}
        assert action in motion.tags


@pytest.mark.parametrize("name", ALL)
def test_actions_differ_from_standing(name, tools):
    standing = tools.clip(name, (Act("idle", 2.5),))[:].global_rotations.astype(np.float64)
    for action in ("look", "attack", "eat", "die"):
        acted = tools.clip(name, (Act(action, 2.5),))[:].global_rotations.astype(np.float64)
        assert rotations.angle(rotations.relative(standing, acted)).max() > 0.3, action


def test_same_arguments_same_bytes_and_seeds_vary():
    body = make_creature("wolf", 4)
    script = [Act("walk", 1.5, curve=0.3), Act("attack", 1.5)]
    one, two, other = (perform(make_creature("wolf", 4), script, seed=seed) for seed in (7, 7, 8))
    assert one.local_rotations.tobytes() == two.local_rotations.tobytes()
    assert one.local_translations.tobytes() == two.local_translations.tobytes()
    assert all(one.labels[key].tobytes() == two.labels[key].tobytes() for key in one.labels)
    assert not np.array_equal(one.local_rotations, other.local_rotations)
    assert body.skeleton.names == make_creature("wolf", 4).skeleton.names


def test_motion_does_not_depend_on_rest_rotations_or_names(tools):
    """A body with identity rest rotations and the same one with rolled bones move alike."""
    plain = tools.creature("dog")
    motion = tools.clip("dog", (Act("walk", 1.5), Act("eat", 1.5)))
    rest = plain.skeleton
    rng = np.random.default_rng(1)
    turns = rotations.normalize(rng.standard_normal((rest.joint_count, 4)))
    above = np.where(rest.parents < 0, 0, rest.parents)
    outer = np.where(rest.parents[:, None] < 0, [1.0, 0, 0, 0], turns[above])
    local = rotations.multiply(rotations.inverse(outer), turns)
    offsets = rotations.inverse_rotate(outer, rest.rest_translations.astype(float))
    ends = rotations.inverse_rotate(turns[rest.tip_joints], rest.tip_offsets.astype(float))
    tips = list(zip(rest.tip_joints.tolist(), ends, strict=True))
    rolled = Skeleton.create([f"x{j}" for j in range(rest.joint_count)], rest.parents, offsets, local, tips)
    other = perform(Creature("dog", plain.plan, rolled, plain.anatomy), (Act("walk", 1.5), Act("eat", 1.5)))
    np.testing.assert_allclose(motion[:].global_positions, other[:].global_positions, atol=2e-3)


def test_any_skeleton_moves():
    motion = perform(humanoid(), [Act("idle", 0.5), Act("walk", 2.0), Act("attack", 1.5)])
    assert "contact.LeftToeBase" in motion.labels and motion.tags[0] == "biped"
    assert motion[:].global_positions[-1, 0, 2] > 0.5
    hips = motion[:].global_positions[:, 0, 1]
    assert 0.75 < hips.min() < hips.max() < 1.05


def test_a_skeleton_without_limbs_is_an_error_that_says_what_would_work():
    with pytest.raises(SkeletonError, match="roles file"):
        perform(Skeleton.create(["box", "lid"], [-1, 0], [[0, 0, 0], [0, 1, 0]]), [Act("idle")])


def test_a_plan_can_be_named_for_any_skeleton(tools):
    rope = Skeleton.create([f"bone_{at}" for at in range(10)], [*range(-1, 9)], [[0, 0, 0.2]] * 10)
    assert "walk" in allowed_actions(rope) and "swim" in allowed_actions(rope, "fish")
    aside, up = (
        np.ptp(perform(rope, [Act("swim", 3.0)], plan=plan)[30:].local_rotations, axis=0).max(axis=0)
        for plan in ("fish", "dolphin")
    )
    assert aside[2] > 3 * aside[1] and up[1] > 3 * up[2]
    stiff = Skeleton.create([f"bone_{at}" for at in range(6)], [*range(-1, 5)], [[0, 0, 0.2]] * 6)
    assert "swim" in allowed_actions(stiff)  # too few joints for a snake


@pytest.mark.parametrize(
    ("plan", "message"), [("chair", "no creature or body plan is named 'chair'; there are: person"), ("fish", "2 legs")]
)
def test_plans_that_do_not_fit_are_errors(plan, message):
    with pytest.raises(ControlError, match=message):
        perform(humanoid(), [Act("idle")], plan=plan)
    with pytest.raises(ControlError, match="has its plan already"):
        allowed_actions(make_creature("dog"), plan)


@pytest.mark.parametrize(
    ("script", "options", "message"),
    [
        ([], {}, "at least one Act"),
        ([Act("fly")], {}, "cannot fly; it can: idle, walk"),
        ([Act("walk", gait="waltz")], {}, "no gait is named 'waltz'; there are: walk"),
        ([Act("walk")], {"fps": 5}, "10 to"),
        ([Act("walk")], {"seed": -1}, "non-negative"),
    ],
)
def test_what_does_not_work_says_what_would(script, options, message):
    with pytest.raises(ControlError, match=message):
        perform(make_creature("dog"), script, **options)


def test_labels_have_a_row_a_frame(tools):
    motion = tools.travel("dog")
    assert {"action", "speed", "turn", "phase"} <= set(motion.labels)
    assert all(len(values) == motion.frames for values in motion.labels.values())
    assert motion.labels["action"].dtype == np.int8
    assert motion.labels["phase"].min() >= 0 and motion.labels["phase"].max() < 1


def test_joints_above_the_root_keep_the_stance():
    """A body that stands in a pose in which what carries its root is turned, as in some motion files."""
    dog = make_creature("dog").skeleton
    parents = np.concatenate([[-1], dog.parents + 1])
    over = rotations.from_axis_angle(np.asarray([1.0, 0.0, 0.0]), np.asarray(0.5 * np.pi)).astype(np.float32)
    still = np.asarray([[1.0, 0.0, 0.0, 0.0]], np.float32)
    skeleton = Skeleton.create(
        ["top", *dog.names],
        parents,
        np.concatenate([np.zeros((1, 3)), dog.rest_translations]),
        np.concatenate([over[None], dog.rest_rotations]),
        zip((dog.tip_joints + 1).tolist(), dog.tip_offsets, strict=True),
    )
    stance = Pose(skeleton, np.concatenate([still, dog.rest_rotations]).astype(np.float32))
    walk = [Act("walk", 1.0)]
    there = perform(skeleton, walk, stance=stance)[:].global_positions[:, 1:]
    np.testing.assert_allclose(there, perform(dog, walk)[:].global_positions, atol=2e-3)


def test_a_joint_in_the_same_place_above_the_root_goes_along(tools):
    dog = tools.creature("dog").skeleton
    tips = [(int(joint) + 1, offset) for joint, offset in zip(dog.tip_joints, dog.tip_offsets, strict=True)]
    doubled = Skeleton.create(
        ["Hips", *dog.names],
        [-1, *(dog.parents + 1).tolist()],
        np.concatenate([dog.rest_translations[:1], np.zeros((1, 3)), dog.rest_translations[1:]]),
        np.concatenate([[[1, 0, 0, 0]], dog.rest_rotations]),
        tips,
    )
    places = perform(doubled, [Act("walk", 2.0, curve=0.5)])[:].global_positions
    np.testing.assert_allclose(places[:, 0], places[:, 1], atol=1e-4)
    assert np.linalg.norm(places[-1, 0] - places[0, 0]) > 0.5
    plain = perform(dog, [Act("walk", 2.0, curve=0.5)])[:].global_positions
    np.testing.assert_allclose(places[:, 1:], plain, atol=1e-3)

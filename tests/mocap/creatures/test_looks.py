import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.creatures import Act, perform
from kinema.mocap.creatures.looks import head_down
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.skeleton import Skeleton


@pytest.mark.parametrize("name", ["dog", "horse", "crane", "raptor", "spider"])
def test_looks_go_to_both_sides(name, tools):
    head = tools.creature(name).anatomy.head
    motions = [tools.clip(name, (Act("look", 4.0),), seed) for seed in (0, 1)]
    turns = [rotations.relative(motion[0].global_rotations[head], motion[:].global_rotations) for motion in motions]
    yaw = np.concatenate([rotations.yaw(np.asarray(turn[:, head], float)) for turn in turns])
    assert yaw.max() > 0.3 and yaw.min() < -0.3


def mouth_height(motion, head):
    """Height `[F]` of the lowest point of the head, tips included."""
    skeleton, pose = motion.skeleton, motion[:]
    under = skeleton.below([head])
    tips = np.flatnonzero(under[skeleton.tip_joints])
    joints = skeleton.tip_joints[tips]
    ends = rotations.rotate(
        pose.global_rotations[:, joints], skeleton.tip_offsets[tips] + 0 * pose.global_positions[:, joints]
    )
    return (pose.global_positions[:, joints] + ends)[..., 1].min(axis=1)


@pytest.mark.parametrize("name", ["dog", "horse", "cow", "crane", "raptor", "lizard", "crocodile", "cat", "ant"])
def test_mouths_reach_the_ground_to_eat(name, tools):
    motion = tools.clip(name, (Act("eat", 3.5), Act("idle", 1.5)))
    height = mouth_height(motion, tools.creature(name).anatomy.head)
    assert -0.01 < height[40:75].min() < 0.25 * height[0] + 0.02
    assert height[-1] > 0.8 * height[0]
    root = motion[:].global_positions[:, tools.creature(name).anatomy.root, 1]
    assert root.max() < 1.25 * root[0]  # an open jaw does not lift the body


def test_upright_bodies_bring_food_to_the_mouth(tools):
    motion = tools.clip("person", (Act("eat", 4.0),))
    anatomy = tools.creature("person").anatomy
    places = motion[:].global_positions
    away = np.linalg.norm(places[:, anatomy.arms[0].joints[-1]] - places[:, anatomy.head], axis=-1)
    assert away[45:75].min() < 0.6 * away[0]


def test_low_heads_need_no_crouching_and_high_ones_do(tools):
    low, high = (head_down(kind_of_creature(tools.creature(name)).body) for name in ("crocodile", "horse"))
    assert low[0] > 0.03 and low[1:] == (0.0, 0.0)
    assert high[0] > 1.0 and high[1] > 0 and high[2] > 0


@pytest.mark.parametrize("name", ["dog", "raptor"])
def test_a_head_with_nothing_below_it_comes_down_to_eat(name, tools):
    creature = tools.creature(name)
    whole, head = creature.skeleton, creature.anatomy.head
    kept = [joint for joint in range(whole.joint_count) if joint == head or not whole.below([head])[joint]]
    place = {joint: number for number, joint in enumerate(kept)} | {-1: -1}
    bare = Skeleton.create(
        [whole.names[joint] for joint in kept],
        [place[int(whole.parents[joint])] for joint in kept],
        whole.rest_translations[kept],
        whole.rest_rotations[kept],
    )
    motion = perform(bare, [Act("eat", 3.5)])
    height = motion[:].global_positions[:, place[head], 1]
    assert height.min() < 0.6 * height[0]

import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.creatures import Act


@pytest.mark.parametrize("name", ["person", "raptor", "dog", "horse", "lizard", "ant", "crab", "octopus"])
def test_the_dead_lie_low_and_still(name, tools):
    motion = tools.clip(name, (Act("idle", 0.5), Act("die", 3.5)), 2)
    body = tools.creature(name)
    positions = motion[:].global_positions
    trunk = positions[:, body.anatomy.root, 1]
    assert trunk[-1] < 0.62 * trunk[0]
    assert np.abs(np.diff(positions[-12:], axis=0)).max() < 0.01 * tools.size(motion)
    assert positions[-1, :, 1].min() > -0.02 * tools.size(motion)


@pytest.mark.parametrize("name", ["eagle", "dragon", "sparrow"])
def test_who_dies_in_the_air_falls_and_lies_on_the_ground(name, tools):
    motion = tools.clip(name, (Act("fly", 1.5), Act("die", 3.0)))
    body = tools.creature(name)
    root = motion[:].global_positions[:, body.anatomy.root, 1]
    rest = body.skeleton.rest_pose.global_positions[body.anatomy.root, 1]
    assert root[44] > 1.8 * rest and root[-1] < 0.65 * rest
    falling = np.diff(root[46:])
    landing = int(np.argmin(falling))
    assert landing > 3 and falling[: landing // 2].mean() > 0.8 * falling[landing // 2 : landing].mean()  # ever faster
    assert motion[:].global_positions[..., 1].min() > -0.04 * tools.size(motion)


@pytest.mark.parametrize("name", ["ant", "spider"])
def test_insects_die_in_different_ways(name, tools):
    root = tools.creature(name).anatomy.root
    tilts = [
        float(rotations.rotate(clip[-1].global_rotations[root].astype(float), np.asarray([0.0, 1.0, 0.0]))[1])
        for clip in (tools.clip(name, (Act("die", 2.0),), seed) for seed in range(6))
    ]
    assert min(tilts) < -0.5 and max(tilts) > 0.7


def test_insects_on_their_backs_close_their_legs(tools):
    anatomy = tools.creature("spider").anatomy
    for seed in range(6):
        motion = tools.clip("spider", (Act("die", 2.0),), seed)
        up = rotations.rotate(motion[-1].global_rotations[anatomy.root].astype(float), np.asarray([0.0, 1.0, 0.0]))
        feet = motion[:].global_positions[:, [leg.joints[-1] for leg in anatomy.legs]]
        apart = np.linalg.norm(feet[:, 0] - feet[:, 1], axis=-1)
        if up[1] < -0.5:
            assert apart[-1] < 0.5 * apart[0]
            assert feet[-1, :, 1].min() > motion[-1].global_positions[anatomy.root, 1]

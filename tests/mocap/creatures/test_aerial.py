import numpy as np
import pytest

from kinema.mocap.creatures import Act


@pytest.mark.parametrize("name", ["person", "dog", "spider", "sparrow", "lizard"])
def test_jumps_leave_the_ground_with_all_feet_and_land(name, tools):
    motion = tools.clip(name, (Act("idle", 0.5), Act("jump", 2.0), Act("idle", 0.5)))
    planted = np.stack([contact for _, contact, _ in tools.feet(motion)])
    assert (~planted).all(axis=0).sum() >= 3
    assert planted[:, 0].all() and planted[:, -1].all()
    root = motion[:].global_positions[:, tools.creature(name).anatomy.root, 1]
    assert root.max() > root[0] * 1.1 and root.min() < root[0]


@pytest.mark.parametrize("name", ["eagle", "dragon"])
def test_flight_takes_off_beats_and_lands(name, tools):
    body = tools.creature(name)
    motion = tools.clip(name, (Act("idle", 0.8), Act("fly", 4.0), Act("idle", 4.0)))
    positions = motion[:].global_positions
    root = positions[:, body.anatomy.root, 1]
    assert root.max() > 1.8 * root[0]
    assert root[-1] == pytest.approx(root[0], rel=0.1)
    planted = np.stack([contact for _, contact, _ in tools.feet(motion)])
    assert planted[:, :4].all() and planted[:, -5:].all() and not planted[:, 100].any()
    wing = body.anatomy.wings[0].joints
    tip = positions[:, wing[-1], 1] - root
    aloft = slice(75, 135)
    assert np.ptp(tip[aloft]) > 0.25 * np.ptp(positions[100, :, 0])
    spread = np.abs(positions[:, wing[-1], 0] - positions[:, wing[0], 0])
    assert spread[aloft].max() > 2 * spread[:10].max()  # folded on the ground


def test_gliding_beats_less_than_flying_and_banks_into_the_turn(tools):
    def beating(kind):
        motion = tools.clip("eagle", (Act("fly", 2.0), Act(kind, 4.0, curve=0.8)))
        positions = motion[:].global_positions
        left, right = (limb.joints[-1] for limb in tools.creature("eagle").anatomy.wings)
        height = positions[-60:, [left, right], 1] - positions[-60:, tools.creature("eagle").anatomy.root, 1][:, None]
        return height.mean(axis=1).std(), (height[:, 0] - height[:, 1]).mean()

    assert beating("glide")[0] < 0.35 * beating("fly")[0]
    assert beating("glide")[1] < 0  # the left wing is low in a turn to the left


@pytest.mark.parametrize("name", ["person", "dog", "spider", "lizard"])
def test_long_acts_of_jumping_have_several_high_jumps(name, tools):
    motion = tools.clip(name, (Act("jump", 6.0),))
    feet = np.stack([path[:, 1] for _, _, path in tools.feet(motion)])
    air = (feet.min(axis=0) > feet.min() + 0.15 * tools.creature(name).skeleton.height).astype(int)
    assert (np.diff(air) > 0).sum() >= 2
    planted = np.stack([contact for _, contact, _ in tools.feet(motion)])
    assert planted[:, -1].all()

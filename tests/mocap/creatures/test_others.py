import numpy as np
import pytest

from kinema.mocap.creatures import others
from kinema.mocap.creatures.dice import Dice
from kinema.mocap.creatures.rig import RigDraft


def built(plan, **preset):
    rig = RigDraft()
    getattr(others, plan)(rig, Dice(None, preset))
    return rig, [(kind, joints) for kind, _, _, joints in rig.groups]


@pytest.mark.parametrize(
    ("plan", "legs"), [("lizard", 4), ("hexapod", 6), ("spider", 8), ("crab", 8), ("centipede", 18), ("snake", 0)]
)
def test_plans_have_their_legs(plan, legs):
    rig, groups = built(plan)
    found = [joints for kind, joints in groups if kind in ("leg", "front_leg")]
    assert len(found) == legs
    for joints in found:
        hip, foot = rig.places[joints[0]], rig.places[joints[-1]]
        assert foot[1] < 0.35 * hip[1]
        assert abs(foot[0]) > 1.5 * abs(hip[0])  # they reach sideways


def test_some_insects_have_wings():
    assert not [kind for kind, _ in built("hexapod")[1] if kind == "wing"]
    rig, groups = built("hexapod", wings=1)
    wings = [joints for kind, joints in groups if kind == "wing"]
    assert len(wings) == 2
    tips = np.asarray([rig.places[joints[-1]] for joints in wings])
    np.testing.assert_allclose(tips[0] * (-1, 1, 1), tips[1], atol=1e-9)
    assert np.ptp(tips[:, 0]) > 1.2 * np.ptp(np.asarray([place[0] for place in rig.places[:3]]))


def test_feet_do_not_stand_on_each_other():
    for plan in ("hexapod", "spider", "crab", "centipede"):
        rig, groups = built(plan)
        feet = np.asarray([rig.places[joints[-1]] for kind, joints in groups if kind == "leg"])
        apart = np.linalg.norm(feet[:, None] - feet, axis=-1) + np.eye(len(feet))
        assert apart.min() > 0.08 * np.ptp(feet[:, 0])


def test_flukes_of_whales_lie_flat_and_those_of_fish_stand():
    for level in (0, 1):
        rig, groups = built("fish", level=level)
        flukes = {joint for kind, joints in groups if kind == "fluke" for joint in joints}
        ends = np.asarray([end for joint, end in rig.tips if joint in flukes])
        wide, high, _ = np.ptp(ends, axis=0)
        assert (wide > 0.1 and high < 1e-9) if level else (high > 0.1 and wide < 1e-9)


def test_snakes_and_tentacles_lie_on_the_ground():
    rig, _ = built("snake")
    assert np.ptp(np.asarray(rig.places)[:, 1]) < 0.02 and np.asarray(rig.places)[:, 1].max() < 0.06
    rig, groups = built("tentacled")
    tentacles = [joints for kind, joints in groups if kind == "tentacle"]
    assert len(tentacles) == 8
    assert all(0 <= rig.places[joints[-1]][1] < 0.05 for joints in tentacles)
    assert len({len(joints) for joints in tentacles}) == 1


def test_counts_of_the_preset_are_used():
    assert sum(kind == "leg" for kind, _ in built("centipede", segments=5)[1]) == 10
    assert sum(kind == "tentacle" for kind, _ in built("tentacled", pairs=3)[1]) == 6

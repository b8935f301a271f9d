import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.creatures import Act, make_creature
from kinema.mocap.creatures.course import plan_course
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.walkers import pose_walker, stride_cycle


def test_faster_bodies_stride_faster_and_longer():
    kind = kind_of_creature(make_creature("dog"))
    rates, lengths = [], []
    for speed in (0.8, 2.0, 4.0):
        course = plan_course([Act("walk", 2.0, speed=speed)], 60.0, kind.pacing, 1.0)
        rates.append(float(np.median(stride_cycle(kind, course, np.random.default_rng(0)).rate)))
        lengths.append(speed / rates[-1])
    assert rates == sorted(rates) and lengths == sorted(lengths)


def test_turning_on_the_spot_takes_steps():
    kind = kind_of_creature(make_creature("dog"))
    course = plan_course([Act("turn", 2.0, turn=2.0)], 60.0, kind.pacing, 1.0)
    cycle = stride_cycle(kind, course, np.random.default_rng(0))
    assert cycle.froude.max() > 0.1 > cycle.froude[0]


@pytest.mark.parametrize("name", ["dog", "centipede", "octopus"])
def test_figures_have_a_contact_for_every_leg(name):
    kind = kind_of_creature(make_creature(name))
    course = plan_course([Act("walk", 1.0)], 30.0, kind.pacing, 1.0)
    posed = pose_walker(kind, course, np.random.default_rng(0))
    assert set(posed.contacts) == {kind.body.skeleton.names[leg.contact] for leg in kind.body.legs}
    assert posed.phase.shape == course.times.shape


def test_the_back_bends_into_a_curve(tools):
    anatomy = tools.creature("lizard").anatomy

    def bend(curve):
        motion = tools.clip("lizard", (Act("walk", 3.0, curve=curve),))
        turns = [motion[30:].global_rotations[:, joint].astype(float) for joint in (anatomy.root, anatomy.trunk[-1])]
        return rotations.yaw(rotations.relative(*turns)).mean()

    assert bend(1.0) > 0.05 and bend(-1.0) < -0.05

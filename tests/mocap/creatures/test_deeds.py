import numpy as np
import pytest

from kinema.mocap.creatures import Act, make_creature
from kinema.mocap.creatures.channels import NAMES, Channels
from kinema.mocap.creatures.course import plan_course
from kinema.mocap.creatures.deeds import act_out
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.scene import Scene


def moved(script):
    """Which frames of the course a script's deeds change, and the course."""
    kind = kind_of_creature(make_creature("snake"))
    course = plan_course(script, 30.0, kind.pacing, 1.0)
    channels = Channels(course.times.size)
    act_out(Scene(kind, course, channels, np.random.default_rng(0)))
    return np.any([np.abs(getattr(channels, name)) > 1e-9 for name in NAMES], axis=0), course


@pytest.mark.parametrize("action", ["look", "attack", "eat", "die"])
def test_deeds_act_in_their_time_alone(action):
    changed, course = moved([Act("idle", 1.0), Act(action, 2.0)])
    assert not changed[course.times < 1.0].any()
    assert changed[(course.times > 1.3) & (course.times < 2.5)].mean() > 0.8


def test_travel_adds_nothing():
    assert not moved([Act("walk", 2.0), Act("idle", 1.0)])[0].any()

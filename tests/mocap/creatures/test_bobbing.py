import numpy as np
import pytest

from kinema.mocap.creatures import Act


def head_speed(tools, name, pace=0.0):
    motion = tools.clip(name, (Act("walk" if pace < 1 else "run", 3.0, min(pace, 0.5)),), 0, None, 60.0)
    anatomy = tools.creature(name).anatomy
    ahead = motion[:].global_positions[:, [anatomy.head, anatomy.root], 2].astype(float)
    speed = np.diff(ahead, axis=0) * 60
    return speed[:, 0] / speed[:, 1].mean()


@pytest.mark.parametrize("name", ["pigeon", "crane"])
def test_heads_of_walking_birds_stand_still_then_go_ahead(name, tools):
    speed = head_speed(tools, name)
    assert (np.abs(speed) < 0.35).mean() > 0.35
    assert speed.max() > 2.0


def test_birds_that_run_or_hop_and_dogs_do_not_bob(tools):
    assert (head_speed(tools, "crane", 1.0) > 0.5).mean() > 0.9
    assert (head_speed(tools, "dog") > 0.5).mean() > 0.9

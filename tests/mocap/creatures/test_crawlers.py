import numpy as np

from kinema.mocap.creatures import Act


def test_snakes_raise_their_heads_to_strike_and_lie_on_their_backs_when_dead(tools):
    anatomy = tools.creature("snake").anatomy
    head = tools.clip("snake", (Act("attack", 2.5),))[:].global_positions[:, anatomy.head, 1]
    assert head.max() > 0.15 * tools.creature("snake").skeleton.height + 4 * head.min()
    dead = tools.clip("snake", (Act("die", 3.0),))
    turned = dead[:].global_rotations[-1, anatomy.trunk[2]]
    assert abs(turned[0]) < 0.5  # more than a third of a turn about its length


def test_the_phase_counts_waves_on_the_ground(tools):
    motion = tools.clip("snake", (Act("walk", 5.0),), 0, None, 30.0)
    waves = np.unwrap(2 * np.pi * motion.labels["phase"])[-1] / (2 * np.pi)
    way = np.linalg.norm(np.diff(motion[:].global_positions[:, 0], axis=0), axis=-1).sum()
    assert 0.4 < way / waves / tools.size(motion) < 0.9


def test_snakes_turn_without_kinks(tools):
    motion = tools.clip("snake", (Act("turn", 4.0, turn=-2.5), Act("walk", 1.0, turn=1.5)), 0, 3)
    assert tools.spin(motion).max() < 20

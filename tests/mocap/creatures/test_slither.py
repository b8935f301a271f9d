import numpy as np

from kinema.mocap.creatures import Act


def test_every_part_of_a_snake_goes_where_its_head_went(tools):
    motion = tools.clip("snake", (Act("walk", 5.0),), 0, None, 30.0)
    positions = motion[:].global_positions[..., [0, 2]].astype(float)
    anatomy = tools.creature("snake").anatomy
    trail = positions[:, anatomy.trunk[-1]]
    middle = positions[-30:, anatomy.trunk[len(anatomy.trunk) // 2]]
    away = np.linalg.norm(middle[:, None] - trail[None], axis=-1).min(axis=1)
    assert away.max() < 0.03 * tools.size(motion)


def test_snakes_wave_and_stay_on_the_ground(tools):
    motion = tools.clip("snake", (Act("walk", 3.0),))
    positions = motion[:].global_positions
    assert np.ptp(positions[-1, :, 0]) > 0.08 * tools.size(motion)
    assert positions[..., 1].min() > 0


def test_centipedes_bend_along_a_curve(tools):
    motion = tools.clip("centipede", (Act("walk", 4.0, curve=0.9),))
    anatomy = tools.creature("centipede").anatomy
    line = motion[:].global_positions[-1][[anatomy.root, *anatomy.trunk]][:, [0, 2]]
    way = np.diff(line, axis=0)
    heading = np.unwrap(np.arctan2(way[:, 0], way[:, 1]))
    assert heading[-1] - heading[0] > 0.3

import numpy as np

from kinema.mocap.creatures.dice import Dice


def test_without_a_source_every_throw_is_the_preset_or_the_usual():
    dice = Dice(None, {"leg": 2.0, "ears": 0, "joints": 4})
    assert (dice.size("leg", 1.0), dice.size("arm", 3.0), dice.angle("pitch", 0.2)) == (2.0, 3.0, 0.2)
    assert dice.count("joints", 3, 1, 9) == 4 and not dice.has("ears", True)


def test_throws_stay_within_their_spread_and_use_all_of_it():
    dice = Dice(np.random.default_rng(0), {"leg": 2.0})
    sizes = np.asarray([dice.size("leg", 1.0, 1.5) for _ in range(400)])
    assert 2 / 1.5 <= sizes.min() < 1.4 and 2.9 < sizes.max() <= 3.0
    assert abs(np.log(sizes / 2.0).mean()) < 0.05  # as often larger as smaller
    angles = [dice.angle("pitch", 0.5, 0.1) for _ in range(400)]
    assert 0.4 <= min(angles) < 0.41 and 0.59 < max(angles) <= 0.6
    assert {dice.count("joints", 3, 2, 5) for _ in range(100)} == {2, 3, 4, 5}
    assert 0.2 < np.mean([dice.has("ears", True, 0.3) for _ in range(500)]) < 0.4

import numpy as np
import pytest

from kinema.mocap.creatures import Act, attacks, perform


def strikes(tools, monkeypatch, name, way, seconds=2.4):
    """A clip of one kind of attack, as joint positions relative to their first frame."""
    monkeypatch.setattr(attacks, "_ways", lambda scene: [getattr(attacks, way)])
    motion = perform(tools.creature(name), (Act("attack", seconds),))
    positions = motion[:].global_positions.astype(float)
    return motion, positions, tools.creature(name).anatomy


def test_hooved_animals_kick_backward_with_their_hind_feet(tools, monkeypatch):
    motion, positions, anatomy = strikes(tools, monkeypatch, "horse", "_kick")
    hind = positions[:, anatomy.legs[2].joints[-1]] - positions[0, anatomy.legs[2].joints[-1]]
    assert hind[:, 2].min() < -0.4 and hind[:, 1].max() > 0.5
    assert motion.labels[f"contact.{motion.skeleton.names[anatomy.legs[0].joints[-1]]}"].all()


def test_horses_rear_on_their_hind_feet(tools, monkeypatch):
    motion, positions, anatomy = strikes(tools, monkeypatch, "horse", "_rear")
    assert positions[:, anatomy.legs[0].joints[-1], 1].max() > 0.3
    assert motion.labels[f"contact.{motion.skeleton.names[anatomy.legs[2].joints[-1]]}"].mean() > 0.9


def test_cats_pounce_forward_through_the_air_and_come_back(tools, monkeypatch):
    _, positions, anatomy = strikes(tools, monkeypatch, "cat", "_pounce", 1.1)
    feet = [leg.joints[-1] for leg in anatomy.legs]
    lowest = positions[:, feet, 1] - positions[0, feet, 1]
    assert (lowest > 0.05).all(axis=1).any()
    root = positions[:, anatomy.root]
    assert np.ptp(root[:, 2]) > 0.2 and abs(root[-1, 2] - root[0, 2]) < 0.05


def test_insects_sting_forward_with_the_abdomen_and_raise_their_front_legs(tools, monkeypatch):
    _, positions, anatomy = strikes(tools, monkeypatch, "ant", "_sting")
    end = positions[:, anatomy.tails[0][-1]] - positions[:, anatomy.root]
    assert end[:, 1].min() < end[0, 1] - 0.1
    _, positions, anatomy = strikes(tools, monkeypatch, "ant", "_front_legs")
    front, hind = (np.ptp(positions[:, leg.joints[-1], 1]) for leg in (anatomy.legs[0], anatomy.legs[-1]))
    assert front > 0.1 and hind < 0.01


@pytest.mark.parametrize("name", ["raptor", "lizard"])
def test_tails_lash_to_both_sides(name, tools, monkeypatch):
    _, positions, anatomy = strikes(tools, monkeypatch, name, "_tail")
    swing = positions[:, anatomy.tails[0][-1], 0] - positions[:, anatomy.root, 0]
    assert np.ptp(swing) > 0.6 * np.ptp(positions[0, :, 2]) / 2


@pytest.mark.parametrize(
    ("name", "count"),
    [("horse", 3), ("cat", 3), ("ant", 3), ("raptor", 2), ("lizard", 2), ("sparrow", 2), ("person", 1), ("snake", 1)],
)
def test_bodies_know_several_attacks(name, count, tools, monkeypatch):
    used = set()

    def spy(scene):
        used.update(way.__name__ for way in found(scene))
        return found(scene)

    found = attacks._ways
    monkeypatch.setattr(attacks, "_ways", spy)
    perform(tools.creature(name), (Act("attack", 1.0),))
    assert len(used) == count

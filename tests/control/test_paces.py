"""How fast bodies are asked to go."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.paces import Paces, is_person, paces_of
from kinema.control.tracks import share_of_speeds
from kinema.mocap.contacts import tempo
from kinema.mocap.creatures import CREATURES, make_creature


def test_people_are_those_who_stand_upright_on_two_legs(biped):
    assert is_person(biped)
    assert [name for name in CREATURES if is_person(make_creature(name).skeleton)] == ["person", "ogre"]


def test_people_go_as_people_do_whatever_their_data_hold(database):
    assert paces_of(database) == Paces()
    still = database.only([0])
    still.root_positions = np.zeros_like(still.root_positions)
    assert paces_of(still) == Paces()


@pytest.mark.parametrize("name", ["horse", "eagle"])
def test_others_go_as_their_size_and_their_data_allow(menagerie, name):
    database = menagerie(name)
    paces, scale = paces_of(database), tempo(database.skeleton)
    assert paces.share == share_of_speeds(database) == pytest.approx(scale)
    assert 0.1 < paces.slow < paces.walk < paces.run
    assert 1.5 < paces.run / scale / np.sqrt(9.81 * 0.82) < 2.8, "as fast as a gallop or a sprint by its Froude number"
    assert paces.top_share == pytest.approx(paces.run / 3.0) and paces.top_share >= paces.share
    assert paces.heading_halflife > Paces().heading_halflife and paces.sideways == 0


def test_nobody_is_asked_to_go_faster_than_the_data(menagerie):
    slow = menagerie("eagle").only([0])
    slow.root_positions = 0.1 * np.asarray(slow.root_positions)
    assert share_of_speeds(slow) == pytest.approx(paces_of(slow).run / 3.0)
    slow.root_positions = 0.0 * np.asarray(slow.root_positions)
    assert paces_of(slow) == Paces(), "a body that never moves"


def test_crabs_go_sideways(menagerie):
    crab = menagerie("crab")
    assert paces_of(crab).sideways == pytest.approx(np.pi / 2)

import math

import pytest

from kinema.mocap.creatures.meaning import Meaning, attributes_of


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("", Meaning()),
        ("the horse walks", Meaning("walk")),
        ("Trots to the left quickly", Meaning("run", 1, 1, "trot")),
        ("slowly turning right", Meaning("turn", -1, -1)),
        ("turns around", Meaning("turn", turn=2)),
        ("turns around clockwise", Meaning("turn", turn=-2)),
        ("walks straight ahead", Meaning("walk", turn=0, direction=0.0)),
        ("sidesteps to the right", Meaning("walk", direction=-math.pi / 2)),
        ("looks left", Meaning("look", direction=math.pi / 2)),
        ("backs away", Meaning("back", direction=math.pi)),
        ("walks and looks around", Meaning("walk")),
        ("jump attack", Meaning("attack")),
        ("stands still and looks around", Meaning("look")),
    ],
)
def test_phrases_are_wishes(text, wish):
    assert attributes_of(text) == wish

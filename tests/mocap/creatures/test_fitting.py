import pytest

from kinema.errors import UsageError
from kinema.face.generation import wishes_of
from kinema.mocap.creatures import Abilities, make_creature
from kinema.mocap.creatures.words import actions_of


@pytest.mark.parametrize(
    ("body", "text", "action"),
    [
        ("fish", "runs away", "swim"),
        ("fish", "hovers in place", "idle"),
        ("fish", "forward", "swim"),
        ("snake", "glides along", "walk"),
        ("snake", "flies forward quickly", "run"),
        ("dragon", "lumbers through the clouds", "fly"),
        ("dragon", "lumbers along", "walk"),
        ("dragon", "floats down", "glide"),
        ("eagle", "upwards", "fly"),
        ("horse", "sails over the hedge", "jump"),
        ("horse", "quickly", "run"),
        ("person", "to the left", "turn"),
        ("sparrow", "jumps up and lands again", "jump"),
    ],
)
def test_movements_are_those_of_the_body(body, text, action):
    abilities = Abilities.of(make_creature(body))
    assert abilities is not None
    assert [found for _, found in actions_of(text, abilities)] == [action]


@pytest.mark.parametrize("body", ["fish", "snake", "dragon", "centipede", "person"])
def test_no_body_is_asked_for_what_it_cannot_do(body):
    abilities = Abilities.of(make_creature(body))
    assert abilities is not None
    for text in ("walk", "run", "back up", "jump", "fly", "glide", "swim", "turn", "in the air", "in the water"):
        assert {wish.action for wish in wishes_of(text, body=abilities)} <= {*abilities.actions, None}, text


def test_what_is_not_understood_is_refused():
    with pytest.raises(UsageError, match="no movement was understood"):
        wishes_of("der Hund", body=Abilities.of(make_creature("dog")))

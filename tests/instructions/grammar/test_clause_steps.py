from __future__ import annotations

import pytest

from kinema.errors import UsageError
from kinema.instructions.grammar.reader import parse
from kinema.instructions.programme import Gesture, Handling, Locomotion, Place, Step, Thing

TREE, DOOR = Thing("tree"), Thing("door")


@pytest.mark.parametrize(
    "said, step",
    [
        ("walk stealthily to the tree", Locomotion(gait="sneak", place=Place("to", TREE))),
        ("sneak quietly to the tree", Locomotion(gait="sneak", place=Place("to", TREE))),
        ("hurry to the tree", Locomotion(("quickly",), gait="walk", place=Place("to", TREE))),
        ("hurry to the tree at a run", Locomotion(gait="run", place=Place("to", TREE))),
        ("take two steps back", Locomotion(place=Place("direction", direction="backward", steps=2))),
        ("turn left", Gesture(action="turn", side="left", degrees=90.0)),
        ("turn around", Gesture(action="turn", degrees=180.0)),
        ("twirl", Gesture(action="turn", degrees=360.0)),
        ("hold for two seconds", Gesture(seconds=2.0, action="wait")),
        ("lie down on the ground", Gesture(action="lie down")),
        ("take the box to the door", Handling(action="carry", thing=Thing("box"), place=Place("to", DOOR))),
        ("would you mind picking up the box?", Handling(action="pick up", thing=Thing("box"))),
        ("give the ball a kick", Handling(action="kick", thing=Thing("ball"))),
    ],
)
def test_a_clause_becomes_a_step(said: str, step: Step) -> None:
    assert parse(said).steps == (step,)


def test_what_is_left_out_is_the_thing_named_last() -> None:
    steps = parse("walk to the door, open, walk through").steps
    assert steps[1:] == (Handling(action="open", thing=DOOR), Locomotion(place=Place("through", DOOR)))
    with pytest.raises(UsageError, match="what to open"):
        parse("open")

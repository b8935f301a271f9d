from __future__ import annotations

import pytest

from kinema.instructions.grammar.reader import parse

SAID = (
    "walk to the tree, wave, then run back",
    "sneak around the car and sit down while the camera circles",
    "run to the second red car and wave twice",
    "walk five metres to the left",
    "wait for three seconds, then jump three times",
    "pick up the box and carry it to the door",
    "open the white door with the left hand, then kick the ball into the goal with the right foot",
    "kick twice with the left foot",
    "carry the box to the door with both hands",
)


@pytest.mark.parametrize("said", SAID)
def test_a_description_says_the_same(said: str) -> None:
    programme = parse(said)
    assert parse(programme.describe()) == programme


def test_steps_are_in_order_and_of_their_kinds() -> None:
    programme = parse(SAID[0])
    assert [step.kind for step in programme.steps] == ["locomotion", "gesture", "locomotion"]
    assert programme.describe() == "Walk to the tree. Then wave. Then run back to the start."

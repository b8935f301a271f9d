import pytest

from kinema.mocap.creatures.words import concepts_of


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("The dragon moves through the clouds on outstretched, unmoving wings", "glide"),
        ("a crane, its wings fixed", "glide"),
        ("an eagle without a single flap", "glide"),
        ("the eagle moves on, never beating its wings", "glide"),
        ("a bird, wings pumping hard", "fly"),
        ("The eagle rises on thrashing wings", "fly"),
        ("The eagle attacks with its wings spread", "attack"),
    ],
)
def test_still_wings_glide_and_beating_wings_fly(text, action):
    assert action in concepts_of(text)
    assert "idle" not in concepts_of(text)

import pytest

from kinema.mocap.creatures.reading import hits_of, tokens_of


def spoken(text):
    tokens = tokens_of(text)
    return [
        (" ".join(token.text for token in tokens[hit.first : hit.last + 1]), hit.concepts) for hit in hits_of(tokens)
    ]


def test_tokens_know_their_place_in_the_text():
    text = "The horse's ears; it doesn't WalkForward_fast"
    tokens = tokens_of(text)
    assert [token.text for token in tokens] == ["horse", "ears", ";", "it", "does", "not", "walk", "forward", "fast"]
    for token in tokens:
        assert text[token.start : token.end].lower().startswith(token.text[:2]) or token.text == "not"
    assert tokens[0].noun and not tokens[1].noun


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("turns its head", [("turns head", ("look",))]),
        ("turns slowly around", [("turns slowly around", ("turn", "around")), ("slowly", ("slow",))]),
        ("took a big bite of the grass", [("took big bite of grass", ("eat",))]),
        ("takes off running", [("takes off running", ("run",))]),
        ("takes off", [("takes off", ("fly",))]),
        ("raises its left front leg", []),
        ("right now", []),
        ("springs at its prey", [("springs at", ("attack",))]),
        ("springs at full speed", [("springs", ("jump",)), ("at full speed", ("fast",))]),
        ("counter-clockwise", [("counter clockwise", ("left",))]),
        ("pounces on the unlucky player", [("pounces on", ("attack",))]),
    ],
)
def test_longest_phrases_win(text, hits):
    assert spoken(text) == hits


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("a fly walks", ["walk"]),
        ("the small fly dies", ["die"]),
        ("death of a fly", ["die"]),
        ("bat attacking", ["attack"]),
        ("it can fly", ["fly"]),
        ("fly forward, attack", ["fly", "attack"]),
    ],
)
def test_names_of_animals_are_no_movements(text, actions):
    assert [hit.action for hit in hits_of(tokens_of(text)) if hit.action] == actions


@pytest.mark.parametrize("text", ["", "   ", "馬が走る", "🐎🐎", "...", "'", "''s", "İıßﬁ", "-", "a\x00b"])
def test_any_text_can_be_read(text):
    assert hits_of(tokens_of(text)) == []

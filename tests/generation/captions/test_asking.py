from __future__ import annotations

import pytest

pytest.importorskip("torch")

from kinema.errors import UsageError
from kinema.face.generation import wishes_of
from kinema.generation.captions import asking
from kinema.generation.captions.model import Found
from kinema.generation.captions.told import body_of
from kinema.mocap.creatures.acts import ACTIONS


def says(monkeypatch: pytest.MonkeyPatch, *heads: tuple[int, str, bool], probability: float = 0.9) -> None:
    """Put words into the mouth of the network."""
    tokens, actions, earlier = zip(*heads, strict=True) if heads else ((), (), ())
    found = Found(tuple(tokens), tuple(ACTIONS.index(action) for action in actions), tuple(earlier), probability)
    monkeypatch.setattr(asking, "_found", lambda text, body: found)


def test_the_network_is_believed_where_it_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    text, dog = "vroots over, has a plim", body_of("dog")
    says(monkeypatch, (0, "run", False), (3, "look", False))
    assert asking.read_caption(text, dog) == [("run", "run"), ("look", "look")]
    says(monkeypatch, (0, "run", False), (3, "look", False), probability=0.1)
    assert asking.read_caption(text, dog) == []


def test_the_grammar_is_believed_where_the_network_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch)
    assert asking.read_caption("walks slowly, then eats", body_of("dog")) == [("walks slowly", "walk"), ("eats", "eat")]


def test_words_keep_what_else_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, (0, "turn", False), (6, "walk", True))
    phrases = asking.read_caption("pootles quickly to its left after it ambles", body_of("cow"))
    assert [action for _, action in phrases] == ["walk", "turn"]
    assert phrases[0][0].endswith("ambles")
    assert phrases[1][0] == "turn fast left"


def test_neighbours_that_are_alike_are_one_phrase(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, (0, "walk", False), (2, "walk", False))
    assert asking.read_caption("walks, strolls", body_of("cow")) == [("walks, strolls", "walk")]


def test_captions_that_are_too_long_are_left_to_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, (0, "attack", False))
    assert asking.read_caption("walks " + "very " * 100, body_of("cow"))[0][1] == "walk"


@pytest.mark.parametrize(
    ("body", "text", "acts"),
    [
        ("horse", "trots over, then eats", ["run", "eat"]),
        ("dog", "zoomies all over the lawn", ["run"]),
        ("lion", "has a good look round, polishes off the zebra", ["look", "eat"]),
        ("crocodile", "crawls ashore, looks over the tourists", ["walk", "look"]),
        ("dog", "before it eats, it walks", ["walk", "eat"]),
        ("shark", "circles the boat, then bites it", ["swim", "attack"]),
        ("eagle", "takes off, soars over the valley", ["fly", "glide"]),
    ],
)
def test_what_people_write_is_read(body: str, text: str, acts: list[str]) -> None:
    assert [action for _, action in asking.read_caption(text, body_of(body))] == acts


@pytest.mark.parametrize("text", ["xyzzy plugh", "el caballo corre por el campo", "der Hund läuft", "make it blue"])
def test_what_says_no_movement_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="English"):
        wishes_of(text, body=body_of("horse"))

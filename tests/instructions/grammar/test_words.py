from __future__ import annotations

from kinema.instructions.grammar.words import Words


def test_words_are_taken_one_by_one() -> None:
    words = Words(["walk", "to", "the", "tree", ".", "wave"])
    assert words.peek(1) == "to"
    assert words.take("run") == ""
    assert words.take("walk") == "walk"
    assert words.clause() == ["to", "the", "tree"]


def test_an_attempt_that_fails_has_read_nothing() -> None:
    words = Words(["walk", "to"])

    def fail() -> None:
        words.at += 2

    assert words.attempt(fail) is None
    assert words.at == 0
    assert words.attempt(lambda: words.take("walk") or None) == "walk"
    assert words.at == 1

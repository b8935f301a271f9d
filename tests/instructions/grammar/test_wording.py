from __future__ import annotations

from kinema.instructions.grammar.wording import quoted, words_of


def test_words_are_plain_and_numbers_are_digits() -> None:
    assert words_of("Walk FIVE metres!")[:2] == ["walk", "5"]
    assert words_of("Don't go")[:2] == ["do", "not"]


def test_what_is_quoted_stays_short() -> None:
    assert len(quoted(["word"] * 500)) < 200

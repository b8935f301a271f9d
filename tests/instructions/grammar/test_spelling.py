from __future__ import annotations

import pytest

from kinema.instructions.grammar.spelling import one_letter_apart, spelled


@pytest.mark.parametrize(
    "wrong, right",
    [("betwen", "between"), ("accross", "across"), ("foward", "forward"), ("thru", "through"), ("untill", "until")],
)
def test_small_words_are_mended(wrong: str, right: str) -> None:
    assert spelled([wrong], lambda _: False) == [right]


def test_things_may_have_any_name_and_known_words_stay() -> None:
    names = ["light", "ground", "bench", "stool", "gargoyle", "wand"]
    assert spelled(names, lambda _: False) == names
    assert spelled(["acros"], lambda word: word == "acros") == ["acros"]


def test_common_things_are_mended_and_words_near_them_stay() -> None:
    wrong = ["fountian", "satue", "dooor", "strat", "barrles", "towr"]
    assert spelled(wrong, lambda _: False) == ["fountain", "statue", "door", "start", "barrels", "tower"]
    near = ["state", "stars", "widow", "bride", "hose", "tale", "older", "world"]
    assert spelled(near, lambda _: False) == near


def test_one_letter_is_wrong_missing_added_or_swapped() -> None:
    assert all(one_letter_apart("wave", other) for other in ("wive", "wve", "wavve", "wvae"))
    assert not one_letter_apart("wave", "waving")

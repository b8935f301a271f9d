import pytest

from kinema.mocap.creatures.spelling import Speller, is_one_letter_off

KNOWN = {"galloping": "gallop", "slithering": "slither", "attack": "attack", "walking": "walk", "spring": "spring"}


@pytest.fixture
def speller():
    return Speller(KNOWN, ("wading", "attach"))


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("slithring", "slither"),
        ("slitherring", "slither"),
        ("attakc", "attack"),
        ("galopping", "gallop"),
        ("waalking", "walk"),
        ("gallopimg", "gallop"),
    ],
)
def test_one_wrong_letter_is_forgiven(speller, word, meant):
    assert speller.corrected(word) == meant


@pytest.mark.parametrize("word", ["string", "talking", "wading", "attach", "atak", "slthrng", "walk"])
def test_other_words_stay_what_they_are(speller, word):
    assert speller.corrected(word) is None


@pytest.mark.parametrize(
    ("word", "other", "near"),
    [
        ("cat", "cat", True),
        ("cat", "act", True),
        ("cat", "cut", True),
        ("cat", "cart", True),
        ("cat", "at", True),
        ("cat", "tac", False),
        ("cat", "dog", False),
        ("cat", "carts", False),
        ("abcd", "acbd", True),
        ("abcd", "acbe", False),
    ],
)
def test_distance_of_one_letter(word, other, near):
    assert is_one_letter_off(word, other) is near
    assert is_one_letter_off(other, word) is near

from __future__ import annotations

import pytest

from kinema.errors import UsageError
from kinema.instructions.grammar.amounts import read_amount, read_manner, read_number
from kinema.instructions.grammar.wording import words_of
from kinema.instructions.grammar.words import Words


@pytest.mark.parametrize(
    "said, amount",
    [
        ("for five metres", ("metres", 5.0)),
        ("3 secs", ("seconds", 3.0)),
        ("two minutes", ("seconds", 120.0)),
        ("ten feet", ("metres", 3.048)),
        ("by 45 degrees", ("degrees", 45.0)),
        ("three paces", ("steps", 3.0)),
        ("twice", ("times", 2.0)),
    ],
)
def test_amounts_have_units(said: str, amount: tuple[str, float]) -> None:
    assert read_amount(Words(words_of(said))) == amount


def test_amounts_are_possible() -> None:
    assert read_amount(Words(words_of("the tree"))) is None
    for said in ("2.5 times", "0 seconds", "9999999 metres"):
        with pytest.raises(UsageError):
            read_amount(Words(words_of(said)))


def test_numbers_and_manners() -> None:
    assert read_number(Words(["5"])) == 5.0
    assert read_number(Words(["a"])) == 1.0
    assert read_manner(Words(["briskly"])) == "quickly"
    assert read_manner(Words(["with", "care"])) == "carefully"
    assert read_manner(Words(["tree"])) is None

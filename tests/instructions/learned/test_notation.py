from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema.errors import UsageError
from kinema.instructions.learned.notation import END, SYMBOLS, read, written
from kinema.instructions.programme import Handling, Thing
from kinema.instructions.rows import from_rows

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize(
    "name", ["first", "fresh", "strangers", "strangers_second", "strangers_third", "strangers_fifth", "styles"]
)
def test_programmes_are_read_back_as_they_were_written(name: str) -> None:
    for entry in json.loads((DATA / f"{name}.json").read_text(encoding="utf-8")):
        programme = from_rows(entry["steps"])
        symbols = written(programme)
        assert read(symbols) == programme
        assert all(symbol[0] in "=#" or symbol in SYMBOLS for symbol in symbols)


def test_units_are_multiplied() -> None:
    programme = read(["do wait", "seconds", "#2", "minutes", END])
    assert programme.steps[0].seconds == 120.0


def test_a_colour_before_a_name_is_no_part_of_it() -> None:
    step = read(["handle open", "<", "quality", "=old", "=gray", "=box", ">", END]).steps[0]
    assert isinstance(step, Handling) and step.thing == Thing("box", "grey", qualities=("old",))
    step = read(["handle look at", "<", "=orange", ">", END]).steps[0]
    assert isinstance(step, Handling) and step.thing == Thing("orange")


@given(st.lists(st.sampled_from([*SYMBOLS, "=tree", "#3", "#1e300"]), max_size=12))
def test_any_other_symbols_are_refused_or_read(symbols: list[str]) -> None:
    try:
        assert read([*symbols, END]).steps
    except UsageError:
        return


@pytest.mark.parametrize(
    "symbols",
    [
        [END],
        ["wave", END],
        ["go walk", "place to", END],
        ["go walk", "side left", END],
        ["handle open", "<", ">", END],
        ["do jump", "times", "#2.5", END],
        ["do wait", "seconds", "#99999999", END],
        ["do wave", "do wave", END],
    ],
)
def test_broken_programmes_are_refused(symbols: list[str]) -> None:
    with pytest.raises(UsageError):
        read(symbols)

"""Options from text."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kinema.errors import LearningError
from kinema.learn.options import make_options


@dataclass(frozen=True)
class Options:
    size: int = 3
    share: float = 0.5
    deep: bool = False
    name: str = "x"


def test_options_may_be_text_and_are_checked():
    text = {"size": "7", "share": "0.25", "deep": "true", "name": "y"}
    assert make_options(Options, text) == Options(7, 0.25, True, "y")
    assert make_options(Options, {"deep": False}) == Options()
    with pytest.raises(LearningError, match="no option is named 'wide'; the options are: size, share, deep, name"):
        make_options(Options, {"wide": 1})
    with pytest.raises(LearningError, match="option size is 'big'; it must be a int"):
        make_options(Options, {"size": "big"})
    with pytest.raises(LearningError, match="option deep is 'maybe'"):
        make_options(Options, {"deep": "maybe"})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"size": "0"}, "size is 0; it must be at least 1"),
        ({"size": -3}, "at least 1"),
        ({"share": "nan"}, "finite"),
        ({"share": "inf"}, "finite"),
        ({"share": -0.1}, "not below 0"),
    ],
)
def test_options_that_no_model_can_have_are_one_line(given, said):
    with pytest.raises(LearningError, match=said):
        make_options(Options, given)

from __future__ import annotations

import re

import pytest

from kinema.instructions.grammar.phrases import PHRASES
from kinema.instructions.grammar.wording import words_of


def test_every_pattern_is_one() -> None:
    for pattern, _ in PHRASES:
        re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")


@pytest.mark.parametrize(
    "said, plain",
    [
        ("walk to the back of the shed", "walk behind the shed"),
        ("at the same time", "meanwhile"),
        ("walk for a distance of five metres", "walk for 5 metres"),
        ("do one lap around the car", "do 1 laps around the car"),
        ("clap x2", "clap 2 times"),
        ("walk slowly down the street", "walk slowly along the street"),
        ("pick up the fence", "pick up the fence"),
        ("on her hands and knees", "with a crawl"),
        ("make her way to the tree", "go to the tree"),
    ],
)
def test_set_phrases_have_one_wording(said: str, plain: str) -> None:
    assert " ".join(words_of(said)) == plain

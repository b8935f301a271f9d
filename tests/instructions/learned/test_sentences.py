from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import LearningError
from kinema.instructions.learned.notation import END, REFUSED, read
from kinema.instructions.learned.sentences import Sentence, Varied, _framed, names_of, read_sentences

ROWS = [
    {
        "steps": [
            {
                "kind": "locomotion",
                "gait": "walk",
                "place": {"relation": "to", "thing": {"name": "street lamp", "colour": "red"}},
            },
            {"kind": "gesture", "action": "wait", "seconds": 30.0},
        ],
        "said": [
            "walk to the red street lamp and wait half a minute",
            "go to the red street lamp, 30 s pause",
            "no lamp",
        ],
    },
    {"refused": ["bake a cake"]},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return path


def test_sentences_are_read_with_numbers_in_the_units_that_are_said(file: Path) -> None:
    first, second, refused = read_sentences(file)
    assert first.symbols[-3:] == ("#0.5", "minutes", END)
    assert second.symbols[-2:] == ("#30", END)
    assert refused == Sentence(("bake", "a", "cake"), (REFUSED, END))


def test_broken_files_are_named(tmp_path: Path) -> None:
    for content in ("{", '{"steps": [{"kind": "x"}], "said": []}', '{"said": ["walk"]}', "[]"):
        path = tmp_path / "broken.jsonl"
        path.write_text(content, encoding="utf-8")
        with pytest.raises(LearningError, match="line 1"):
            read_sentences(path)
    with pytest.raises(LearningError, match="cannot be read"):
        read_sentences(tmp_path / "none.jsonl")


def test_varied_sentences_still_say_what_they_mean(file: Path) -> None:
    varied = Varied(read_sentences(file))
    seen = set()
    for seed in range(300):
        each = varied.draw(seed % 3, np.random.default_rng(seed))
        assert all(symbol[1:] in each.words for symbol in each.symbols if symbol[0] == "=")
        if each.symbols[0] != REFUSED:
            assert read(each.symbols).steps
            seen |= names_of(each.symbols)
    assert ("street", "lamp") in seen
    assert len(seen) > 8  # other things were put in its place
    assert {1, 2, 3} <= {len(name) for name in seen}


def test_chance_is_all_in_the_seed(file: Path) -> None:
    varied = Varied(read_sentences(file))
    assert varied.draw(0, np.random.default_rng(4)) == varied.draw(0, np.random.default_rng(4))


def test_refused_parts_refuse_what_they_are_joined_to(file: Path) -> None:
    varied = Varied(read_sentences(file))
    drawn = [varied.draw(0, np.random.default_rng(seed)) for seed in range(400)]
    joined = [each for each in drawn if "cake" in each.words]
    assert joined and all(each.symbols == (REFUSED, END) for each in joined)


def test_two_things_are_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    place = {"relation": "between", "thing": {"name": "tree"}, "second": {"name": "old well", "colour": "red"}}
    row = {
        "steps": [{"kind": "locomotion", "gait": "run", "place": place}],
        "said": ["run between the tree and the red old well", "run between the red old well and the tree"],
    }
    path = tmp_path / "sentences.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    first, second = (each.symbols for each in read_sentences(path))
    assert first.index("=tree") < first.index("=well") and second.index("=well") < second.index("=tree")
    assert sorted(first) == sorted(second)


def test_an_angle_that_no_word_says_is_not_learned(tmp_path: Path) -> None:
    turn = {"kind": "gesture", "action": "turn", "side": "right", "degrees": 90.0}
    path = tmp_path / "turns.jsonl"
    path.write_text(json.dumps({"steps": [turn], "said": ["turn right", "a quarter turn to the right"]}))
    assert [each.words for each in read_sentences(path)] == [("a", "quarter", "turn", "to", "the", "right")]


def test_courtesies_change_nothing_of_what_is_meant(file: Path) -> None:
    given = read_sentences(file)[0]
    framed = [_framed(given, np.random.default_rng(seed)) for seed in range(40)]
    assert all(each.symbols == given.symbols and len(each.words) > len(given.words) for each in framed)
    assert all(" ".join(given.words) in " ".join(each.words) for each in framed)
    assert len({each.words for each in framed}) > 20

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import LearningError
from kinema.generation.captions.told import VariedCaptions, by_grammar, in_order, read_told, times, told_of
from kinema.mocap.creatures.acts import ACTIONS


def names(actions: list[int]) -> list[str]:
    return [ACTIONS[action] for action in actions]


def test_words_that_say_acts_are_found_and_ordered_in_time() -> None:
    told = told_of("before she grazes, the cow plods down", [("walk", "plods"), ("eat", "grazes")], "cow")
    assert told is not None
    assert [told.tokens[head].text for head in told.heads] == ["grazes", "plods"]
    assert told.earlier == (False, True)
    assert names(told.order) == ["walk", "eat"]


def test_the_same_words_twice_are_two_acts() -> None:
    told = told_of("hop, look, hop", [("jump", "hop"), ("look", "look"), ("jump", "hop")], "cat")
    assert told is not None
    assert [told.tokens[head].start for head in told.heads] == [0, 5, 11]
    assert names(told.order) == ["jump", "look", "jump"]


@pytest.mark.parametrize(
    ("earlier", "order"),
    [
        ([], []),
        ([False, False, False], [0, 1, 2]),
        ([False, True, False], [1, 0, 2]),
        ([False, False, True], [0, 2, 1]),
        ([False, True, True], [2, 1, 0]),
    ],
)
def test_what_is_earlier_comes_before_what_was_said_before_it(earlier: list[bool], order: list[int]) -> None:
    assert times(earlier) == order


def test_acts_that_follow_one_another_and_are_alike_are_one() -> None:
    assert in_order([1, 1, 2, 1], [False] * 4) == [1, 2, 1]


def test_words_that_come_back_are_those_behind_the_act_before() -> None:
    told = told_of("creep, creep, turn, creep", [("walk", "creep"), ("turn", "turn"), ("walk", "creep")], "cat")
    assert told is not None
    assert [told.tokens[head].start for head in told.heads] == [0, 14, 20]
    assert told.earlier == (False, False, False)


def test_what_a_body_cannot_do_and_what_is_too_long_is_left_out() -> None:
    assert told_of("the snake backs off", [("back", "backs off")], "snake") is None
    assert told_of("walks " + "on and on " * 40, [("walk", "walks")], "dog") is None


@pytest.mark.parametrize(
    "row",
    [
        {"text": "walks", "acts": []},
        {"body": "unicorn", "text": "walks", "acts": []},
        {"body": "dog", "text": "walks", "acts": [["walk", "runs"]]},
        {"body": "dog", "text": "walks", "acts": [["dance", "walks"]]},
        "walks",
    ],
)
def test_bad_lines_are_named(tmp_path: Path, row: object) -> None:
    file = tmp_path / "captions.jsonl"
    file.write_text('{"body": "dog", "text": "walks", "acts": [["walk", "walks"]]}\n' + json.dumps(row) + "\n")
    with pytest.raises(LearningError, match="line 2"):
        read_told(file)


def test_a_file_without_captions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("")
    for name in ("none.jsonl", "absent.jsonl"):
        with pytest.raises(LearningError, match=name):
            read_told(tmp_path / name)


def test_captions_of_the_grammar_have_their_heads() -> None:
    for told in by_grammar(40, 3):
        assert len(told.heads) == len(told.actions) == len(told.earlier) >= 1
        assert list(told.heads) == sorted(set(told.heads))
        assert {ACTIONS[action] for action in told.actions} <= set(told.body.actions)


def test_variations_say_the_same_acts() -> None:
    captions = [
        told_of(
            "Trots over, sniffs the hay, then eats.", [("run", "Trots"), ("look", "sniffs"), ("eat", "eats")], "dog"
        ),
        told_of("After it has slept, it runs", [("idle", "slept"), ("run", "runs")], "wolf"),
        told_of("flaps away, then glides", [("fly", "flaps"), ("glide", "glides")], "eagle"),
    ]
    kept = [each for each in captions if each is not None]
    varied, rng = VariedCaptions(kept), np.random.default_rng(0)
    joined, others, texts = 0, 0, set()
    for _ in range(300):
        for at, told in enumerate(kept):
            drawn = varied.draw(at, rng)
            said = [drawn.tokens[head].text for head in drawn.heads]
            assert said[: len(told.heads)] == [told.tokens[head].text.lower() for head in told.heads]
            assert drawn.order[: len(told.order) - 1] == told.order[:-1]
            assert {ACTIONS[action] for action in drawn.actions} <= set(drawn.body.actions)
            joined += len(said) > len(told.heads)
            others += drawn.name != told.name
            texts.add(drawn.text)
    assert joined > 20 and others > 20 and len(texts) > 30

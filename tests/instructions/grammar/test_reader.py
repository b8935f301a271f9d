"""Sentences against the programmes that they were written for.

The first two files were written before the grammar, by its author. The sentences of the strangers were written by
writers who saw neither grammar nor templates, for programmes that they were given; what is equally right was written
down before they were read. Those of many styles were written while the grammar was improved. Failures of all but the
third strangers improved it: the levels below keep what is read now, and are no measure of sentences by others. On first
trial 179 of the 200 of the second file were right, and of the strangers 97, 154 and 153 of 200. Do not fit the grammar
to the third: it says what the grammar reads of sentences that it was not fitted to. What is read with the network
besides is tested in `tests/instructions/test_reading.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kinema.errors import UsageError
from kinema.instructions.grammar.reader import parse
from kinema.instructions.rows import to_rows

DATA = Path(__file__).parents[1] / "data"
REFUSED = (
    "asdf qwer zxcv",
    "the the the",
    "!!!",
    "",
    "blorp to the tree",
    "walk flibber the tree",
    "the tree walks to the car",
    "what is the time",
    "geh zum Baum",
    "marche vers l'arbre",
    "idź do drzewa",
    "иди к дереву",
    "stand still while running",
    "walk slowly and quickly",
    "sit down while walking to the tree",
    "don't walk",
    "walk without waving",
    "walk to the tree or the car",
    "if the tree is near, wave",
    "walk 99999999 metres",
    "walk -5 metres",
    "wait 0 seconds",
    "jump 2.5 times",
    "wait for two seconds for three seconds",
    "turn left to the right",
    "lie down and stand up at the same time",
    "the man waves and the woman bows",
    "pick it up",
    "walk to the",
    "corre hasta el árbol",
    "walk\x00 to the tree",
    "wave, bow, " * 180,
    "walk " * 200_000,
    "open",
    "walk through",
    "carry to the table",
    "loop the loop",
    "tilt the camera",
    "walk to the tree backwards and forwards quickly slowly",
    "do not stop walking",
    "the dog barks",
    "she bakes a cake",
    "count to ten",
    "turn left right",
    "seated",
    "paint the fence",
    "hide behind the tree",
    "play the piano",
    "take off the jacket",
    "walk until it gets dark",
    "jump down from the box",
    "lower your arm",
    "cross your arms",
    "stand on one leg",
    "rotate the camera 90 degrees",
    "follow the car",
    "camera follows from above and behind",
    "from a strange perspective she walks",
    "camera behind her, low angle",
    "the camera moves from left to right",
    "walk to the tree furthest from the house",
    "cheer 90 degrees",
    "walk 90 degrees left",
    "walk a quick quick",
    "run in the opposite direction",
    "walk the other way",
    "walk to the tree like a robot",
    "walk to the tree, running",
    "walk to the first",
    "walk on your hands",
    "walk to box 12",
    "put the box on the box",
    "walk to the tree behind the tree",
)


def sentences(name: str) -> list[dict[str, Any]]:
    """Entries of a file: the steps that are meant, others that are equally right, and how people say them."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


SETS = (
    ("first", 200, 197),
    ("fresh", 200, 194),
    ("strangers", 200, 198),
    ("strangers_second", 200, 198),
    ("strangers_third", 200, 153),
    pytest.param("styles", 1012, 1012, marks=pytest.mark.slow),
)


@pytest.mark.parametrize("name, total, least", SETS)
def test_sentences_that_were_read_right_still_are_and_are_read_back_the_same(name: str, total: int, least: int) -> None:
    right = count = 0
    for entry in sentences(name):
        for said in entry["said"]:
            count += 1
            try:
                programme = parse(said)
            except UsageError:
                continue
            right += to_rows(programme) in (entry["steps"], *entry.get("or", ()))
            assert parse(programme.describe()) == programme, said
    assert count == total
    assert right >= least


@pytest.mark.parametrize("said", REFUSED, ids=[text[:20] or "nothing" for text in REFUSED])
def test_what_is_no_instruction_is_refused_in_one_line(said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(said)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_politeness_and_typing_errors_change_nothing() -> None:
    meant = parse("walk to the tree, then wave")
    assert parse("Could you please make her WALK to the tree, and then wave?") == meant
    assert parse("wlak to the tree then wave") == meant

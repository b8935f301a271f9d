"""Sentences against the programmes that their writers meant."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from kinema.errors import UsageError
from kinema.worlds.instructions import read_instructions
from kinema.worlds.programme import Programme

DATA = Path(__file__).parent / "data"
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
    "walk " * 200_000,
)


def rows(programme: Programme) -> list[dict[str, Any]]:
    """Steps as the files have them: without what is not said."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            nothing = (None, "", (), False)
            kept = {key: plain(each) for key, each in value.items() if each not in nothing}
            return {key: each for key, each in kept.items() if (key, each) != ("times", 1)}
        return [plain(each) for each in value] if isinstance(value, tuple | list) else value

    return [{"kind": step.kind, **plain(asdict(step))} for step in programme.steps]


@pytest.mark.parametrize("name, least", [("first", 0.98), ("fresh", 0.955)])
def test_paraphrases_are_read_as_they_were_meant(name: str, least: float) -> None:
    right = total = 0
    for entry in json.loads((DATA / f"instructions_{name}.json").read_text(encoding="utf-8")):
        for said in entry["said"]:
            total += 1
            try:
                right += rows(read_instructions(said)) == entry["steps"]
            except UsageError:
                continue
    assert total == 200
    assert right >= least * total


@pytest.mark.parametrize("said", REFUSED, ids=[text[:20] or "nothing" for text in REFUSED])
def test_what_is_no_instruction_is_refused_in_one_line(said: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_instructions(said)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_politeness_and_typing_errors_change_nothing() -> None:
    meant = read_instructions("walk to the tree, then wave")
    assert read_instructions("Could you please make her WALK to the tree, and then wave?") == meant
    assert read_instructions("wlak to the tree then wave") == meant

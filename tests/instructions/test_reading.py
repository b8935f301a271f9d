"""Sentences that neither the grammar nor the network was fitted to, and what is believed where they differ.

Writers who saw neither the grammar nor other sentences wrote them for twenty programmes each. Do not fit anything to
them: they say how much is read of what others write. The sixth alone was looked at once it had been read.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kinema.errors import UsageError
from kinema.instructions import reading
from kinema.instructions.grammar.reader import parse
from kinema.instructions.learned.asking import Answer
from kinema.instructions.programme import Handling, Place, Programme, Thing
from kinema.instructions.reading import read_each, read_instructions, settled
from kinema.instructions.rows import to_rows

DATA = Path(__file__).parent / "data"
WALK, RUN = parse("walk to the tree"), parse("run to the tree")


def sentences(name: str) -> list[dict[str, Any]]:
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def alike(found: Any) -> Any:
    """Rows of a programme in which the two things that something is between are in one order."""
    if isinstance(found, list):
        return [alike(each) for each in found]
    if not isinstance(found, dict):
        return found
    row = {key: alike(value) for key, value in found.items()}
    if row.get("relation") == "between" and "second" in row:
        row["thing"], row["second"] = sorted((row["thing"], row["second"]), key=json.dumps)
    return row


@pytest.mark.parametrize(
    "name, least",
    [
        ("strangers_third", 184),
        pytest.param("strangers_eleventh", 191, marks=pytest.mark.slow),
        pytest.param("strangers_fourth", 184, marks=pytest.mark.slow),
        pytest.param("strangers_fifth", 173, marks=pytest.mark.slow),
        pytest.param("strangers_sixth", 153, marks=pytest.mark.slow),
        pytest.param("strangers_seventh", 141, marks=pytest.mark.slow),
        pytest.param("strangers_eighth", 191, marks=pytest.mark.slow),
        pytest.param("strangers_ninth", 186, marks=pytest.mark.slow),
        pytest.param("strangers_tenth", 163, marks=pytest.mark.slow),
        pytest.param("strangers_twelfth", 152, marks=pytest.mark.slow),
        pytest.param("strangers_thirteenth", 190, marks=pytest.mark.slow),
    ],
)
def test_sentences_of_strangers_are_read(name: str, least: int) -> None:
    pytest.importorskip("torch")
    entries = sentences(name)
    found = read_each([said for entry in entries for said in entry["said"]])
    meant = [[alike(steps) for steps in (entry["steps"], *entry.get("or", ()))] for entry in entries]
    ways = [each for each, entry in zip(meant, entries, strict=True) for _ in entry["said"]]
    right = sum(
        isinstance(each, Programme) and alike(to_rows(each)) in way for each, way in zip(found, ways, strict=True)
    )
    assert len(found) == 200
    assert right >= least


@pytest.mark.parametrize(
    "said",
    ["", "don't walk", "walk to the tree or the car", "idź do drzewa", "walk -5 metres", "walk " * 200_000],
    ids=["nothing", "denied", "choice", "polish", "negative", "endless"],
)
def test_what_no_programme_can_say_is_refused_without_asking(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(texts: list[str]) -> list[Answer | None]:
        assert not texts
        return []

    monkeypatch.setattr(reading, "ask", ask)
    with pytest.raises(UsageError) as refused:
        read_instructions(said)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "said, answer, read",
    [
        ("walk to the tree", Answer(RUN, 0.95), RUN),
        ("walk to the tree", Answer(RUN, 0.4), WALK),
        ("walk to the tree", Answer(None, 0.99), WALK),
        ("walk to the tree", None, WALK),
        ("wazzle to the tree", Answer(RUN, 0.9), RUN),
        ("wazzle to the tree", Answer(RUN, 0.1), None),
        ("wazzle to the tree", Answer(None, 0.9), None),
    ],
)
def test_the_network_is_believed_if_it_is_sure(
    said: str, answer: Answer | None, read: Programme | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "can_ask", lambda: True)
    monkeypatch.setattr(reading, "ask", lambda texts: [answer for _ in texts])
    if read is None:
        with pytest.raises(UsageError):
            read_instructions(said)
    else:
        assert read_instructions(said) == read


def test_without_the_network_the_grammar_reads_alone_and_refusals_say_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "can_ask", lambda: False)
    assert read_instructions("walk to the tree") == WALK
    with pytest.raises(UsageError, match="torch"):
        read_instructions("wazzle to the tree")


def test_texts_are_read_alike_together_and_one_by_one() -> None:
    pytest.importorskip("torch")
    texts = ["walk to the car", "walk to the car", "", "blow the gate a kiss"]
    for text, found in zip(texts, read_each(texts), strict=True):
        try:
            assert read_instructions(text) == found
        except UsageError as refused:
            assert str(refused) == str(found)


@pytest.mark.parametrize(
    "said, meant",
    [
        ("walk to the red car. kick the car", "walk to the red car. kick the red car"),
        (
            "wave at the tree behind the old house. walk to the house",
            "wave at the tree behind the old house. walk to the old house",
        ),
        ("walk to the red car. kick the blue car. hit the car", "walk to the red car. kick the blue car. hit the car"),
        ("walk to the cabin door. open the door", "walk to the cabin door. open the cabin door"),
        (
            "walk to the door. walk to the cabin door. open the door",
            "walk to the door. walk to the cabin door. open the door",
        ),
        ("walk to the cabin. open the cabin door", "walk to the cabin. open the cabin door"),
        ("kick the car. walk to the red car", "kick the car. walk to the red car"),
        ("walk to the third tree. run past the other tree", "walk to the third tree. run past the other tree"),
    ],
)
def test_what_has_been_described_is_meant_when_only_its_name_is_said(said: str, meant: str) -> None:
    apart = [step for clause in said.split(". ") for step in parse(clause).steps]
    together = [step for clause in meant.split(". ") for step in parse(clause).steps]
    assert settled(Programme(tuple(apart))) == Programme(tuple(together))


@pytest.mark.parametrize(
    "said, meant",
    [
        ("sit on the sofa. sit for 10 seconds", "sit on the sofa for 10 seconds"),
        ("kick the ball. kick the ball", "kick the ball twice"),
        ("jump twice. jump", "jump 3 times"),
        ("wave with the left hand. wave", "wave with the left hand. wave"),
        ("kneel. kneel in front of the queen. bow", "kneel in front of the queen. bow"),
        ("sit on the sofa. sit on the chair", "sit on the sofa. sit on the chair"),
        ("crouch for 2 seconds. crouch for 3 seconds", "crouch for 2 seconds. crouch for 3 seconds"),
        ("sit while the camera circles. sit for 10 seconds", "sit while the camera circles. sit for 10 seconds"),
        ("sit on the sofa. sit while the camera circles", "sit on the sofa while the camera circles"),
        (
            "sit on the sofa. sit on the bed while the camera circles",
            "sit on the sofa. sit on the bed while the camera circles",
        ),
        ("jump. jump while the camera circles", "jump. jump while the camera circles"),
        ("jump 6 times. jump while the camera circles", "jump 6 times while the camera circles"),
        ("dance for 9 seconds. dance while the camera circles", "dance for 9 seconds while the camera circles"),
        ("jump 6 times. jump twice while zooming in", "jump 6 times. jump twice while zooming in"),
        ("jump. jump over the log", "jump. jump over the log"),
        ("walk seen from above. wave seen from above", "walk seen from above. wave"),
        ("walk seen from above. wave seen from behind", "walk seen from above. wave seen from behind"),
        ("walk while zooming in. wave while zooming in", "walk while zooming in. wave while zooming in"),
    ],
)
def test_what_goes_on_is_one_step(said: str, meant: str) -> None:
    apart = [step for clause in said.split(". ") for step in parse(clause).steps]
    together = [step for clause in meant.split(". ") for step in parse(clause).steps]
    assert settled(Programme(tuple(apart))) == Programme(tuple(together))


@pytest.mark.parametrize("action", ["drop", "put down"])
def test_what_is_put_down_is_in_the_hand_until_then(action: str) -> None:
    beside = Place("beside", Thing("bed"))
    named = Handling(action=action, thing=Thing("bag", where=beside))
    assert settled(Programme((named,))).steps == (Handling(action=action, thing=Thing("bag"), place=beside),)
    kicked = Programme((replace(named, action="kick"),))
    assert settled(kicked) == kicked

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import kinema  # noqa: E402
from kinema.errors import LearningError  # noqa: E402
from kinema.instructions.learned.model import Options  # noqa: E402
from kinema.instructions.learned.task import InstructionReaderTask, SentenceData  # noqa: E402
from kinema.learn.folder import load_model  # noqa: E402
from kinema.learn.recipe import Recipe  # noqa: E402


def sentence_file(path: Path, programmes: int = 12) -> Path:
    rows = [
        {
            "steps": [{"kind": "gesture", "action": "wave", "times": count}],
            "said": [f"wave {count} times", f"{count} waves"],
        }
        for count in range(2, 2 + programmes)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_no_programme_is_both_trained_and_held_out(tmp_path: Path) -> None:
    source = InstructionReaderTask(Options()).open(sentence_file(tmp_path / "sentences.jsonl"))
    data = SentenceData(source, Recipe(held_out=0.25))
    trained = {each.symbols for each in data.varied.sentences}
    assert data.held == 6
    assert not trained & {each.symbols for each in data.kept}
    again = SentenceData(source, Recipe(held_out=0.25))
    assert torch.equal(data.batch(range(40, 44)).pieces, again.batch(range(40, 44)).pieces)


def test_too_few_programmes_are_refused(tmp_path: Path) -> None:
    source = InstructionReaderTask(Options()).open(sentence_file(tmp_path / "sentences.jsonl", 1))
    with pytest.raises(LearningError, match="too few"):
        SentenceData(source, Recipe())


def test_it_is_trained_by_the_shared_loop(tmp_path: Path) -> None:
    file = sentence_file(tmp_path / "sentences.jsonl")
    options = {"width": 16, "hidden": 32}
    report = kinema.train("instruction-reader", file, tmp_path / "run", steps=4, batch=4, options=options)
    assert report.finished and report.rows[0]["name"] == "held-out programmes"
    assert load_model(tmp_path / "run").document["task"] == "instruction-reader"

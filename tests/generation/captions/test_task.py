from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

import kinema
from kinema.errors import LearningError
from kinema.generation.captions.model import CaptionModel, Options, found_in
from kinema.generation.captions.task import CaptionData, CaptionReaderTask
from kinema.generation.captions.told import body_of, in_order
from kinema.learn.folder import load_model
from kinema.learn.recipe import Recipe
from kinema.mocap.creatures.acts import ACTIONS


def test_batches_are_the_same_at_the_same_positions(caption_file: Path, tmp_path: Path) -> None:
    task = CaptionReaderTask(Options())
    source = task.open(caption_file)
    data = task.data(source, tmp_path, Recipe(held_out=0.1))
    assert isinstance(data, CaptionData)
    assert data.held == len(data.kept) == 4
    assert not {each.text for each in data.kept} & {each.text for each in data.varied.captions[: data.written]}
    first, again = data.batch(range(8)), data.batch(range(8))
    assert all((one == other).all() for one, other in zip(first, again, strict=True))


def test_too_few_captions_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    file.write_text('{"body": "dog", "text": "walks", "acts": [["walk", "walks"]]}\n')
    task = CaptionReaderTask(Options())
    with pytest.raises(LearningError, match="too few"):
        task.data(task.open(file), tmp_path, Recipe())


@pytest.mark.slow
def test_words_that_the_lexicon_does_not_have_are_learned(caption_file: Path, tmp_path: Path) -> None:
    options = {"width": 32, "hidden": 64, "dropout": 0.1}
    kinema.train("caption-reader", caption_file, tmp_path / "run", steps=150, batch=24, rate=5e-3, options=options)
    model = load_model(tmp_path / "run").model
    assert isinstance(model, CaptionModel)
    texts = ["gromps, then vroots", "plims when it vrootsed", "dolls."]
    found = found_in(model, [(text, body_of("dog")) for text in texts])
    read = [[ACTIONS[action] for action in in_order(each.actions, each.earlier)] for each in found]
    assert read == [["eat", "run"], ["run", "look"], ["idle"]]
    assert all(0 < each.probability <= 1 for each in found)
    metrics = load_model(tmp_path / "run").document["metrics"]
    assert metrics[0]["right_percent"] > 70
    assert metrics[1] == {"name": "the grammar alone", "right_percent": pytest.approx(0, abs=30)}
    swims = found_in(model, [("vroots", body_of("shark"))])[0]
    assert {ACTIONS[action] for action in swims.actions} <= set(body_of("shark").actions)

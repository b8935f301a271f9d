"""A small database on disk, and short runs on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
pytest.importorskip("accelerate", reason="accelerate is not installed: pip install 'kinema[learn]'")
pytest.importorskip("safetensors", reason="safetensors is not installed: pip install 'kinema[learn]'")

import torch

from kinema.learn.recipe import Recipe
from kinema.learn.run import Run, start_run
from kinema.mocap import MotionDatabase
from kinema.mocap.procedural import generate, locomotion_set
from kinema.mocap.procedural.script import Segment

SMALL = {
    "perceptron": {"hidden": 24, "layers": 1},
    "mann": {"hidden": 24, "readout": 16},
    "pfnn": {"hidden": 24, "readout": 16},
    "local-phases": {"hidden": 24, "readout": 16},
    "deep-phase": {"hidden": 24, "readout": 16},
    "nsm": {"hidden": 24, "readout": 16, "body": 12, "wishes": 8, "gate": 8},
    "periodic": {"waves": 2, "seconds": 0.5},
    "codebook": {"hidden": 24, "channels": 6, "classes": 4},
    "flow": {"hidden": 24, "layers": 2},
    "learned-matching": {"hidden": 24, "latent": 6},
    "autoencoder": {"latent": 6, "hidden": 24, "layers": 1},
    "sequence": {"hidden": 24, "layers": 1},
}
QUICK = Recipe(steps=40, batch=32, validate_every=20, warmup=5, rate=3e-3, held_out=0.2)


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Small networks are faster so, and tests do not wait for each other."""
    torch.set_num_threads(1)


def label(database: MotionDatabase) -> None:
    """Give a database labels that networks read, made up: goals near the end of each clip, and phases."""
    ahead = np.concatenate([np.arange(clip.frames, 0, -1) - 25 for clip in database.clips])
    database.labels["goal"] = np.where(ahead < 50, np.maximum(ahead, 0), -1).astype(np.int32)
    database.labels["learned_phases"] = np.repeat(database.labels["local_phases"], 2, axis=1)[:, :3]


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> MotionDatabase:
    scripts = [("walk", 4.0), ("jog", 4.0), ("walk", 3.0), ("idle", 3.0), ("walk", 5.0)]
    motions = [
        generate(script=(Segment(kind, seconds), Segment("idle", 1.0)), fps=30.0, seed=seed, name=f"take{seed}")
        for seed, (kind, seconds) in enumerate(scripts)
    ]
    made = MotionDatabase.from_motions(motions, mirror=False)
    label(made)
    path = tmp_path_factory.mktemp("data") / "walk.db"
    made.save(path)
    return MotionDatabase.open(path)


@pytest.fixture(scope="session")
def styled_database() -> MotionDatabase:
    """A minute and a half of generated locomotion in three styles."""
    made = MotionDatabase.from_motions(locomotion_set(minutes=1.5, styles=("neutral", "old", "proud")), mirror=False)
    label(made)
    return made


@pytest.fixture
def new_run(database: MotionDatabase, tmp_path: Path) -> Callable[..., Run]:
    """Starts a quick run, of the small database unless another is given; more arguments go to the recipe."""

    def make(name: str = "autoencoder", folder: str = "run", data: MotionDatabase = database, **changes: Any) -> Run:
        recipe = Recipe.from_dict({**QUICK.to_dict(), **changes})
        return start_run(tmp_path / folder, name, data, SMALL[name], recipe)

    return make

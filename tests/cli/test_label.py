"""`kinema label`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema.cli.main import main
from kinema.mocap import MotionDatabase


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A database without labels."""
    script = [kinema.Segment("walk", 6.0)]
    database = MotionDatabase.from_motions([kinema.perform(script=script, fps=30, name="walk")])
    database.labels.clear()
    database.save(tmp_path / "walk.db")
    return tmp_path / "walk.db"


def test_labels_are_made_and_listed(walk: Path, capsys) -> None:
    assert main(["label", str(walk)]) == 0
    out = capsys.readouterr().out
    assert "cycles/min" in out and "all clips" in out and "local_phases [" in out
    opened = MotionDatabase.open(walk)
    assert opened.labels.keys() == {"phase", "phase_confidence", "local_phases"}
    opened.verify()


def test_json_has_the_promised_keys(walk: Path, tmp_path: Path, capsys) -> None:
    picture = tmp_path / "new" / "phases.png"
    assert main(["label", str(walk), "--picture", str(picture), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["outputs"] == [str(picture)] and picture.stat().st_size > 10_000
    assert report["labels"]["local_phases"][1:] == [2, 2]
    (row,) = report["rows"]
    assert row["name"] == "all clips" and row["clips"] == 2
    assert row["cycles_per_min"] == pytest.approx(55.4, rel=0.05) and row["labelled_percent"] > 80


def test_own_labels_are_added(walk: Path, tmp_path: Path, capsys) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "import numpy as np\n"
        "def beats(database):\n"
        "    return {'beat': np.ones((database.frames, 3, 2), np.float32)}\n"
        "def short(database):\n"
        "    return {'beat': np.ones(3)}\n"
    )
    assert main(["label", str(walk), "--with", "gait", f"{own}:beats"]) == 0
    assert main(["label", str(walk)]) == 0  # keeps them
    assert MotionDatabase.open(walk).labels["beat"].shape[1:] == (3, 2)
    assert main(["label", str(walk), "--picture", str(tmp_path / "p.png"), "--phases", "beat"]) == 0
    assert main(["label", str(walk), "--with", f"{own}:short"]) == 1
    assert "label 'beat' is float64 [3]" in capsys.readouterr().err
    assert MotionDatabase.open(walk).labels["beat"].shape[1:] == (3, 2)


def test_damaged_labels_are_made_again(walk: Path, capsys) -> None:
    main(["label", str(walk)])
    (walk / "labels" / "index.json").write_text("{")
    assert main(["label", str(walk)]) == 0
    assert "damaged labels are left out" in capsys.readouterr().err
    MotionDatabase.open(walk).verify()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["no.db"], 1, "no such database"),
        (["walk.db", "--with", "waltz"], 2, "no 'waltz' among the labellers"),
        (["walk.db", "--picture", "there.png"], 1, "there.png exists"),
        (["walk.db", "--picture", "p.png", "--phases", "beat"], 1, "no labels beat"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], code: int, said: str, walk: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.png").write_text("kept")
    assert main(["label", *arguments]) == code
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert said in error
    assert (tmp_path / "there.png").read_text() == "kept"


def test_a_database_in_memory_is_labelled_there() -> None:
    script = [kinema.Segment("walk", 2.0)]
    database = kinema.build(kinema.perform(script=script, fps=30))
    expected = {name: np.array(values) for name, values in database.labels.items()}
    database.labels.clear()
    assert kinema.label(database) is database
    for name, values in expected.items():
        np.testing.assert_array_equal(database.labels[name], values)


@pytest.fixture
def takes(tmp_path: Path) -> Path:
    script = [kinema.Segment("walk", 4.0)]
    motions = [kinema.perform(script=script, fps=30, seed=seed, name=f"take{seed}") for seed in range(4)]
    MotionDatabase.from_motions(motions, mirror=False).save(tmp_path / "takes.db")
    return tmp_path / "takes.db"


def test_learned_phases_are_trained_once_and_used_again(takes: Path, tmp_path: Path, capsys) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
    run, picture = tmp_path / "run", tmp_path / "p.png"
    command = ["label", str(takes), "--learned", str(run), "--steps", "3"]
    assert main([*command, "--picture", str(picture), "--phases", "learned_phases"]) == 0
    first = np.array(MotionDatabase.open(takes).labels["learned_phases"])
    assert first.shape[1:] == (5, 2) and np.abs(first).max() > 0 and picture.stat().st_size > 10_000
    assert "learned_phases [" in capsys.readouterr().out
    weights, spec = (run / "model.safetensors").read_bytes(), json.loads((run / "spec.json").read_text())
    log = (run / "log.jsonl").read_bytes()
    assert main(command) == 0  # as it is
    assert (run / "log.jsonl").read_bytes() == log
    del spec["metrics"]  # as if it had been interrupted
    (run / "spec.json").write_text(json.dumps(spec))
    assert main([*command[:-1], "100"]) == 0, "it goes on, with the steps that it was begun with"
    assert (run / "model.safetensors").read_bytes() == weights
    assert "metrics" in json.loads((run / "spec.json").read_text())
    np.testing.assert_array_equal(MotionDatabase.open(takes).labels["learned_phases"], first)


def test_learned_phases_of_something_else_are_refused(takes: Path, tmp_path: Path, capsys) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
    small = {"latent": 2, "hidden": 8, "layers": 1}
    kinema.train("autoencoder", takes, tmp_path / "run", options=small, steps=2, batch=32)
    assert main(["label", str(takes), "--learned", str(tmp_path / "run")]) == 1
    assert "a model of the task 'autoencoder', not of 'periodic'" in capsys.readouterr().err
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("kept")
    assert main(["label", str(takes), "--learned", str(tmp_path / "other")]) == 1
    assert "not a training run" in capsys.readouterr().err

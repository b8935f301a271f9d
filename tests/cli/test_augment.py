"""`kinema augment`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kinema
from kinema.cli.main import main
from kinema.mocap import MotionDatabase


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "walk.db"
    script = [kinema.Segment("walk", 6.0), kinema.Segment("idle", 3.0), kinema.Segment("jog", 4.0)]
    MotionDatabase.from_motions([kinema.perform(script=script, fps=30, name="walk")]).save(path)
    return path


@pytest.mark.slow
def test_drives_become_a_database(walk: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "driven.db"
    assert main(["augment", str(walk), "-o", str(out), "--minutes", "1", "--seed", "3", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["outputs"] == [str(out)] and report["frames"] == 1800 and report["seconds"] == 60
    assert sum(report["tracks"].values()) == report["clips"] == 1
    assert MotionDatabase.open(out).options == {"driven": 1.0, "seed": 3}
    assert main(["augment", str(walk), "-o", str(out), "--minutes", "1"]) == 1
    assert "--force" in capsys.readouterr().err
    assert main(["augment", str(walk), "-o", str(out), "--minutes", "1", "--force"]) == 0
    assert "1 clips, 1 minutes at 30 frames/s" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere"], 1, "no such database"),
        (["DB", "--minutes", "0.2"], 2, "at least 1 minute"),
        (["DB", "dance"], 2, "dance"),
        (["DB", "--styles", "sad"], 2, "no style is named 'sad'"),
    ],
)
def test_bad_input_is_one_clear_line(walk: Path, tmp_path: Path, capsys, arguments, code, said) -> None:
    given = [str(walk) if argument == "DB" else argument for argument in arguments]
    assert main(["augment", *given, "-o", str(tmp_path / "out.db")]) == code
    captured = capsys.readouterr()
    assert said in captured.err and captured.out == "" and not (tmp_path / "out.db").exists()

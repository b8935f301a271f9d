"""`kinema build`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations, save
from kinema.cli.main import main
from kinema.formats import load, open_source
from kinema.mocap import MotionDatabase
from kinema.mocap.edits import EditedFile, change


@pytest.fixture
def folder(tmp_path: Path, biped: Skeleton) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for number in range(2):
        swing = np.zeros((40, biped.joint_count, 3), np.float32)
        swing[:, 1:, 0] = 0.1 * np.sin(np.arange(40) / (4 + number))[:, None]
        save(Motion.create(biped, rotations.exp(swing), fps=30, name="walk"), folder / f"walk_{number}.bvh")
    return folder


def test_build(folder: Path, tmp_path: Path, capsys) -> None:
    assert main(["build", str(folder), "-o", str(tmp_path / "db")]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(f"{tmp_path / 'db'}: 4 clips, 160 frames")
    assert MotionDatabase.open(tmp_path / "db").frames == 160


def test_joints_are_chosen(folder: Path, tmp_path: Path, capsys) -> None:
    listed = tmp_path / "joints.txt"
    listed.write_text("Hips\nLeftFoot\nRightFoot\n")
    for number, (joints, count) in enumerate({"all": 21, "body": 21, str(listed): 3}.items()):
        assert main(["build", str(folder), "-o", str(tmp_path / f"{number}"), "--joints", joints]) == 0
        assert MotionDatabase.open(tmp_path / f"{number}").skeleton.joint_count == count
    capsys.readouterr()
    assert main(["build", str(folder), "-o", str(tmp_path / "db"), "--joints", "missing.txt"]) == 1
    assert "missing.txt: cannot be read as a list of joints" in capsys.readouterr().err


def test_folders_above_a_database_are_made(folder: Path, tmp_path: Path) -> None:
    assert main(["build", str(folder), "-o", str(tmp_path / "a" / "b" / "db")]) == 0
    assert MotionDatabase.open(tmp_path / "a" / "b" / "db").frames == 160


def test_json_has_the_promised_keys(folder: Path, tmp_path: Path, capsys) -> None:
    (folder / "bad.bvh").write_text("nonsense")
    code = main(["build", str(folder), "-o", str(tmp_path / "db"), "--no-mirror", "--fps", "60", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert code == 1
    assert {"clips", "frames", "seconds", "skipped", "wall_seconds", "frames_per_second"} <= set(report)
    assert (report["clips"], report["frames"]) == (2, 158)
    (skipped,) = report["skipped"]
    assert skipped["path"] == "data/bad.bvh" and skipped["reason"]


def test_skipped_are_listed(folder: Path, tmp_path: Path, capsys) -> None:
    (folder / "bad.bvh").write_text("nonsense")
    assert main(["build", str(folder), "-o", str(tmp_path / "db")]) == 1
    assert "data/bad.bvh" in capsys.readouterr().out


def test_warnings_that_repeat_are_counted(folder: Path, tmp_path: Path, capsys) -> None:
    for file in folder.iterdir():
        file.write_text(file.read_text().replace("Frames: 40", "Frames: 41"))
    main(["build", str(folder), "-o", str(tmp_path / "db")])
    errors = capsys.readouterr().err.splitlines()
    assert sum("41" in line for line in errors) == 1
    assert any(line.endswith("(and 1 more like it)") for line in errors)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["empty", "-o", "db"], 1, "no motion file in empty; looked for .amc .asf .bvh"),
        (["data", "-o", "data"], 1, "exists and is not a motion database"),
        (["data", "-o", "file/db"], 1, "file/db: cannot be written, Not a directory"),
        (["data", "-o", "db", "--append", "--force"], 2, "give one of them"),
        (["data", "-o", "db", "--fps", "0"], 2, "not a number of frames per second"),
    ],
)
def test_bad_input_is_one_clear_line(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys, arguments: list[str], code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    result = main(["build", *arguments])
    captured = capsys.readouterr()
    assert result == code and said in captured.err and captured.out == ""
    assert "Traceback" not in captured.err
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_a_second_build_needs_append_or_force(folder: Path, tmp_path: Path, capsys) -> None:
    out = str(tmp_path / "db")
    assert main(["build", str(folder), "-o", out]) == 0
    assert main(["build", str(folder), "-o", out]) == 1
    error = capsys.readouterr().err
    assert "--append" in error and "--force" in error and error.count("kinema: error") == 1
    assert main(["build", str(folder), "-o", out, "--append"]) == 0
    assert "2 files hold what the database has already" in capsys.readouterr().err
    assert main(["build", str(folder), "-o", out, "--force", "--no-mirror"]) == 0
    assert MotionDatabase.open(out).frames == 80


def test_edits_are_applied_and_told(folder: Path, tmp_path: Path, capsys) -> None:
    for path, act in zip(sorted(folder.iterdir()), (change.set_mirror, change.drop), strict=True):
        source = open_source(path)
        session = EditedFile.open(source, load(source).motions, tmp_path / "ed")
        (clip,) = session.clips.values()
        clip.do(act(clip.edits, *((False,) if act is change.set_mirror else (0, 40))))
        session.save()
    command = ["build", str(folder), "-o", str(tmp_path / "db"), "--edits-folder", str(tmp_path / "ed")]
    assert main(command) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(f"{tmp_path / 'db'}: 1 clips, 40 frames")
    assert "1 files are left out whole by their edits" in captured.err
    assert "1 clips are as they were edited" in captured.err
    assert main([*command, "--force", "--no-edits"]) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'db'}: 4 clips, 160 frames")

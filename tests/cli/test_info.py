"""`kinema info`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, save
from kinema.cli.main import main
from kinema.formats import load, open_source
from kinema.mocap import MotionDatabase
from kinema.mocap.edits import EditedFile, change

KEYS = {"path", "kind", "joints", "frames", "fps", "seconds", "height_m", "roles", "warnings"}


@pytest.fixture
def motion(biped: Skeleton) -> Motion:
    rotations = np.zeros((31, biped.joint_count, 4), np.float32)
    rotations[..., 0] = 1
    return Motion.create(biped, rotations, fps=30, name="stand")


@pytest.fixture
def stand(tmp_path: Path, motion: Motion) -> Path:
    save(motion, tmp_path / "stand.bvh")
    return tmp_path / "stand.bvh"


def test_json_has_the_stable_keys(stand: Path, biped: Skeleton, capsys) -> None:
    assert main(["info", str(stand), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert set(row) >= KEYS
    assert (row["path"], row["kind"], row["joints"], row["frames"], row["fps"]) == (str(stand), "bvh", 21, 31, 30)
    assert row["seconds"] == pytest.approx(1, abs=0.05)
    assert row["height_m"] == pytest.approx(biped.height, abs=0.01)
    assert row["roles"]["hips"] == "Hips"
    assert row["roles"]["left_leg"] == ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"]
    assert row["roles"]["right_arm"] == ["RightShoulder", "RightArm", "RightForeArm", "RightHand"]


def test_refused_file_has_path_and_error_and_the_rest_is_read(stand: Path, tmp_path: Path, capsys) -> None:
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nROOT x\n")
    assert main(["info", str(tmp_path), "--json"]) == 1
    rows = {row["path"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(rows[str(bad)]) == {"path", "error"}
    assert "\n" not in rows[str(bad)]["error"]
    assert set(rows[str(stand)]) >= KEYS


def test_text_for_one_file(stand: Path, capsys) -> None:
    assert main(["info", str(stand)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == str(stand)
    assert "LeftUpLeg, LeftLeg, LeftFoot, LeftToeBase" in out


def test_text_for_several_files_is_a_table_and_refusals(stand: Path, motion: Motion, tmp_path: Path, capsys) -> None:
    save(motion, tmp_path / "again.bvh")
    (tmp_path / "bad.bvh").write_text("nonsense")
    assert main(["info", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert "again.bvh" in captured.out and "stand.bvh" in captured.out and "bad.bvh" not in captured.out
    assert captured.err.startswith("refused: ") and "bad.bvh" in captured.err


def test_nothing_to_read(tmp_path: Path, capsys) -> None:
    assert main(["info", str(tmp_path)]) == 1
    assert "supported are" in capsys.readouterr().err


def test_missing_file_is_refused(tmp_path: Path, capsys) -> None:
    assert main(["info", str(tmp_path / "gone.bvh")]) == 1
    assert "no such file" in capsys.readouterr().err


def test_a_database_is_summed_up(motion: Motion, tmp_path: Path, capsys) -> None:
    MotionDatabase.from_motions([motion]).save(tmp_path / "walk.db")
    assert main(["info", str(tmp_path / "walk.db"), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert set(row) >= KEYS
    assert (row["kind"], row["joints"], row["frames"], row["fps"], row["takes"]) == ("database", 21, 62, 30, 2)
    assert row["height_m"] == pytest.approx(motion.skeleton.height, abs=0.01)
    (tmp_path / "walk.db" / "contacts.npy").unlink()
    assert main(["info", str(tmp_path / "walk.db")]) == 1
    assert "contacts.npy: damaged or missing" in capsys.readouterr().err


def edited(path: Path) -> None:
    source = open_source(path)
    session = EditedFile.open(source, load(source).motions)
    (clip,) = session.clips.values()
    clip.do(change.label(change.split(clip.edits, 20), 3, 9, "wave"))
    session.save()


def test_edits_are_listed(stand: Path, tmp_path: Path, capsys) -> None:
    edited(stand)
    assert main(["info", str(stand)]) == 0
    assert "  edits     stand: 2 pieces (31 of 31 frames), wave\n" in capsys.readouterr().out
    assert main(["info", str(stand), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["edits"]["source_changed"] is False and row["edits"]["clips"][0]["tags"] == ["wave"]
    stand.write_text(stand.read_text() + "\n")
    assert main(["info", str(stand)]) == 0
    assert "were made on an earlier version of the file" in capsys.readouterr().out
    stand.with_name("stand.bvh.edits.json").write_text("[]")
    assert main(["info", str(stand)]) == 1
    assert "stand.bvh.edits.json: the file must be an object; repair it" in capsys.readouterr().err

"""`kinema info --roles`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema import Motion, Skeleton, save
from kinema.cli.main import main
from kinema.errors import MissingError
from kinema.rendering.context import probe


@pytest.fixture
def stand(tmp_path: Path, biped: Skeleton) -> Path:
    turned = np.zeros((5, biped.joint_count, 4), np.float32)
    turned[..., 0] = 1
    save(Motion.create(biped, turned, fps=30, name="stand"), tmp_path / "stand.bvh")
    return tmp_path / "stand.bvh"


def test_the_table_names_parts_chains_and_the_rest_pose(stand: Path, capsys) -> None:
    assert main(["info", str(stand), "--roles"]) == 0
    out = capsys.readouterr().out
    assert "left_leg" in out and "thigh" in out and "RightUpLeg" in out
    assert "plan biped" in out and "rest pose T" in out and "facing +Z" in out


def test_json_keeps_its_keys_and_has_more_under_roles(stand: Path, capsys) -> None:
    assert main(["info", str(stand), "--roles", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    roles = row["roles"]
    assert roles["hips"] == "Hips" and roles["left_leg"][0] == "LeftUpLeg"
    assert roles["plan"] == "biped" and roles["rest_pose"]["kind"] == "T"
    assert roles["chains"]["left_leg"] == ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"]
    assert roles["joints"]["RightHand"]["partner"] == "LeftHand"
    assert roles["joints"]["RightHand"]["confidence"] > 0.9


def test_a_file_is_written_edited_and_taken(stand: Path, tmp_path: Path, capsys) -> None:
    path = tmp_path / "stand.roles.toml"
    assert main(["info", str(stand), "--roles", "--write-roles", str(path)]) == 0
    assert 'LeftUpLeg = "left_thigh"' in path.read_text().replace('"LeftUpLeg"', "LeftUpLeg")
    assert main(["info", str(stand), "--roles", "--write-roles", str(path)]) == 1  # it exists
    path.write_text('[roles]\nLeftHand = "left_prop"\n')
    capsys.readouterr()
    assert main(["info", str(stand), "--roles", "--json"]) == 0
    joints = json.loads(capsys.readouterr().out)[0]["roles"]["joints"]
    assert joints["LeftHand"] == {**joints["LeftHand"], "role": "left_prop", "confidence": 1.0}


def test_a_wrong_file_is_one_line(stand: Path, tmp_path: Path, capsys) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[roles]\nLeftHand = "left_hnd"\n')
    assert main(["info", str(stand), "--roles", "--roles-file", str(path)]) == 1
    assert "did you mean 'hand'" in capsys.readouterr().err
    assert main(["info", str(stand), "--write-roles", str(path)]) == 2


def test_several_files_get_a_line_each(stand: Path, biped: Skeleton, tmp_path: Path, capsys) -> None:
    save(Motion.create(biped, np.tile(biped.rest_rotations, (2, 1, 1)), fps=30), tmp_path / "other.npz")
    assert main(["info", str(tmp_path), "--roles"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("limbs" in line and "doubtful" in line for line in lines)
    (row,) = [line for line in lines if "stand.bvh" in line and "biped" in line]
    assert "2 legs" in row and "2 arms" in row and " T " in row
    assert not any("LeftUpLeg" in line for line in lines), "no table of joints"


def test_a_picture_belongs_to_one_file(stand: Path, tmp_path: Path, capsys) -> None:
    there = tmp_path / "there.png"
    there.write_bytes(b"")
    assert main(["info", str(stand), "--picture", str(tmp_path / "x.png")]) == 2
    assert main(["info", str(stand), "--roles", "--picture", str(tmp_path / "x.jpg")]) == 2
    assert main(["info", str(stand), "--roles", "--picture", str(there)]) == 1
    assert "--force" in capsys.readouterr().err


def test_a_picture_is_drawn(stand: Path, tmp_path: Path, capsys) -> None:
    try:
        probe()
    except MissingError as error:
        pytest.skip(str(error))
    out = tmp_path / "roles.png"
    assert main(["info", str(stand), "--roles", "--picture", str(out)]) == 0
    assert Image.open(out).size[0] > 1400 and str(out) in capsys.readouterr().err

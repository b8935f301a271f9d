"""`kinema info --roles`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, save
from kinema.cli.main import main


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

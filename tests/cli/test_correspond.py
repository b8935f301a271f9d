from __future__ import annotations

import json
from pathlib import Path

import kinema
from kinema.cli.main import main
from kinema.mocap.creatures import Act, make_creature, perform


def test_a_table_of_joints_and_a_picture(tmp_path: Path, capsys) -> None:
    out = tmp_path / "same.png"
    assert main(["correspond", "wolf", "trex", "-o", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "leg_left_thigh_1" in printed and "joints matched" in printed
    assert out.is_file()
    assert main(["correspond", "wolf", "trex", "-o", str(out)]) == 1
    assert "--force" in capsys.readouterr().err


def test_moments_of_files_as_json(tmp_path: Path, capsys) -> None:
    for name in ("wolf", "horse"):
        kinema.save(perform(make_creature(name), [Act("walk", 2.0)]), tmp_path / f"{name}.bvh")
    assert (
        main(["correspond", *(str(tmp_path / f"{name}.bvh") for name in ("wolf", "horse")), "--motions", "--json"]) == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert report["joints"]["head"] == "head"
    assert len(report["frames"]) == 60
    assert main(["correspond", "wolf", "horse", "--motions"]) != 0
    assert "wolf has no motion" in capsys.readouterr().err

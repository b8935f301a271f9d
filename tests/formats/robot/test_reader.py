"""Which robot format a file is, and the robot that a table of angles needs."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema.errors import FormatError
from kinema.formats import Source

from .conftest import HUMANOID


def table(rows: int = 3) -> bytes:
    row = ",".join(["0", "0", "0.8", "0", "0", "0", "1"] + ["0.1"] * 29)
    return "\n".join([row] * rows).encode()


def test_models_and_other_xml():
    asset = kinema.load(Source.from_bytes(HUMANOID.read_bytes(), "a.mjcf"))
    assert asset.kind == "mjcf" and asset.character is not None and not asset.motions
    assert kinema.load(Source.from_bytes(b'<robot><link name="a"/></robot>', "a.xml")).skeleton.names == ("a",)
    with pytest.raises(FormatError, match="XML of another kind: its root is <COLLADA>"):
        kinema.load(Source.from_bytes(b"<COLLADA/>", "a.xml"))


def test_a_table_asks_for_its_robot(tmp_path: Path):
    (tmp_path / "walk.csv").write_bytes(table())
    with pytest.raises(FormatError, match=r"there is none next to it.*--skeleton robot\.urdf"):
        kinema.load(tmp_path / "walk.csv")
    (tmp_path / "other.xml").write_text("<COLLADA/>")
    shutil.copy(HUMANOID, tmp_path / "one.xml")
    asset = kinema.load(tmp_path / "walk.csv")
    assert asset.motion().frames == 3 and asset.character is not None and "next to it, one.xml" in asset.warnings[0]
    shutil.copy(HUMANOID, tmp_path / "two.mjcf")
    with pytest.raises(FormatError, match=r"which of the 2 next to it: one\.xml, two\.mjcf"):
        kinema.load(tmp_path / "walk.csv")
    assert kinema.load(tmp_path / "walk.csv", skeleton=tmp_path / "two.mjcf", fps=60).motion().fps == 60


def test_a_robot_in_the_same_archive(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "takes.zip", "w") as archive:
        archive.writestr("g/walk.csv", table())
        archive.write(HUMANOID, "g/robot.mjcf")
        archive.write(HUMANOID, "other/robot.mjcf")
    assert kinema.load(tmp_path / "takes.zip" / "g" / "walk.csv").motion().frames == 3


def test_a_skeleton_serves_as_a_robot(humanoid):
    asset = kinema.load(Source.from_bytes(table(), "a.csv"), skeleton=humanoid.skeleton)
    assert np.allclose(asset.motion().local_translations[:, 0], [0, 0.8, 0])


def test_the_commands_take_a_robot(tmp_path: Path, capsys):
    from kinema.cli.main import main

    (tmp_path / "walk.csv").write_bytes(table())
    assert main(["info", str(tmp_path / "walk.csv")]) == 1
    assert "--skeleton" in capsys.readouterr().err
    given = ["--skeleton", str(HUMANOID), "--rate", "50"]
    assert main(["info", str(tmp_path / "walk.csv"), *given]) == 0
    assert main(["convert", str(tmp_path / "walk.csv"), str(tmp_path / "walk.npz"), *given]) == 0
    assert kinema.load_motion(tmp_path / "walk.npz").fps == 50

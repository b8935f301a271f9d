"""JSON, tables and repeated options."""

from __future__ import annotations

import argparse
import json

import numpy as np
import pytest

from kinema.cli import common
from kinema.cli.main import main
from kinema.control import subject
from kinema.errors import KinemaError
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import Segment, generate


def test_json_makes_plain_values(capsys, tmp_path) -> None:
    common.print_json({"a": np.float32(0.5), "b": np.arange(2), "c": [np.nan, np.inf, None], "d": tmp_path, 1: True})
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"a": 0.5, "b": [0, 1], "c": [None, None, None], "d": str(tmp_path), "1": True}
    assert captured.err == ""


def test_json_scalar_nan_of_numpy_is_null(capsys) -> None:
    common.print_json([np.float64("nan"), np.array([np.nan, 1.0])])
    assert json.loads(capsys.readouterr().out) == [None, [None, 1.0]]


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "x", "", "²"])
def test_positive_int_refuses(text) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        common.positive_int(text)


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "x", ""])
def test_positive_float_refuses(text) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        common.positive_float(text)


def test_positive_numbers_are_accepted() -> None:
    assert common.positive_int("3") == 3
    assert common.positive_float("29.97") == 29.97


def test_existing_output_is_refused_without_force(tmp_path) -> None:
    path = tmp_path / "x.glb"
    common.refuse_existing(path, force=False)
    path.write_bytes(b"")
    common.refuse_existing(path, force=True)
    with pytest.raises(KinemaError, match="--force"):
        common.refuse_existing(path, force=False)


def test_a_link_to_nowhere_exists_too(tmp_path) -> None:
    link = tmp_path / "x.glb"
    link.symlink_to(tmp_path / "gone")
    with pytest.raises(KinemaError):
        common.refuse_existing(link, force=False)


@pytest.mark.parametrize("command", ["play", "demo", "evaluate"])
def test_what_is_said_of_motion_files_reaches_the_build(command, monkeypatch, tmp_path, capsys) -> None:
    said: list[dict[str, object]] = []

    def build(paths, out, reading):
        said.append({name: value for name, value in reading.items() if value is not None})
        raise KinemaError(f"{paths[0]}: enough")

    monkeypatch.setattr(subject, "build", build)
    monkeypatch.chdir(tmp_path)
    own = {"play": ["--port", "0"], "demo": ["--no-video"], "evaluate": []}[command]
    assert main([command, "--data", "walk.bvh", "--up=-z", "--forward", "x", "--unit", "cm", *own]) == 1
    assert said == [{"up": "-z", "forward": "x", "unit": "cm"}]
    assert "walk.bvh: enough" in capsys.readouterr().err


def test_what_is_said_of_files_needs_files(tmp_path, capsys) -> None:
    MotionDatabase.from_motions([generate(script=[Segment("walk", 3.0)])]).save(tmp_path / "walk.db")
    for data in ([], ["--data", str(tmp_path / "walk.db")]):
        assert main(["evaluate", *data, "--up", "z"]) == 2
        assert "up can be stated of motion files" in capsys.readouterr().err

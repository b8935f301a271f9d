"""JSON, tables and repeated options."""

from __future__ import annotations

import argparse
import json

import numpy as np
import pytest

from kinema.cli import common
from kinema.errors import KinemaError


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

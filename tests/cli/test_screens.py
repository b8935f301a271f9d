"""`kinema view --window` and `kinema play --window`."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from kinema import Motion, formats
from kinema.cli.common import size
from kinema.cli.main import main


@pytest.fixture
def walk(tmp_path, biped):
    path = tmp_path / "walk.bvh"
    formats.save(Motion.create(biped, np.tile(biped.rest_rotations, (20, 1, 1)), fps=30.0, name="walk"), path)
    return path


def test_sizes():
    assert size(1)("1280x800") == (1280, 800)
    for wrong in ("1280", "x", "0x10", "1e3x5", "-1x5", "99999x1"):
        with pytest.raises(argparse.ArgumentTypeError):
            size(1)(wrong)


@pytest.mark.parametrize("command", ["view", "play"])
def test_no_display_is_one_line(walk, command, monkeypatch, capsys):
    pytest.importorskip("glfw", reason="glfw is not installed: pip install 'kinema[window]'")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    arguments = [str(walk)] if command == "view" else ["--data", str(walk)]
    assert main([command, *arguments, "--window"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and "xvfb-run" in err and err.count("\n") == 1


def test_a_picture_that_exists_is_kept(walk, tmp_path, capsys):
    (tmp_path / "shot.png").write_text("mine")
    assert main(["view", str(walk), "--window", "--screenshot", str(tmp_path / "shot.png")]) == 1
    assert "--force" in capsys.readouterr().err and (tmp_path / "shot.png").read_text() == "mine"


@pytest.mark.slow
def test_a_window_in_a_process_of_its_own(walk, tmp_path):
    xvfb = subprocess.run(["which", "xvfb-run"], capture_output=True)
    if xvfb.returncode:
        pytest.skip("no xvfb-run on this machine; on Debian: apt-get install xvfb")
    shot = tmp_path / "shot.png"
    done = subprocess.run(
        [
            "xvfb-run",
            "-a",
            sys.executable,
            "-m",
            "kinema.cli.main",
            "view",
            str(walk),
            "--window",
            "--seconds",
            "1",
            "--size",
            "640x480",
            "--quality",
            "draft",
            "--screenshot",
            str(shot),
            "--json",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "XDG_SESSION_TYPE": "x11"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outputs"] == [str(shot)] and shot.stat().st_size > 5000

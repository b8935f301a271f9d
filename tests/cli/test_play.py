"""`kinema play`."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

import kinema
from kinema import Motion, Skeleton, formats
from kinema.cli.main import main
from kinema.control import subject
from kinema.face.screens import Shown


def test_plays_generated_motion_and_ends_by_itself(capsys):
    assert main(["play", "--port", "0", "--seconds", "1", "--json"]) == 0
    out, err = capsys.readouterr()
    summary = json.loads(out)
    assert summary["steps"] + 60 * summary["dropped_seconds"] >= 50
    assert "http://127.0.0.1:" in err


def test_a_creature_is_played_and_what_cannot_walk_is_said(capsys, monkeypatch):
    monkeypatch.setattr(subject, "GENERATED_MINUTES", 0.5)
    assert main(["play", "--creature", "eagle", "--port", "0", "--seconds", "0.5", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["steps"] + 60 * summary["dropped_seconds"] >= 25 and not summary["problems"]
    for options, words in (
        (["--creature", "shark"], "a shark has no legs to walk on; there are:"),
        (["--creature", "griffon"], "no creature or body plan is named 'griffon'; there are:"),
        (["--creature", "horse", "--character", "wolf.glb"], "give a creature or a character"),
        (["--creature", "horse", "--data", "walk.db"], "give a creature or data"),
    ):
        assert main(["play", "--port", "0", *options]) in (1, 2)
        assert words in (err := capsys.readouterr().err) and err.count("\n") == 1


def test_what_is_said_of_generated_motion_is_passed_on(monkeypatch):
    calls = []

    def play(rig, *, seed=0, model=None, text="", **screen):
        calls.append((rig, seed, model, text, screen["text_size"], screen["window"]))
        return Shown()

    def view(rig, *, samples=4, seed=0, model=None, text="", **screen):
        calls.append((rig, samples, seed, text, screen["port"]))
        return Shown()

    monkeypatch.setattr(kinema, "play_generated", play)
    monkeypatch.setattr(kinema, "view_generated", view)
    monkeypatch.setattr("kinema.cli.play.needs", lambda args: ())
    words = ["play", "--generate", "--rig", "horse", "--say", "walks", "--seed", "3", "--text", "1.5"]
    assert main([*words, "--window", "--model", "run"]) == 0
    assert main([*words, "--samples", "2", "--port", "0"]) == 0
    assert calls == [("horse", 3, "run", "walks", 1.5, True), ("horse", 2, 3, "walks", 0)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--generate"], "--generate needs --rig"),
        (["--rig", "horse"], "--rig and --samples need --generate"),
        (["--say", "walk to the tree"], "--say needs --generate, for what a body does, or --scene"),
        (["--generate", "--rig", "horse", "--terrain", "stairs"], "leave out --terrain"),
        (["--generate", "--rig", "horse", "--creature", "dog"], "leave out --creature"),
        (["--generate", "--rig", "gone.glb"], "gone.glb: no such file"),
        (["--generate", "--rig", "horse", "--say", "xyzzy plugh"], "walk, run, jump"),
        (["--generate", "--rig", "horse", "--samples", "99"], "up to 12 samples"),
    ],
)
def test_generated_motion_that_cannot_be_is_refused_in_one_line(options, words, capsys):
    pytest.importorskip("torch")
    assert main(["play", "--port", "0", *options]) in (1, 2)
    assert words in (err := capsys.readouterr().err) and err.count("\n") == 1


def test_terrain_is_chosen_and_checked(capsys, tmp_path):
    assert main(["play", "--port", "0", "--seconds", "0.2", "--terrain", "hills"]) == 0
    for options, words in (
        (["--terrain", "mountains"], "there is no terrain 'mountains'; choose flat, stairs, slope, hills, lift"),
        (["--terrain", str(tmp_path / "no.png")], "no such file"),
        (["--terrain-cell", "1"], "need --terrain"),
        (["--terrain", "stairs", "--terrain-relief", "3"], "takes no relief"),
    ):
        capsys.readouterr()
        assert main(["play", "--port", "0", *options]) in (1, 2)
        assert words in capsys.readouterr().err.splitlines()[-1]


def test_a_port_in_use_is_said_before_anything_is_read(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["play", "--data", str(tmp_path / "gone"), "--port", str(port)]) == 1
    assert capsys.readouterr().err == f"kinema: error: port {port} is in use; use --port N, for example {port + 1}\n"


def test_data_that_cannot_walk_is_one_line(tmp_path, capsys):
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    formats.save(Motion.create(snake, np.tile(snake.rest_rotations, (90, 1, 1)), fps=30.0), tmp_path / "snake.bvh")
    assert main(["play", "--data", str(tmp_path / "snake.bvh"), "--port", "0"]) == 1
    err = capsys.readouterr().err
    assert "legs" in err.splitlines()[-1] and "Traceback" not in err


def test_a_character_without_a_mesh_is_refused(tmp_path, biped, capsys):
    formats.save(Motion.create(biped, np.tile(biped.rest_rotations, (3, 1, 1)), fps=30.0), tmp_path / "a.bvh")
    assert main(["play", "--character", str(tmp_path / "a.bvh"), "--port", "0"]) == 1
    assert "holds no character" in capsys.readouterr().err


def test_ctrl_c_ends_it(tmp_path):
    command = [sys.executable, "-m", "kinema.cli.main", "play", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    assert process.stderr is not None
    lines: list[str] = []
    for line in process.stderr:
        lines.append(line)
        if "http://" in line:
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0 and out == ""
    assert "Traceback" not in err

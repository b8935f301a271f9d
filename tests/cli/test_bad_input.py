"""Whatever is given, each command answers with one clear line, the right exit code, and leaves nothing half done."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kinema import Asset, Character, Motion, Skeleton, rotations, save
from kinema.character import Mesh
from kinema.cli.main import main
from kinema.formats import Source, bvh
from kinema.mocap import MotionDatabase

COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "info": lambda path: ["info", path],
    "convert": lambda path: ["convert", path, "made.glb"],
    "build": lambda path: ["build", path, "-o", "made"],
    "demo": lambda path: ["demo", "--no-video", "--data", path, "-o", "made"],
    "render": lambda path: ["render", path, "-o", "made.mp4", "--size", "64x36"],
    "view": lambda path: ["view", path, "--port", "0", "--seconds", "1"],
    "play": lambda path: ["play", "--data", path, "--port", "0", "--seconds", "1"],
}


@pytest.fixture
def walk(biped: Skeleton) -> Motion:
    swing = np.zeros((60, biped.joint_count, 3), np.float32)
    swing[:, 1:, 0] = 0.1 * np.sin(np.arange(60) / 4)[:, None]
    return Motion.create(biped, rotations.exp(swing), fps=30, name="walk")


def make_bad(kind: str, walk: Motion) -> str:
    """Makes something that cannot be read in the current folder; returns its name."""
    name = {"folder": "x.bvh", "cut.glb": "cut.glb", "cut.npz": "cut.npz", "cut.zip": "cut.zip"}.get(
        kind, f"{kind}.bvh"
    )
    path = Path(name)
    if kind.startswith("cut."):
        if kind == "cut.zip":
            save(walk, "in.bvh")
            whole = shutil.make_archive("whole", "zip", ".", "in.bvh")
            Path("in.bvh").unlink()
        else:
            whole = f"whole{path.suffix}"
            save(walk, whole)
        data = Path(whole).read_bytes()
        Path(whole).unlink()
        # A GLB that is cut in its data is read without them; in the half of its JSON there is nothing to read.
        path.write_bytes(data[: 200 if kind == "cut.glb" else len(data) // 2])
    elif kind == "cut":
        save(walk, "whole.bvh")
        path.write_bytes(Path("whole.bvh").read_bytes()[:700])
        Path("whole.bvh").unlink()
    elif kind == "folder":
        path.mkdir()
    elif kind == "dangling":
        path.symlink_to("nowhere")
    elif kind == "loop":
        path.symlink_to(name)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "empty":
        path.touch()
    elif kind == "one_frame":
        save(walk.cut(0, 1), path)
    return name


KINDS = ["cut", "cut.glb", "cut.npz", "cut.zip", "folder", "dangling", "loop", "pipe", "empty", "gone", "one_frame"]


# One frame can be looked at and converted; it is too little to make motion of.
CASES = [
    (kind, command)
    for kind in KINDS
    for command in COMMANDS
    if kind != "one_frame" or command in ("build", "demo", "play")
]


@pytest.mark.parametrize(("kind", "command"), CASES)
def test_what_cannot_be_read_is_one_line(
    kind: str, command: str, walk: Motion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    name = make_bad(kind, walk)
    before = sorted(tmp_path.rglob("*"))
    code = main(COMMANDS[command](name))
    said = capsys.readouterr()
    needs_to = command == "convert" and kind in ("cut.zip", "folder")  # a folder or archive goes to a folder
    assert code == (2 if needs_to else 1) and said.out == ""
    notes = ("reading motion", "http://")  # the page of `play` is open while motion is read
    lines = [line for line in said.err.splitlines() if not line.startswith(notes)]
    assert len(lines) == 1 and (needs_to or name in lines[0]), said.err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "name",
    [
        "line\nbreak.bvh",
        pytest.param("byte\udcff.bvh", marks=pytest.mark.slow),
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("bell\x07.bvh", "ünï 走る.bvh")),
    ],
)
def test_any_name_of_a_file(name: str, walk: Motion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    save(walk, "in/good.bvh")
    Path("in/good.bvh").rename(Path("in", name))
    assert main(["info", "in", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["path"] == os.path.join("in", name)
    assert main(["info", "in"]) == 0
    assert main(["convert", "in", "glb", "--to", "glb"]) == 0
    assert main(["convert", "glb", "bvh", "--to", "bvh"]) == 0
    assert main(["build", "in", "-o", "db"]) == 0
    assert MotionDatabase.open("db").clips[0].source == f"in/{name}"
    assert main(["demo", "--no-video", "--data", "db", "--seconds", "0.5", "-o", "demo"]) == 0
    Path("in", name).write_text("nonsense")
    capsys.readouterr()
    assert main(["info", "in"]) == 1
    assert main(["convert", os.path.join("in", name), "x.glb"]) == 1
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 2 and "\x07" not in said
    said.encode()


@pytest.mark.parametrize(("out", "said"), [("file/x", "file is a file"), ("file", "file is a file")])
def test_demo_says_first_that_it_cannot_write(
    out: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert main(["demo", "-o", out]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and said in err


@pytest.mark.parametrize("command", ["demo", "play"])
def test_a_character_without_legs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    snake = Skeleton.create([f"s{i}" for i in range(4)], [-1, 0, 1, 2], [[0, 0.1, 0]] + 3 * [[0, 0, 0.2]])
    corners = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    mesh = Mesh("m", corners, np.float32(3 * [[0, 0, 1]]), np.uint32([[0, 1, 2]]), joint=0)
    save(Asset("", "gltf", snake, (), Character("snake", snake, (mesh,))), "snake.glb")
    more = ["-o", "out"] if command == "demo" else ["--port", "0", "--seconds", "1"]
    assert main([command, "--character", "snake.glb", *more]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert "no legs" in lines[-1] and lines[-1].startswith("kinema: error: ") and len(lines) <= 2
    assert os.listdir() == ["snake.glb"]


def trip_over(name: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the BVH reader raise an error of the program for one file."""
    read = bvh.read

    def tripping(source: Source, **options: object) -> Asset:
        if source.name == name:
            raise error
        return read(source, **options)

    monkeypatch.setattr(bvh, "read", tripping)


BATCHES = {
    "info": ["info", "in", "--json"],
    "convert": ["convert", "in", "made", "--to", "glb", "--json"],
    "build": ["build", "in", "-o", "made", "--json"],
    "retarget": ["retarget", "in", "--to", "in/good.bvh", "-o", "made", "--to-format", "glb", "--json"],
}


@pytest.mark.parametrize("command", BATCHES)
@pytest.mark.parametrize(
    "error", [AttributeError("faces"), MemoryError(), AssertionError(), OSError(5, "Input/output")]
)
def test_any_error_of_one_file_is_that_file_s(
    command: str, error: Exception, walk: Motion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name in ("good", "bad"):
        save(walk.replace(name=name), f"in/{name}.bvh")
    trip_over("bad.bvh", error, monkeypatch)
    assert main(BATCHES[command]) == 1
    said = json.loads(capsys.readouterr().out)
    wrong = [one for one in said if "error" in one] if command == "info" else said.get("failed") or said["skipped"]
    assert [one["path"] for one in wrong] == ["in/bad.bvh"]
    assert command == "info" or any(Path("made").iterdir())


@pytest.mark.parametrize("command", BATCHES)
def test_ctrl_c_in_compiled_code_is_no_error_of_a_file(
    command: str, walk: Motion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    save(walk, "in/good.bvh")
    save(walk, "in/bad.bvh")
    error = SystemError("returned a result with an exception set")
    error.__cause__ = KeyboardInterrupt()
    trip_over("bad.bvh", error, monkeypatch)
    assert main(BATCHES[command]) == 130
    assert capsys.readouterr() == ("", "kinema: error: interrupted\n")

"""Ctrl-C, other signals and a full disk: one line, no processes left, nothing half written."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, load, rotations, save
from kinema.cli.main import main
from kinema.demonstration import missing_pictures
from kinema.formats import atomic
from kinema.mocap import MotionDatabase, store

COUNT = 300


@pytest.fixture(scope="module")
def takes(biped: Skeleton, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough files to be busy with for seconds."""
    folder = tmp_path_factory.mktemp("many")
    swing = np.zeros((240, biped.joint_count, 3), np.float32)
    swing[:, 1:, 0] = 0.1 * np.sin(np.arange(240) / 4)[:, None]
    save(Motion.create(biped, rotations.exp(swing), fps=30, name="walk"), folder / "0.bvh")
    data = (folder / "0.bvh").read_text()
    for number in range(1, COUNT):
        (folder / f"{number}.bvh").write_text(data.replace("Frame Time: 0.03", f"Frame Time: 0.03{number:03d}"))
    return folder


def members(group: int) -> list[int]:
    """Processes of a group that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def interrupt(
    arguments: list[str], busy: Callable[[], bool], folder: Path, number: int = signal.SIGINT
) -> tuple[int, str]:
    """Runs a command, sends its whole group a signal once it is busy; exit code and standard error."""
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "  # runners may ignore it
    code = start + "import sys; from kinema.cli.main import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not busy() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.poll() is None, process.communicate()
    os.killpg(process.pid, number)
    lines = process.communicate(timeout=60)[1].splitlines(keepends=True)
    err = "".join(line for line in lines if not re.fullmatch(r"\w+: (.*, )?\d+ s\n", line))  # progress
    deadline = time.monotonic() + 60
    while members(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert members(process.pid) == []
    return process.returncode, err


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def with_signals(name: str, values: tuple[str, ...], often: tuple[int, str]) -> pytest.MarkDecorator:
    """Each signal with each value; all pairs but one are slow tests."""
    pairs = [(number, value) for number in SIGNALS for value in values]
    marked = [pytest.param(*pair, marks=() if pair == often else pytest.mark.slow) for pair in pairs]
    return pytest.mark.parametrize(("number", name), marked)


@needs_proc
@with_signals("workers", ("1", "2"), (signal.SIGINT, "2"))
@pytest.mark.slow
def test_signals_in_a_conversion(workers: str, number: int, takes: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["convert", str(takes), str(out), "--to", "npz", "--workers", workers]
    code, err = interrupt(arguments, lambda: out.is_dir() and any(out.glob("*.npz")), tmp_path, number)
    assert (code, err) == (128 + number, "kinema: error: interrupted\n")
    written = list(out.iterdir())
    assert 0 < len(written) < COUNT and all(load(path).motion().frames == 240 for path in written)


@needs_proc
@with_signals("workers", ("1", "2"), (signal.SIGTERM, "1"))
@pytest.mark.slow
def test_signals_in_a_build_which_then_goes_on(workers: str, number: int, takes: Path, tmp_path: Path) -> None:
    shards = tmp_path / "db.partial" / "shards"
    arguments = ["build", str(takes), "-o", str(tmp_path / "db"), "--workers", workers, "--no-mirror"]
    code, err = interrupt(arguments, lambda: shards.is_dir() and any(shards.glob("*.npz")), tmp_path, number)
    assert (code, err) == (128 + number, "kinema: error: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["db.partial"]
    kept = {path.name: path.stat().st_mtime_ns for path in shards.glob("*.npz")}
    assert 0 < len(kept) < COUNT
    assert [path.name for path in shards.iterdir() if path.name not in kept] == []
    assert main(arguments) == 0
    assert len(MotionDatabase.open(tmp_path / "db").clips) == COUNT
    assert sorted(path.name for path in tmp_path.iterdir()) == ["db"]


@needs_proc
@with_signals("output", ("walk.mp4", "walk.gif", "pictures"), (signal.SIGHUP, "walk.mp4"))
@pytest.mark.slow
def test_signals_leave_no_part_of_a_film(output: str, number: int, takes: Path, tmp_path: Path) -> None:
    if missing := missing_pictures(video=True):
        pytest.skip(next(iter(missing.values())))
    walk = tmp_path / "walk.bvh"
    walk.write_bytes((takes / "0.bvh").read_bytes())
    arguments = ["render", "walk.bvh", "-o", output, "--fps", "1000", "--size", "64x36"]
    code, err = interrupt(arguments, lambda: any(tmp_path.glob("*.part")), tmp_path, number)
    assert code == 128 + number and err.endswith("kinema: error: interrupted\n")
    assert list(tmp_path.iterdir()) == [walk]


class FullStream(io.FileIO):
    """A file on a disk that fills up."""

    room = 10_000

    def __init__(self, path: str | os.PathLike[str], mode: str, encoding: str | None = None) -> None:
        super().__init__(path, mode)

    def write(self, data) -> int:
        self.room -= len(data)
        if self.room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


@pytest.mark.parametrize("suffix", ["glb", "bvh", "npz"])
def test_full_disk_while_converting(
    suffix: str, takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    out = tmp_path / f"walk.{suffix}"
    out.write_bytes(b"mine")
    monkeypatch.setattr(atomic, "open", FullStream, raising=False)
    assert main(["convert", str(takes / "0.bvh"), str(out), "--force"]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "No space left" in err and str(out) in err
    assert out.read_bytes() == b"mine" and list(tmp_path.iterdir()) == [out]


def test_full_disk_while_building_and_the_same_call_goes_on(
    takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    arguments = ["build", str(takes / "0.bvh"), str(takes / "1.bvh"), "-o", str(tmp_path / "db")]
    with monkeypatch.context() as full:
        full.setattr(store, "open", FullStream, raising=False)
        assert main(arguments) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "the disk is full" in err
    assert not (tmp_path / "db").exists()
    assert main(arguments) == 0
    assert MotionDatabase.open(tmp_path / "db").frames > 900


DEAF = """
import signal, sys, time
from kinema import unfinished
from kinema.cli import doctor
from kinema.cli.main import main
from kinema.demonstration import missing_pictures

def run(args):
    unfinished.begin("walk.glb.part")
    open("walk.glb.part", "w").close()
    while True:
        try:
            print("deaf", flush=True)
            time.sleep(0.01)
        except KeyboardInterrupt:  # as callbacks of libraries do
            pass

signal.signal(signal.SIGINT, signal.default_int_handler)
doctor.run = run
sys.exit(main(sys.argv[1:]))
"""


@needs_proc
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, *(pytest.param(each, marks=pytest.mark.slow) for each in (signal.SIGINT, signal.SIGHUP))]
)
def test_a_signal_that_is_swallowed_ends_the_program_all_the_same(number: int, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", DEAF, "doctor"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "deaf\n"  # it hears nothing from here on
    os.kill(process.pid, number)
    try:
        assert process.communicate(timeout=60)[1] == "kinema: error: interrupted\n"
    finally:
        process.kill()
    assert process.returncode == 128 + number and list(tmp_path.iterdir()) == []

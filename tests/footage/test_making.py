"""Folders of clips: the same bytes whatever happens, failures that are told, and folders that are left alone."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kinema.errors import FormatError, KinemaError, UsageError
from kinema.footage import making
from kinema.footage.making import check_index, make_clips
from kinema.footage.plan import ClipPlan

COUNT = 6


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_what_is_missing_is_made_again_and_nothing_else(plan: ClipPlan, folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "clips"
    shutil.copytree(folder, broken)
    for number in (1, 4):
        (broken / making.clip_name(number)).unlink()
    (broken / "manifest.jsonl").unlink()
    (broken / "clips" / "000" / "000001.npz.0badcafe.part").write_bytes(b"half")
    report = make_clips(plan, broken, COUNT, workers=1)
    assert report.made == 2 and report.clips == COUNT and content(broken) == content(folder)
    assert make_clips(plan, broken, COUNT, workers=1).made == 0


def test_more_clips_are_added(plan: ClipPlan, folder: Path, tmp_path: Path) -> None:
    few = tmp_path / "few"
    make_clips(plan, few, 2, workers=1)
    assert make_clips(plan, few, 3, workers=1).made == 1
    for name in ("clips/000/000000.npz", "clips/000/000002.npz"):
        assert (few / name).read_bytes() == (folder / name).read_bytes()
    with pytest.raises(UsageError, match="holds 3 clips"):
        make_clips(plan, few, 2)


def test_other_folders_are_left_alone(plan: ClipPlan, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(KinemaError, match="no clips of Kinema"):
        make_clips(plan, tmp_path, 1, force=True)
    with pytest.raises(KinemaError, match="seed 5, not 6"):
        make_clips(replace(plan, seed=6), folder, COUNT)
    with pytest.raises(UsageError, match="at least one"):
        make_clips(plan, tmp_path / "none", 0)


def test_a_clip_that_fails_is_told_and_tried_again(
    plan: ClipPlan, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = making.film_clip

    def failing(plan: ClipPlan, number: int, renderer: object) -> object:
        if number == 1:
            raise KinemaError("the lamp fell over")
        return film(plan, number, renderer)  # type: ignore[arg-type]

    place = tmp_path / "clips"
    monkeypatch.setattr(making, "film_clip", failing)
    report = make_clips(plan, place, 3, workers=1)
    assert report.failed == ((1, "the lamp fell over"),) and report.clips == 2
    rows = [json.loads(line) for line in (place / "failures.jsonl").read_text().splitlines()]
    assert rows == [{"id": "000001", "error": "the lamp fell over"}]
    assert len((place / "manifest.jsonl").read_text().splitlines()) == 2
    monkeypatch.setattr(making, "film_clip", film)
    report = make_clips(plan, place, 3, workers=1)
    assert not report.failed and report.made == 1 and not (place / "failures.jsonl").exists()


def test_progress_counts_to_the_end(plan: ClipPlan, folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    make_clips(plan, folder, COUNT, workers=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == []  # everything was there


def test_a_folder_that_is_not_finished_is_not_read(folder: Path, tmp_path: Path) -> None:
    assert check_index(folder)["clips"] == COUNT
    with pytest.raises(FormatError, match="no folder of clips"):
        check_index(tmp_path)
    half = tmp_path / "half"
    shutil.copytree(folder, half)
    (half / "manifest.jsonl").unlink()
    with pytest.raises(FormatError, match="interrupted"):
        check_index(half)


COMMAND = [
    *("clips", "--count", "40", "--frames", "4", "--size", "32", "--identities", "4"),
    *("--scenes", "room", "--seed", "9"),
]


@pytest.mark.slow
def test_killed_and_continued_clips_are_the_same_bytes(tmp_path: Path) -> None:
    def start(folder: str, workers: int) -> subprocess.Popen[bytes]:
        arguments = [sys.executable, "-m", "kinema.cli.main", *COMMAND, "-o", folder, "--workers", str(workers)]
        return subprocess.Popen(arguments, cwd=tmp_path, start_new_session=True, stderr=subprocess.DEVNULL)

    whole = start("whole", 1)
    for _ in range(3):  # killed three times, each time after some more clips
        before = len(list((tmp_path / "killed").rglob("*.npz")))
        process = start("killed", 2)
        deadline = time.monotonic() + 300
        while len(list((tmp_path / "killed").rglob("*.npz"))) <= before + 2 and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert start("killed", 2).wait() == 0 and whole.wait() == 0
    assert content(tmp_path / "killed") == content(tmp_path / "whole")

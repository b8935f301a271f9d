"""Progress in a pipe: lines, not too many and not none."""

from __future__ import annotations

import threading

import pytest

from kinema.cli import progress as module
from kinema.cli.progress import progress, progress_of


def wait_for_lines(capsys: pytest.CaptureFixture[str], count: int) -> list[str]:
    found: list[str] = []
    for _ in range(500):
        found += capsys.readouterr().err.splitlines()
        if len(found) >= count:
            break
        threading.Event().wait(0.02)
    return found


def test_short_work_writes_nothing(capsys) -> None:
    with progress("working", 3) as advance:
        for _ in range(3):
            advance()
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err == ""


def test_long_work_writes_a_line_now_and_then(capsys, monkeypatch) -> None:
    monkeypatch.setattr(module, "LINE_SECONDS", 0.05)
    with progress("reading", 1200) as advance:
        for _ in range(3):
            advance()
        lines = wait_for_lines(capsys, 2)
    assert len(lines) >= 2 and all(line.startswith("reading: 3 of 1,200, ") and line.endswith(" s") for line in lines)


def test_work_that_reports_nothing_writes_lines_too(capsys, monkeypatch) -> None:
    monkeypatch.setattr(module, "LINE_SECONDS", 0.05)
    with progress_of("preparing"):
        assert wait_for_lines(capsys, 1)[0].startswith("preparing: ")
    assert not any(thread.name == "kinema-progress" for thread in threading.enumerate())


def test_details_are_shown_where_they_are_wanted(capsys, monkeypatch) -> None:
    monkeypatch.setattr(module, "LINE_SECONDS", 0.05)
    with progress_of("training", detailed=True) as report:
        report(10, 600, "loss 0.5")
        assert wait_for_lines(capsys, 1)[0].startswith("training: 10 of 600, loss 0.5, ")
    with progress_of("building") as report:
        report(1, 2, "walk.bvh")
        assert "walk" not in wait_for_lines(capsys, 1)[0]

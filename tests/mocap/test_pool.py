"""Worker processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kinema.errors import DatabaseError
from kinema.formats import iterate
from kinema.mocap import pool
from kinema.mocap.shards import Task


def tasks_of(folder: Path) -> list[Task]:
    return [Task(source, source.name, 30.0, True) for source in iterate(folder, (".bvh",))]


@pytest.mark.parametrize("workers", [None, 1, 2])
def test_every_task_is_made_once(takes: Path, tmp_path: Path, workers: int | None) -> None:
    (takes / "bad.bvh").write_text("nonsense")
    tasks = tasks_of(takes)
    outcomes = dict(pool.make_all(tasks, tmp_path, workers))
    assert set(outcomes) == set(tasks)
    assert [task.name for task, reason in outcomes.items() if reason is not None] == ["bad.bvh"]
    assert len(list(tmp_path.glob("*.npz"))) == 6


def test_nothing_to_do(tmp_path: Path) -> None:
    assert list(pool.make_all([], tmp_path, 4)) == []


def test_a_worker_that_dies_is_one_line(takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_end_with_parent", os.abort)
    with pytest.raises(DatabaseError, match="a worker process died") as caught:
        list(pool.make_all(tasks_of(takes), tmp_path, 2))
    assert "\n" not in str(caught.value)


ORPHAN = """
import os, sys, time
from concurrent.futures import ProcessPoolExecutor
import multiprocessing
from kinema.mocap import pool
if __name__ == "__main__":
    executor = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=pool._end_with_parent)
    print(executor.submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with SIGKILL")
def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and _alive(worker):
        time.sleep(0.05)
    parent.stdout.close()
    assert not _alive(worker)


def _alive(process: int) -> bool:
    """Whether a process runs; one that has ended but was not collected by its new parent does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False

"""Worker processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kinema import workers
from kinema.errors import DatabaseError
from kinema.formats import iterate
from kinema.mocap import pool
from kinema.mocap.shards import ShardJob


def tasks_of(folder: Path) -> list[ShardJob]:
    return [ShardJob(source, source.name, 30.0, True) for source in iterate(folder, (".bvh",))]


@pytest.mark.parametrize("count", [None, 1, 2])
def test_every_task_is_made_once(takes: Path, tmp_path: Path, count: int | None) -> None:
    (takes / "bad.bvh").write_text("nonsense")
    jobs = tasks_of(takes)
    outcomes = dict(pool.make_all(jobs, tmp_path, count))
    assert set(outcomes) == set(jobs)
    assert [job.name for job, reason in outcomes.items() if reason is not None] == ["bad.bvh"]
    assert len(list(tmp_path.glob("*.npz"))) == 6


def test_nothing_to_do(tmp_path: Path) -> None:
    assert list(pool.make_all([], tmp_path, 4)) == []


def test_a_worker_that_dies_is_one_line(takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "end_with_parent", os.abort)
    with pytest.raises(DatabaseError, match="a worker process died") as caught:
        list(pool.make_all(tasks_of(takes), tmp_path, 2))
    assert "\n" not in str(caught.value)

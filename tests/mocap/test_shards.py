"""One source, one shard."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, formats
from kinema.formats import open_source
from kinema.mocap import shards
from kinema.mocap.ingest import ingest
from kinema.mocap.shards import ShardJob


@pytest.fixture
def job(takes: Path) -> ShardJob:
    return ShardJob(open_source(takes / "walk_left_0.bvh"), "takes/walk_left_0.bvh", 30.0, True)


def test_round_trip(job: ShardJob, tmp_path: Path) -> None:
    assert shards.make(job, tmp_path) is None
    clips = shards.read(tmp_path / f"{job.key}.npz", {})
    expected = ingest(formats.load_motion(job.source).replace(name="walk_left_0"))
    assert clips is not None and len(clips) == len(expected) == 2
    skeletons = {id(info.skeleton) for info, _ in clips}
    assert len(skeletons) == 1
    for (info, read), (true_info, true_pose) in zip(clips, expected, strict=True):
        assert (info.name, info.tags, info.mirrored) == (true_info.name, true_info.tags, true_info.mirrored)
        assert info.stance_height == true_info.stance_height and info.source == "takes/walk_left_0.bvh"
        assert info.crc32 == zlib.crc32(job.source.read()) and info.size == job.source.size
        pose = read()
        for name in ("root_positions", "root_rotations", "local_rotations", "local_translations", "contacts"):
            assert np.array_equal(getattr(pose, name), getattr(true_pose, name)), name


def test_the_key_follows_the_file_and_the_options(job: ShardJob) -> None:
    keys = {job.key, ShardJob(job.source, job.name, 60.0, True).key, ShardJob(job.source, job.name, 30.0, False).key}
    os.utime(job.source.file, ns=(1, 1))
    assert len(keys | {job.key}) == 4


def test_an_unreadable_source_gives_a_reason_and_no_shard(tmp_path: Path, takes: Path) -> None:
    (takes / "bad.bvh").write_text("HIERARCHY\nROOT a\n{\nOFFSET 0 0 x\n")
    reason = shards.make(ShardJob(open_source(takes / "bad.bvh"), "bad.bvh", 30.0, True), tmp_path / "none")
    assert reason is not None and reason.startswith("line 4: ")


def test_a_reader_that_trips_is_a_reason(job: ShardJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def trip(_source, _joints) -> None:
        raise IndexError("list index out of range\nsecond line")

    monkeypatch.setattr(shards, "load_motions", trip)
    assert shards.make(job, tmp_path) == "IndexError: list index out of range\\nsecond line"


def test_several_clips_of_one_file_keep_their_names(sway: Callable[..., Motion], tmp_path: Path) -> None:
    source = tmp_path / "two.glb"
    motions = (sway(seed=1, name="idle"), sway(seed=2, name="run"))
    asset = formats.Asset("two.glb", "gltf", motions[0].skeleton, motions)
    formats.save(asset, source)
    job = ShardJob(open_source(source), "two.glb", 30.0, False)
    assert shards.make(job, tmp_path) is None
    clips = shards.read(tmp_path / f"{job.key}.npz", {})
    assert clips is not None and [info.name for info, _ in clips] == ["two.idle", "two.run"]
    assert "run" in clips[1][0].tags


@pytest.mark.parametrize("text", [b"", b"PK\x03\x04rubbish", b"x" * 500])
def test_a_damaged_shard_is_none(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "x.npz").write_bytes(text)
    assert shards.read(tmp_path / "x.npz", {}) is None
    assert shards.read(tmp_path / "absent.npz", {}) is None

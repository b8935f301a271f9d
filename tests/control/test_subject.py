"""Whose motion is used."""

from __future__ import annotations

import errno

import numpy as np
import pytest

from kinema import Skeleton, formats
from kinema.control import subject
from kinema.control.command import Commands
from kinema.control.presets import motion_matching_controller
from kinema.control.subject import open_subject
from kinema.errors import DatabaseError, KinemaError, SkeletonError
from kinema.formats.axes import turn_of, turned
from kinema.mocap import store
from kinema.mocap.procedural import Segment, generate


def walked(database, seconds: float = 2.0) -> float:
    """Metres ahead after walking for a while."""
    controller = motion_matching_controller(database)
    for _ in range(int(60 * seconds)):
        pose = controller.step(Commands.create([0, 0, 1.4]), 1 / 60)
    return float(pose.root_positions[0, 2])


def test_without_data_motion_is_generated_for_the_skeleton(biped, monkeypatch):
    monkeypatch.setattr(subject, "GENERATED_MINUTES", 1.0)
    said: list[str] = []
    with open_subject([], biped, said.append) as database:
        assert database.skeleton.names == biped.names
        assert 100 < database.seconds < 180
        assert walked(database) > 1.5
    assert said == ["generating 1 minutes of motion"]


def test_a_database_is_opened_as_it_is(database, tmp_path):
    database.save(tmp_path / "walk.db")
    with open_subject([tmp_path / "walk.db"]) as opened:
        assert opened.path == tmp_path / "walk.db" and opened.frames == database.frames
    assert (tmp_path / "walk.db").is_dir()


def test_files_are_read_and_bad_ones_left_out_aloud(tmp_path, biped):
    script = [Segment("idle", 1.0), Segment("walk", 5.0), Segment("idle", 1.0)]
    formats.save(generate(biped, script), tmp_path / "walk.bvh")
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nROOT")
    said: list[str] = []
    with open_subject([tmp_path], note=said.append) as database:
        folder = database.path
        assert walked(database) > 1.0
    assert any("bad.bvh" in line for line in said)
    assert folder is not None and not folder.exists()


def test_files_are_read_as_is_said_of_them(tmp_path, biped):
    walk = generate(biped, [Segment("idle", 1.0), Segment("walk", 5.0)])
    lying = turned(formats.Asset("", "bvh", walk.skeleton, (walk,)), turn_of("-z", "y"))  # -Z is up once it is written
    formats.save(lying, tmp_path / "walk.bvh")
    with open_subject([tmp_path], reading={"up": "z", "forward": None}) as database:
        height = np.median(database.pose(np.arange(database.frames)).global_positions[:, 0, 1])
    assert height == pytest.approx(np.median(walk[:].global_positions[:, 0, 1]), rel=0.1)


def test_a_full_temporary_folder_is_named(tmp_path, biped, monkeypatch):
    formats.save(generate(biped, [Segment("walk", 3.0)]), tmp_path / "walk.bvh")

    def full(data, out, reading):
        raise store.describe(OSError(errno.ENOSPC, "No space left on device"), out, kept=True)

    monkeypatch.setattr(subject, "build", full)
    with pytest.raises(DatabaseError, match="set TMPDIR to another folder"), open_subject([tmp_path / "walk.bvh"]):
        pass


def test_without_legs_or_files_it_is_one_line(tmp_path):
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    with pytest.raises(SkeletonError, match="legs"), open_subject([], snake):
        pass
    with pytest.raises(KinemaError, match=r"gone\.bvh") as caught, open_subject([tmp_path / "gone.bvh"]):
        pass
    assert "\n" not in str(caught.value)


def test_what_was_read_is_removed_also_after_an_error(tmp_path, biped):
    formats.save(generate(biped, [Segment("walk", 4.0)]), tmp_path / "walk.bvh")
    folder = None
    with pytest.raises(ValueError), open_subject([tmp_path / "walk.bvh"]) as database:
        folder = database.path
        assert np.isfinite(database.local_rotations[:10]).all()
        raise ValueError
    assert folder is not None and not folder.exists()

"""Whose motion is used: generated, files, or a database."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, formats
from kinema.control.command import Control
from kinema.control.presets import motion_matching_controller
from kinema.control.subject import open_subject
from kinema.errors import KinemaError, SkeletonError
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import Segment, generate


def forward(database: MotionDatabase, seconds: float = 2.0) -> float:
    """Metres along +Z after a command to walk that way."""
    controller = motion_matching_controller(database)
    pose = controller.reset(1)
    for _ in range(int(60 * seconds)):
        pose = controller.step(Control.create(np.array([0, 0, 1.4])), 1 / 60)
    return float(pose.root_positions[0, 2])


def test_generated_motion_obeys(biped):
    with open_subject([], biped) as database:
        assert database.skeleton.names == biped.names
        assert forward(database) > 1.5


def test_files_are_read_and_bad_ones_left_out_aloud(tmp_path, biped):
    script = [Segment("idle", 1.0), Segment("walk", 5.0), Segment("idle", 1.0)]
    formats.save(generate(biped, script), tmp_path / "walk.bvh")
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nROOT")
    said: list[str] = []
    with open_subject([tmp_path], note=said.append) as database:
        assert forward(database) > 1.0
    assert any("bad.bvh" in line for line in said)


def test_a_database_is_opened_as_it_is(tmp_path, biped):
    made = MotionDatabase.from_motions([generate(biped, [Segment("walk", 3.0)])])
    made.save(tmp_path / "walk.db")
    with open_subject([tmp_path / "walk.db"]) as database:
        assert database.path == tmp_path / "walk.db"
        assert np.array_equal(database.local_rotations, made.local_rotations)


def test_without_legs_or_files_it_is_one_line(tmp_path):
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    with pytest.raises(SkeletonError, match="legs") as error, open_subject([], snake):
        pass
    assert "\n" not in str(error.value)
    with pytest.raises(KinemaError), open_subject([tmp_path / "gone.bvh"]):
        pass

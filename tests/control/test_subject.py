"""Who is steered."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, formats
from kinema.control.command import Control
from kinema.errors import KinemaError, SkeletonError
from kinema.mocap.procedural import Segment, generate
from kinema.control.presets import motion_matching_controller
from kinema.control.subject import open_subject


def drive(steered, seconds: float = 2.0) -> np.ndarray:
    pose = steered.reset(1)
    for _ in range(int(60 * seconds)):
        pose = steered.step(Control.create(np.array([0, 0, 1.4])), 1 / 60)
    return pose.root_positions[0]


def test_generated_motion_obeys(biped):
    with controller([], biped) as steered:
        assert steered.skeleton.names == biped.names
        assert drive(steered)[2] > 1.5


def test_files_are_read_and_bad_ones_left_out_aloud(tmp_path, biped):
    script = [Segment("idle", 1.0), Segment("walk", 5.0), Segment("idle", 1.0)]
    formats.save(generate(biped, script), tmp_path / "walk.bvh")
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nROOT")
    said: list[str] = []
    with controller([tmp_path], note=said.append) as steered:
        assert drive(steered)[2] > 1.0
    assert any("bad.bvh" in line for line in said)


def test_without_legs_or_files_it_is_one_line(tmp_path):
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    with pytest.raises(SkeletonError, match="legs"), controller([], snake):
        pass
    with pytest.raises(KinemaError), controller([tmp_path / "gone.bvh"]):
        pass

"""Tables of joint angles, written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import rotations
from kinema.errors import FormatError
from kinema.formats.robot.hinges import hinge_angles, hinge_rotations
from kinema.formats.robot.table import ROOT
from kinema.motion import Motion

FRAMES = 40


@pytest.fixture
def motion(humanoid, rng) -> Motion:
    """A robot that moves all its hinges, and itself."""
    skeleton = humanoid.skeleton
    lower, upper = (np.array([getattr(hinge, end) for hinge in skeleton.hinges]) for end in ("lower", "upper"))
    phase = rng.uniform(0, 6, len(lower)) + np.linspace(0, 4, FRAMES)[:, None]
    local = hinge_rotations(skeleton, lower + (upper - lower) * (0.5 + 0.5 * np.sin(phase)))
    local[:, 0] = rotations.normalize(rng.normal(size=(FRAMES, 4)))
    places = np.tile(skeleton.rest_translations, (FRAMES, 1, 1))
    places[:, 0] = rng.normal(size=(FRAMES, 3))
    return Motion.create(skeleton, local, places, fps=60)


def read(path: Path, humanoid) -> Motion:
    return kinema.load(path, skeleton=humanoid.skeleton).motion()


def test_written_and_read_again(motion, humanoid, tmp_path: Path):
    kinema.save(motion, tmp_path / "a.csv")
    written = (tmp_path / "a.csv").read_text().splitlines()
    assert written[0].split(",")[:8] == [*ROOT, "left_hip_pitch_joint"]
    assert written[0].endswith("right_wrist_yaw_joint,time") and len(written) == FRAMES + 1
    again = read(tmp_path / "a.csv", humanoid)
    assert again.fps == 60 and not again.warnings
    assert np.abs(again[:].global_positions - motion[:].global_positions).max() < 1e-5


def test_angles_of_a_pose_that_hinges_cannot_take(motion, humanoid, tmp_path: Path):
    turned = motion.local_rotations.copy()
    axis = np.roll(np.array(humanoid.skeleton.hinges[4].axis), 1)
    bent = rotations.multiply(rotations.from_axis_angle(axis, np.array(0.3)).astype(np.float32), turned[5, 5])
    turned[5, 5] = bent
    off = Motion.create(humanoid.skeleton, turned, motion.local_translations, motion.translated, 60)
    _, beside = hinge_angles(off)
    assert np.isclose(beside[5, 4], 0.3, atol=1e-4)
    with pytest.raises(FormatError, match=r"'left_ankle_pitch_joint' turns 17\.2 degrees beside its hinge in frame 5"):
        kinema.save(off, tmp_path / "a.csv")
    kinema.save(off, tmp_path / "a.csv", nearest=True)
    assert np.isclose(read(tmp_path / "a.csv", humanoid)[:].global_positions, off[:].global_positions, atol=0.2).all()


def test_names_with_commas_do_not_become_columns(humanoid, motion, tmp_path: Path):
    names = [name.replace("_", ", ") for name in humanoid.skeleton.names]
    odd = kinema.Skeleton.create(
        names, humanoid.skeleton.parents, humanoid.skeleton.rest_translations, hinges=humanoid.skeleton.hinges
    )
    kinema.save(Motion.create(odd, np.tile(odd.rest_rotations, (2, 1, 1))), tmp_path / "a.csv")
    header, *lines = (tmp_path / "a.csv").read_text().splitlines()
    assert len(header.split(",")) == len(lines[0].split(",")) == 8 + len(odd.hinges)


def test_motions_of_no_robot_are_not_written(biped, tmp_path: Path):
    motion = Motion.create(biped, np.tile(biped.rest_rotations, (2, 1, 1)))
    with pytest.raises(FormatError, match="needs the motion of a robot"):
        kinema.save(motion, tmp_path / "a.csv")
    with pytest.raises(FormatError, match="only read"):
        kinema.save(motion, tmp_path / "a.urdf")

"""Tables of joint angles, with and without a header, there and back."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinema
from kinema import rotations
from kinema.errors import FormatError, KinemaError
from kinema.formats import Source
from kinema.formats.robot.hinges import hinge_angles
from kinema.motion import Motion

FRAMES = 40


@pytest.fixture
def angles(humanoid, rng) -> np.ndarray:
    lower = np.array([hinge.lower for hinge in humanoid.skeleton.hinges])
    upper = np.array([hinge.upper for hinge in humanoid.skeleton.hinges])
    phase = rng.uniform(0, 6, len(lower)) + np.linspace(0, 4, FRAMES)[:, None]
    return lower + (upper - lower) * (0.5 + 0.5 * np.sin(phase))


@pytest.fixture
def rows(angles, rng) -> np.ndarray:
    place = rng.normal(size=(FRAMES, 3))
    turn = rotations.normalize(rng.normal(size=(FRAMES, 4)))
    return np.concatenate([place, turn, angles], axis=1)


def text(rows: np.ndarray, header: list[str] | None = None) -> bytes:
    buffer = io.BytesIO()
    np.savetxt(buffer, rows, fmt="%.9g", delimiter=",")
    return (",".join(header).encode() + b"\r\n" if header else b"") + buffer.getvalue()


def read(data: bytes, humanoid, **options) -> Motion:
    return kinema.load(Source.from_bytes(data, "a.csv"), skeleton=humanoid.skeleton, **options).motion()


def test_bare_numbers_are_place_quaternion_xyzw_and_angles(rows, angles, humanoid):
    motion = read(text(rows), humanoid, fps=60)
    assert motion.fps == 60 and motion.frames == FRAMES
    assert np.allclose(motion[:].global_positions[:, 0], rows[:, [1, 2, 0]], atol=1e-6)
    forward = rotations.rotate(motion.local_rotations[:, 0], np.array([0, 0, 1], np.float32))
    want = rotations.rotate(rows[:, [6, 3, 4, 5]], np.array([1.0, 0, 0]))
    assert np.allclose(forward, want[:, [1, 2, 0]], atol=1e-5)
    got, beside = hinge_angles(motion)
    assert np.abs(got - angles).max() < 1e-5 and beside.max() < 1e-3
    assert "x y z w" in motion.warnings[0]


def test_a_header_names_columns_in_any_order(rows, angles, humanoid):
    names = [humanoid.skeleton.names[hinge.joint] for hinge in humanoid.skeleton.hinges]
    header = ["root_pos_x", "root_pos_y", "root_pos_z", "root_quat_x", "root_quat_y", "root_quat_z", "root_quat_w"]
    header += [name.removesuffix("_joint") for name in names]
    order = np.random.default_rng(0).permutation(len(header) - 1)  # all but the last joint
    motion = read(text(rows[:, order], [header[column] for column in order]), humanoid)
    got, _ = hinge_angles(motion)
    assert np.abs(got[:, :-1] - angles[:, :-1]).max() < 1e-5 and not got[:, -1].any()
    assert np.allclose(motion[:].global_positions[:, 0], rows[:, [1, 2, 0]], atol=1e-6)
    assert motion.warnings[0] == "joints without a column stay at zero: right_wrist_yaw_joint"


def test_without_a_base_and_out_of_limits(angles, humanoid):
    motion = read(text(angles + 3.0), humanoid)
    assert any("outside the limits" in line for line in motion.warnings)
    assert any("no columns of the base" in line for line in motion.warnings)
    assert any("no frame rate: assumed 30" in line for line in motion.warnings)
    degrees = read(text(np.degrees(angles)), humanoid)
    assert any("are they degrees?" in line for line in degrees.warnings)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no row of numbers"),
        (b"a,b,c\n", "no row of numbers"),
        (b'"A list, of things",,\n"more words",,\n', "is not a table of numbers"),
        (b"1,2,3\n1,2\n", "a different number of columns near line 2"),
        (b"1,2,3\n1,x,3\n", "not a number near line 2"),
        (b"1,2,3\n1,inf,3\n", "line 2: has a number in column 2"),
        (b"1,2,3\n", "it has 29 joints, with the base's place and quaternion 36, the table 3 columns"),
        (b"a,b,c\n1,2,3\n", "the table names a, b, c"),
        (b"a,b\n1,2,3\n", "names 2 columns, its rows have 3"),
        ((",".join(["0"] * 36)).encode(), "not a unit quaternion in row 1"),
    ],
)
def test_refusals(data: bytes, said: str, humanoid):
    with pytest.raises(FormatError, match=said):
        read(data, humanoid)


def test_long_tables_are_refused_before_they_are_read(monkeypatch, humanoid):
    monkeypatch.setattr("kinema.formats.robot.table.MOST_ROWS", 3)
    with pytest.raises(FormatError, match="in 4 rows"):
        read(b"1\n" * 4, humanoid)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='0123456789.,-e;\n\r"ax ', max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text: str):
    try:
        kinema.load(Source.from_bytes(text.encode(), "a.csv"))
    except KinemaError as error:
        assert "\n" not in str(error)


def test_the_real_tables_move_a_robot_of_the_same_joints(data_dir: Path, humanoid):
    """Their own robot is not there to compare with; ours has its joints in its order."""
    for path in sorted((data_dir / "human_mocap" / "g1_moves").glob("*.csv")):
        motion = kinema.load(path, skeleton=humanoid.skeleton, fps=60).motion()
        pose = motion[:]
        turned, placed = pose.global_rotations, pose.global_positions
        up = rotations.rotate(turned[:, 0], np.array([0, 1, 0], np.float32))[:, 1]
        assert np.median(up) > 0.8 and 0.5 < np.median(placed[:, 0, 1]) < 1.0  # upright, at the height of a hip
        feet = placed[:, [humanoid.skeleton.index(f"{side}_ankle_roll_joint") for side in ("left", "right")], 1]
        assert np.median(feet.min(axis=1)) < 0.2
    with pytest.raises(FormatError, match="is not a table of numbers"):
        kinema.load(data_dir / "human_mocap" / "cmu_index" / "cmu-mocap-index.csv")

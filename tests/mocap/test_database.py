"""The motion database in memory and on disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.errors import DatabaseError
from kinema.mocap import MotionDatabase
from kinema.mocap.procedural import Segment, generate
from kinema.mocap.root import root_layout


@pytest.fixture
def database(sway: Callable[..., Motion]) -> MotionDatabase:
    return MotionDatabase.from_motions([sway(seed=1), sway(seconds=3.0, seed=2, name="turn_right")])


def test_clips_in_a_row(database: MotionDatabase) -> None:
    assert [(clip.name, clip.mirrored, clip.start, clip.stop) for clip in database.clips] == [
        ("walk_left", False, 0, 61),
        ("walk_left", True, 61, 122),
        ("turn_right", False, 122, 213),
        ("turn_right", True, 213, 304),
    ]
    assert database.frames == len(database) == 304 and database.seconds == pytest.approx(304 / 30)
    assert database.clips[1].tags == ("walk", "right") and database.clips[3].tags == ("turn", "left")


def test_clip_of_and_next(database: MotionDatabase) -> None:
    assert database.clip_of([0, 60, 61, 303]).tolist() == [0, 0, 1, 3]
    assert database.next([0, 59, 60, 61], 2).tolist() == [2, 60, 60, 63]
    assert database.next([61, 62, 130], -5).tolist() == [61, 61, 125]
    assert database.next(303).tolist() == 303
    assert database.next([[0], [100]], [10, 30]).tolist() == [[10, 30], [110, 121]]


def test_world_is_the_motion_but_for_the_ground(database: MotionDatabase, sway: Callable[..., Motion]) -> None:
    pose = database.pose(slice(122, 213))
    turned, positions = pose.global_rotations, pose.global_positions
    true_turned, true_positions = ((at := sway(seconds=3.0, seed=2)[:]).global_rotations, at.global_positions)
    shift = np.float32([0, database.clips[2].ground, 0])
    assert np.abs(positions - (true_positions - shift)).max() < 2e-5
    assert rotations.angle(rotations.relative(turned, true_turned)).max() < 2e-3


def test_frames_of_any_shape(database: MotionDatabase) -> None:
    frames = np.array([[3, 70, 5], [200, 303, 0]])
    pose = database.pose(frames)
    joints = database.skeleton.joint_count
    assert pose.shape == (2, 3) and pose.local_rotations.shape == (2, 3, joints, 4)
    assert pose.root_positions.shape == (2, 3, 3) and pose.contacts.shape == (2, 3, 2)
    one = database.pose(70)
    for part in ("root_positions", "root_rotations", "local_rotations", "local_translations", "contacts"):
        np.testing.assert_array_equal(getattr(pose, part)[0, 1], getattr(one, part))
    assert np.array_equal(database.pose(frames).global_positions[0, 1], database.pose(70).global_positions)
    assert database.pose(70).local_translations.shape == (joints, 3)


def test_equal_stances_are_equally_high() -> None:
    walk = generate(script=[Segment("walk", 3.0)], fps=30)
    lifted = walk.replace(local_translations=walk.local_translations + np.float32([0, 0.6, 0]), name="lifted")
    database = MotionDatabase.from_motions([walk, lifted], mirror=False)
    assert database.clips[1].ground - database.clips[0].ground == pytest.approx(0.6, abs=1e-5)
    heights = database.pose(slice(None)).global_positions[:, database.contact_joints, 1]
    assert np.abs(heights[: walk.frames] - heights[walk.frames :]).max() < 1e-5
    standing = database.contacts[:].astype(bool)
    assert np.median(heights[standing]) == pytest.approx(database.clearance, abs=0.02)


def scaled(skeleton: Skeleton, factor: float) -> Skeleton:
    return Skeleton.create(skeleton.names, skeleton.parents, factor * skeleton.rest_translations)


def test_other_proportions_are_scaled_to_the_skeleton(sway: Callable[..., Motion], biped: Skeleton) -> None:
    motion = sway(seed=1, name="adult")
    moved = 0.6 * motion.local_translations
    child = Motion.create(scaled(biped, 0.6), motion.local_rotations, moved, [0], name="child")
    database = MotionDatabase.from_motions([motion, child, sway(seed=3)], mirror=False)
    assert np.allclose(database.skeleton.rest_translations[1:], biped.rest_translations[1:])
    adult, child_frames = slice(0, 61), slice(61, 122)
    assert np.abs(database.local_rotations[adult] - database.local_rotations[child_frames]).max() < 1e-5
    assert np.abs(database.local_translations[adult] - database.local_translations[child_frames]).max() < 1e-4
    assert np.abs(database.root_positions[adult] - database.root_positions[child_frames]).max() < 1e-4


def test_clip_motion_is_an_ordinary_motion(database: MotionDatabase) -> None:
    motion = database.clip_motion(3)
    assert motion.name == "turn_right_mirrored" and motion.fps == 30 and motion.tags == ("turn", "left")
    assert np.abs(motion[:].global_positions - database.pose(slice(213, 304)).global_positions).max() < 1e-5
    assert np.array_equal(motion.labels["contact.left"], database.contacts[213:304, 0] == 1)
    with pytest.raises(DatabaseError, match="there are 4"):
        database.clip_motion(4)


def test_a_database_is_its_own_source(database: MotionDatabase) -> None:
    """What comes out goes in again: the root layout of a root layout is itself."""
    again = MotionDatabase.from_motions([database.clip_motion(0)], mirror=False)
    assert np.abs(again.pose(slice(None)).global_positions - database.pose(slice(0, 61)).global_positions).max() < 1e-5
    assert root_layout(database.skeleton).tops.tolist() == [0]


def test_save_and_open(database: MotionDatabase, tmp_path: Path) -> None:
    database.save(tmp_path / "db")
    opened = MotionDatabase.open(tmp_path / "db")
    assert opened.clips == database.clips and opened.fps == database.fps and opened.options == {"mirror": True}
    assert opened.skeleton.names == database.skeleton.names
    assert np.array_equal(opened.skeleton.rest_translations, database.skeleton.rest_translations)
    assert isinstance(opened.local_rotations, np.memmap) and not opened.local_rotations.flags.writeable
    for name in ("root_positions", "root_rotations", "local_rotations", "local_translations", "contacts"):
        assert np.array_equal(getattr(opened, name), getattr(database, name)), name
    opened.verify()
    assert [path.name for path in tmp_path.iterdir()] == ["db"]
    with pytest.raises(DatabaseError, match="--force"):
        database.save(tmp_path / "db")
    database.save(tmp_path / "db", force=True)


def test_something_else_is_never_replaced(database: MotionDatabase, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").write_bytes(b"x")
    with pytest.raises(DatabaseError, match="not a motion database"):
        database.save(tmp_path / "photos", force=True)
    assert (tmp_path / "photos" / "me.jpg").read_bytes() == b"x"


def edit(index: Path, **changes) -> None:
    index.write_text(json.dumps({**json.loads(index.read_text()), **changes}))


def test_another_version_says_both(database: MotionDatabase, tmp_path: Path) -> None:
    database.save(tmp_path / "db")
    edit(tmp_path / "db" / "index.json", version=7)
    with pytest.raises(DatabaseError, match="version 7, this program reads version 1; build it again"):
        MotionDatabase.open(tmp_path / "db")
    edit(tmp_path / "db" / "index.json", format="other")
    with pytest.raises(DatabaseError, match="not the index of a motion database"):
        MotionDatabase.open(tmp_path / "db")


@pytest.mark.parametrize(
    "change",
    [
        {"clips": []},
        {"clips": 3},
        {"translated": [999]},
        {"fps": -1.0},
        {"fps": None},
        {"skeleton": {}},
        {"arrays": {}},
        {"contact_joints": [1]},
    ],
)
def test_damaged_index(database: MotionDatabase, tmp_path: Path, change: dict) -> None:
    database.save(tmp_path / "db")
    edit(tmp_path / "db" / "index.json", **change)
    with pytest.raises(DatabaseError) as caught:
        MotionDatabase.open(tmp_path / "db")
    assert str(tmp_path / "db") in str(caught.value) and "\n" not in str(caught.value)


def test_damaged_arrays(database: MotionDatabase, tmp_path: Path) -> None:
    database.save(tmp_path / "db")
    path = tmp_path / "db" / "local_rotations.npy"
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    with pytest.raises(DatabaseError, match=r"local_rotations\.npy: damaged"):
        MotionDatabase.open(tmp_path / "db")
    path.unlink()
    with pytest.raises(DatabaseError, match=r"local_rotations\.npy: damaged or missing"):
        MotionDatabase.open(tmp_path / "db")
    np.save(path, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(DatabaseError, match=r"local_rotations\.npy"):
        MotionDatabase.open(tmp_path / "db")
    path.write_bytes(whole[:200] + b"\xff" * (len(whole) - 200))
    with pytest.raises(DatabaseError, match="not poses"):
        MotionDatabase.open(tmp_path / "db")
    flipped = bytearray(whole)
    flipped[-4003] ^= 1
    path.write_bytes(flipped)
    with pytest.raises(DatabaseError, match="has changed since"):
        MotionDatabase.open(tmp_path / "db").verify()


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="no such database; make one with `kinema build"):
        MotionDatabase.open(tmp_path / "db")
    with pytest.raises(DatabaseError, match=r"it has no index\.json"):
        MotionDatabase.open(tmp_path)


def test_motions_that_cannot_be_one_database(sway: Callable[..., Motion]) -> None:
    with pytest.raises(DatabaseError, match="no clip"):
        MotionDatabase.from_motions([])
    stick = Skeleton.create(["a", "b"], [-1, 0], [[0, 1, 0], [0, 1, 0]])
    with pytest.raises(DatabaseError, match=r"it has 2 joints \(a, b\)"):
        MotionDatabase.from_motions([sway(), sway(skeleton=stick, name="stick", seconds=1.0)])


@pytest.mark.filterwarnings("ignore:overflow")
def test_an_index_with_any_one_value_wrong_opens_or_is_refused(database: MotionDatabase, tmp_path: Path) -> None:
    database.save(tmp_path / "db")
    path = tmp_path / "db" / "index.json"
    good = json.loads(path.read_text())

    def places(node, at=()):
        yield at
        items = node.items() if isinstance(node, dict) else enumerate(node[:2]) if isinstance(node, list) else ()
        for key, value in items:
            yield from places(value, (*at, key))

    refused = 0
    for at in list(places(good))[1:]:
        for wrong in (None, "x", -1, 10**30, 0.5, [], {}, [[1]]):
            broken = json.loads(json.dumps(good))
            node = broken
            for key in at[:-1]:
                node = node[key]
            node[at[-1]] = wrong
            path.write_text(json.dumps(broken))
            try:
                MotionDatabase.open(tmp_path / "db")
            except DatabaseError as error:
                assert "\n" not in str(error) and str(tmp_path) in str(error)
                refused += 1
    assert refused > 300

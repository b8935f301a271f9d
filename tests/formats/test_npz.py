"""Kinema's own files: nothing lost, nothing executed, nothing believed."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinema
from kinema import rotations
from kinema.errors import FormatError
from kinema.formats import Asset, Source, load, load_motion, npz, save
from kinema.motion import Motion
from kinema.skeleton import Hinge, Skeleton


@pytest.fixture
def motion(biped: Skeleton, rng: np.random.Generator) -> Motion:
    turned = rotations.normalize(rng.normal(size=(biped.joint_count, 4)))
    tips = list(zip(biped.tip_joints.tolist(), biped.tip_offsets, strict=True))
    hinges = [Hinge(3, (0.0, 0.6, 0.8), -0.5, 2.0), Hinge(7, (1.0, 0.0, 0.0))]
    hints = {biped.names[0]: "hips", biped.names[4]: "head"}
    skeleton = Skeleton.create(biped.names, biped.parents, biped.rest_translations, turned, tips, hints, hinges)
    return Motion.create(
        skeleton,
        rotations.normalize(rng.normal(size=(20, biped.joint_count, 4))),
        rng.normal(size=(20, 2, 3)),
        [0, 4],
        29.97,
        "Größe",
        {
            "contact.left": rng.random(20) > 0.5,
            "phase": rng.random(20).astype(np.float32),
            "count": np.arange(20)[:, None],
        },
        ("walk", "old"),
        ("taken from somewhere",),
    )


def rewrite(path: Path, **changes: object) -> Path:
    """The file with some arrays replaced (or removed, for None)."""
    with np.load(path) as opened:
        arrays = dict(opened) | changes
    np.savez(path, **{name: value for name, value in arrays.items() if value is not None})  # type: ignore[arg-type]
    return path


def with_meta(path: Path, **changes: object) -> Path:
    with np.load(path) as opened:
        meta = json.loads(opened["kinema"].tobytes())
    return rewrite(path, kinema=np.frombuffer(json.dumps(meta | changes).encode(), np.uint8))


@pytest.mark.parametrize("compress", [False, True])
def test_nothing_is_lost(tmp_path: Path, motion: Motion, compress: bool) -> None:
    save(motion, tmp_path / "a.npz", compress=compress)
    back = load_motion(tmp_path / "a.npz")
    for name in ("fps", "name", "tags", "warnings"):
        assert getattr(back, name) == getattr(motion, name)
    for name in ("local_rotations", "local_translations", "translated"):
        np.testing.assert_array_equal(getattr(back, name), getattr(motion, name))
    for name in ("names", "parents", "rest_translations", "rest_rotations", "tip_joints", "tip_offsets"):
        np.testing.assert_array_equal(getattr(back.skeleton, name), getattr(motion.skeleton, name))
    assert back.skeleton.hints == motion.skeleton.hints and back.skeleton.hinges == motion.skeleton.hinges
    assert list(back.labels) == list(motion.labels)
    for label, values in motion.labels.items():
        np.testing.assert_array_equal(back.labels[label], values)
        assert back.labels[label].dtype == values.dtype
    back.local_rotations[0] = 0  # a file's arrays are the reader's own


def test_same_motion_same_bytes(tmp_path: Path, motion: Motion) -> None:
    save(motion, tmp_path / "a.npz")
    save(Asset("x", "npz", motion.skeleton, (motion,)), tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize(
    "changes",
    [
        {"hints": ["hips"]},
        {"hints": {"Hips": 3}},
        {"hints": {"Nobody": "hips"}},
        {"hinges": {}},
        *(
            {"hinges": [row]}
            for row in (
                [1, 1, 0, 0],
                [1, 1, 0, 0, "a", None],
                [1, 1, 0, 0, float("nan"), None],
                [99, 1, 0, 0, 0, 1],
                [1, 3, 0, 0, 0, 1],
                [1, 1, 0, 0, 1, 0],
                [1.5, 1, 0, 0, 0, 1],
                [1, 1e999, 0, 0, 0, 1],
                [10**40, 1, 0, 0, 0, 1],
                [1, 10**400, 0, 0, 0, 1],
                [1, None, 0, 0, 0, 1],
            )
        ),
    ],
)
def test_hints_and_hinges_that_make_no_sense(tmp_path: Path, motion: Motion, changes: dict) -> None:
    save(motion, tmp_path / "a.npz")
    with pytest.raises(FormatError, match=r"a\.npz"):
        load(with_meta(tmp_path / "a.npz", **changes))


def test_plain_numpy_opens_it_without_pickles(tmp_path: Path, motion: Motion) -> None:
    save(motion, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as opened:
        assert all(opened[name].dtype.kind in "biuf" for name in opened.files)


def test_empty_clip(tmp_path: Path, motion: Motion) -> None:
    save(motion.cut(0, 0), tmp_path / "a.npz")
    assert load_motion(tmp_path / "a.npz").frames == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parents": None}, "parents: is missing"),
        ({"parents": np.arange(21)}, "must come after its parent"),
        ({"parents": np.full(21, 2**32 - 1)}, "parents: holds an index that belongs to no joint"),
        ({"parents": np.zeros(21)}, "parents: holds float64, expected numbers of kind i"),
        ({"translated": np.int32([4, 0])}, "ascending"),
        ({"translated": np.int32([0, 99])}, "ascending"),
        ({"tip_joints": np.int32([0, 1, 99])}, "tips must belong to joints"),
        ({"tip_offsets": np.zeros((2, 3), np.float32)}, "tip_offsets: has shape"),
        ({"local_rotations": np.zeros((20, 21, 4), np.float32)}, "local_rotations: holds rotations that are not unit"),
        ({"local_rotations": np.zeros((20, 21, 3), np.float32)}, "local_rotations: has shape"),
        ({"local_rotations": np.zeros((20, 84), np.float32)}, "local_rotations: has 2 dimensions, expected 3"),
        (
            {"local_translations": np.full((20, 2, 3), np.nan, np.float32)},
            "local_translations: holds a value that is not",
        ),
        ({"local_translations": np.zeros((19, 2, 3), np.float32)}, "local_translations"),
        ({"label.1": np.zeros(3)}, "label 'phase' has 3 values for 20 frames"),
        ({"label.1": np.float64(3)}, "labels: hold a single value"),
        ({"label.1": np.array([None] * 20)}, "label.1: holds pickled Python objects"),
        ({"label.1": np.zeros(20, "M8[s]")}, "label.1: is of type"),
        ({"kinema": np.frombuffer(b"{", np.uint8)}, "kinema: is not JSON"),
        ({"kinema": np.frombuffer(b"[" * 100_000, np.uint8)}, "kinema: is not JSON"),
        ({"kinema": np.frombuffer(b"[]", np.uint8)}, "kinema: does not say format"),
    ],
)
def test_wrong_arrays_are_named(tmp_path: Path, motion: Motion, changes: dict[str, object], message: str) -> None:
    save(motion, tmp_path / "a.npz")
    with pytest.raises(FormatError, match=message) as caught:
        load(rewrite(tmp_path / "a.npz", **changes))
    assert str(caught.value).startswith(f"{tmp_path}/a.npz") and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "is of version 2; this kinema reads version 1"),
        ({"fps": 0}, "'fps' must be a positive"),
        ({"fps": 10**400}, "'fps'"),
        ({"fps": True}, "'fps'"),
        ({"fps": float("nan")}, "'fps'"),
        ({"joints": ["a"], "hints": {}}, "shape"),
        ({"joints": "abc"}, "'joints' must be a list of words"),
        ({"name": 3}, "'name'"),
        ({"joints": ["a"] * 21}, "occurs twice"),
        ({"labels": ["x"] * 4}, "label.3: is missing"),
    ],
)
def test_wrong_words_are_named(tmp_path: Path, motion: Motion, changes: dict[str, object], message: str) -> None:
    save(motion, tmp_path / "a.npz")
    with pytest.raises(FormatError, match=message):
        load(with_meta(tmp_path / "a.npz", **changes))


def test_foreign_files_are_told_what_is_expected(tmp_path: Path, data_dir: Path) -> None:
    np.savez(tmp_path / "a.npz", other=np.zeros(3), trans=np.zeros(3))
    with pytest.raises(FormatError, match="is not a motion: it holds 'other', 'trans'; expected a file"):
        load(tmp_path / "a.npz")
    (tmp_path / "b.npz").write_bytes(b"not a zip")
    with pytest.raises(FormatError, match=r"b\.npz: not an npz file"):
        load(tmp_path / "b.npz")
    for path in (data_dir / "human_mocap" / "kimodo_generated").rglob("*.npz"):
        with pytest.raises(FormatError, match=r"holds joints .* without their names"):
            load(path)


def foreign(path: Path, motion: Motion, **changes: object) -> Path:
    world = motion[:]
    turned, positions = world.global_rotations, world.global_positions
    arrays = {
        "name": "clip",
        "framerate": 59.99988,
        "positions": positions,
        "quaternions": turned[..., [1, 2, 3, 0]],
        "bone_names": np.asarray(motion.skeleton.names),
        "parent_indices": motion.skeleton.parents,
        "parent_names": np.asarray([None, *motion.skeleton.names[1:]], object),
    }
    np.savez(path, **(arrays | changes))  # type: ignore[arg-type]
    return path


def test_ai4animationpy_clips_are_read_without_their_pickle(tmp_path: Path, motion: Motion) -> None:
    back = load_motion(foreign(tmp_path / "a.npz", motion))
    assert back.skeleton.names == motion.skeleton.names and back.fps == 60.0 and back.name == "clip"
    assert back.translated.tolist() == [0, 4] and "no rest pose" in back.warnings[0]
    np.testing.assert_allclose(back[:].global_positions, motion[:].global_positions, atol=1e-5)
    turn = rotations.angle(rotations.relative(*(m[:].global_rotations.astype(float) for m in (back, motion))))
    assert turn.max() < 1e-5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parent_indices": np.zeros(21, int)}, "parent before its children"),
        ({"framerate": 0.0}, "frames per second"),
        ({"positions": np.zeros((20, 20, 3))}, "positions: has shape"),
        ({"quaternions": np.zeros((20, 21, 4))}, "unit"),
        ({"bone_names": np.array(["a"] * 21)}, "occurs twice"),
        ({"framerate": np.inf}, "not finite"),
        ({"positions": np.zeros((0, 21, 3)), "quaternions": np.zeros((0, 21, 4))}, "no frames"),
    ],
)
def test_broken_ai4animationpy_clips(tmp_path: Path, motion: Motion, changes: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        load(foreign(tmp_path / "a.npz", motion, **changes))


def test_a_real_ai4animationpy_clip(data_dir: Path) -> None:
    path = data_dir / "any_topology" / "ai4animationpy_nc" / "D1_008_KAN01_001.npz"
    motion = load_motion(path)
    with np.load(path) as opened:
        np.testing.assert_allclose(motion[:].global_positions, opened["positions"], atol=1e-5)
    assert (motion.skeleton.joint_count, motion.frames, motion.fps) == (27, 1072, 60.0)
    assert motion.translated.tolist() == [0]


def test_labels_must_be_numbers(tmp_path: Path, motion: Motion) -> None:
    with pytest.raises(FormatError, match="label 'who' is of <U1; only numbers are saved"):
        save(motion.replace(labels={"who": np.array(["a"] * 20)}), tmp_path / "a.npz")
    with pytest.raises(FormatError, match="not a Skeleton"):
        save(motion.skeleton, tmp_path / "a.npz")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_damaged_files_raise_nothing_else(biped: Skeleton, data: st.DataObject) -> None:
    motion = Motion.create(biped, np.tile([1.0, 0, 0, 0], (2, biped.joint_count, 1)))
    buffer = io.BytesIO()
    arrays = {name: getattr(motion if hasattr(motion, name) else biped, name) for name in npz.ARRAYS}
    meta = {
        "format": npz.FORMAT,
        "version": 1,
        "joints": biped.names,
        "fps": 30,
        "name": "",
        "tags": [],
        "warnings": [],
        "labels": [],
    }
    np.savez(buffer, kinema=np.frombuffer(json.dumps(meta).encode(), np.uint8), **arrays)
    raw = bytearray(buffer.getvalue())
    for _ in range(data.draw(st.integers(1, 5))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        kinema.load(Source.from_bytes(bytes(raw[: data.draw(st.integers(0, len(raw)))]), "x.npz"))
        kinema.load(Source.from_bytes(bytes(raw), "x.npz"))
    except FormatError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("changes", [{"tip_joints": np.array([-(2**63)])}, {"parents": np.array([-(2**63)])}])
def test_indices_that_wrap_round_are_named(tmp_path: Path, changes: dict[str, np.ndarray]) -> None:
    skeleton = Skeleton.create(["a"], [-1], np.zeros((1, 3)), tips=[(0, (0.0, 1.0, 0.0))])
    save(Motion.create(skeleton, rotations.identity((2, 1), np.zeros(1, np.float32))), tmp_path / "a.npz")
    with pytest.raises(FormatError, match="belongs to no joint"):
        load(rewrite(tmp_path / "a.npz", **changes))

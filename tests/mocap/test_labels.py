"""Labels: computed for any body, kept beside the arrays of a database, and refused where they are not whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion
from kinema.errors import DatabaseError, UsageError
from kinema.mocap import MotionDatabase, labels, store
from kinema.mocap.goals import find_goals
from kinema.mocap.phases import find_phases, phase_steps
from kinema.mocap.procedural import generate
from kinema.mocap.procedural.script import Segment

NAMES = {"phase", "phase_confidence", "local_phases"}


@pytest.fixture
def database(sway: Callable[..., Motion]) -> MotionDatabase:
    return MotionDatabase.from_motions([sway(seed=1), sway(seconds=3.0, seed=2, name="turn_right")])


def test_clips_are_labelled_apart(database: MotionDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    made = database.labels
    assert made.keys() == NAMES and made["local_phases"].shape == (database.frames, 2, 2)
    clip = database.clips[2]
    feet = database.pose(slice(clip.start, clip.stop)).global_positions[:, database.contact_joints]
    alone = find_phases(feet, database.fps, (0, 1), labels.relative_size(database.skeleton))
    for name, values in zip(("phase", "phase_confidence", "local_phases"), alone, strict=True):
        np.testing.assert_allclose(made[name][clip.start : clip.stop], values, atol=1e-5)
    monkeypatch.setattr(labels, "CHUNK", 50)
    for name, values in labels.gait(database).items():
        np.testing.assert_array_equal(values, made[name])


def test_goals_are_those_of_each_clip() -> None:
    script = (Segment("walk", 3.0), Segment("idle", 3.0))
    database = MotionDatabase.from_motions([generate(script=script, fps=30, seed=seed) for seed in range(3)])
    made = labels.LABELLERS["goals"](database)
    assert list(made) == ["goal"] and made["goal"].shape == (database.frames,)
    feet, size = labels.foot_positions(database), labels.relative_size(database.skeleton)
    for seed, clip in enumerate(database.clips):
        span = slice(clip.start, clip.stop)
        np.testing.assert_array_equal(made["goal"][span], find_goals(feet[span], database.fps, size, seed))
    assert 0.1 < (made["goal"] >= 0).mean() < 0.9 and made["goal"].max() > 30


@pytest.mark.parametrize("pairs", [2, 3])
def test_bodies_on_many_legs(crawler: Callable[..., Motion], pairs: int) -> None:
    """Legs that take turns have opposite local phases, and the mirror image has them swapped."""
    database = MotionDatabase.from_motions([crawler(pairs, cycles=6)])
    take, image = (database.labels["local_phases"][clip.start : clip.stop] for clip in database.clips)
    assert take.shape[1:] == (2 * pairs, 2)
    swapped = np.arange(2 * pairs).reshape(-1, 2)[:, ::-1].reshape(-1)
    np.testing.assert_allclose(image, take[:, swapped], atol=1e-3)
    phase = database.labels["phase"][: len(take)]
    assert phase_steps(phase[30:151]).sum() == pytest.approx(4.0, abs=0.05)  # a stride a second


def test_labels_are_saved_and_mapped(database: MotionDatabase, tmp_path: Path) -> None:
    database.labels["height"] = np.arange(3 * database.frames, dtype=np.float64).reshape(-1, 3)
    database.save(tmp_path / "db")
    opened = MotionDatabase.open(tmp_path / "db")
    assert opened.labels.keys() == NAMES | {"height"}
    for name, values in opened.labels.items():
        assert isinstance(values, np.memmap) and values.dtype == database.labels[name].dtype
        np.testing.assert_array_equal(values, database.labels[name])
    opened.verify()
    assert not MotionDatabase.open(tmp_path / "db", labelled=False).labels


def test_a_database_without_labels_opens(database: MotionDatabase, tmp_path: Path) -> None:
    database.labels.clear()
    database.save(tmp_path / "db")
    store.shutil.rmtree(tmp_path / "db" / "labels")  # as before there were labels
    opened = MotionDatabase.open(tmp_path / "db")
    assert opened.labels == {}
    opened.verify()


def test_labels_replace_those_of_the_same_name(database: MotionDatabase, tmp_path: Path) -> None:
    database.save(tmp_path / "db")
    before = MotionDatabase.open(tmp_path / "db")
    labels.write(tmp_path / "db", {"phase": np.zeros(database.frames, np.float32)}, before.labels)
    after = MotionDatabase.open(tmp_path / "db").labels
    assert after.keys() == NAMES and not after["phase"].any()
    np.testing.assert_array_equal(after["local_phases"], database.labels["local_phases"])
    np.testing.assert_array_equal(before.labels["phase"], database.labels["phase"])  # an open database keeps its own


def test_writing_that_fails_keeps_the_labels(
    database: MotionDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.save(tmp_path / "db")

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.ArrayFile, "write", full)
    with pytest.raises(OSError):
        labels.write(tmp_path / "db", database.labels)
    monkeypatch.undo()
    MotionDatabase.open(tmp_path / "db").verify()
    assert {path.name for path in (tmp_path / "db").iterdir() if path.is_dir()} == {"labels"}


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("../phase", np.zeros(304), "cannot be named"),
        ("", np.zeros(304), "cannot be named"),
        ("x", np.zeros(303), "not an array of numbers for each of 304 frames"),
        ("x", np.zeros(304, object), "not an array of numbers"),
        ("x", np.full(304, np.nan), "not finite"),
    ],
)
def test_labels_that_do_not_fit_are_refused(
    name: str, values: np.ndarray, words: str, database: MotionDatabase, tmp_path: Path
) -> None:
    database.labels[name] = values
    with pytest.raises(DatabaseError, match=words):
        database.save(tmp_path / "db")
    assert not (tmp_path / "db").exists()


def damaged(folder: Path, change: Callable[[dict], object]) -> None:
    index = json.loads((folder / "index.json").read_text())
    change(index)
    (folder / "index.json").write_text(json.dumps(index))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda index: index.update(version=2), "not labels of version 1"),
        (lambda index: index.update(format="kinema.database"), "not labels of version 1"),
        (lambda index: index.pop("arrays"), "cannot be read"),
        (lambda index: index["arrays"].update({"../x": {}}), "no file name"),
        (lambda index: index["arrays"].update(other={}), "other.npy: damaged or missing"),
        (lambda index: index["arrays"]["phase"].update(dtype="<f8"), "the index says <f8"),
    ],
)
def test_damaged_labels_are_named_with_what_helps(
    change: Callable[[dict], object], words: str, database: MotionDatabase, tmp_path: Path
) -> None:
    database.save(tmp_path / "db")
    damaged(tmp_path / "db" / "labels", change)
    with pytest.raises(DatabaseError, match=words) as caught:
        MotionDatabase.open(tmp_path / "db")
    assert "kinema label" in str(caught.value) and "\n" not in str(caught.value)
    assert MotionDatabase.open(tmp_path / "db", labelled=False).frames == database.frames


def test_labels_of_another_database_are_refused(
    database: MotionDatabase, sway: Callable[..., Motion], tmp_path: Path
) -> None:
    database.save(tmp_path / "db")
    MotionDatabase.from_motions([sway(seed=1)]).save(tmp_path / "other")
    store.shutil.rmtree(tmp_path / "db" / "labels")
    (tmp_path / "other" / "labels").rename(tmp_path / "db" / "labels")
    with pytest.raises(DatabaseError, match="labels of another database"):
        MotionDatabase.open(tmp_path / "db")


def test_changed_bytes_are_found(database: MotionDatabase, tmp_path: Path) -> None:
    database.save(tmp_path / "db")
    path = tmp_path / "db" / "labels" / "phase.npy"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(DatabaseError, match=r"phase\.npy: has changed since it was written; make the labels again"):
        MotionDatabase.open(tmp_path / "db").verify()


def test_labellers_are_found_by_name(tmp_path: Path, database: MotionDatabase) -> None:
    assert labels.find_labeller("gait") is labels.gait
    own = tmp_path / "own.py"
    own.write_text("import numpy as np\ndef dance(database):\n    return {'beat': np.zeros(database.frames)}\n")
    assert labels.find_labeller(f"{own}:dance")(database)["beat"].shape == (database.frames,)
    with pytest.raises(UsageError, match="no 'waltz' among the labellers; there are gait"):
        labels.find_labeller("waltz")

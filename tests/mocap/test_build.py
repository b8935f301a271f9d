"""Building databases from files."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations, save, workers
from kinema.errors import DatabaseError
from kinema.mocap import MotionDatabase, build, labels, shards, store


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_folder(takes: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    report = build(takes, tmp_path / "db", progress=lambda *what: seen.append(what))
    assert (report.clips, report.frames, report.skipped, report.known) == (12, 12 * 61, (), 0)
    assert report.seconds == pytest.approx(report.frames / 30)
    assert report.frames_per_second == pytest.approx(report.frames / report.wall_seconds)
    assert [(done, total) for done, total, _ in seen] == [(n, 6) for n in range(1, 7)]
    database = MotionDatabase.open(tmp_path / "db")
    assert [clip.name for clip in database.clips[::2]] == [f"walk_left_{n}" for n in range(6)]
    assert database.clips[0].source == "takes/walk_left_0.bvh"
    assert database.clips[0].tags == ("walk", "left") and database.clips[1].tags == ("walk", "right")
    assert not (tmp_path / "db.partial").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["db", "takes"]


def test_file_and_memory_agree(takes: Path, tmp_path: Path, sway: Callable[..., Motion]) -> None:
    build(takes, tmp_path / "db")
    opened = MotionDatabase.open(tmp_path / "db")
    memory = MotionDatabase.from_motions([sway(seed=n) for n in range(6)])
    assert np.abs(opened.pose(slice(None)).global_positions - memory.pose(slice(None)).global_positions).max() < 1e-4
    assert np.array_equal(opened.contacts, memory.contacts)


def test_zip_and_folder_give_the_same_frames(takes: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "takes.zip", "w") as archive:
        for file in takes.iterdir():
            archive.write(file, f"in/{file.name}")
    build(takes, tmp_path / "a")
    build(tmp_path / "takes.zip", tmp_path / "b")
    a, b = contents(tmp_path / "a"), contents(tmp_path / "b")
    assert MotionDatabase.open(tmp_path / "b").clips[0].source == "takes.zip/in/walk_left_0.bvh"
    assert all(a[name] == b[name] for name in a if name.endswith(".npy"))


def test_same_bytes_for_any_number_of_workers(takes: Path, tmp_path: Path) -> None:
    build(takes, tmp_path / "one", workers=1)
    build([file for file in sorted(takes.iterdir(), reverse=True)], tmp_path / "two", workers=1)
    build(takes, tmp_path / "three", workers=2)
    one, two, three = (contents(tmp_path / name) for name in ("one", "two", "three"))
    assert one == three
    assert all(one[name] == two[name] for name in one if name.endswith(".npy"))


SOME = (
    "Hips",
    "Head",
    *(f"{side}{part}" for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot", "ToeBase", "Arm")),
)


def test_some_joints_move_as_before(takes: Path, tmp_path: Path) -> None:
    listed = tmp_path / "joints.txt"
    listed.write_text("\n".join(SOME))
    build(takes, tmp_path / "all")
    build(takes, tmp_path / "some", joints=listed)
    whole, some = MotionDatabase.open(tmp_path / "all"), MotionDatabase.open(tmp_path / "some")
    assert set(some.skeleton.names) == set(SOME) and some.frames == whole.frames
    assert some.options["joints"] == list(SOME) and whole.options["joints"] == "all"
    kept = whole.skeleton.indices(some.skeleton.names)
    pose, same = some.pose(slice(None)), whole.pose(slice(None))
    np.testing.assert_allclose(pose.global_positions, same.global_positions[:, kept], atol=1e-4)
    turns = rotations.relative(pose.global_rotations, same.global_rotations[:, kept])
    assert rotations.angle(turns).max() < 2e-3
    assert np.array_equal(some.contacts, whole.contacts)


def test_what_is_added_has_the_joints_of_the_database(takes: Path, tmp_path: Path, sway: Callable[..., Motion]) -> None:
    build(takes, tmp_path / "db", joints=SOME)
    save(sway(seed=9), takes / "more.bvh")
    with pytest.raises(DatabaseError, match="was built with 12 named joints, cannot append with body"):
        build(takes, tmp_path / "db", append=True, joints="body")
    report = build(takes, tmp_path / "db", append=True)
    assert (report.clips, report.known, report.skipped) == (14, 6, ())
    assert len(MotionDatabase.open(tmp_path / "db").skeleton.names) == len(SOME)


def test_a_file_without_the_joints_to_keep_is_listed(takes: Path, tmp_path: Path, sway: Callable[..., Motion]) -> None:
    motion = sway()
    names = [name.replace("Head", "Kopf") for name in motion.skeleton.names]
    save(motion.replace(skeleton=replace(motion.skeleton, names=tuple(names))), takes / "other.bvh")
    report = build(takes, tmp_path / "db", joints=SOME)
    assert [item.path for item in report.skipped] == ["takes/other.bvh"]
    assert "no joint is named 'Head'" in report.skipped[0].reason


def test_a_worker_that_dies_is_one_line(takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_start_worker", _die)
    with pytest.raises(DatabaseError, match="a worker process died") as caught:
        build(takes, tmp_path / "db", workers=2)
    assert "\n" not in str(caught.value)


def _die(_: str) -> None:
    os.abort()


def test_a_broken_clip_is_reported_and_the_rest_kept(takes: Path, tmp_path: Path) -> None:
    broken = takes / "walk_left_2.bvh"
    broken.write_text(broken.read_text()[:3000])
    (takes / "short.bvh").write_text("HIERARCHY\n")
    report = build([takes, tmp_path / "missing.bvh"], tmp_path / "db")
    assert report.clips == 10
    assert [item.path for item in report.skipped] == ["missing.bvh", "takes/short.bvh", "takes/walk_left_2.bvh"]
    assert all(item.reason and "\n" not in item.reason for item in report.skipped)
    assert "no such file" in report.skipped[0].reason


def test_other_skeletons_are_left_out_with_the_reason(takes: Path, tmp_path: Path, sway: Callable[..., Motion]) -> None:
    stick = Skeleton.create(["a", "b"], [-1, 0], [[0, 1, 0], [0, 1, 0]])
    save(sway(skeleton=stick), takes / "stick.bvh")
    report = build(takes, tmp_path / "db")
    assert report.clips == 12
    (skipped,) = report.skipped
    assert skipped.path == "takes/stick.bvh"
    assert "it has 2 joints (a, b)" in skipped.reason and "21 joints (Hips" in skipped.reason


def test_the_same_content_is_taken_once(takes: Path, tmp_path: Path) -> None:
    (takes / "copy.bvh").write_bytes((takes / "walk_left_0.bvh").read_bytes())
    report = build([takes, takes / "walk_left_1.bvh"], tmp_path / "db")
    assert (report.clips, report.known, report.skipped) == (12, 1, ())


def test_nothing_to_build_from(takes: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatabaseError, match=r"no motion file in .*empty; looked for .* \.bvh .*\.npz"):
        build(tmp_path / "empty", tmp_path / "db")
    (tmp_path / "empty" / "bad.bvh").write_text("nonsense")
    with pytest.raises(DatabaseError, match=r"none of 1 files could be used; empty/bad\.bvh: "):
        build(tmp_path / "empty", tmp_path / "db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "takes"]


def test_append(takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sway: Callable[..., Motion]) -> None:
    late = [(takes / f"walk_left_{n}.bvh").rename(tmp_path / f"walk_left_{n}.bvh") for n in (1, 4)]
    build(takes, tmp_path / "db")
    before = MotionDatabase.open(tmp_path / "db")
    old = {name: np.array(getattr(before, name)) for name in store.ARRAYS}
    for file in late:
        file.rename(takes / file.name)
    made: list[str] = []
    make = shards.make
    monkeypatch.setattr(shards, "make", lambda job, folder: made.append(job.name) or make(job, folder))
    report = build(takes, tmp_path / "db", append=True)
    assert made == ["takes/walk_left_1.bvh", "takes/walk_left_4.bvh"]
    assert (report.clips, report.known, report.skipped) == (12, 4, ())
    after = MotionDatabase.open(tmp_path / "db")
    after.verify()
    assert all(np.array_equal(getattr(after, name)[: len(old[name])], old[name]) for name in old)
    assert after.clips[:8] == before.clips and after.clips[8].source == "takes/walk_left_1.bvh"
    assert after.clearance == before.clearance

    untouched = contents(tmp_path / "db")
    again = build(takes, tmp_path / "db", append=True)
    assert (again.clips, again.known, len(made)) == (12, 6, 2)
    assert contents(tmp_path / "db") == untouched
    with pytest.raises(DatabaseError, match="has 30 frames per second, cannot append 60"):
        build(takes, tmp_path / "db", append=True, fps=60)


def test_the_labels_are_of_all_clips_that_were_added(takes: Path, tmp_path: Path) -> None:
    late = (takes / "walk_left_5.bvh").rename(tmp_path / "walk_left_5.bvh")
    build(takes, tmp_path / "db")
    before = MotionDatabase.open(tmp_path / "db")
    labels.write(tmp_path / "db", {"beat": np.zeros(before.frames)}, before.labels)
    report = build(late, tmp_path / "db", append=True)
    assert [line for line in report.warnings if "left out the labels beat" in line]
    after = MotionDatabase.open(tmp_path / "db").labels
    assert after.keys() == {"phase", "phase_confidence", "local_phases"}
    for name, values in after.items():
        np.testing.assert_array_equal(values[: before.frames], before.labels[name])
        assert len(values) == before.frames + 2 * 61


def test_append_of_a_clip_that_translates_more_joints(
    takes: Path, tmp_path: Path, sway: Callable[..., Motion], biped: Skeleton
) -> None:
    build(takes, tmp_path / "db")
    before = MotionDatabase.open(tmp_path / "db").pose(slice(None)).global_positions
    motion = sway(seed=9)
    every = motion[:].local_translations
    every[:, 4, 1] += 0.02 * np.sin(np.arange(motion.frames))
    save(Motion.create(biped, motion.local_rotations, every, name="stretch"), tmp_path / "stretch.npz")
    build(tmp_path / "stretch.npz", tmp_path / "db", append=True)
    after = MotionDatabase.open(tmp_path / "db")
    assert after.translated.tolist() == [0, 4]
    assert np.abs(after.pose(slice(0, len(before))).global_positions - before).max() < 1e-6


def test_an_existing_database_needs_force(takes: Path, tmp_path: Path) -> None:
    build(takes, tmp_path / "db", mirror=False)
    with pytest.raises(DatabaseError, match="--append or replace it with --force"):
        build(takes, tmp_path / "db")
    assert build(takes, tmp_path / "db", force=True, fps=60).seconds == pytest.approx(12 * 121 / 60)


KILLED = """
import os, signal, sys
from kinema.mocap import build
if __name__ == "__main__":
    def progress(done, total, name):
        if done == 3:
            os.kill(os.getpid(), signal.SIGKILL)
    build(sys.argv[1], sys.argv[2], workers=int(sys.argv[3]), progress=progress)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_build_goes_on(takes: Path, tmp_path: Path, workers: int) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    command = [sys.executable, str(script), str(takes), str(tmp_path / "db"), str(workers)]
    # Its workers hold the pipe, too: reading to the end waits until they have noticed and ended.
    assert subprocess.run(command, check=False, stdout=subprocess.PIPE).returncode == -signal.SIGKILL
    assert not (tmp_path / "db").exists()
    finished = list((tmp_path / "db.partial" / "shards").glob("*.npz"))
    assert len(finished) >= 3
    stamps = {path: path.stat().st_mtime_ns for path in finished}
    seen: list[int] = []
    kept: list[bool] = []

    def progress(done: int, total: int, name: str) -> None:
        seen.append(done)
        kept.append(all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items()))

    assert build(takes, tmp_path / "db", progress=progress).clips == 12
    assert all(kept) and len(seen) <= 6 - len(finished)
    build(takes, tmp_path / "clean")
    assert contents(tmp_path / "db") == contents(tmp_path / "clean")
    assert not (tmp_path / "db.partial").exists()


def test_a_cut_shard_is_made_again(takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = shards.make

    def half(job: shards.ShardJob, folder: Path) -> str | None:
        reason = make(job, folder)
        path = folder / f"{job.key}.npz"
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        monkeypatch.setattr(shards, "make", make)
        return reason

    monkeypatch.setattr(shards, "make", half)
    assert build(takes, tmp_path / "db", workers=1).clips == 12


@pytest.mark.parametrize("where", ["shard", "database"])
def test_a_full_disk(takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    build(takes, tmp_path / "db", mirror=False)
    old = contents(tmp_path / "db")

    def full(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(*((np, "savez", full) if where == "shard" else (os, "fsync", full)))
        with pytest.raises(DatabaseError, match="the disk is full") as caught:
            build(takes, tmp_path / "db", force=True)
    assert "\n" not in str(caught.value)
    assert contents(tmp_path / "db") == old
    assert not (tmp_path / "db.partial" / "new").exists()
    assert build(takes, tmp_path / "db", force=True).clips == 12
    assert not (tmp_path / "db.partial").exists()


def test_killed_between_the_two_renames(takes: Path, tmp_path: Path) -> None:
    build(takes, tmp_path / "db")
    old = contents(tmp_path / "db")
    (tmp_path / "db.partial").mkdir()
    (tmp_path / "db").rename(tmp_path / "db.partial" / "previous")
    assert build(takes, tmp_path / "db", append=True).known == 6
    assert contents(tmp_path / "db") == old


def test_one_build_at_a_time(takes: Path, tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    with open(tmp_path / "db.partial.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(DatabaseError, match="another build"):
            build(takes, tmp_path / "db")


ENDED_BY_FORCE = """
import sys
from kinema import unfinished
from kinema.mocap import build, shards
shards.make = lambda *_: unfinished.end_now(7)
build(sys.argv[1], sys.argv[2], workers=1)
"""


def test_a_build_that_is_ended_by_force_leaves_no_lock(takes: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", ENDED_BY_FORCE, str(takes), str(tmp_path / "db")]
    assert subprocess.run(command, timeout=120).returncode == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == ["db.partial", "takes"]


def test_real_archive(data_dir: Path, tmp_path: Path) -> None:
    """A few takes of every kind, straight from the archive."""
    with zipfile.ZipFile(data_dir / "locomotion_bandai_nc.zip") as archive:
        names = [name for name in archive.namelist() if name.endswith("_normal_001.bvh")]
        for name in names:
            (tmp_path / Path(name).name).write_bytes(archive.read(name))
    report = build(tmp_path, tmp_path / "db", workers=1)
    assert report.skipped == () and report.clips == 2 * len(names)
    database = MotionDatabase.open(tmp_path / "db")
    assert 0.02 < database.clearance < 0.06
    standing = database.contacts[:].astype(bool)
    positions = database.pose(slice(None)).global_positions[:, database.contact_joints]
    assert 0.3 < standing.mean() < 0.6
    assert np.percentile(positions[..., 1][standing], 99) < 0.08
    within = standing[1:] & standing[:-1]
    for clip in database.clips[1:]:
        within[clip.start - 1] = False
    assert np.linalg.norm(np.diff(positions, axis=0), axis=-1)[within].mean() * database.fps < 0.08
    for clip in database.clips:
        stand = standing[clip.start : clip.stop]
        if "walk" in clip.tags and clip.frames > 60:
            assert stand.any(axis=1).mean() > 0.9, clip.name


def test_clips_of_a_build_that_ended_meanwhile_are_not_lost(
    takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, late = tmp_path / "db", [tmp_path / "walk_left_1.bvh", tmp_path / "walk_left_4.bvh"]
    for file in late:
        (takes / file.name).rename(file)
    build(takes, out)
    partial_folder = store.partial_folder

    def meanwhile(target: Path) -> Path:
        """The last step before the lock: another build comes and goes."""
        if sys._getframe(1).f_code.co_name == "build":
            monkeypatch.setattr(store, "partial_folder", partial_folder)
            build(late[0], out, append=True)
        return partial_folder(target)

    monkeypatch.setattr(store, "partial_folder", meanwhile)
    with pytest.raises(DatabaseError, match="changed by another build"):
        build(late[1], out, append=True)
    assert build(late[1], out, append=True).clips == 12


@pytest.mark.parametrize("fps", [0.0, -30.0, 1e-9, 1e9, float("nan"), float("inf")])
def test_rates_that_are_none(takes: Path, tmp_path: Path, fps: float) -> None:
    with pytest.raises(DatabaseError, match=r"must be 0\.001 to 100000"):
        build(takes, tmp_path / "db", fps=fps)


def test_a_target_that_no_file_system_takes(takes: Path, tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="cannot be written"):
        build(takes, tmp_path / ("x" * 300))

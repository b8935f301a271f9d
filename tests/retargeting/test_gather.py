"""Takes of many skeletons in one database."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, formats, rotations
from kinema.character import Character
from kinema.cli.main import main
from kinema.errors import DatabaseError, FormatError, SkeletonError
from kinema.formats import Asset
from kinema.mocap import MotionDatabase, build
from kinema.mocap.procedural import Segment, generate
from kinema.retargeting.gather import FIGURES, Gather, alike


@pytest.fixture(scope="module")
def target(rig: Skeleton, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("target") / "rig.glb"
    formats.save(Asset("", "gltf", rig, (), Character("rig", rig)), path)
    return path


@pytest.fixture(scope="module")
def takes(walk: Motion, small: Skeleton, target: Path, tmp_path_factory) -> Path:
    """One take on each of two skeletons, one on the target's, and a file that nobody can use."""
    folder = tmp_path_factory.mktemp("takes")
    formats.save(walk.cut(0, 120), folder / "a.bvh")
    formats.save(generate(small, [Segment("walk", 2.0)], fps=60.0, seed=2), folder / "b.glb")
    own = formats.load(target).skeleton
    assert own is not None
    formats.save(Motion.create(own, np.tile(own.rest_rotations, (60, 1, 1)), fps=30.0), folder / "c.npz")
    fish = Skeleton.create(["body", "tail", "fin"], [-1, 0, 1], [[0, 1, 0], [0, 0, -0.5], [0, 0, -0.5]])
    formats.save(Motion.create(fish, np.tile(fish.rest_rotations, (60, 1, 1)), fps=30.0), folder / "fish.npz")
    return folder


def test_all_takes_are_on_the_target_and_reported(takes: Path, target: Path, tmp_path: Path) -> None:
    gather = Gather(target)
    report = build(takes, tmp_path / "db", gathers=gather, mirror=False, workers=1)
    database = MotionDatabase.open(tmp_path / "db")
    assert database.skeleton.names == gather.skeleton.names and len(database.clips) == 3
    assert [item.path for item in report.skipped] == [f"{takes.name}/fish.npz"]
    assert [item.clip for item in report.fitted] == ["a", "b"], "the one on the target is taken as it is"
    for item in report.fitted:
        assert set(item.figures) == {"joints", *FIGURES}
        assert item.figures["direction_error_deg"] < 2.0 and item.figures["skate_after_cm_s"] < 1.0
    walked = database.clip_motion(0)
    hips = walked[:].global_positions[:, walked.skeleton.roles.hips]
    assert np.ptp(hips[:, [0, 2]], axis=0).max() > 0.5
    labels = walked.labels
    assert labels["contact.left"].any() and not labels["contact.left"].all()


@pytest.mark.slow
def test_the_same_bytes_with_workers_and_after_a_kill(takes: Path, target: Path, tmp_path: Path) -> None:
    gather = pickle.loads(pickle.dumps(Gather(target)))
    done: list[str] = []

    def stop(count: int, total: int, name: str) -> None:
        done.append(name)
        if count == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(takes, tmp_path / "one", gathers=gather, mirror=False, workers=1, progress=stop)
    seen: list[str] = []

    def note(count: int, total: int, name: str) -> None:
        seen.append(name)

    build(takes, tmp_path / "one", gathers=gather, mirror=False, workers=1, progress=note)
    assert len(seen) == 4 - len(done), "what was done is kept"
    build(takes, tmp_path / "two", gathers=gather, mirror=False, workers=2)
    one, two = (
        {
            str(file.relative_to(tmp_path / name)): file.read_bytes()
            for file in (tmp_path / name).rglob("*")
            if file.is_file()
        }
        for name in ("one", "two")
    )
    assert one == two


def test_other_targets_make_other_shards(target: Path, small: Skeleton, tmp_path: Path) -> None:
    formats.save(Asset("", "gltf", small, (), Character("small", small)), tmp_path / "small.glb")
    copy = tmp_path / "copy.glb"
    copy.write_bytes(target.read_bytes())
    assert Gather(target).key == Gather(copy).key != Gather(tmp_path / "small.glb").key


def test_adding_wants_the_same_target(takes: Path, target: Path, small: Skeleton, tmp_path: Path) -> None:
    build(takes / "a.bvh", tmp_path / "db", gathers=Gather(target), mirror=False)
    formats.save(Asset("", "gltf", small, (), Character("small", small)), tmp_path / "small.glb")
    with pytest.raises(DatabaseError, match="another skeleton"):
        build(takes / "b.glb", tmp_path / "db", append=True, gathers=Gather(tmp_path / "small.glb"))
    report = build(takes / "b.glb", tmp_path / "db", append=True, gathers=Gather(target))
    assert report.clips == 2 and len(report.fitted) == 1


def test_targets_that_are_none_are_refused_at_once(tmp_path: Path, takes: Path) -> None:
    with pytest.raises(FormatError):
        Gather(tmp_path / "gone.glb")
    (tmp_path / "angles.gltf").write_text('{"asset": {"version": "2.0"}}')
    with pytest.raises((SkeletonError, FormatError)):
        Gather(tmp_path / "angles.gltf")


def test_rest_poses_tell_skeletons_apart(rig: Skeleton, walk: Motion) -> None:
    assert alike(rig, rig) and not alike(rig, walk.skeleton)
    moved = rig.rest_translations.copy()
    moved[5] *= 1.1
    assert not alike(Skeleton.create(rig.names, rig.parents, moved, rig.rest_rotations), rig)


@pytest.mark.parametrize(("turn", "move", "same"), [(1.7e-3, 0.9e-3, True), (2.5e-3, 0, False), (0, 1.2e-3, False)])
def test_rest_poses_of_one_skeleton_may_differ_by_what_a_file_rounds(
    rig: Skeleton, turn: float, move: float, same: bool
) -> None:
    """By two milliradians and a millimetre; the root may be anywhere."""
    translations, own = rig.rest_translations.copy(), rig.rest_rotations.copy()
    translations[0] += [1.0, 2.0, 3.0]
    translations[5, 1] -= move
    own[7] = rotations.multiply(own[7], rotations.exp(np.float32([0, turn, 0])))
    assert alike(Skeleton.create(rig.names, rig.parents, translations, own), rig) == same


def test_the_command_lists_what_it_brought(takes: Path, target: Path, tmp_path: Path, capsys) -> None:
    code = main(["build", str(takes), "-o", str(tmp_path / "db"), "--to", str(target), "--no-mirror", "--workers", "1"])
    captured = capsys.readouterr()
    assert code == 1, "the fish"
    assert "2 takes were retargeted" in captured.err and "skate before" in captured.out
    main(["build", str(takes / "a.bvh"), "-o", str(tmp_path / "db"), "--to", str(target), "--force", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["fitted"][0]["clip"] == "a" and report["fitted"][0]["figures"]["joints"] == 22
    assert main(["build", str(takes), "-o", str(tmp_path / "x"), "--map", "{}"]) == 2

"""The whole pipeline, unattended, in small."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema import Motion, Skeleton, demonstration, formats
from kinema.character import Character, Mesh
from kinema.control import subject
from kinema.demonstration import FILES, SHEET, VIDEO, run_demo
from kinema.errors import KinemaError, MissingError, SkeletonError
from kinema.evaluation import FPS
from kinema.metrics import COLUMNS
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.terrain import Placed, slope

SEED = 2  # walks, and walks elsewhere, within its first two seconds


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """A folder with a small database."""
    path = tmp_path_factory.mktemp("demo") / "walk.db"
    MotionDatabase.from_motions(locomotion_set(minutes=1)).save(path)
    return path


@pytest.mark.slow
def test_the_drive_is_on_the_terrain(database, tmp_path):
    ground = Placed(slope(length=40.0, rise=8.0, width=90.0), (0.0, 0.0, -20.0))
    run_demo(tmp_path, [str(database)], seconds=2.0, seed=SEED, video=False, ground=ground)
    motion = formats.load_motion(tmp_path / "demo.bvh")
    hips = motion[:].global_positions[:, 0]
    above = hips[:, 1] - ground.height(hips)
    assert 3.5 < ground.height(hips[0]) < 4.5 and above.min() > 0.6 and above.max() < 1.2


@pytest.fixture(scope="module")
def made(database, tmp_path_factory):
    """What a demo says, and the folder of what it wrote."""
    folder = tmp_path_factory.mktemp("demo") / "new" / "out"
    said, seen = [], []

    def progress(done: int, total: int, what: str) -> None:
        seen.append((done, total, what))

    report = run_demo(folder, [database], seconds=2.0, seed=SEED, note=said.append, progress=progress)
    return report, folder, said, seen


@pytest.fixture
def films() -> bool:
    """Whether this machine can draw and film."""
    return not demonstration.missing_pictures(video=True)


@pytest.mark.slow
def test_files_are_written_and_can_be_read(made, films):
    report, folder, _, _ = made
    if not films:
        pytest.skip("nothing to draw with here")
    names = FILES
    assert report.outputs == [str(folder / name) for name in names]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert not report.left_out
    glb, bvh = formats.load_motion(folder / "demo.glb"), formats.load_motion(folder / "demo.bvh")
    for motion in (glb, bvh):
        assert motion.frames == 120 and motion.fps == pytest.approx(FPS, rel=1e-3)
    order = bvh.skeleton.indices(glb.skeleton.names)
    np.testing.assert_allclose(glb[:].global_positions, bvh[:].global_positions[:, order], atol=2e-3)
    with Image.open(folder / "sheet.png") as picture:
        assert picture.width > 400 and len(np.unique(np.asarray(picture.convert("L")))) > 10


def test_rows_stand_beside_the_ground_truth(made):
    report, folder, _, _ = made
    truth, driven, statue = report.rows
    assert [row["name"] for row in report.rows] == ["ground truth", "motion matching", "sliding statue"]
    for row in report.rows:
        assert set(COLUMNS) <= set(row)
    # What a statue cannot fake, and what ground truth does not have.
    assert statue["skate_contact_cm_s"] > 5 * driven["skate_contact_cm_s"]
    assert statue["tracking_cm"] == 0 and driven["tracking_cm"] > 0 and truth["tracking_cm"] is None
    assert statue["frechet"] > driven["frechet"]
    assert driven["ms_per_frame"] > 0 and driven["penetration_percent"] < 1
    written = json.loads((folder / "metrics.json").read_text())
    assert written["seed"] == SEED and written["fps"] == FPS and written["seconds"] == 2.0
    assert [row["name"] for row in written["rows"]] == [row["name"] for row in report.rows]
    assert written["rows"][1]["tracking_cm"] == pytest.approx(driven["tracking_cm"])


def test_it_says_what_it_does(made, films):
    _, _, said, seen = made
    assert any("minutes of motion" in line for line in said) and all("\n" not in line for line in said)
    assert "demo.bvh: .bvh has no place for labels 'contact.left', 'contact.right' and tags" in said
    assert seen[:2] == [(60, 120, "driving"), (120, 120, "driving")]
    assert seen[2:] == [(number, 48, "filming") for number in range(1, 49)] * films


def test_the_film_shows_the_whole_drive(made, films):
    if not films:
        pytest.skip("nothing to film with here")
    import av

    with av.open(str(made[1] / VIDEO)) as film:
        pictures = [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(video=0)]
    assert len(pictures) == 48 and pictures[0].shape == (324, 576, 3)
    changed = np.abs(pictures[0] - pictures[-1]).max(axis=-1) > 40
    assert changed.sum() > 1000, "nothing moves"
    # dashes in green: where it was told to go
    green = (pictures[24][..., 1] - pictures[24][..., 0] > 60) & (pictures[24][..., 1] > pictures[24][..., 2])
    assert green.sum() > 20


def test_without_a_graphics_library_only_the_pictures_are_left_out(database, tmp_path, monkeypatch):
    said = []

    def probe() -> None:
        raise MissingError("no driver; get one")

    monkeypatch.setattr("kinema.rendering.context.probe", probe)
    report = run_demo(tmp_path, [database], seconds=1.0, note=said.append)
    assert report.left_out == tuple((str(tmp_path / name), "no driver; get one") for name in (SHEET, VIDEO))
    assert "sheet.png and demo.mp4 are left out: no driver; get one" in said
    left = {"demo.glb", "demo.bvh", "metrics.json"}
    assert {path.name for path in tmp_path.iterdir()} == left == {Path(path).name for path in report.outputs}
    quiet = run_demo(tmp_path, [database], seconds=1.0, video=False, note=said.append)
    assert [path for path, _ in quiet.left_out] == [str(tmp_path / SHEET)]
    assert said[-5:].count("sheet.png is left out: no driver; get one") == 1


@pytest.mark.slow
def test_nothing_is_in_the_way_of_a_second_try_after_a_film_that_fails(database, tmp_path, monkeypatch, films):
    if not films:
        pytest.skip("nothing to film with here")

    def fail(*_) -> str:
        raise KinemaError("the disk is full")

    monkeypatch.setattr(demonstration, "_film", fail)
    with pytest.raises(KinemaError, match="the disk is full"):
        run_demo(tmp_path / "out", [database], seconds=1.0)
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.slow
def test_same_seed_same_files(made, database, tmp_path, films):
    _, folder, _, _ = made
    run_demo(tmp_path, [database], seconds=2.0, seed=SEED)
    for name in (*FILES[:3], *([VIDEO] if films else [])):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name
    run_demo(tmp_path / "other", [database], seconds=2.0, seed=SEED + 1, video=False)
    assert (tmp_path / "other" / "demo.bvh").read_bytes() != (folder / "demo.bvh").read_bytes()


def test_a_character_is_moved_and_written(biped, tmp_path, monkeypatch):
    monkeypatch.setattr(subject, "GENERATED_MINUTES", 1.0)
    positions = biped.rest_pose.global_positions
    inverse = np.tile(np.eye(4, dtype=np.float32), (biped.joint_count, 1, 1))
    inverse[:, :3, 3] = -positions
    corners = np.concatenate([positions[:1] + offset for offset in np.eye(3, dtype=np.float32)])
    mesh = Mesh(
        "body",
        corners,
        np.tile(np.float32([0, 0, 1]), (3, 1)),
        np.uint32([[0, 1, 2]]),
        joints=np.zeros((3, 1), np.int32),
        weights=np.ones((3, 1), np.float32),
        inverse_bind=inverse,
    )
    person = Character("person", biped, (mesh,))
    run_demo(tmp_path, character=person, seconds=1.0, video=False)
    written = formats.load(tmp_path / "demo.glb")
    assert written.character is not None and len(written.character.meshes) == 1
    assert set(biped.names) <= set(written.motions[0].skeleton.names)


def test_what_cannot_be_used_is_one_line(tmp_path, database):
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    formats.save(Motion.create(snake, np.tile(snake.rest_rotations, (90, 1, 1)), fps=30.0), tmp_path / "snake.bvh")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    out = tmp_path / "out"
    for data, folder, error, message in (
        ([tmp_path / "snake.bvh"], out, SkeletonError, "legs"),
        ([tmp_path / "empty"], out, KinemaError, "empty"),
        ([tmp_path / "gone"], out, KinemaError, "gone"),
        ([database], tmp_path / "file" / "out", KinemaError, "is a file"),
    ):
        with pytest.raises(error, match=message) as caught:
            run_demo(folder, data, seconds=1.0)
        assert "\n" not in str(caught.value)
    assert not out.exists() or not any(out.iterdir())
    with pytest.raises(SkeletonError, match="legs"):
        run_demo(out, character=Character("snake", snake, ()), seconds=1.0)


def test_a_character_with_other_joints_is_moved_by_retargeting(tmp_path, monkeypatch):
    from kinema.benchmarks.data import rig
    from kinema.mocap.procedural import Segment, generate

    takes = tmp_path / "walk.bvh"
    formats.save(generate(script=[Segment("idle", 2.0), Segment("walk", 12.0, curve=0.3), Segment("idle", 2.0)]), takes)
    person = rig()
    mesh = Mesh(
        "m",
        np.zeros((3, 3), np.float32),
        np.tile(np.array([0, 1, 0], np.float32), (3, 1)),
        np.array([[0, 1, 2]], np.uint32),
        joint=person.index("Head"),
    )
    said: list[str] = []
    shown: list[tuple] = []

    def sheet(motion, body, **more):
        shown.append((motion, body, more["target_positions"]))
        return Image.new("RGB", (4, 4))

    monkeypatch.setattr("kinema.rendering.sheet.motion_sheet.motion_sheet", sheet)
    run_demo(
        tmp_path / "out",
        data=[takes],
        character=Character("c", person, (mesh,)),
        seconds=1.0,
        video=False,
        note=said.append,
    )
    assert any("retargeted" in line for line in said)
    written = formats.load(tmp_path / "out" / "demo.glb")
    assert written.character is not None and written.motion().skeleton.joint_count == person.joint_count
    motion, body, told = shown[0]
    assert body.skeleton.same_topology(person) and len(body.meshes) == 1 and motion.skeleton.same_topology(person)
    hips = motion[:].global_positions[:, motion.skeleton.roles.hips]
    assert np.linalg.norm((hips - told)[:, [0, 2]], axis=-1).mean() < 0.3, "the way is in the metres of the character"
    drive = formats.load_motion(tmp_path / "out" / "demo.bvh")
    assert drive.skeleton.joint_count == 22, "the drive itself, which the metrics are of"

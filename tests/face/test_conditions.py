"""Control packs from end to end, at tiny sizes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import kinema
from kinema import Motion, Skeleton
from kinema.errors import KinemaError, MissingError, SkeletonError, UsageError
from kinema.keypoints.files import read_points
from kinema.keypoints.points import BODY, LIMIT
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.rendering.conditions.targets import TARGETS, check_pack

SIZE = (64, 96)


@pytest.fixture(autouse=True, scope="module")
def graphics() -> None:
    from kinema.rendering.context import probe

    try:
        probe()
    except MissingError as error:
        pytest.skip(str(error))


def make(motion: Motion, output: Path, **options):
    return kinema.condition("mannequin", motion, output, quality="draft", **{"size": SIZE, "frames": 2, **options})


def read(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture)


def test_a_pack_is_complete_and_what_its_target_wants(take: Motion, tmp_path: Path) -> None:
    seen = []
    report = make(take, tmp_path / "pack", camera="front", progress=lambda done, total: seen.append((done, total)))
    assert report.frames == report.drawn == 2 and report.faults == () and seen == [(1, 2), (2, 2)]
    assert check_pack(tmp_path / "pack") == [] and report.maps == TARGETS["controlnet"].maps
    points = read_points(tmp_path / "pack" / "points.json").points
    assert points.body.shape == (2, 18, 3) and (points.body[:, 1, 2] == 1).all()
    cameras = json.loads((tmp_path / "pack" / "camera.json").read_text())
    assert len(cameras["frames"]) == 2 and cameras["width"] == SIZE[0]
    assert (tmp_path / "pack" / "caption.txt").read_text() == "A character moves: stroll.\n"
    assert not list((tmp_path / "pack").rglob("*.part"))


def test_views_are_of_the_sides_they_are_named_after(take: Motion, tmp_path: Path) -> None:
    make(take, tmp_path / "pack", maps=["mask"], frames=1, size=(128, 192))
    front, back, left, right = (
        read(tmp_path / "pack" / "reference" / f"{view}.png").astype(int) for view in ("front", "back", "left", "right")
    )

    def warm(picture: np.ndarray) -> np.ndarray:
        """Columns of the orange right hand and foot; those of the left are blue."""
        return np.nonzero((picture[..., 0] - picture[..., 2] > 60).any(axis=0))[0]

    assert warm(front).mean() < 64 < warm(back).mean()
    cold = lambda picture: (picture[..., 2] - picture[..., 0] > 40).sum()  # noqa: E731
    orange = lambda picture: (picture[..., 0] - picture[..., 2] > 60).sum()  # noqa: E731
    assert cold(left) > cold(right) and orange(right) > orange(left)


def test_what_was_interrupted_is_continued(take: Motion, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    make(take, folder, maps=["mask", "depth"])
    before = {path: path.read_bytes() for path in folder.rglob("*.png")}
    (folder / "depth" / "00001.png").unlink()
    assert make(take, folder, maps=["mask", "depth"]).drawn == 1
    assert make(take, folder, maps=["mask", "depth"]).drawn == 0
    assert {path: path.read_bytes() for path in folder.rglob("*.png")} == before


def test_another_pack_is_not_overwritten_without_force(take: Motion, tmp_path: Path) -> None:
    make(take, tmp_path / "pack", maps=["mask"])
    for other in ({"camera": "side"}, {"fps": 4.0}, {"maps": ["depth"]}):
        with pytest.raises(KinemaError, match=r"--force"):
            make(take, tmp_path / "pack", **{"maps": ["mask"], **other})
    with pytest.raises(KinemaError, match=r"--force"):
        make(take.mirror(), tmp_path / "pack", maps=["mask"])
    assert make(take, tmp_path / "pack", maps=["mask"], camera="side", force=True).drawn == 2


def test_videos_have_the_names_that_the_model_reads(take: Motion, tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    report = make(take, tmp_path / "pack", target="wan-animate", frames=5)
    assert report.faults == () and report.fps == 30.0
    for name, size in (("src_pose.mp4", SIZE), ("src_face.mp4", (512, 512)), ("src_mask.mp4", SIZE)):
        with av.open(str(tmp_path / "pack" / name)) as film:
            stream = film.streams.video[0]
            assert (stream.width, stream.height, stream.frames, stream.average_rate) == (*size, 5, 30)
    assert (tmp_path / "pack" / "src_ref.png").read_bytes() == (
        tmp_path / "pack" / "reference" / "front.png"
    ).read_bytes()


def test_as_many_frames_as_the_motion_has(take: Motion, tmp_path: Path) -> None:
    report = make(take.cut(0, 20), tmp_path / "pack", target="vace", maps=["mask"], frames=None)
    assert report.frames == 9  # 10 at 16 per second; 4n + 1
    with pytest.raises(UsageError, match=r"81 frames at 16 per second are 5.06 s.*up to"):
        make(take, tmp_path / "other", target="vace", frames=81)
    with pytest.raises(UsageError, match=r"6 frames: .* 5 or 9"):
        make(take, tmp_path / "other", target="vace", frames=6)
    with pytest.raises(UsageError, match=r"multiples of 16; 64x96 is"):
        make(take, tmp_path / "other", target="vace", size=(60, 90), frames=5)
    assert not (tmp_path / "other").exists()


def test_a_motion_of_other_joints_is_retargeted(take: Motion, biped: Skeleton, tmp_path: Path) -> None:
    assert not biped.same_topology(take.skeleton)
    report = kinema.condition(
        biped, take, tmp_path / "pack", size=SIZE, frames=2, maps=["pose"], quality="draft", camera="front"
    )
    assert report.drawn == 2 and (read_points(tmp_path / "pack" / "points.json").points.body[..., 2] > 0).sum() > 25


def test_a_quadruped_is_refused_or_does_without_a_skeleton(tmp_path: Path) -> None:
    trot = perform(make_creature("wolf"), [Act("walk", 1.0)])
    with pytest.raises(SkeletonError, match=r"quadruped.*--maps depth,normals,mask"):
        make(trot, tmp_path / "pack")
    assert make(trot, tmp_path / "pack", maps=["mask"]).drawn == 2
    assert not (tmp_path / "pack" / "points.json").exists()


def test_what_does_not_exist_is_refused(take: Motion, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no target 'sora'"):
        make(take, tmp_path / "pack", target="sora")
    with pytest.raises(UsageError, match=r"no map 'flow'"):
        make(take, tmp_path / "pack", maps=["flow"])
    with pytest.raises(UsageError, match=r"at least one map"):
        make(take, tmp_path / "pack", maps=[])
    assert not (tmp_path / "pack").exists()


def test_a_scene_hides_the_body_and_its_points(take: Motion, tmp_path: Path) -> None:
    from kinema.worlds.shapes import box
    from kinema.worlds.surfels import surfels

    legs = surfels(box((0.0, 0.3, 0.8), (4.0, 0.6, 0.05), (0.2, 0.7, 0.2)), 0.05)  # a low wall before a walk along +Z
    still = take.cut(0, 15)
    options = {"maps": ["mask", "pose"], "camera": "front", "frames": 1}
    make(still, tmp_path / "open", **options)
    make(still, tmp_path / "wall", scene=legs, **options)
    alone, behind = (read_points(tmp_path / name / "points.json").points.body[0] for name in ("open", "wall"))
    ankles, nose = [BODY.index("left_ankle"), BODY.index("right_ankle")], BODY.index("nose")
    assert (alone[ankles, 2] == 1).all() and (behind[ankles, 2] < LIMIT).all() and behind[nose, 2] == 1
    mask = read(tmp_path / "wall" / "mask" / "00000.png")[..., 0] > 0
    rows = np.nonzero(mask.any(axis=1))[0]
    assert rows[0] < behind[nose, 1] < rows[-1] < behind[BODY.index("left_hip"), 1] + 0.3 * SIZE[1]

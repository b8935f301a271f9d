"""Control packs from end to end, at tiny sizes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import kinema
from kinema import Motion, Skeleton
from kinema.errors import KinemaError, MissingError, SkeletonError, UsageError
from kinema.face.staging import Staging
from kinema.keypoints.files import read_points
from kinema.keypoints.points import BODY, LIMIT
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.rendering.conditions.targets import TARGETS, check_pack
from kinema.worlds.gaussians import GaussianScene

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


@pytest.mark.slow
def test_what_was_interrupted_is_continued(take: Motion, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    make(take, folder, maps=["mask", "depth"])
    before = {path: path.read_bytes() for path in folder.rglob("*.png")}
    (folder / "depth" / "00001.png").unlink()
    assert make(take, folder, maps=["mask", "depth"]).drawn == 1
    assert make(take, folder, maps=["mask", "depth"]).drawn == 0
    assert {path: path.read_bytes() for path in folder.rglob("*.png")} == before


@pytest.mark.slow
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


@pytest.fixture(scope="module")
def yard() -> GaussianScene:
    """Ground of 8 x 8 m at a height of 0.5, with a low wall along X at z = 1.8."""
    from kinema.worlds.shapes import box
    from kinema.worlds.surfels import surfels

    ground = box((0.0, 0.45, 0.0), (8.0, 0.1, 8.0), (0.5, 0.5, 0.5))
    wall = box((0.0, 0.8, 1.8), (6.0, 0.6, 0.05), (0.2, 0.7, 0.2))
    return surfels(ground, 0.06).joined(surfels(wall, 0.04))


def test_a_scene_hides_the_body_and_its_points(take: Motion, yard: GaussianScene, tmp_path: Path) -> None:
    options = {"maps": ["mask", "pose"], "camera": "front", "frames": 1, "elevation": 0.0}
    still = take.cut(0, 15)
    make(still, tmp_path / "open", staging=Staging(yard, at=(0.0, 2.4), heading=0.0), **options)
    make(still, tmp_path / "wall", staging=Staging(yard, at=(0.0, 1.2), heading=0.0), **options)
    alone, behind = (read_points(tmp_path / name / "points.json").points.body[0] for name in ("open", "wall"))
    ankles, nose = [BODY.index("left_ankle"), BODY.index("right_ankle")], BODY.index("nose")
    assert (alone[ankles, 2] == 1).all() and (behind[ankles, 2] < LIMIT).all() and behind[nose, 2] == 1
    mask = read(tmp_path / "wall" / "mask" / "00000.png")[..., 0] > 0
    rows = np.nonzero(mask.any(axis=1))[0]
    assert rows[0] < behind[nose, 1] < rows[-1] < behind[BODY.index("left_hip"), 1] + 0.3 * SIZE[1]


@pytest.mark.slow
def test_a_body_is_put_where_it_is_to_be_and_its_mask_is_what_is_before_the_scene(
    take: Motion, yard: GaussianScene, tmp_path: Path
) -> None:
    from scipy.ndimage import binary_dilation, binary_erosion

    from kinema.face.staging import staged
    from kinema.rendering.conditions.maps import depth_map
    from kinema.rendering.film.camera_work import CameraWork
    from kinema.rendering.film.film import Film, FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.renderer import Renderer

    staging, size, still = Staging(yard, at=(1.0, 1.2), heading=0.3), (128, 192), take.cut(0, 15)
    options = {"maps": ["mask", "background", "depth"], "camera": "front", "frames": 1, "size": size}
    make(still, tmp_path / "pack", staging=staging, **options)
    shot = staged([Shot("stroll", still.skeleton, still)], staging, lambda line: None)[0]
    assert shot.motion is not None
    place, _ = shot.motion.root_frame()
    assert np.allclose(place[0][[0, 2]], (1.0, 1.2), atol=1e-3)
    view = Film(shot, FilmSettings(*size, 8.0, camera=CameraWork("front"))).view(0)
    with Renderer(*size, "draft") as renderer:
        body = renderer.render(replace(view, splats=None, floor=None), ("depth", "entities"))
        around = renderer.render(replace(view, instances=()), ("color", "depth"))
        together = renderer.render(view, ("depth",))
    before = (body.entities > 0) & (body.depth < around.depth)
    hidden = (body.entities > 0) & ~before
    assert hidden.sum() > 100 and before.sum() > 300  # the wall hides legs, and not the rest
    mask = read(tmp_path / "pack" / "mask" / "00000.png")[..., 0] > 0
    square = np.ones((3, 3))
    assert not (mask & ~binary_dilation(before, square)).any() and not (binary_erosion(before, square) & ~mask).any()
    assert (read(tmp_path / "pack" / "background" / "00000.png") == around.color[..., :3]).all()
    nearest, farthest = json.loads((tmp_path / "pack" / "pack.json").read_text())["depth_range_m"]
    # A wall that lets a little through shows the body behind it there, and not what would be behind that.
    assert (together.depth <= body.depth + 0.02)[hidden].all()
    far = np.where(hidden, together.depth, np.where(before, body.depth, around.depth))
    expected = depth_map(far, nearest, farthest).astype(int)
    edge = binary_dilation(before, square) & ~binary_erosion(before, square)
    drawn = read(tmp_path / "pack" / "depth" / "00000.png").astype(int)
    assert np.abs(drawn - expected)[~edge].max() <= 2


@pytest.mark.slow
def test_a_body_walks_along_a_way_instead_of_a_motion(yard: GaussianScene, tmp_path: Path) -> None:
    staging = Staging(yard, way=[(-2.0, -2.0), (2.0, -2.0)])
    report = kinema.condition(
        "mannequin",
        None,
        tmp_path / "pack",
        size=SIZE,
        frames=3,
        fps=2.0,
        maps=["mask"],
        quality="draft",
        staging=staging,
    )
    assert report.drawn == 3
    with pytest.raises(UsageError, match=r"one of these: a motion, points of a video, or a way"):
        make(kinema.perform(script=[kinema.Segment("idle", 1.0)]), tmp_path / "other", staging=staging)
    with pytest.raises(UsageError, match=r"one of these"):
        kinema.condition("mannequin", None, tmp_path / "other")


@pytest.mark.slow
def test_a_person_in_a_video_is_a_motion_seen_from_where_it_was_filmed(take: Motion, tmp_path: Path) -> None:
    """A pack's own key points, back again: the body is on the same side, and as wide."""
    wide = {"size": (128, 192), "maps": ["mask"], "target": "comfyui", "fps": 16.0, "frames": 33, "azimuth": 0.6}
    first = kinema.condition("mannequin", take, tmp_path / "first", quality="draft", camera="fixed", **wide)
    again = kinema.condition(
        "mannequin", None, tmp_path / "again", points=tmp_path / "first" / "points.json", quality="draft",
        **{**wide, "azimuth": None, "frames": 9},
    )  # fmt: skip
    assert first.frames == 33 and again.frames == 9
    one, other = (read_points(tmp_path / name / "points.json").points.body for name in ("first", "again"))
    across = [
        body[:9, BODY.index("left_shoulder"), 0] - body[:9, BODY.index("right_shoulder"), 0] for body in (one, other)
    ]
    assert np.sign(across[0].mean()) == np.sign(across[1].mean())

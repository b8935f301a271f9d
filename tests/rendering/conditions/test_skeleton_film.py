"""Key points of skeleton pictures in a folder and in a video."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema.errors import FormatError
from kinema.keypoints.points import BODY_COUNT, BodyPoints
from kinema.rendering.conditions.pose_map import draw_pose_map
from kinema.rendering.conditions.skeleton_film import read_skeleton_film
from kinema.rendering.film.writers import open_writer

WIDTH, HEIGHT = 256, 384


@pytest.fixture
def pictures() -> tuple[np.ndarray, list[np.ndarray]]:
    """Points `[4, 18, 2]` of somebody who moves to the right, and what is drawn of them."""
    columns, rows = np.meshgrid([60.0, 100.0, 140.0], np.linspace(30, 330, 6))
    places = np.stack([columns.ravel(), rows.ravel()], axis=-1)[:BODY_COUNT]
    moved = places + np.arange(4)[:, None, None] * [9.0, 0.0]
    sure = np.concatenate([moved, np.ones((4, BODY_COUNT, 1))], axis=-1).astype(np.float32)
    absent = [np.zeros((4, count, 3), np.float32) for count in (21, 21, 70, 2)]
    points = BodyPoints(sure, *absent)
    return moved, [draw_pose_map(points[number], WIDTH, HEIGHT) for number in range(4)]


def test_a_folder_of_pictures_gives_its_points(pictures, tmp_path: Path) -> None:
    places, drawn = pictures
    for number, picture in enumerate([*drawn, np.zeros_like(drawn[0])]):
        Image.fromarray(picture).save(tmp_path / f"{number:03d}.png")
    tracks, rate = read_skeleton_film(tmp_path)
    assert rate is None and (tracks.width, tracks.height) == (WIDTH, HEIGHT)
    assert np.abs(tracks.points.body[:4, :, :2] - places).max() < 1.5 and (tracks.points.body[4] == 0).all()


def test_a_video_gives_its_points_and_its_rate(pictures, tmp_path: Path) -> None:
    pytest.importorskip("av")
    places, drawn = pictures
    with open_writer(tmp_path / "pose.mp4", WIDTH, HEIGHT, 12.0, crf=10) as writer:
        for picture in drawn:
            writer.write(picture)
    tracks, rate = read_skeleton_film(tmp_path / "pose.mp4")
    assert rate == 12.0 and len(tracks.points.body) == 4
    found = tracks.points.body
    assert np.abs(found[..., :2] - places)[found[..., 2] > 0].max() < 3.0 and (found[..., 2] > 0).mean() > 0.9


def test_what_is_no_film_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds no pictures"):
        read_skeleton_film(tmp_path)
    (tmp_path / "a.png").write_bytes(b"x")
    with pytest.raises(FormatError, match="is no picture"):
        read_skeleton_film(tmp_path)
    for number, size in enumerate([(64, 64), (64, 96)]):
        Image.new("RGB", size).save(tmp_path / f"a{number}.png")
    (tmp_path / "a.png").unlink()
    with pytest.raises(FormatError, match="pictures of 2 sizes"):
        read_skeleton_film(tmp_path)
    pytest.importorskip("av")
    (tmp_path / "a.mp4").write_bytes(b"no film")
    with pytest.raises(FormatError, match="is no video"):
        read_skeleton_film(tmp_path / "a.mp4")

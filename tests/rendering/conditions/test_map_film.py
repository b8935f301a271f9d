"""Maps of a film: they are of one picture, pixel by pixel, and each picture can be made alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

from kinema.errors import KinemaError, SkeletonError
from kinema.keypoints.points import BODY, LIMIT
from kinema.mocap.creatures import make_creature
from kinema.rendering.conditions.map_film import MapFilm, MapFrame
from kinema.rendering.conditions.pose_map import read_pose_map
from kinema.rendering.conditions.targets import FACE_SIZE, MAPS
from kinema.rendering.film.film import Film, FilmSettings
from kinema.rendering.film.performance import Shot
from kinema.rendering.renderer import Renderer

SMALL = (128, 192)  # pixels of the film of `conftest.py`


@pytest.fixture(scope="module")
def film(walk: Film) -> MapFilm:
    return MapFilm(walk, tuple(MAPS))


@pytest.fixture(scope="module")
def frame(film: MapFilm, studio: Renderer) -> MapFrame:
    return film.frame(2, studio)


def test_all_maps_are_pictures_of_one_size(frame: MapFrame) -> None:
    for name in MAPS:
        size = (FACE_SIZE, FACE_SIZE) if name == "face" else SMALL
        assert frame.maps[name].shape == (size[1], size[0], 3) and frame.maps[name].dtype == np.uint8, name


def test_mask_parts_body_and_background_agree_to_the_pixel(frame: MapFrame) -> None:
    mask = frame.maps["mask"][..., 0] > 0
    assert 0.03 < mask.mean() < 0.5
    assert np.array_equal(mask, frame.maps["parts"].any(axis=-1))
    assert np.array_equal(mask, (frame.maps["inpaint"] == 127).all(axis=-1))
    assert not frame.maps["body"][~mask].any()
    depth = frame.maps["depth"][..., 0].astype(int)
    steps = np.abs(np.diff(depth, axis=1)) > 25  # where depth jumps is the rim of the mask
    rim = mask[:, 1:] != mask[:, :-1]
    assert binary_dilation(rim, iterations=1)[steps].mean() > 0.98
    above = np.zeros_like(mask)
    above[: SMALL[1] // 4] = True  # no shadow falls there
    same = np.abs(frame.maps["background"].astype(int) - frame.maps["picture"]).max(axis=-1) <= 2
    assert same[above & ~binary_dilation(mask, iterations=2)].all()


def test_the_body_is_white_in_depth(frame: MapFrame) -> None:
    mask = frame.maps["mask"][..., 0] > 0
    depth = frame.maps["depth"][..., 0]
    assert depth[mask].min() > 170 and depth[mask].max() >= 240
    assert depth[0].max() == 0  # sky


def test_limbs_lie_on_the_body_and_left_is_left(frame: MapFrame) -> None:
    assert frame.points is not None
    mask = binary_dilation(frame.maps["mask"][..., 0] > 0, iterations=1)
    drawn = frame.points.body[:, 2] >= LIMIT
    x, y = frame.points.body[drawn, :2].astype(int).T
    assert drawn.sum() >= 16 and mask[y, x].all()
    assert mask[frame.maps["pose"].any(axis=-1)].mean() > 0.9
    read = read_pose_map(frame.maps["pose"])
    assert np.abs(read[drawn, :2] - frame.points.body[drawn, :2]).max() <= 1.0
    parts = frame.maps["parts"]
    for side, blue in (("left", True), ("right", False)):  # left parts are blue, right ones red: the same side
        x, y = frame.points.body[BODY.index(f"{side}_elbow"), :2].astype(int)
        red, _, cold = parts[y, x].astype(int)
        assert (cold > red) == blue, side


def test_the_face_fills_its_square(frame: MapFrame) -> None:
    face = frame.maps["face"].astype(int)
    assert np.abs(face[256, 256] - face[20, 20]).max() > 10
    assert face[200:300, 200:300].std() > 2


def test_a_picture_made_alone_is_the_same(film: MapFilm, frame: MapFrame, studio: Renderer) -> None:
    film.frame(4, studio)
    again = film.frame(2, studio)
    for name in MAPS:
        assert np.array_equal(again.maps[name], frame.maps[name]), name


def test_depth_has_one_range_for_the_whole_film(film: MapFilm) -> None:
    near, far = film.depth_range
    assert 1.0 < near < 30.0 and far == pytest.approx(3 * near)


def test_an_unknown_map_is_refused(walk: Film) -> None:
    with pytest.raises(KinemaError, match=r"no map 'flow'; there are picture, pose"):
        MapFilm(walk, ("flow",))


def test_a_quadruped_has_no_skeleton_picture_but_depth(studio: Renderer) -> None:
    wolf = make_creature("wolf").skeleton
    film = Film(Shot("wolf", wolf), FilmSettings(*SMALL, 1.0, stop=1.0))
    with pytest.raises(SkeletonError, match=r"--maps depth,normals,mask"):
        MapFilm(film, ("pose", "depth"))
    frame = MapFilm(film, ("depth", "mask")).frame(0, studio)
    assert frame.points is None and frame.maps["mask"].any()

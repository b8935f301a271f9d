"""`kinema.render`, and pictures in notebooks."""

from __future__ import annotations

import numpy as np
import pytest

import kinema
from kinema.errors import FormatError, UsageError
from kinema.face.films import film_options


def test_a_notebook_shows_pictures(take):
    pytest.importorskip("moderngl")
    html = take._repr_html_()
    assert "<img" in html and "stroll" in html
    empty = take.cut(0, 0)._repr_html_()
    assert "<img" not in empty


def test_a_motion_is_rendered_to_a_file(take, tmp_path):
    pytest.importorskip("moderngl")
    from PIL import Image

    kinema.render(take, tmp_path / "walk.png", size=(64, 48), still=1.0, quality="draft")
    with Image.open(tmp_path / "walk.png") as image:
        assert image.size == (64, 48) and np.ptp(np.asarray(image.convert("L"))) > 40


def test_characters_and_files_show_pictures_too(take):
    pytest.importorskip("moderngl")
    body = kinema.Character("walker", take.skeleton)
    assert "<img" in body._repr_html_() and "&lt;Character" in body._repr_html_()
    asset = kinema.Asset("walk.glb", "gltf", take.skeleton, (take,))
    assert kinema.picture(asset, count=2).startswith(b"\x89PNG")


def test_options_become_those_of_films_and_renderers():
    settings, order = film_options(".gif", seconds=2.0, start=1.0, camera="orbit", quality="draft")
    assert (settings.width, settings.fps, settings.start, settings.stop) == (640, 25.0, 1.0, 3.0)
    assert settings.camera is not None and settings.camera.kind == "orbit" and order.quality == "draft"
    with pytest.raises(UsageError, match=r"no option .colour.; there are .*azimuth, background"):
        film_options(".mp4", colour="red")
    with pytest.raises(UsageError, match="choose one"):
        film_options(".mp4", still=1.0, sheet=3)
    with pytest.raises(UsageError, match="both say where to end"):
        film_options(".mp4", seconds=1.0, stop=3)


def test_a_clip_is_chosen_by_name_or_number(take, tmp_path):
    pytest.importorskip("moderngl")
    twice = kinema.Asset("two.glb", "gltf", take.skeleton, (take, take.cut(0, 10).replace(name="start")))
    notes = []
    report = kinema.render(twice, tmp_path / "a.png", size=(32, 32), still=0.1, quality="draft", note=notes.append)
    assert report.frames == 1 and "the first of 2 clips" in notes[0]
    kinema.render(twice, tmp_path / "b.png", clip="start", size=(32, 32), still=0.1, quality="draft")
    with pytest.raises(FormatError, match="has no clip 'end'; there are stroll, start"):
        kinema.render(twice, tmp_path / "c.png", clip="end")

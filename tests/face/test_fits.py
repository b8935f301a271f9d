from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import kinema
from kinema.errors import FormatError, UsageError
from kinema.rendering.camera import Camera
from kinema.rendering.reconstruction.photos import Lens
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds import read_scene
from kinema.worlds.made import make_world

TO_Z_UP = np.asarray([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve pictures of a room and a transforms.json."""
    scene, frames = make_world("room", 0).scene(0.15), []
    for number, angle in enumerate(2 * np.pi * np.arange(12) / 12):
        camera = Camera.look_at((3 * np.sin(angle), 2.5, 3 * np.cos(angle)), (0, 0.3, 0), 1.0)
        drawn = rasterise(scene, camera, 40, 40).colour
        Image.fromarray(np.rint(255 * np.clip(drawn, 0, 1)).astype(np.uint8)).save(tmp_path / f"{number}.png")
        lens, matrix = Lens.of(camera, 40, 40), np.eye(4)
        matrix[:3, :3] = TO_Z_UP @ (lens.axes * [[1], [-1], [-1]]).T
        matrix[:3, 3] = TO_Z_UP @ lens.position
        frames.append({"file_path": f"{number}", "transform_matrix": matrix.tolist()})
    focal = Lens.of(camera, 40, 40).focal[0]
    (tmp_path / "transforms.json").write_text(json.dumps({"fl_x": focal, "frames": frames}))
    return tmp_path


def test_a_folder_becomes_a_file(folder: Path) -> None:
    told: list[int] = []
    fit = kinema.fit_scene(
        folder,
        folder / "a.ply",
        steps=120,
        splats=1500,
        holdout=4,
        progress=lambda done, total, text: told.append(done),
    )
    assert told == list(range(1, 121)) and not fit.stopped
    assert (fit.pictures, fit.held_out, fit.steps) == (9, 3, 120)
    assert fit.unseen_db is not None and fit.baseline_db is not None and fit.seen_db > fit.baseline_db + 3
    assert len(read_scene(folder / "a.ply")) == fit.splats == len(fit.scene)
    assert fit.outputs == (str(folder / "a.ply"),) and json.dumps(fit.row)


def test_a_signal_ends_it_with_what_there_is(folder: Path) -> None:
    def progress(done: int, total: int, text: str) -> None:
        if done == 5:
            signal.raise_signal(signal.SIGINT)

    fit = kinema.fit_scene(folder, folder / "a.ply", steps=500, splats=800, progress=progress)
    assert fit.stopped and fit.steps == 5 and len(read_scene(folder / "a.ply")) == fit.splats


def test_an_interrupted_fit_goes_on(folder: Path) -> None:
    def progress(done: int, total: int, text: str) -> None:
        if done == 8:
            signal.raise_signal(signal.SIGINT)

    options: dict[str, Any] = {"steps": 20, "splats": 500, "holdout": 4}
    kinema.fit_scene(folder, folder / "a.ply", progress=progress, **options)
    assert (folder / "a.ply.partial").exists()
    told: list[str] = []
    fit = kinema.fit_scene(folder, folder / "a.ply", resume=True, note=told.append, **options)
    assert "goes on after 8 steps" in told and fit.steps == 20 and not fit.stopped
    assert not (folder / "a.ply.partial").exists()
    kinema.fit_scene(folder, folder / "b.ply", **options)
    assert (folder / "a.ply").read_bytes() == (folder / "b.ply").read_bytes()
    with pytest.raises(UsageError, match="no fit to go on with"):
        kinema.fit_scene(folder, folder / "a.ply", resume=True, **options)
    with pytest.raises(UsageError, match="say where that is"):
        kinema.fit_scene(folder, resume=True)


def test_what_makes_no_sense_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="scenes are written as"):
        kinema.fit_scene(tmp_path, "a.txt")
    with pytest.raises(UsageError, match="a fit needs"):
        kinema.fit_scene(tmp_path, steps=0)
    with pytest.raises(UsageError, match="16 pixels"):
        kinema.fit_scene(tmp_path, size=4)
    with pytest.raises(FormatError, match="has no cameras"):
        kinema.fit_scene(tmp_path)


def test_a_scene_is_shown_in_the_browser(folder: Path) -> None:
    pytest.importorskip("viser")
    said: list[str] = []
    shown = kinema.view_scene("room", make_world("park").scene(1.0), port=0, seconds=0.3, note=said.append)
    assert shown.url is not None and said[0].startswith(shown.url) and shown.files == 2 and not shown.problems
    with pytest.raises(UsageError, match="give a scene"):
        kinema.view_scene()

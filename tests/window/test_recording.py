"""Recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinema.session.log import Log
from kinema.window.recording import FPS, SceneRecording, unused


class Still:
    """A canvas with a picture whose upper half is white."""

    level, automatic = 2, True

    def read(self) -> Any:
        pixels = np.zeros((32, 48, 3), np.uint8)
        pixels[:16] = 255
        return pixels


def test_a_film_goes_by_the_clock_of_what_is_shown(tmp_path: Path):
    av = pytest.importorskip("av")
    log, canvas = Log(), Still()
    recording = SceneRecording(log)
    recording.toggle(canvas, tmp_path / "film.mp4")  # type: ignore[arg-type]
    assert recording.on and (canvas.level, canvas.automatic) == (0, False), "a film is sharp"
    for number in range(31):
        recording.capture(canvas, number / 10)  # type: ignore[arg-type]
    recording.toggle(canvas)  # type: ignore[arg-type]
    assert not recording.on and (canvas.level, canvas.automatic) == (2, True)
    assert "film.mp4" in log.lines[-1].text
    with av.open(str(tmp_path / "film.mp4")) as film:
        pictures = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
    assert len(pictures) == pytest.approx(3 * FPS, abs=2)
    assert pictures[5][:8].mean() > 200 and pictures[5][-8:].mean() < 50, "the right way up"


def test_a_name_that_is_no_film_is_said(tmp_path: Path):
    log, canvas = Log(), Still()
    recording = SceneRecording(log)
    recording.toggle(canvas, tmp_path / "film.xyz")  # type: ignore[arg-type]
    assert not recording.on and log.lines[-1].level == "error" and canvas.level == 2
    recording.capture(canvas, 0.0)  # type: ignore[arg-type]
    recording.stop(canvas)  # type: ignore[arg-type]


def test_names_are_unused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("kinema-1.png").touch()
    assert unused("png") == Path("kinema-2.png")

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError, UsageError
from kinema.rendering.reconstruction.fit import FitRecipe
from kinema.rendering.reconstruction.keeping import FitFile, FitState

from .conftest import captured

STATE = FitState({"met": np.arange(3, dtype=np.float32)}, np.random.default_rng(4).bit_generator.state, 7)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    file = FitFile.beside(tmp_path / "a.ply", captured(), FitRecipe())
    assert file.path == tmp_path / "a.ply.partial"
    file.write(STATE)
    found = file.read()
    assert found.steps == 7 and found.random == STATE.random
    np.testing.assert_array_equal(found.arrays["met"], STATE.arrays["met"])
    file.remove()
    assert not file.path.exists()


def test_the_state_of_another_fit_is_refused(tmp_path: Path) -> None:
    capture = captured()
    FitFile.beside(tmp_path / "a.ply", capture, FitRecipe()).write(STATE)
    darker = tuple(replace(photo, picture=photo.picture // 2) for photo in capture.photos)
    for other in (
        FitFile.beside(tmp_path / "a.ply", capture, FitRecipe(steps=9)),
        FitFile.beside(tmp_path / "a.ply", replace(capture, photos=darker), FitRecipe()),
        FitFile.beside(tmp_path / "a.ply", replace(capture, points=np.ones((1, 3), np.float32)), FitRecipe()),
    ):
        with pytest.raises(UsageError, match="other pictures or options"):
            other.read()
    with pytest.raises(UsageError, match="no fit to go on with"):
        FitFile.beside(tmp_path / "b.ply", capture, FitRecipe()).read()


def test_damaged_files_are_one_error(tmp_path: Path) -> None:
    file = FitFile.beside(tmp_path / "a.ply", captured(), FitRecipe())
    file.write(STATE)
    data = file.path.read_bytes()
    for damaged in (b"", b"PK", data[:-40], data[: len(data) // 2]):
        file.path.write_bytes(damaged)
        with pytest.raises(FormatError, match="begin anew"):
            file.read()

"""The notebook among the examples, run in a kernel of its own."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import numpy as np
import pytest

import kinema

pytest.importorskip("nbclient", reason="nbclient is not installed: pip install 'kinema[dev]'")
pytest.importorskip("moderngl", reason="moderngl is not installed: pip install 'kinema[render]'")

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_a_notebook_shows_motions_and_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    source = str(Path(kinema.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([source, os.environ.get("PYTHONPATH", "")]))
    outputs = runpy.run_path(str(ROOT / "scripts" / "gallery.py"))["outputs"]
    motion, character, drive = outputs(ROOT / "examples" / "13_notebook.ipynb")
    for picture in (motion, character, drive):
        assert 600 <= picture.width <= 1600 and 100 <= picture.height <= 800
        levels = np.asarray(picture.convert("L"), np.float32)
        assert levels.std() > 10 and levels.min() < 100, "a body on a floor, not an empty picture"
    assert motion.size == drive.size and np.abs(np.asarray(motion, int) - np.asarray(drive, int)).mean() > 1

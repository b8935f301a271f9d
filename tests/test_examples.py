"""Every example runs, prints, and is short."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("[0-9]*.py"))


def test_there_are_examples():
    assert EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, capsys, monkeypatch):
    assert len(path.read_text().splitlines()) < 100
    if "import torch" in path.read_text():
        pytest.importorskip("torch", reason="the example needs the extra learn")
    if "kinema.rendering.renderer" in path.read_text():
        pytest.importorskip("moderngl", reason="the example needs the extra render")
    monkeypatch.setattr("sys.argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip()

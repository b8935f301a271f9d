"""Kernels of a film, compiled by another process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kinema import compiled
from kinema.cli import readying
from kinema.errors import MissingError


class Begun(list):
    def __call__(self, command, **_):
        self.append(command)
        return command


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Begun:
    begun = Begun()
    monkeypatch.setattr(readying, "_running", [])
    monkeypatch.setattr(subprocess, "Popen", begun)
    monkeypatch.setattr(compiled, "is_cached", lambda kernel: False)
    monkeypatch.setattr(readying, "available_cores", lambda: 2)
    return begun


def test_it_begins_once_where_it_helps(begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readying, "available_cores", lambda: 1)
    readying.ready_a_film()
    assert not begun
    monkeypatch.setattr(readying, "available_cores", lambda: 2)
    readying.ready_a_film()
    readying.ready_a_film()
    assert begun == [[sys.executable, "-m", "kinema.cli.readying"]]


def test_it_does_not_begin_where_all_is_compiled(begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "is_cached", lambda kernel: True)
    readying.ready_a_film()
    assert not begun


def test_its_picture_is_drawn_by_the_kernels_of_films() -> None:
    from kinema.rendering.mannequin import field
    from kinema.rendering.splats import blending, seeing

    try:
        readying.draw_one()
    except MissingError as error:
        pytest.skip(str(error))
    for kernel in (blending.blend, seeing.see, field.divide):
        assert kernel.signatures

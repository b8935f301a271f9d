"""The driver: found, described, and said when it is missing."""

import sys

import pytest

from kinema.errors import MissingError
from kinema.rendering import context


def test_probe_names_the_driver(driver):
    info = context.probe()
    assert info.renderer and info.version[0].isdigit()
    assert str(info) == driver and ("software" in driver) == info.software


def test_without_moderngl_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "moderngl", None)
    with pytest.raises(MissingError, match=r"pip install 'kinema\[render\]'"):
        context.create_context()


def test_without_a_driver_it_is_said_what_to_install(monkeypatch):
    moderngl = pytest.importorskip("moderngl")

    def refuse(**_):
        raise Exception("(standalone) eglInitialize failed (0x3001)")

    monkeypatch.setattr(moderngl, "create_context", refuse)
    with pytest.raises(MissingError, match=r"eglInitialize failed .*apt-get install libegl1") as caught:
        context.create_context()
    assert "\n" not in str(caught.value)
    with pytest.raises(MissingError, match=r"no OpenGL 3.3 context is current"):
        context.adopt_context()


def test_a_released_context_is_lost(driver):
    made = context.create_context()
    assert not context.is_lost(made)
    made.release()
    assert context.is_lost(made)

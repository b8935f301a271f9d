"""Axes, units, clocks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from kinema.formats.fbx.settings import COARSE_TICKS, TICKS, read_settings


def test_by_default_y_is_up_and_units_are_centimetres(fbx_text):
    settings = read_settings(fbx_text().document())
    np.testing.assert_allclose(settings.conversion, np.diag([0.01, 0.01, 0.01, 1]))
    assert settings.ticks == TICKS and settings.fps == 30


@pytest.mark.parametrize("axes", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("signs", list(itertools.product((1, -1), repeat=3)))
def test_every_space_comes_out_upright_and_facing_us(fbx_text, axes, signs):
    names = ("CoordAxis", "UpAxis", "FrontAxis")
    given = dict(zip(names, axes, strict=True)) | {f"{n}Sign": s for n, s in zip(names, signs, strict=True)}
    settings = read_settings(fbx_text(**given, UnitScaleFactor=100.0).document())
    for row, (axis, sign) in enumerate(zip(axes, signs, strict=True)):
        np.testing.assert_allclose(settings.conversion[:3, :3] @ (np.eye(3)[axis] * sign), np.eye(3)[row], atol=1e-12)


def test_axes_and_units_that_cannot_be_are_said(fbx_text):
    document = fbx_text(UpAxis=2, FrontAxis=2, UnitScaleFactor=-3.0).document()
    np.testing.assert_allclose(read_settings(document).conversion, np.diag([0.01, 0.01, 0.01, 1]))
    assert len(document.warnings) == 2


@pytest.mark.parametrize(
    ("mode", "custom", "fps"),
    [
        (0, -1, 30),
        (1, -1, 120),
        (3, -1, 60),
        (6, -1, 30),
        (9, -1, 30000 / 1001),
        (10, -1, 25),
        (11, -1, 24),
        (14, 72.5, 72.5),
        (14, -1, 30),
        (99, -1, 30),
    ],
)
def test_rates(fbx_text, mode: int, custom: float, fps: float):
    assert read_settings(fbx_text(TimeMode=mode, CustomFrameRate=custom).document()).fps == pytest.approx(fps)


@pytest.mark.parametrize(
    ("header", "definition", "ticks"),
    [
        (1003, 0, TICKS),
        (1004, 0, COARSE_TICKS),
        (1004, 127, TICKS),
        (1004, None, TICKS),
    ],
)
def test_ticks(fbx_text, header: int, definition: int | None, ticks: int):
    from kinema.formats.fbx.objects import open_document
    from kinema.formats.sources import Source

    flags = "" if definition is None else f"OtherFlags: {{ TCDefinition: {definition} }}\n"
    text = fbx_text().text().replace("FBXHeaderVersion: 1003\n", f"FBXHeaderVersion: {header}\n{flags}")
    assert read_settings(open_document(Source.from_bytes(text.encode(), "a.fbx"))).ticks == ticks


def test_scaled(fbx_text):
    settings = read_settings(fbx_text().document()).scaled(10)
    np.testing.assert_allclose(settings.conversion, np.diag([0.1, 0.1, 0.1, 1]))

"""Kinds of images by their first bytes, and colours in linear light."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from kinema.formats.images import linear, mime_type


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_pictures_of_every_kind_are_recognised(kind: str):
    encoded = io.BytesIO()
    Image.new("RGB", (2, 2)).save(encoded, kind)
    assert mime_type(encoded.getvalue()) == f"image/{kind}"


@pytest.mark.parametrize("data", [b"", b"\x89", b"RIFF\x24\x00\x00\x00WAVEfmt ", b"GIF89a", b"<svg/>"])
def test_other_files_are_none(data: bytes):
    assert mime_type(data) is None


def test_linear_light_keeps_black_white_and_order_and_has_no_step():
    values = np.linspace(0, 1, 10_001)
    found = linear(values)
    assert found[0] == 0 and found[-1] == pytest.approx(1) and (np.diff(found) > 0).all()
    assert np.diff(found).max() < 3e-4, "the two branches meet"
    assert linear(0.5) == pytest.approx(0.2140, abs=1e-4)  # IEC 61966-2-1

"""Options, errors, and what importing costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import kinema
from kinema.errors import FormatError, MissingError
from kinema.formats import FORMATS, usd
from kinema.formats.sources import Source


def test_suffixes_are_known():
    assert all(FORMATS[suffix].name == "usd" for suffix in (".usd", ".usda", ".usdc", ".usdz"))


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), 1e9])
def test_rates_that_cannot_be_are_refused(fps):
    with pytest.raises(FormatError, match="cannot be sampled at"):
        kinema.load(Source.from_bytes(b"#usda 1.0\n", "a.usda"), fps=fps)


def test_other_suffixes_are_not_written(tmp_path, everything):
    with pytest.raises(FormatError, match=r"cannot write \.usdx; use \.usd \.usda \.usdc \.usdz"):
        usd.write(everything, tmp_path / "a.usdx")


@pytest.mark.parametrize("data", [b"", b"#usda 1.0\ndef", b"PXR-USDC", b"PK\x03\x04", b"\xff" * 100])
@pytest.mark.parametrize("suffix", ["usd", "usda", "usdc", "usdz"])
def test_broken_bytes_are_one_line(data, suffix):
    with pytest.raises(FormatError) as error:
        kinema.load(Source.from_bytes(data, f"a.{suffix}"))
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


def test_without_usd_core_both_ways_say_what_to_install(monkeypatch, tmp_path, everything):
    monkeypatch.setattr("kinema.formats.usd.sandbox.importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingError, match="pip install"):
        kinema.load(Source.from_bytes(b"#usda 1.0\n", "a.usda"))
    with pytest.raises(MissingError, match="pip install"):
        usd.write(everything, tmp_path / "a.usda")


def test_reading_does_not_load_usd_core_here():
    script = (
        "import sys, kinema\nfrom kinema.formats.sources import Source\n"
        "kinema.load(Source.from_bytes(b'#usda 1.0\\n', 'a.usda'))\nprint('pxr' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "False\n"

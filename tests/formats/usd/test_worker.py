"""Requests answered in this process; the loop around them is tested with `sandbox`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kinema.formats.usd.worker import answer, said


def test_refusals_are_short_and_without_our_folders(tmp_path):
    (tmp_path / "a.usda").write_text('#usda 1.0\ndef Xform "a" { float x = ] }\n')
    reply = answer({"do": "dependencies", "folder": str(tmp_path), "layer": "a.usda"})
    assert reply["refused"].startswith("cannot be read: a.usda:2:17: Expected }")
    assert str(tmp_path) not in reply["refused"] and "\n" not in reply["refused"]


def test_bytes_that_are_no_usd(tmp_path):
    (tmp_path / "a.usdc").write_bytes(b"PXR-USDC" + bytes(100))
    assert "version 0.0.0" in answer({"do": "dependencies", "folder": str(tmp_path), "layer": "a.usdc"})["refused"]
    assert answer({"do": "dependencies", "folder": str(tmp_path), "layer": "none.usdc"})["refused"]


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "a.usda").write_bytes(b'#usda 1.0\ndef Xform "\x9b\xff" { float \x9b = ] }\n')
    reply = answer({"do": "dependencies", "folder": str(tmp_path), "layer": "a.usda"})
    assert "UTF-8" in reply["refused"]


def test_long_messages_are_cut():
    assert len(said(ValueError("x " * 1000))) <= 300


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
def test_a_limit_that_is_there_already_is_kept(tmp_path):
    text = 'def SkelRoot "a" { def Skeleton "s" { uniform token[] joints = ["b"] } }'
    (tmp_path / "a.usda").write_text(f"#usda 1.0\n{text}\n")
    program = (
        "import resource, sys, kinema; resource.setrlimit(resource.RLIMIT_AS, (2 * 1024**3, 2 * 1024**3));"
        "kinema.load(sys.argv[1])"
    )
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "a.usda"], capture_output=True, text=True)
    assert "crashed" not in done.stderr

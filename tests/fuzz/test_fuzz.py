"""Two hundred inputs for some parsers, and with the slow tests for each; `make fuzz` goes on for minutes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .targets import TARGETS, attempt

RUN = Path(__file__).with_name("run.py")

ALWAYS = {"bvh", "fbx", "gltf"}
"""Text, a tree of records and JSON with buffers."""


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_read(name: str):
    """Seeds that are refused would start the search at the front door."""
    for seed in TARGETS[name].seeds()[-1:]:
        TARGETS[name].parse(seed)
    attempt(name, b"")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ALWAYS else pytest.mark.slow) for name in TARGETS]
)
def test_nothing_but_refusals_is_found(name: str, tmp_path: Path):
    pytest.importorskip("atheris", reason="atheris is not installed: pip install 'kinema[dev]' on Linux")
    done = subprocess.run(
        [sys.executable, RUN, name, "20", "200"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Done " in done.stderr and "cov: " in done.stderr

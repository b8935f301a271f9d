"""`kinema.demo`, `kinema.bench` and `kinema.doctor`."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import kinema
from kinema.errors import KinemaError


def test_this_machine_is_checked():
    assert kinema.doctor()[0].name == "python"


def test_measuring_that_fails_is_an_error(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    monkeypatch.setattr("subprocess.run", lambda *args, **options: SimpleNamespace(returncode=3))
    with pytest.raises(KinemaError, match="exit code 3"):
        kinema.bench()


def test_the_whole_pipeline(take, tmp_path):
    kinema.build(take, tmp_path / "walk.db")
    report = kinema.demo(tmp_path / "out", tmp_path / "walk.db", seconds=2.0, video=False)
    assert any(path.endswith("demo.glb") for path in report.outputs)

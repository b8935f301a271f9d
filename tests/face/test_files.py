"""`kinema.info`, `kinema.convert` and `kinema.retarget`."""

from __future__ import annotations

import pytest

import kinema
from kinema.errors import UsageError


def test_files_go_through_the_functions_of_the_commands(take, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kinema.save(take, "walk.bvh")
    (row,) = kinema.info("walk.bvh", roles=True)
    assert (row["kind"], row["frames"], row["roles"]["plan"]) == ("bvh", len(take), "biped")
    (made,) = kinema.convert("walk.bvh", "walk.glb", fps=15)
    assert (made.status, made.outputs) == ("written", ("walk.glb",)) and len(kinema.load_motion("walk.glb")) == 45
    with pytest.raises(UsageError, match="names no format"):
        kinema.convert(["walk.bvh", "walk.glb"], "out")
    (moved,) = kinema.retarget_files("walk.bvh", "walk.glb", "moved.bvh")
    assert moved.outcome.status == "written" and moved.reports[0].frames == len(take)

"""Errors name the file that was read or written, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

import kinema
from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset
from kinema.formats.checks import naming


def test_errors_get_a_path_unless_they_have_one():
    with pytest.raises(FormatError, match=r"^a\.fbx, line 3, there: is wrong$"), naming("a.fbx"):
        raise FormatError("is wrong", line=3, node="there")
    with pytest.raises(FormatError, match=r"^b\.fbx: is wrong$"), naming("a.fbx"), naming("b.fbx"):
        raise FormatError("is wrong")
    with pytest.raises(FormatError, match=r"^a\.fbx: has no joints$"), naming("a.fbx"):
        raise SkeletonError("has no joints")


def test_load_and_save_name_the_file(tmp_path: Path):
    (tmp_path / "a.bvh").write_text("ROOT a")
    with pytest.raises(FormatError, match=r"a\.bvh, line 1: a BVH file starts with HIERARCHY"):
        kinema.load(tmp_path / "a.bvh")
    with pytest.raises(FormatError, match=r"a\.glb: there is no skeleton"):
        kinema.save(Asset("", "bvh"), tmp_path / "a.glb")

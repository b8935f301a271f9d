"""Licence classes come from lists beside files, and the strictest counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinema.errors import FormatError
from kinema.footage.licences import joined_class, provenance


def test_a_list_above_a_file_says_its_class(tmp_path: Path) -> None:
    (tmp_path / "takes").mkdir()
    (tmp_path / "MANIFEST.csv").write_text(
        "path,licence,licence_class\ntakes/a.bvh,CC BY-NC 4.0,nc\ntakes/b.zip,MIT,permissive\n"
    )
    found = provenance(tmp_path / "takes" / "a.bvh")
    assert (found.licence, found.licence_class) == ("CC BY-NC 4.0", "nc")
    assert provenance(tmp_path / "takes" / "b.zip" / "walk.bvh").licence_class == "permissive"
    assert provenance(tmp_path / "takes" / "c.bvh").licence_class == "unknown"
    assert provenance(tmp_path / "takes" / "c.bvh", "nc").licence_class == "nc"


def test_a_list_of_something_else_is_left_alone_and_a_damaged_one_refused(tmp_path: Path) -> None:
    (tmp_path / "MANIFEST.csv").write_text("name,age\nx,3\n")
    assert provenance(tmp_path / "a.bvh").licence_class == "unknown"
    other = tmp_path / "other"
    other.mkdir()
    (other / "MANIFEST.csv").write_bytes(b"\xff\xfe\x00path")
    with pytest.raises(FormatError, match="list of licences"):
        provenance(other / "a.bvh")


@pytest.mark.parametrize(
    ("classes", "all_together"),
    [
        (("generated", "generated"), "generated"),
        (("generated", "permissive"), "permissive"),
        (("permissive", "nc"), "nc"),
        (("unknown", "nc"), "nc"),
        (("permissive", "unknown"), "unknown"),
        (("permissive", "attribution"), "permissive and attribution"),
    ],
)
def test_the_strictest_class_is_that_of_all(classes: tuple[str, ...], all_together: str) -> None:
    assert joined_class(classes) == all_together

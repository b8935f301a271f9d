from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.worlds import read_scene, write_scene
from kinema.worlds.files import gaussian_ply, ply

from ..conftest import drawn


@pytest.mark.parametrize("coefficients", [1, 4, 9, 16])
def test_ply_keeps_every_bit(tmp_path: Path, coefficients: int) -> None:
    scene = drawn(300, coefficients)
    write_scene(scene, tmp_path / "scene.ply")
    found = read_scene(tmp_path / "scene.ply")
    for name in ("means", "quaternions", "log_scales", "logits", "harmonics"):
        np.testing.assert_array_equal(getattr(found, name), getattr(scene, name))
    first = (tmp_path / "scene.ply").read_bytes()
    write_scene(found, tmp_path / "again.ply")
    assert (tmp_path / "again.ply").read_bytes() == first
    assert found.name == "scene"


def test_colours_are_in_the_order_that_others_write() -> None:
    """All higher coefficients of red, then of green, then of blue."""
    scene = drawn(2, 4)
    table = ply.read(b"".join(gaussian_ply.encode(scene)))["vertex"]
    assert table["f_rest_0"][1] == scene.harmonics[1, 1, 0]
    assert table["f_rest_2"][1] == scene.harmonics[1, 3, 0]
    assert table["f_rest_3"][0] == scene.harmonics[0, 1, 1]
    assert table["f_dc_2"][0] == scene.harmonics[0, 0, 2]


def test_what_is_missing_is_named() -> None:
    table = ply.read(b"".join(gaussian_ply.encode(drawn(3, 4))))["vertex"]
    names = list(table.dtype.names)
    for left_out, said in (("opacity", "incomplete: it has no opacity"), ("f_rest_3", "degrees 0 to 3 have 0, 9, 24")):
        with pytest.raises(FormatError, match=said):
            gaussian_ply.decode({"vertex": table[[name for name in names if name != left_out]]})


def test_tables_without_rows_are_refused() -> None:
    table = ply.read(b"".join(gaussian_ply.encode(drawn(3, 4))))["vertex"]
    with pytest.raises(FormatError, match="has no Gaussians"):
        gaussian_ply.decode({"vertex": table[:0]})

"""STL and OBJ, and mesh files that are not where they should be."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats import open_source
from kinema.formats.robot import meshfiles
from kinema.formats.robot.meshfiles import MeshFiles, parse_mesh

CORNERS = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 1], [0, 2, 0], [3, 0, 0]]], np.float32)
TEXT = (
    b"solid a\n"
    + b"".join(
        b"facet normal 0 0 1\nouter loop\n"
        + b"".join(b"vertex %g %g %g\n" % tuple(corner) for corner in corners.tolist())
        + b"endloop\nendfacet\n"
        for corners in CORNERS
    )
    + b"endsolid a\n"
)
BINARY = bytes(80) + struct.pack("<I", 2) + b"".join(bytes(12) + corners.tobytes() + b"\0\0" for corners in CORNERS)
OBJ = b"# a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 2 0\nv 3 0 0\nvn 0 0 1\nf 1//1 2//1 3//1\nf -3 -2 -1\n"


@pytest.mark.parametrize(("data", "name"), [(TEXT, "a.stl"), (BINARY, "a.STL"), (OBJ, "a.obj")])
def test_three_ways_to_write_two_triangles(data: bytes, name: str):
    assert np.array_equal(parse_mesh(data, name), CORNERS)


def test_faces_of_more_corners_are_fans():
    square = parse_mesh(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1/1 2/2/1 3/3/1 4/4/1\n", "a.obj")
    assert np.array_equal(square[:, :, 0], [[0, 1, 1], [0, 1, 0]])


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (BINARY[:-1], "a.stl", "not an STL"),
        (b"solid\nvertex 1 2 x\nvertex 1 2 3\nvertex 1 2 3", "a.stl", "not a number"),
        (b"v 1 2 3\nf 1 2 9\n", "a.obj", "does not exist"),
        (b"v 1 2\nv 1 2 3\nf 1 1 1", "a.obj", "cannot be read"),
        (b"v 1 2 nan\nf 1 1 1", "a.obj", "not finite"),
        (b"", "a.dae", "not an STL or OBJ"),
    ],
)
def test_refusals(data: bytes, name: str, said: str):
    with pytest.raises(FormatError, match=said):
        parse_mesh(data, name)


def test_files_of_a_package_beside_the_model_and_none_from_outside(tmp_path: Path):
    (tmp_path / "robot" / "meshes").mkdir(parents=True)
    (tmp_path / "robot" / "meshes" / "a.stl").write_bytes(TEXT)
    (tmp_path / "b.stl").write_bytes(TEXT)
    (tmp_path / "robot" / "robot.urdf").write_text("<robot/>")
    files = MeshFiles(open_source(tmp_path / "robot" / "robot.urdf"))
    assert np.array_equal(files.triangles("package://my_robot/meshes/a.stl"), CORNERS)
    assert np.array_equal(files.triangles("a.stl", ("meshes/",)), CORNERS)
    for outside in ("../b.stl", str(tmp_path / "b.stl"), "gone.stl"):
        assert files.triangles(outside) is None
    warnings: list[str] = []
    files.warn(warnings)
    assert len(warnings) == 1 and warnings[0].startswith("3 mesh files could not be read")


def test_one_file_in_many_places_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(meshfiles, "MOST_TRIANGLES", 5)
    (tmp_path / "a.stl").write_bytes(TEXT)
    (tmp_path / "robot.urdf").write_bytes(b"")
    files = MeshFiles(open_source(tmp_path / "robot.urdf"))
    assert [files.triangles("a.stl") is not None for _ in range(4)] == [True, True, False, False]
    warnings: list[str] = []
    files.warn(warnings)
    assert warnings == ["2 meshes are not drawn, more than 5 triangles with the others: a.stl, a.stl"]


def test_files_are_no_larger_than_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(meshfiles, "parse_mesh", lambda data, name: CORNERS)
    (tmp_path / "a.stl").write_bytes(TEXT)
    (tmp_path / "robot.urdf").write_bytes(b"")
    files = MeshFiles(open_source(tmp_path / "robot.urdf"), left=2 * len(TEXT) - 1)
    assert files.triangles("a.stl") is CORNERS and files.triangles("./a.stl") is None


def test_a_long_word_does_not_widen_all_others():
    with pytest.raises(FormatError, match="not an STL"):
        parse_mesh(b"solid\nvertex 1 2 " + b"0" * 100 + b"\nvertex 1 2 3\nvertex 1 2 3\n", "a.stl")

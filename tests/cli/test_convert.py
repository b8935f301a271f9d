"""`kinema convert`."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, load, load_motion, save
from kinema.cli.main import main
from kinema.errors import KinemaError
from kinema.formats import open_source
from kinema.mocap.edits import EditedFile, change


@pytest.fixture
def walk(tmp_path: Path, biped: Skeleton) -> Path:
    rotations = np.zeros((5, biped.joint_count, 4), np.float32)
    rotations[..., 0] = 1
    path = tmp_path / "walk.bvh"
    save(Motion.create(biped, rotations, fps=30, name="walk"), path)
    return path


def test_one_file(walk: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "walk.npz"
    assert main(["convert", str(walk), str(out)]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert load_motion(out).frames == 5


def test_existing_output_needs_force(walk: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "walk.npz"
    out.write_bytes(b"mine")
    assert main(["convert", str(walk), str(out)]) == 1
    assert "--force" in capsys.readouterr().err
    assert out.read_bytes() == b"mine"
    assert main(["convert", str(walk), str(out), "--force"]) == 0
    assert out.read_bytes() != b"mine"


def test_one_bad_file_is_one_line(tmp_path: Path, capsys) -> None:
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nnonsense")
    assert main(["convert", str(bad), str(tmp_path / "bad.npz")]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("kinema: error: ") and captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [bad]


def test_folder_with_a_bad_file(walk: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nnonsense")
    out = tmp_path / "out"
    assert main(["convert", str(tmp_path), str(out), "--to", "npz", "--workers", "1"]) == 1
    captured = capsys.readouterr()
    assert captured.out.endswith("1 converted, 0 skipped, 1 failed\n")
    rows = [line.split() for line in captured.out.splitlines() if ".bvh" in line]
    assert [(Path(row[0]).name, row[1]) for row in rows] == [("bad.bvh", "failed"), ("walk.bvh", "written")]
    assert "bad.bvh" in captured.err
    assert [path.name for path in out.iterdir()] == ["walk.npz"]


def test_json(walk: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nnonsense")
    arguments = ["convert", str(walk), str(tmp_path / "bad.bvh"), str(tmp_path / "out"), "--to", "npz", "--json"]
    assert main([*arguments, "--workers", "1"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["outputs"] == [str(tmp_path / "out" / "walk.npz")]
    assert [failure["path"] for failure in said["failed"]] == [str(tmp_path / "bad.bvh")]
    assert main([*arguments, "--workers", "1"]) == 1
    assert json.loads(capsys.readouterr().out)["skipped"] == [str(walk)]


def test_folder_without_to_is_wrong_usage(walk: Path, tmp_path: Path, capsys) -> None:
    assert main(["convert", str(tmp_path), str(tmp_path / "out")]) == 2
    assert "--to" in capsys.readouterr().err


@pytest.mark.parametrize("unit", ["furlong", "0", "1e999", ""])
def test_wrong_unit_is_wrong_usage(unit: str, walk: Path, tmp_path: Path, capsys) -> None:
    assert main(["convert", str(walk), str(tmp_path / "x.npz"), "--unit", unit]) == 2
    assert "--unit" in capsys.readouterr().err


def test_unit_as_a_number(walk: Path, tmp_path: Path) -> None:
    assert main(["convert", str(walk), str(tmp_path / "a.npz"), "--unit", "m"]) == 0
    assert main(["convert", str(walk), str(tmp_path / "b.npz"), "--unit", "2.5"]) == 0
    ratio = load_motion(tmp_path / "b.npz").skeleton.height / load_motion(tmp_path / "a.npz").skeleton.height
    assert ratio == pytest.approx(2.5, rel=1e-4)


def test_unknown_output_suffix(walk: Path, tmp_path: Path, capsys) -> None:
    assert main(["convert", str(walk), str(tmp_path / "walk.docx")]) == 1
    said = capsys.readouterr().err
    assert "cannot write .docx files; there are .bvh" in said and ".c3d" not in said.split("there are")[1]


def test_an_output_that_says_no_format(walk: Path, tmp_path: Path, capsys) -> None:
    assert main(["convert", str(walk), str(tmp_path / "out")]) == 2
    assert "names no format: end it in .glb" in capsys.readouterr().err


def test_a_format_and_an_output_of_one_file(walk: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "walk.glb"
    assert main(["convert", str(walk), str(out), "--to", "glb"]) == 0 and out.is_file()
    assert main(["convert", str(walk), str(tmp_path / "walk.npz"), "--to", "glb"]) == 2
    assert "--to glb and" in capsys.readouterr().err


def test_a_folder_for_a_program(walk: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    assert main(["convert", str(walk), str(out), "--for", "unreal", "--names", "standard"]) == 0
    asset = load(out / "walk.fbx")
    assert asset.skeleton is not None and asset.skeleton.names[:2] == ("root", "pelvis")
    assert main(["convert", str(walk), str(tmp_path / "walk.xml"), "--for", "mujoco", "--json"]) == 0
    assert load(tmp_path / "walk.xml").kind == "mjcf"


def test_a_format_that_the_program_does_not_read_is_told(walk: Path, tmp_path: Path, capsys) -> None:
    assert main(["convert", str(walk), str(tmp_path / "unreal.bvh"), "--for", "unreal"]) == 0
    assert "unreal reads no .bvh files without a plug-in; it reads .fbx" in capsys.readouterr().err
    assert main(["convert", str(walk), str(tmp_path / "a.glb"), "--names", "standard"]) == 2
    assert "belong to --for" in capsys.readouterr().err


def test_edits_are_applied_when_asked_for(walk: Path, tmp_path: Path, capsys) -> None:
    source = open_source(walk)
    motions = load(source).motions
    session = EditedFile.open(source, motions, tmp_path / "ed")
    (clip,) = session.clips.values()
    clip.do(change.keep(clip.edits, 1, 4, "middle"))
    session.save()
    out = tmp_path / "out.bvh"
    assert main(["convert", str(walk), str(out), "--edits"]) == 0
    assert load(out).motions[0].frames == motions[0].frames, "there are none beside the file"
    command = ["convert", str(walk), str(out), "--force", "--edits-folder", str(tmp_path / "ed")]
    assert main(command) == 2
    assert main([*command, "--edits"]) == 0
    assert load(out).motions[0].frames == 3
    EditedFile(session.clips, walk.with_name(walk.name + ".edits.json"), session.stamp).save()
    capsys.readouterr()
    assert main(["convert", str(walk), str(out), "--force"]) == 0
    assert "1 of the files have edits beside them; --edits applies them" in capsys.readouterr().err


def test_a_mannequin_goes_into_the_file(walk: Path, tmp_path: Path, capsys) -> None:
    assert main(["convert", str(walk), str(tmp_path / "a.glb"), "--mannequin"]) == 0
    body = load(tmp_path / "a.glb").character
    assert body is not None and len(body.meshes) == 1 and len(body.meshes[0].indices) > 3000
    assert body.meshes[0].weights is not None and body.meshes[0].colors is not None
    assert main(["convert", str(walk), str(tmp_path / "b.bvh"), "--mannequin"]) == 2
    assert "write a .glb" in capsys.readouterr().err and not (tmp_path / "b.bvh").exists()


@pytest.mark.parametrize("command", [["info"], ["convert"], ["retarget", "--to", "good.bvh"]])
def test_debug_shows_where_it_failed(command: list[str], biped: Skeleton, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    save(Motion.create(biped, np.tile([1.0, 0, 0, 0], (2, biped.joint_count, 1))), "good.bvh")
    Path("bad.bvh").write_text("nonsense")
    output = {"info": [], "convert": ["a.glb"], "retarget": ["-o", "a.glb"]}[command[0]]
    for more, shown in ([], False), (["--debug"], True):
        with contextlib.suppress(KinemaError):
            assert main([*command, "bad.bvh", *output, *more]) == 1
        assert ("in parse_hierarchy" in capsys.readouterr().err) == shown

"""Included files, defaults and settings of MJCF."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats import Source, open_source
from kinema.formats.robot import compiler as room
from kinema.formats.robot import load_robot
from kinema.formats.robot.compiler import read_compiler
from kinema.formats.robot.tree import parse


def compiled(text: str) -> room.Compiler:
    return read_compiler(parse(f"<mujoco>{text}</mujoco>".encode(), "a.xml"))


def test_classes_inherit_and_elements_overrule():
    compiler = compiled("""<default><joint axis="1 0 0" range="0 1"/>
        <default class="a"><joint axis="0 1 0"/><default class="b"><joint pos="1 1 1"/></default></default>
        </default>""")
    joint = parse(b'<joint class="b" range="2 3"/>', "a.xml")
    assert compiler.resolved(joint, "a").attributes == {"axis": "0 1 0", "range": "2 3", "pos": "1 1 1", "class": "b"}
    assert compiler.resolved(parse(b"<joint/>", "a.xml"), "a").get("axis") == "0 1 0"
    assert compiler.resolved(parse(b"<joint/>", "a.xml"), None).get("axis") == "1 0 0"


def test_one_way_to_turn_replaces_another():
    compiler = compiled('<default><geom quat="0 1 0 0"/><default class="z"><geom euler="0 0 90"/></default></default>')
    geom = parse(b'<geom class="z"/>', "a.xml")
    turn = compiler.rotation(compiler.resolved(geom, None))
    assert np.allclose(turn, [np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    own = parse(b'<geom zaxis="1 0 0"/>', "a.xml")
    assert "quat" not in compiler.resolved(own, None).attributes


def test_settings_and_assets():
    compiler = compiled("""<compiler angle="radian" eulerseq="ZYX" autolimits="false" meshdir="m"/>
        <asset><mesh file="x/arm.stl" scale="1 2 3"/><material name="red" rgba="1 0 0 1"/></asset>""")
    assert compiler.angle(2) == 2 and compiler.sequence == "ZYX" and not compiler.auto_limits
    assert compiler.meshes["arm"][0] == "x/arm.stl" and compiler.meshes["arm"][1].tolist() == [1, 2, 3]
    assert compiler.colors == {"red": "1 0 0 1"} and compiled("").angle(180) == pytest.approx(np.pi)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<compiler coordinate="global"/>', "global coordinates"),
        ('<compiler eulerseq="xy"/>', "eulerseq"),
        ("<default><default/></default>", "needs a class"),
    ],
)
def test_refusals(text: str, said: str):
    with pytest.raises(FormatError, match=said):
        compiled(text)


def write(folder: Path, **files: str) -> Source:
    for name, text in files.items():
        (folder / f"{name}.xml").write_text(text)
    return open_source(folder / "main.xml")


def test_included_files_stand_in_their_place(tmp_path: Path):
    source = write(
        tmp_path,
        main='<mujoco><include file="head.xml"/><worldbody><body name="a"><include file="arm.xml"/></body></worldbody>'
        "</mujoco>",
        head='<mujocoinclude><default><joint axis="0 1 0"/></default></mujocoinclude>',
        arm='<x><freejoint/><body name="b"><joint name="j"/></body></x>',
    )
    skeleton = load_robot(source).skeleton
    assert skeleton.names == ("a", "j") and skeleton.hinges[0].axis == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("include", "said"),
    [
        ("main.xml", "a second time"),
        ("../outside.xml", "same folder"),
        ("gone.xml", "cannot be read"),
        ("/etc/passwd", "same folder"),
    ],
)
def test_includes_that_are_refused(tmp_path: Path, include: str, said: str):
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "outside.xml").write_text("<x/>")
    with pytest.raises(FormatError, match=said):
        load_robot(write(folder, main=f'<mujoco><include file="{include}"/></mujoco>'))


def test_bytes_of_included_files_are_bounded(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(room, "MOST_BYTES", 70)
    long, short = "<x>" + " " * 70 + "</x>", "<x>" + " " * 50 + "</x>"
    with pytest.raises(FormatError, match="more than the limit of 70"):
        load_robot(write(tmp_path, main='<mujoco><include file="a.xml"/></mujoco>', a=long))
    with pytest.raises(FormatError, match="more than 70 bytes"):
        main = '<mujoco><include file="a.xml"/><include file="b.xml"/></mujoco>'
        load_robot(write(tmp_path, main=main, a=short, b=short))

"""Acclaim takes against matrices, and the search for a motion's skeleton."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinema
from kinema import rotations
from kinema.errors import FormatError, KinemaError
from kinema.formats import Source

from .conftest import Take, export

CMU = 0.0254 / 0.45


def read(take: Take, **options):
    skeleton = Source.from_bytes(take.asf, "a.asf")
    return kinema.load(Source.from_bytes(take.amc, "a.amc"), skeleton=skeleton, **options)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("degrees", [True, False])
@pytest.mark.parametrize("root_order", ["tx ty tz rx ry rz", "rz rx ry tz tx ty", "ty rx tz ry tx rz"])
def test_joints_and_tips_are_where_matrices_put_them(seed: int, degrees: bool, root_order: str):
    take = export(seed, degrees, root_order)
    asset = read(take, fps=60)
    motion = asset.motion()
    skeleton, order = motion.skeleton, [motion.skeleton.names.index(name) for name in take.names]
    assert motion.fps == 60 and not asset.warnings
    pose = motion[:]
    turned, placed = pose.global_rotations, pose.global_positions
    assert np.abs(placed[:, order] - CMU * take.starts).max() < 1e-5
    tips = placed[:, skeleton.tip_joints] + rotations.rotate(turned[:, skeleton.tip_joints], skeleton.tip_offsets)
    names = [skeleton.names[joint] for joint in skeleton.tip_joints]
    assert sorted(names) == ["Hand", "head", "lfoot"]
    ends = CMU * take.ends[:, [take.names.index(name) for name in names]]
    assert np.abs(tips - ends).max() < 1e-5
    assert np.array_equal(skeleton.rest_rotations, np.tile([1, 0, 0, 0], (8, 1)).astype(np.float32))


def test_a_skeleton_alone_and_its_unit():
    asset = kinema.load(Source.from_bytes(export(length=1.0).asf, "a.asf"))
    assert asset.kind == "asf" and not asset.motions and "units taken as" in asset.warnings[0]
    metres = kinema.load(Source.from_bytes(export(length=1.0).asf, "a.asf"), unit="m").skeleton
    inches = kinema.load(Source.from_bytes(export(length=1.0).asf, "a.asf"), unit="in").skeleton
    assert np.allclose(inches.rest_translations, 0.0254 * metres.rest_translations, atol=1e-6)


def test_the_skeleton_is_looked_for_beside_the_motion(tmp_path: Path, take: Take):
    motion = tmp_path / "01_05.amc"
    motion.write_bytes(take.amc)
    with pytest.raises(FormatError, match=r"there is none next to it.*--skeleton 01\.asf"):
        kinema.load(motion)
    (tmp_path / "07.asf").write_bytes(take.asf)
    assert "the only skeleton next to it, 07.asf" in kinema.load(motion).warnings[0]
    (tmp_path / "09.asf").write_bytes(take.asf)
    with pytest.raises(FormatError, match=r"which of the 2 next to it: 07\.asf, 09\.asf"):
        kinema.load(motion)
    (tmp_path / "01.asf").write_bytes(take.asf)
    assert "of its subject, 01.asf" in kinema.load(motion).warnings[0]
    (tmp_path / "01_05.asf").write_bytes(take.asf)
    assert [line for line in kinema.load(motion).warnings if "skeleton" in line] == []
    assert kinema.load(motion, skeleton=tmp_path / "07.asf", fps=30).motion().fps == 30
    with pytest.raises(FormatError, match=r"is not an \.asf"):
        kinema.load(motion, skeleton=motion)


def test_lengths_that_change_are_a_warning(take: Take):
    changed = take.asf.replace(b"dof rx\n", b"dof rx l\n")
    longer = b"\r\n".join(line + b" 0.5" if line.startswith(b"lknee") else line for line in take.amc.split(b"\r\n"))
    asset = read(Take(changed, longer, take.starts, take.ends, take.names))
    assert any("length or position" in line and "lknee" in line for line in asset.warnings)


@settings(max_examples=150, deadline=None)
@given(st.booleans(), st.integers(0, 2500), st.binary(min_size=1, max_size=8), st.booleans())
def test_damage_is_read_or_refused_in_one_line(which: bool, at: int, put: bytes, cut: bool):
    take = export(frames=3)
    asf, amc = take.asf, take.amc
    if which:
        asf = asf[:at] + put + (b"" if cut else asf[at + len(put) :])
    else:
        amc = amc[:at] + put + (b"" if cut else amc[at + len(put) :])
    try:
        read(Take(asf, amc, take.starts, take.ends, take.names))
    except KinemaError as error:
        assert "\n" not in str(error)

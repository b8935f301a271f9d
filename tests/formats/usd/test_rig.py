"""Which joints a stage gives, and where they are."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError

from .conftest import ARM, HEAD, ONE, TRIANGLE, UP, stage_text


def test_units_and_axes(read_text):
    cm = HEAD.replace("metersPerUnit = 1", "metersPerUnit = 0.01").replace('"Y"', '"Z"')
    places = read_text(stage_text(ARM, cm)).skeleton.rest_pose.global_positions
    assert np.allclose(places[1], (0, 0, -0.01))  # the file's y is our -z
    silent = read_text(stage_text(ARM, HEAD.replace("    metersPerUnit = 1\n", "")))
    assert np.allclose(silent.skeleton.rest_pose.global_positions[1], (0, 0.01, 0))
    assert any("read as centimetres" in line for line in silent.warnings)


def test_transforms_above_are_folded_into_the_roots_moving_or_not(read_text):
    above = """    double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 2: (4, 0, 0) }
    float3 xformOp:scale = (2, 2, 2)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
"""
    motion = read_text(stage_text(above + ARM), fps=24.0).motions[0]
    assert motion.skeleton.names == ("a", "b")
    places = motion[:].global_positions
    assert np.allclose(places[:, 0], [(0, 0, 0), (2, 0, 0), (4, 0, 0)]) and np.allclose(places[1, 1], (2, 2, 0))


def test_joints_before_their_parents_are_put_in_order(read_text):
    turned = ARM.replace('["a", "a/b"]', '["a/b", "a"]').replace(f"[{ONE}, {UP}]", f"[{UP}, {ONE}]")
    turned = turned.replace("[(0, 0, 0), (0, 1, 0)]", "[(0, 1, 0), (0, 0, 0)]")
    asset = read_text(stage_text(turned))
    assert asset.skeleton.names == ("a", "b") and asset.skeleton.parents.tolist() == [-1, 0]
    assert any("before their parents" in line for line in asset.warnings)
    places = asset.motions[0][:].global_positions[:, 1]  # the samples turn what now stands second, the root
    assert np.allclose(places, [(0, 1, 0), (-1, 0, 0)], atol=1e-6)


def test_gaps_in_joint_paths_and_names_of_their_own(read_text):
    names = '    {\n        uniform token[] jointNames = ["p:q", "b"]\n'
    arm = ARM.replace('"a/b"', '"a/x/b"').replace("    {\n", names, 1)
    skeleton = read_text(stage_text(arm)).skeleton
    assert skeleton.names == ("p:q", "b") and skeleton.parents.tolist() == [-1, 0]


def test_missing_rest_or_bind_poses(read_text):
    for name in ("restTransforms", "bindTransforms"):
        other = "bind" if name == "restTransforms" else "rest"
        asset = read_text(stage_text(ARM.replace(f"uniform matrix4d[] {name}", "matrix4d[] nothing")))
        assert np.allclose(asset.skeleton.rest_pose.global_positions[1], (0, 1, 0))
        assert any(f"no {name}" in line and f"{other} pose" in line for line in asset.warnings)
    neither = ARM.replace("uniform matrix4d[] restT", "matrix4d[] x")
    neither = neither.replace("uniform matrix4d[] bindT", "matrix4d[] y")
    with pytest.raises(FormatError, match="neither bindTransforms nor restTransforms"):
        read_text(stage_text(neither))


def test_two_skeletons_are_several_roots(read_text):
    asset = read_text(stage_text(ARM + ARM.replace('"Arm"', '"Leg"')))
    assert asset.skeleton.names == ("a", "b", "a.1", "b.1") and asset.skeleton.parents.tolist() == [-1, 0, -1, 2]
    assert len(asset.motions) == 1 and asset.motions[0].translated.tolist()[0] == 0


def test_plain_transforms_are_joints(read_text):
    text = (
        HEAD
        + f"""def Xform "base"
{{
    def Xform "arm"
    {{
        double3 xformOp:translate = (0, 1, 0)
        float xformOp:rotateZ.timeSamples = {{ 0: 0, 2: 90 }}
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"]
        def Mesh "blade"
        {{{TRIANGLE}
        }}
    }}
    def Xform "lamp"
    {{
        def SphereLight "bulb" {{
        }}
    }}
}}
"""
    )
    asset = read_text(text)
    assert asset.skeleton.names == ("base", "arm")
    (mesh,), motion = asset.character.meshes, asset.motions[0]
    moved = mesh.skin(motion[:])
    assert mesh.joint == 1 and np.allclose(moved[-1], [(0, 1, 0), (0, 2, 0), (-2, 1, 0)], atol=1e-6)


def test_scale_keeps_positions(read_text):
    scaled = ARM.replace("half3[] scales = [(1, 1, 1)", "half3[] scales = [(3, 1, -2)")
    motion = read_text(stage_text(scaled.replace("[(0, 0, 0), (0, 1, 0)]", "[(0, 0, 0), (1, 1, 1)]"))).motions[0]
    assert np.allclose(motion[:].global_positions[:, 1], (3, 1, -2), atol=1e-5)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('["a", "a/b"]', '["a", "a"]', "two joints of one name"),
        ('["a", "a/b"]', f'["a", "{"a/" * 20_000}b"]', "joint paths that are too long"),
        (f"bindTransforms = [{ONE}, {UP}]", f"bindTransforms = [{ONE}]", "1 bindTransforms for 2 joints"),
        (f"restTransforms = [{ONE}", f"restTransforms = [{ONE.replace('1', 'nan')}", "not finite"),
        ("metersPerUnit = 1", "metersPerUnit = 0", "0 metres per unit"),
        ("metersPerUnit = 1", "metersPerUnit = nan", "metres per unit"),
        ("timeCodesPerSecond = 24", "timeCodesPerSecond = 0", "0 time codes per second"),
        ("(0.70710678, 0, 0, 0.70710678)", "(nan, 0, 0, 1)", "rotations hold a number that is not finite"),
        ("[(0, 0, 0), (0, 1, 0)]", "[(0, 0, 0)]", "translations has 1 values for 2 joints"),
        ("2: [(1, 0, 0, 0)", "2000000000: [(1, 0, 0, 0)", "too long at"),
    ],
)
def test_what_does_not_fit_is_refused(read_text, old, new, message):
    text = stage_text(ARM)
    assert old in text
    with pytest.raises(FormatError, match=message):
        read_text(text.replace(old, new))


def test_skeletons_without_joints(read_text):
    with pytest.raises(FormatError, match="</Root/Arm>: its skeleton has no joints, and there is nothing else"):
        read_text(stage_text('    def Skeleton "Arm" {\n    }\n'))

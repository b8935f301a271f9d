"""Which prims are taken, what is bound to what, and the clips they make."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.usd.extract import dependencies, open_stage

from .conftest import ARM, HEAD, SKIN, TRIANGLE, stage_text

MESH = f'    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])\n    {{{TRIANGLE}{SKIN}    }}\n'
OTHER = '    def SkelAnimation "Other"\n    {\n        uniform token[] joints = ["a/b"]\n'
OTHER += "        quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0)], 4: [(0, 1, 0, 0)] }\n    }\n"


def test_bound_animation_first_then_one_clip_for_each_other(read_text):
    asset = read_text(stage_text(OTHER + ARM + MESH))
    clips = [(motion.name, motion.frames, motion.fps) for motion in asset.motions]
    assert clips == [("Swing", 2, 12), ("Other", 5, 24)]
    first, second = asset.motions
    assert np.allclose(first[:].global_positions[-1, 1], (0, 1, 0)) and np.allclose(second.local_rotations[:, 0, 0], 1)
    assert np.allclose(np.abs(second.local_rotations[-1, 1]), (0, 1, 0, 0), atol=1e-6)
    skinned = asset.character.meshes[0].skin(first[:])
    assert np.allclose(skinned[-1], [(0, 0, 0), (1, 0, 0), (-1, 1, 0)], atol=1e-6)


def test_rotations_turn_evenly_between_samples(read_text):
    motion = read_text(stage_text(ARM), fps=48.0).motions[0]
    angles = 2 * np.degrees(np.arccos(np.clip(motion.local_rotations[:, 1, 0], -1, 1)))
    assert np.allclose(angles, [0, 22.5, 45, 67.5, 90], atol=0.05)


def test_animation_sources_are_handed_down(read_text):
    text = stage_text(ARM.replace("        rel skel:animationSource = <Swing>\n", "")).replace(
        "rel skel:skeleton", "rel skel:animationSource = </Root/Arm/Swing>\n    rel skel:skeleton"
    )
    assert np.allclose(read_text(text).motions[0].local_rotations[-1, 1], (0.5**0.5, 0, 0, 0.5**0.5), atol=1e-6)


def test_meshes_outside_of_a_skel_root_are_not_skinned(read_text):
    asset = read_text(stage_text(ARM + MESH).replace("def SkelRoot", "def Xform"))
    assert asset.character.meshes[0].joints is None and any("no skeleton under a SkelRoot" in w for w in asset.warnings)


def test_hidden_guides_and_other_shapes_are_left_out(read_text):
    hidden = MESH.replace('"M"', '"H"').replace("subdivisionScheme", 'visibility = "invisible"\n        token x')
    hidden = hidden.replace("uniform token visibility", "token visibility")
    guide = MESH.replace('"M"', '"G"').replace("{\n", '{\n        uniform token purpose = "guide"\n', 1)
    asset = read_text(stage_text(ARM + MESH + hidden + guide + '    def Sphere "S" {\n    }\n'))
    assert [mesh.name for mesh in asset.character.meshes] == ["M"]
    assert sum("hidden or a guide" in line for line in asset.warnings) == 2
    assert any("1 shapes that are not meshes" in line for line in asset.warnings)


def test_instances_are_read_one_by_one(read_text):
    tree = f'def Xform "one"\n{{\n    def Mesh "M"\n    {{{TRIANGLE}    }}\n}}\n'
    uses = "".join(
        f'def Xform "use{k}" (\n    instanceable = true\n    references = </one>\n)\n{{\n'
        f"    double3 xformOp:translate = ({k}, 0, 0)\n"
        f'    uniform token[] xformOpOrder = ["xformOp:translate"]\n}}\n'
        for k in (1, 2)
    )
    asset = read_text(HEAD + tree + uses)
    corners = [mesh.skin(asset.skeleton.rest_pose)[0].tolist() for mesh in asset.character.meshes]
    assert corners == [[0, 0, 0], [1, 0, 0], [2, 0, 0]]


def test_chosen_variants_are_composed(read_text):
    text = (
        HEAD
        + 'def Xform "a" (\n    variants = { string v = "big" }\n    prepend variantSets = "v"\n)\n{\n'
        + """
    variantSet "v" = {
        "small" { def Xform "s" {} }
        "big" { def Xform "b" {} }
    }
}
"""
    )
    assert read_text(text.replace("{ def", "{\ndef").replace("{} }", "{}\n}")).skeleton.names == ("a", "b")


def _layer(tmp_path, text):
    file = tmp_path / "a.usda"
    file.write_text("#usda 1.0\n" + text)
    return file


def test_sublayers_references_payloads_and_variants_are_found(tmp_path):
    file = _layer(
        tmp_path,
        """(
    subLayers = [@one.usda@]
)
def Xform "a" (
    references = @two.usda@</x>
    payload = @../three.usda@
    prepend variantSets = "v"
    variants = {
        string v = "p"
    }
)
{
    variantSet "v" = {
        "p" {
            def Xform "b" (references = </a/c>) {}
        }
        "q" (
            references = @/four.usda@
        ) {
        }
    }
    over "d" (references = @`"${HOME}"`@) {}
}
""",
    )
    assert set(dependencies(file)) == {"one.usda", "two.usda", "../three.usda", "/four.usda", '`"${HOME}"`'}


def test_value_clips_are_refused(tmp_path):
    file = _layer(tmp_path, 'def Xform "a" (clips = {dictionary default = {asset[] assetPaths = [@x.usda@]}}) {}\n')
    with pytest.raises(FormatError, match="</a>: uses value clips"):
        dependencies(file)


def test_a_stage_is_composed(tmp_path):
    file = _layer(tmp_path, 'def Xform "a" (references = </b>) {}\ndef Xform "b" {\ndef Xform "c" {}\n}\n')
    stage = open_stage(file)  # a prim does not keep its stage alive
    assert stage.GetPrimAtPath("/a/c")

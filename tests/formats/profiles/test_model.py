"""The table of profiles."""

from __future__ import annotations

import pytest

from kinema.formats import written_suffixes
from kinema.formats.profiles.model import PROFILES, ProfileError, profile_for
from kinema.formats.profiles.naming import SCHEMES


def test_every_profile_can_be_written_and_named() -> None:
    for name, profile in PROFILES.items():
        assert profile_for(name) is profile and profile.standard in SCHEMES
        assert profile.suffix == profile.reads[0] and {*profile.reads, *profile.options} <= set(written_suffixes())


def test_an_unknown_program_lists_the_known() -> None:
    with pytest.raises(ProfileError, match=r"no export profile 'houdini'; there are blender, unreal, unity"):
        profile_for("houdini")


@pytest.mark.parametrize(
    ("program", "name", "wanted"),
    [
        ("unreal", "mixamorig:Left Foot", "mixamorig_Left_Foot"),
        ("maya", "8ball.L", "_8ball_L"),
        ("maya", "\u5de6\u8db3", "__"),
        ("three", "Bip01 L.Foot[0]", "Bip01_L_Foot_0_"),
        ("godot", "a/b:c%d", "a_b_c_d"),
        ("blender", "hand.L", "hand.L"),
    ],
)
def test_forbidden_characters(program: str, name: str, wanted: str) -> None:
    assert profile_for(program).forbidden.sub("_", name) == wanted

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import kinema
from kinema.errors import UsageError
from kinema.mocap.creatures import Act, make_creature, perform


@pytest.mark.parametrize("nameless", [False, True])
def test_joints_by_name(nameless: bool) -> None:
    names = kinema.correspond("wolf", "horse", nameless=nameless).names
    assert names["head"] == "head"
    assert names["leg_left_thigh_1"] == "leg_left_thigh_1" and names["leg_right_thigh_1"] == "leg_right_thigh_1"


def test_moments_and_a_picture(tmp_path: Path) -> None:
    walks = [perform(make_creature(name), [Act("walk", 2.0)]) for name in ("wolf", "horse")]
    found = kinema.correspond(*walks, moments=True, output=tmp_path / "same.png", titles=("wolf", "horse"))
    assert found.frames is not None and len(found.frames) == walks[0].frames
    assert Image.open(tmp_path / "same.png").width > 1000


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="wolf has no motion"):
        kinema.correspond("wolf", "horse", moments=True)
    with pytest.raises(UsageError, match="picture is a"):
        kinema.correspond("wolf", "horse", output=tmp_path / "same.svg")

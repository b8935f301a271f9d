"""Plans: what was asked for, checked before anything is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kinema.errors import UsageError
from kinema.footage.plan import USUAL_MAPS, plan_clips
from kinema.worlds.files import write_scene
from kinema.worlds.made import WORLDS, make_world


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"frames": 0}, "frames"),
        ({"size": 8}, "16 to 1024 pixels"),
        ({"fps": 0.0}, "frames per second"),
        ({"seed": -1}, "seed"),
        ({"scene_share": 1.5}, "0 to 1"),
        ({"maps": ["picture", "smell"]}, "'smell'"),
        ({"maps": ["face"]}, "'face'"),
        ({"maps": []}, "at least one map"),
        ({"scenes": ["moon"]}, "moon is neither"),
        ({"characters": ["nobody"]}, "'nobody'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        plan_clips(**options)
    assert "\n" not in str(caught.value)


def test_facts_tell_plans_apart() -> None:
    one = plan_clips(identities=2)
    assert one.maps == USUAL_MAPS and one.facts == plan_clips(identities=2).facts
    for other in ({"seed": 1}, {"identities": 3}, {"characters": ["dog"]}, {"scenes": ["room"]}, {"fps": 8.0}):
        assert plan_clips(**{"identities": 2, **other}).facts != one.facts


def test_scenes_are_kinds_files_and_folders(tmp_path: Path) -> None:
    write_scene(make_world("room", 1).scene(0.4), tmp_path / "room.ply")
    scenes = plan_clips(identities=1, scenes=["street", tmp_path, "made"]).scenes
    assert [scene.name for scene in scenes if scene.seed < 0] == [str(tmp_path / "room.ply")]
    assert {scene.name for scene in scenes if scene.seed >= 0} == set(WORLDS)
    assert plan_clips(identities=1, scenes=[]).scenes == ()
    with pytest.raises(UsageError, match="no file in it"):
        plan_clips(identities=1, scenes=[tmp_path.parent / tmp_path.name / ".." / tmp_path.name, _empty(tmp_path)])


def _empty(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"

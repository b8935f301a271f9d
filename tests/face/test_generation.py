from __future__ import annotations

from pathlib import Path

import pytest

import kinema
from kinema.errors import FormatError, UsageError
from kinema.face.generation import asset_of, onto, skeleton_of, wishes_of
from kinema.mocap.creatures import make_creature


def test_a_rig_is_a_file_a_creature_or_what_was_loaded(take: kinema.Motion, tmp_path: Path) -> None:
    kinema.save(take, tmp_path / "take.bvh")
    assert set(skeleton_of(tmp_path / "take.bvh").names) == set(take.skeleton.names)
    assert skeleton_of(take) is take.skeleton
    assert skeleton_of(take.skeleton) is take.skeleton
    assert skeleton_of("horse").names == make_creature("horse").skeleton.names
    assert onto(take, [take, take]).motions == (take, take)
    with pytest.raises(FormatError):
        asset_of("unicorn.glb")


def test_every_phrase_is_a_wish() -> None:
    wishes = wishes_of("walks slowly, then jumps")
    assert [wish.action for wish in wishes] == ["walk", "jump"]
    assert "slowly" in wishes[0].text
    assert wishes_of("", "run", 3.0)[0].speed == 3.0
    assert wishes_of("runs", "fly")[0].action == "fly"
    with pytest.raises(UsageError, match="English"):
        wishes_of("der Hund läuft")


def test_scripts_of_people_and_of_creatures_are_acted_out() -> None:
    from kinema.mocap.creatures import Act

    person = kinema.perform(script=[kinema.Segment("walk", 1.0)], fps=30)
    dog = kinema.perform("dog", [Act("walk", 1.0)])
    assert person.skeleton.roles.plan == "biped"
    assert dog.skeleton.roles.plan == "quadruped"

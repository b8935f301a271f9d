from __future__ import annotations

from pathlib import Path

import pytest

from kinema.errors import DatabaseError, UsageError
from kinema.formats import Asset, save
from kinema.generation.collection import MotionCollection
from kinema.generation.gathering import gather
from kinema.mocap.creatures import Act, make_creature, perform


def test_files_and_creatures_go_into_one_collection(tmp_path: Path) -> None:
    save(perform(make_creature("horse"), [Act("walk", 4.0)]), tmp_path / "horse.bvh")
    out = tmp_path / "all.col"
    report = gather([tmp_path / "horse.bvh"], out, creatures=4, plans=("fish",), licence="CC0", workers=1)
    made = MotionCollection.open(out)
    assert (len(made.clips), len(made.rigs)) == (report.clips, report.rigs)
    assert made.origin["licence"] == "CC0"
    assert made.origin["generated"]["plans"] == ["fish"]
    assert {rig.plan for rig in made.rigs} == {"unguligrade", "fish"}
    with pytest.raises(DatabaseError, match="exists"):
        gather([], out, creatures=1, plans=("fish",), workers=1)


def test_nothing_of_use_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "broken.bvh").write_text("HIERARCHY")
    with pytest.raises(DatabaseError, match="nothing of the files can be learned from"):
        gather([tmp_path], tmp_path / "out.col")
    assert not (tmp_path / "out.col").exists()
    with pytest.raises(UsageError, match="needs motion files"):
        gather([], tmp_path / "out.col")


def test_skeletons_without_motion_need_clips_that_are_acted_out(tmp_path: Path) -> None:
    body = tmp_path / "horse.glb"
    save(Asset("", "", make_creature("horse").skeleton, (), None), body)
    with pytest.raises(DatabaseError, match="--perform N"):
        gather([body], tmp_path / "none.col")
    with pytest.raises(UsageError, match="none is given"):
        gather([], tmp_path / "none.col", creatures=1, perform=1)
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY")
    report = gather([body, broken], tmp_path / "both.col", perform=1)
    assert [Path(each.path).name for each in report.skipped] == ["broken.bvh"]  # once
    report = gather([body], tmp_path / "horse.col", perform=4)
    made = MotionCollection.open(tmp_path / "horse.col")
    assert (report.clips, len(made.clips), report.skipped) == (4, 4, ())
    assert made.origin["performed"] == {"clips": 4, "seed": 0}

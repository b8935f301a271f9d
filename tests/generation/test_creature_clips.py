from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema.errors import ControlError
from kinema.generation.collection import MotionCollection, writing
from kinema.generation.creature_clips import CAPTIONS, add_creatures
from kinema.mocap.creatures.acts import ACTIONS


def test_a_collection_has_every_plan_with_captions_and_held_out_bodies(tmp_path: Path) -> None:
    path = tmp_path / "zoo.col"
    with writing(path, {}) as writer:
        add_creatures(writer, 24, seed=3, plans=("dog", "snake", "bird"), rigs_per_plan=2, workers=1)
    made = MotionCollection.open(path)
    assert 20 <= len(made.clips) <= 24
    assert len({rig.plan for rig in made.rigs}) == 3
    assert sum(rig.held for rig in made.rigs) == 3
    for clip in made.clips:
        assert clip.stretches[0].start == 0
        assert clip.stretches[-1].stop == clip.frames
        for part in clip.stretches:
            assert part.action in ACTIONS
            assert len(part.texts) == CAPTIONS
    again = tmp_path / "again.col"
    with writing(again, {}) as writer:
        add_creatures(writer, 24, seed=3, plans=("dog", "snake", "bird"), rigs_per_plan=2, workers=1)
    other = MotionCollection.open(again)
    assert other.clips == made.clips
    np.testing.assert_array_equal(other.channels(other.clips[5]), made.channels(made.clips[5]))


def test_nothing_to_make_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ControlError, match="at least one clip"), writing(tmp_path / "a.col", {}) as writer:
        add_creatures(writer, 0)

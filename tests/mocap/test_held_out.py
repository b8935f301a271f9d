"""Takes that are held out."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Segment, perform
from kinema.errors import DatabaseError, UsageError
from kinema.mocap import MotionDatabase
from kinema.mocap.database import Clip
from kinema.mocap.held_out import held_out, split


def test_mirrored_copies_stay_with_their_takes() -> None:
    stops = np.cumsum([50, 50, 30, 30, 60, 60, 20, 20]).tolist()
    starts = [0, *stops[:-1]]
    clips = [Clip(f"take{i // 2}", f"t{i // 2}", starts[i], stops[i], mirrored=bool(i % 2)) for i in range(8)]
    for seed in range(8):
        held = held_out(clips, 0.2, seed)
        np.testing.assert_array_equal(held[::2], held[1::2])
        assert 0 < held.sum() < len(held)
    assert len({tuple(held_out(clips, 0.2, seed)) for seed in range(8)}) > 1
    assert not held_out(clips, 0.0, 0).any()
    assert not held_out(clips[:2], 0.5, 0).any()


def test_both_parts_hold_the_same_motion_as_before_and_no_take_is_in_both(tmp_path) -> None:
    takes = [perform(script=[Segment("walk", 1.0 + 0.5 * i)], fps=30, seed=i, name=f"take {i}") for i in range(5)]
    database = MotionDatabase.from_motions(takes)
    known, held = split(database, 0.3)
    assert {clip.take for clip in known.clips} | {clip.take for clip in held.clips} == {f"take {i}" for i in range(5)}
    assert not {clip.take for clip in known.clips} & {clip.take for clip in held.clips}
    assert known.frames + held.frames == database.frames and 0.15 < held.frames / database.frames < 0.6
    names = [(clip.name, clip.mirrored) for clip in database.clips]
    for part in (known, held):
        for number, clip in enumerate(part.clips):
            before = names.index((clip.name, clip.mirrored))
            was, now = database.clip_motion(before), part.clip_motion(number)
            np.testing.assert_array_equal(now.local_rotations, was.local_rotations)
            span = slice(database.clips[before].start, database.clips[before].stop)
            np.testing.assert_array_equal(part.labels["phase"][clip.start : clip.stop], database.labels["phase"][span])
    held.save(tmp_path / "held.db")
    assert MotionDatabase.open(tmp_path / "held.db").clips == held.clips


def test_nothing_can_be_held_out_of_one_take() -> None:
    one = MotionDatabase.from_motions([perform(script=[Segment("walk", 2.0)], fps=30)])
    with pytest.raises(DatabaseError, match="one take"):
        split(one, 0.2)
    with pytest.raises(UsageError, match=r"between 0 and 1, not 1\.5"):
        split(one, 1.5)
    with pytest.raises(DatabaseError, match="at least one clip"):
        one.only([False] * len(one.clips))

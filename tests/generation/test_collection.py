from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import DatabaseError
from kinema.generation.channels import encode
from kinema.generation.collection import MotionCollection, Stretch, writing
from kinema.mocap.creatures import Act, make_creature, perform


def test_what_is_written_is_read(collection: MotionCollection) -> None:
    assert [rig.name for rig in collection.rigs] == ["dog", "spider", "person"]
    clip = collection.clips[5]
    creature = make_creature("spider")
    motion = perform(creature, [Act("idle", 1.5), Act("walk", 2.5, curve=0.5)], seed=1)
    wanted, _ = encode(collection.rig(clip.rig), motion)
    read = collection.channels(clip)
    np.testing.assert_allclose(read, wanted, atol=2e-3)
    np.testing.assert_array_equal(collection.channels(clip, 10, 20), read[10:20])
    assert clip.stretches[1] == Stretch(45, 120, "walk", ("walks", "it walks"))
    assert [each.held for each in collection.clips[:4]] == [False, False, False, True]
    assert collection.seconds == pytest.approx(48.0)


def test_reading_changes_nothing_on_disk(collection: MotionCollection) -> None:
    before = collection.channels(collection.clips[0])
    with pytest.raises(ValueError):
        collection._joints[0] = 1
    for _ in range(1000):
        collection.channels(collection.clips[0], 3, 9)[:] += 1e-6
    np.testing.assert_array_equal(collection.channels(collection.clips[0]), before)


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), writing(tmp_path / "a.col", {}) as writer:
        writer.add_rig(make_creature("fish").skeleton, "fish")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten_without_being_told(collection: MotionCollection) -> None:
    with pytest.raises(DatabaseError, match="exists"), writing(collection.path, {}):
        pass


def test_damage_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="no collection"):
        MotionCollection.open(tmp_path)
    with writing(tmp_path / "a.col", {}) as writer:
        creature = make_creature("fish")
        writer.add(writer.add_rig(creature.skeleton, "fish"), perform(creature, [Act("swim", 1.0)]), ())
    index = tmp_path / "a.col" / "index.json"
    document = json.loads(index.read_text())
    del document["clips"][0]["frames"]
    index.write_text(json.dumps(document))
    with pytest.raises(DatabaseError, match=r"index\.json: damaged"):
        MotionCollection.open(tmp_path / "a.col")

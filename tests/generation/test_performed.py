from __future__ import annotations

from pathlib import Path

import numpy as np

from kinema.formats import save
from kinema.generation.collection import MotionCollection, writing
from kinema.generation.performed import add_performed
from kinema.generation.takes import Takes
from kinema.mocap.creatures import Act, allowed_actions, make_creature, perform


def made_of(path: Path, data: list[Path], count: int) -> tuple[MotionCollection, list]:
    with writing(path, {}) as writer:
        skipped = add_performed(writer, data, count)
    return MotionCollection.open(path), skipped


def test_each_body_does_all_that_it_can_with_captions(tmp_path: Path) -> None:
    cat = make_creature("cat")
    files = [tmp_path / "cat.bvh", tmp_path / "again.bvh", tmp_path / "broken.bvh"]
    for path in files[:2]:
        save(perform(cat, [Act("idle", 1.0)]), path)
    files[2].write_text("HIERARCHY")
    allowed = allowed_actions(cat)
    collection, skipped = made_of(tmp_path / "cat.col", files, len(allowed) + 2)
    assert [Path(each.path).name for each in skipped] == ["broken.bvh"]
    assert [rig.name for rig in collection.rigs] == ["cat"]  # the same skeleton in another file is no other body
    assert {part.action for clip in collection.clips for part in clip.stretches} == set(allowed)
    assert sum(clip.held for clip in collection.clips) == 1
    texts = [text for clip in collection.clips for part in clip.stretches for text in part.texts]
    assert any("cat" in text for text in texts)
    for clip in collection.clips:
        assert clip.stretches[0].start == 0 and clip.stretches[-1].stop == clip.frames


def test_bones_keep_their_length_where_legs_are_too_short(tmp_path: Path, data_dir: Path) -> None:
    frog = data_dir / "any_topology" / "quaternius" / "Frog.glb"
    collection, skipped = made_of(tmp_path / "frog.col", [frog], 6)
    assert len(skipped) == 1 and " clips" in skipped[0].path and "are forgiven" in skipped[0].reason
    assert 1 <= len(collection.clips) < 6
    for clip in collection.clips:
        takes = Takes(collection.rig(clip.rig), collection.channels(clip)[None])
        np.testing.assert_allclose(takes.model_positions, takes.stated_positions, atol=5e-3)


def test_a_skeleton_that_does_not_stand_at_rest_stands_as_in_its_motion(tmp_path: Path, data_dir: Path) -> None:
    dog = data_dir / "any_topology" / "dog_mocap_nc" / "D1_025_KAN01_001.bvh"
    collection, skipped = made_of(tmp_path / "dog.col", [dog], 1)
    assert not skipped and len(collection.clips) == 1
    assert collection.rig(0).rest_positions[0, 1] > 0.2

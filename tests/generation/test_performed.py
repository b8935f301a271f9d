from __future__ import annotations

from pathlib import Path

import numpy as np

from kinema.formats import load, save
from kinema.generation.channels import FPS, decode, encode
from kinema.generation.collection import MotionCollection, writing
from kinema.generation.performed import add_performed
from kinema.generation.rig import AnyRig
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


def test_feet_that_hang_beside_their_legs_stay_with_them(tmp_path: Path, data_dir: Path) -> None:
    bodies = [data_dir / "any_topology" / "quaternius" / name for name in ("Frog.glb", "Cow.glb")]
    collection, skipped = made_of(tmp_path / "few.col", bodies, 2)
    assert not skipped and len(collection.clips) == 4
    for path in bodies:
        skeleton = load(path).skeleton
        assert skeleton is not None
        rig = AnyRig.of(skeleton)
        for action in allowed_actions(skeleton):
            motion = perform(skeleton, [Act(action, 3.0, 1.0)], FPS)
            stated = motion[:].global_positions[:, rig.joints]
            np.testing.assert_allclose(
                decode(rig, *encode(rig, motion))[:].global_positions[:, rig.joints], stated, atol=2e-3 * rig.unit
            )


def test_a_body_whose_joints_no_bone_carries_is_refused(tmp_path: Path, data_dir: Path) -> None:
    body = next((data_dir / "characters").rglob("multi_root_armature_vrm1.vrm"))
    collection, skipped = made_of(tmp_path / "few.col", [body], 2)
    assert len(skipped) == 1 and " clips" in skipped[0].path and "are forgiven" in skipped[0].reason
    assert len(collection.clips) < 2


def test_a_skeleton_that_does_not_stand_at_rest_stands_as_in_its_motion(tmp_path: Path, data_dir: Path) -> None:
    dog = data_dir / "any_topology" / "dog_mocap_nc" / "D1_025_KAN01_001.bvh"
    collection, skipped = made_of(tmp_path / "dog.col", [dog], 1)
    assert not skipped and len(collection.clips) == 1
    assert collection.rig(0).rest_positions[0, 1] > 0.2

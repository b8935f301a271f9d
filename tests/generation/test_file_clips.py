from __future__ import annotations

from pathlib import Path

import numpy as np

from kinema.formats import Asset, save
from kinema.generation.collection import MotionCollection, writing
from kinema.generation.file_clips import add_files
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.motion import Motion


def test_files_of_any_skeletons_become_a_collection(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for name, script in (("horse", [Act("run", 7.0)]), ("spider", [Act("idle", 3.0)])):
        save(perform(make_creature(name), script, name=name), files / f"{name}.bvh")
    (files / "broken.bvh").write_text("HIERARCHY")
    with writing(tmp_path / "out.col", {}) as writer:
        skipped = add_files(writer, [files])
    assert [path for path, _ in skipped] == [str(files / "broken.bvh")]
    made = MotionCollection.open(tmp_path / "out.col")
    assert {rig.plan for rig in made.rigs} == {"unguligrade", "spider"}
    actions = {made.rigs[clip.rig].plan: {part.action for part in clip.stretches} for clip in made.clips}
    assert actions["spider"] == {"idle"}
    assert actions["unguligrade"] <= {"run", "walk"}
    assert max(clip.frames for clip in made.clips) <= 180
    whole = {made.rigs[clip.rig].plan: clip.stretches[0].whole for clip in made.clips}
    assert whole == {"unguligrade": False, "spider": True}
    feet = made.channels(next(clip for clip in made.clips if made.rigs[clip.rig].plan == "unguligrade"))[..., 9]
    assert 0.1 < feet[:, feet.any(axis=0)].mean() < 0.9


def test_clips_of_a_file_share_its_rest_pose_and_images_are_held_out_with_their_takes(tmp_path: Path) -> None:
    creature = make_creature("dog")
    motions = []
    for number in range(9):
        motion = perform(creature, [Act("walk", 2.5)], seed=number, name=f"walk {number}")
        moved = motion[:].local_translations.copy()
        moved[:, -1] *= 1.0 + 0.02 * number  # some files write the length of a bone into every frame
        motions.append(
            Motion.create(creature.skeleton, motion[:].local_rotations, moved, fps=motion.fps, name=motion.name)
        )
    save(Asset("", "", creature.skeleton, tuple(motions)), tmp_path / "dog.glb")
    with writing(tmp_path / "out.col", {}) as writer:
        assert add_files(writer, [tmp_path / "dog.glb"]) == []
    made = MotionCollection.open(tmp_path / "out.col")
    assert len(made.rigs) == 1
    np.testing.assert_allclose(made.rig(0).unit, AnyRig.of(creature.skeleton).unit, rtol=1e-4)
    assert [(clip.name, clip.held) for clip in made.clips] == [
        (f"walk {number}", number == 7) for number in range(9) for _ in range(2)
    ]


def test_what_is_refused_adds_no_skeleton_and_says_which_image(tmp_path: Path) -> None:
    creature = make_creature("dog")
    motion = perform(creature, [Act("walk", 2.5)], name="torn")
    moved = motion[:].local_translations.copy()
    moved[30:, creature.skeleton.index("tail_2")] += 3.0
    torn = Motion.create(creature.skeleton, motion[:].local_rotations, moved, fps=motion.fps, name="torn")
    save(Asset("", "", creature.skeleton, (torn,)), tmp_path / "dog.glb")
    with writing(tmp_path / "out.col", {}) as writer:
        skipped = add_files(writer, [tmp_path / "dog.glb"])
        assert not writer.rigs
        assert not writer.clips
    assert [each.path.rsplit(": ")[-1] for each in skipped] == ["torn", "torn, mirrored"]
    assert all("'tail" in each.reason for each in skipped)

from __future__ import annotations

from pathlib import Path

from kinema.formats import save
from kinema.generation.collection import MotionCollection, writing
from kinema.generation.file_clips import add_files
from kinema.mocap.creatures import Act, make_creature, perform


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
    feet = made.channels(next(clip for clip in made.clips if made.rigs[clip.rig].plan == "unguligrade"))[..., 9]
    assert 0.1 < feet[:, feet.any(axis=0)].mean() < 0.9

"""What there is to look at."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, formats
from kinema.errors import FormatError
from kinema.session.library import LibraryClip, find_files, matching


def write(path, skeleton, frames=12):
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    formats.save(Motion.create(skeleton, local, fps=30.0, name="still"), path)


def test_files_and_folders_become_documents_with_unique_titles(tmp_path, biped):
    (tmp_path / "sub").mkdir()
    write(tmp_path / "a.bvh", biped)
    write(tmp_path / "sub" / "a.bvh", biped)
    (tmp_path / "sub" / "notes.txt").write_text("no motion")
    found = find_files([tmp_path])
    assert [document.title for document in found] == ["a.bvh", "a.bvh (2)"]
    (clip,) = found[1].read()
    assert clip.load().frames == 12


def test_nothing_to_look_at_is_one_line(tmp_path):
    with pytest.raises(FormatError, match="no motion or character file here"):
        find_files([tmp_path])


def test_a_missing_or_cut_off_file_is_said_when_read(tmp_path, biped):
    with pytest.raises(FormatError, match=r"gone\.bvh"):
        find_files([tmp_path / "gone.bvh"])[0].read()
    write(tmp_path / "cut.bvh", biped)
    text = (tmp_path / "cut.bvh").read_text()
    (tmp_path / "cut.bvh").write_text(text[:200])
    with pytest.raises(FormatError, match=r"cut\.bvh"):
        find_files([tmp_path / "cut.bvh"])[0].read()


def test_databases_list_their_clips(tmp_path, biped):
    from kinema.mocap.database import MotionDatabase
    from kinema.mocap.procedural import Segment, generate

    motion = generate(biped, [Segment("idle", 0.5), Segment("walk", 2.0)], name="stroll")
    MotionDatabase.from_motions([motion]).save(tmp_path / "db")
    (document,) = find_files([tmp_path / "db"])
    clips = document.read()
    assert len(clips) == 2  # and its mirror image
    shown = clips[0].load()
    assert shown.skeleton.names == biped.names and 60 < shown.frames < 90


def test_size_comes_from_poses_not_from_odd_rest_poses(biped):
    local = np.tile(biped.rest_rotations, (5, 1, 1))
    motion = Motion.create(biped, local, fps=30.0)
    clip = LibraryClip("c", biped, None, lambda: motion)
    positions = biped.rest_pose.global_positions
    assert clip.size(motion) == pytest.approx(float(np.ptp(positions[:, 1])), rel=0.01)
    lying = Motion.create(biped, local * 1, np.tile(biped.rest_translations[:, [0, 2, 1]] * 1, (5, 1, 1)), fps=30.0)
    assert clip.size(lying) == pytest.approx(0.75 * float(np.ptp(positions[:, 1])), rel=0.01)


def test_search_takes_words_in_any_order():
    titles = ["Walk_old_001.bvh", "walk_young.bvh", "run_old.bvh"]
    assert matching(titles, "OLD walk") == ["Walk_old_001.bvh"]
    assert matching(titles, "") == titles


def test_a_clip_without_frames_is_as_large_as_its_rest_pose(biped):
    empty = Motion.create(biped, np.zeros((0, biped.joint_count, 4), np.float32))
    clip = LibraryClip("empty", biped, None, lambda: empty)
    assert clip.size(empty) == clip.size(None) > 1.0

"""Reading clips: any of them at any time, in batches, and damage that is said."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError, KinemaError
from kinema.footage.reading import ClipFolder
from kinema.footage.store import read_facts


def test_clips_by_number(folder: Path) -> None:
    clips = ClipFolder(folder)
    assert len(clips) == 6 and len(clips[1:4]) == 3 and clips[-1].facts["id"] == "000005"
    clip = clips[0]
    assert clip["picture"].shape == (4, 32, 32, 3) and clip["depth"].shape == (4, 32, 32)
    assert clip.points is not None and clip.points.body.shape == (4, 18, 3)
    assert clip.cameras is not None and clip.cameras[1].shape == (4, 4, 4)
    assert (
        len(clip.actions) == 4 and clip.caption and {**clip.facts, "path": ""} == {**read_facts(clip.path), "path": ""}
    )
    assert {one.facts["id"] for one in clips} == {f"{number:06d}" for number in range(6)}


def test_a_batch_has_zeros_for_maps_that_animals_lack(folder: Path) -> None:
    clips = ClipFolder(folder)
    people = [bool(row["person"]) for row in clips.manifest]
    assert True in people and False in people
    batch = clips.batch(range(6), ("picture", "pose"))
    assert batch["picture"].shape == batch["pose"].shape == (6, 4, 32, 32, 3)
    assert [bool(pose.any()) for pose in batch["pose"]] == people
    with pytest.raises(KinemaError, match="none of these clips has a map 'smell'"):
        clips.batch([0], ("smell",))
    with pytest.raises(KinemaError, match="has no map 'pose'"):
        clips[people.index(False)]["pose"]
    assert clips[people.index(False)].points is None


@pytest.mark.parametrize("line", ['{"path": "../secret"}', '{"path": "/etc/passwd"}', "[]", "{", '{"id": 3}'])
def test_a_damaged_manifest_is_refused(folder: Path, tmp_path: Path, line: str) -> None:
    shutil.copytree(folder, tmp_path / "clips")
    path = tmp_path / "clips" / "manifest.jsonl"
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(FormatError, match="line 7"):
        ClipFolder(tmp_path / "clips")


def test_a_batch_of_different_sizes_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clips = ClipFolder(folder)
    small = {"picture": np.zeros((4, 16, 16, 3), np.uint8)}
    read = type(clips[0]).read
    monkeypatch.setattr(
        type(clips[0]), "read", lambda self, *names: small if self.facts["id"] == "000001" else read(self, *names)
    )
    with pytest.raises(KinemaError, match="do not fit into one batch"):
        clips.batch([0, 1], ("picture",))

"""`kinema.clips`, `kinema.read_clips` and `kinema.convert_clips`."""

from __future__ import annotations

from pathlib import Path

import kinema


def test_clips_are_made_read_and_converted(tmp_path: Path) -> None:
    options = {"count": 2, "frames": 3, "size": 32, "identities": 2, "scenes": [], "maps": ["picture", "mask"]}
    report = kinema.clips(tmp_path / "clips", workers=1, **options)  # type: ignore[arg-type]
    assert report.made == 2 and not report.failed
    clips = kinema.read_clips(tmp_path / "clips")
    assert [clip.maps for clip in clips] == [("picture", "mask")] * 2
    assert all(clip.facts["scene_kind"] in ("plain", "graded") for clip in clips)
    assert kinema.convert_clips(tmp_path / "clips", tmp_path / "tar", form="webdataset").clips == 2

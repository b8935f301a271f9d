"""Clips in the forms of others, and back."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema.errors import FormatError, KinemaError, UsageError
from kinema.footage.reading import ClipFolder
from kinema.footage.transfer import TASKS, transfer


def test_archives_hold_every_clip_and_are_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        report = transfer(folder, tmp_path / name, "webdataset")
        assert report.clips == 6 and report.files == 1
    data = (tmp_path / "a" / "clips-000000.tar").read_bytes()
    assert data == (tmp_path / "b" / "clips-000000.tar").read_bytes()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        names = archive.getnames()
        assert names[:3] == ["000000.npz", "000000.json", "000000.txt"] and len(names) == 18
        member = archive.extractfile("000003.npz")
        assert member is not None
        with np.load(io.BytesIO(member.read())) as arrays:
            np.testing.assert_array_equal(arrays["picture"], ClipFolder(folder)[3]["picture"])


def test_prompts_are_lists_of_pictures_that_are_there(folder: Path, tmp_path: Path) -> None:
    transfer(folder, tmp_path / "meta", "prompts")
    lists = {path.stem.removeprefix("prompt_"): path for path in (tmp_path / "meta" / "json_files").iterdir()}
    assert set(lists) == set(TASKS)
    people = sum(row["person"] for row in ClipFolder(folder).manifest)
    for task, path in lists.items():
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        assert len(rows) == 4 * (people if task == "DWPose" else 6)
        assert set(rows[0]) == {"source", "target", "prompt"}
        assert all(Path(row["source"]).is_absolute() and Path(row["target"]).is_file() for row in rows)
    row = json.loads(lists["fg_inpainting"].read_text().splitlines()[0])
    clip = ClipFolder(folder)[0]
    shown = np.asarray(Image.open(row["source"]))
    assert not shown[clip["mask"][0] > 0].any()
    np.testing.assert_array_equal(shown[clip["mask"][0] == 0], clip["picture"][0][clip["mask"][0] == 0])


def test_prompts_come_back_as_clips(folder: Path, tmp_path: Path) -> None:
    transfer(folder, tmp_path / "meta", "prompts")
    transfer(tmp_path / "meta", tmp_path / "back", "clips")
    before, after = ClipFolder(folder), ClipFolder(tmp_path / "back")
    assert len(after) == 6
    for one, other in zip(before, after, strict=True):
        assert other.caption == one.caption and other.facts["licence_class"] == "unknown"
        for name in ("picture", "depth", "parts", "body"):
            np.testing.assert_array_equal(other[name], one[name], err_msg=name)
        assert ("pose" in other.maps) == bool(one.facts["person"])


def test_bad_prompts_are_refused(folder: Path, tmp_path: Path) -> None:
    meta = tmp_path / "meta"
    transfer(folder, meta, "prompts")
    list_of_depth = meta / "json_files" / "prompt_depth.json"
    good = list_of_depth.read_text()
    for text, said in (("{", "not JSON"), ('{"source": 3, "target": "a", "prompt": ""}', "are texts")):
        list_of_depth.write_text(text)
        with pytest.raises(FormatError, match=said):
            transfer(meta, tmp_path / "out", "clips", force=True)
    list_of_depth.write_text(good)
    picture = Path(json.loads(good.splitlines()[0])["source"])
    Image.new("RGB", (8, 8)).save(picture)
    with pytest.raises(FormatError, match="is 8x8, and the clip is 32x32"):
        transfer(meta, tmp_path / "out", "clips", force=True)
    picture.unlink()
    with pytest.raises(FormatError, match="cannot be read as a picture"):
        transfer(meta, tmp_path / "out2", "clips")
    shutil.copy(list_of_depth, meta / "json_files" / "prompt_smell.json")
    with pytest.raises(FormatError, match="unknown task"):
        transfer(meta, tmp_path / "out3", "clips")
    with pytest.raises(FormatError, match="has no json_files"):
        transfer(tmp_path, tmp_path / "out4", "clips")


def test_what_exists_is_not_replaced_and_forms_are_known(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.txt").write_text("mine")
    with pytest.raises(KinemaError, match="exists"):
        transfer(folder, tmp_path / "mine", "webdataset")
    with pytest.raises(UsageError, match="'parquet'"):
        transfer(folder, tmp_path / "out", "parquet")

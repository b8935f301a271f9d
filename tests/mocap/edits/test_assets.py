"""Edits applied to a whole file, and through a build."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema import load, save
from kinema.errors import DatabaseError
from kinema.formats import Asset, open_source
from kinema.mocap import MotionDatabase, build, store
from kinema.mocap.edits import EditedFile, EditError, change, edited_asset
from kinema.mocap.edits.spans import to_mask


@pytest.fixture
def walk(stroll, tmp_path: Path) -> Path:
    (tmp_path / "takes").mkdir()
    save(stroll, tmp_path / "takes" / "stroll.npz")
    return tmp_path / "takes" / "stroll.npz"


def edit(path: Path, act) -> EditedFile:
    source = open_source(path)
    session = EditedFile.open(source, load(source).motions)
    clip = next(iter(session.clips.values()))
    clip.do(act(clip))
    session.save()
    return session


def test_each_piece_is_a_clip_and_a_changed_file_is_told(walk, stroll):
    source = open_source(walk)
    assert edited_asset(load(source), source).motions[0].frames == stroll.frames
    edit(walk, lambda clip: change.split(clip.edits, 50))
    asset = edited_asset(load(source), source)
    assert [motion.frames for motion in asset.motions] == [50, 70] and not asset.warnings
    save(stroll.replace(tags=("new",)), walk)
    source = open_source(walk)
    assert "was changed after it was edited" in edited_asset(load(source), source).warnings[0]
    two = load(source).motions[0]
    path = walk.with_name("stroll.npz.edits.json")
    path.write_text(path.read_text().replace('"stroll": {', '"else": {'))
    with pytest.raises(EditError, match=r"its edits are of the clip 'else', and it holds 'stroll', 'b'"):
        edited_asset(Asset("x", "npz", two.skeleton, (two, two.replace(name="b"))), source)


def test_a_build_takes_pieces_contacts_and_labels_as_edited(walk, tmp_path):
    def act(clip):
        edits = change.label(change.keep(clip.edits, 20, 120), 40, 60, "jump-left", "to the left")
        return change.set_contacts(edits, {"left": [(30, 90)], "right": [(20, 40), (80, 120)]})

    edit(walk, act)
    report = build(walk.parent, tmp_path / "db", workers=1, fps=60.0)
    database = MotionDatabase.open(tmp_path / "db")
    assert (report.clips, report.frames, report.edited, report.excluded) == (2, 200, 2, 0)
    take, image = database.clips
    assert take.tags == ("park", "jump-left") and image.tags == ("park", "jump-right"), (
        "the name gives no tags any more"
    )
    assert take.labels == ((20, 40, "jump-left"), (20, 40, "to the left"))
    assert image.labels == ((20, 40, "jump-right"), (20, 40, "to the right"))
    assert database.contacts[:100, 0].astype(bool).tolist() == to_mask([(10, 70)], 100).tolist()
    assert database.contacts[:100, 1].astype(bool).tolist() == to_mask([(0, 20), (60, 100)], 100).tolist()
    assert (database.contacts[100:, ::-1] == database.contacts[:100]).all()
    assert np.flatnonzero(database.labelled("jump-left")).tolist() == list(range(20, 40))
    plain = build(walk.parent, tmp_path / "plain", workers=1, fps=60.0, edits=False)
    assert (plain.frames, plain.edited) == (240, 0)


def test_clips_not_to_be_mirrored_are_not_and_clips_left_out_do_not_enter(walk, stroll, tmp_path):
    save(stroll.replace(name="more"), walk.with_name("more.bvh"))
    edit(walk, lambda clip: change.set_mirror(clip.edits, False))
    edit(walk.with_name("more.bvh"), lambda clip: change.drop(clip.edits, 0, clip.edits.frames))
    report = build(walk.parent, tmp_path / "db", workers=1)
    assert (report.clips, report.excluded, report.skipped) == (1, 1, ())
    edit(walk, lambda clip: change.drop(clip.edits, 0, clip.edits.frames))
    with pytest.raises(DatabaseError, match="its edits leave nothing of it"):
        build(walk.parent, tmp_path / "none", workers=1)


def test_a_build_that_goes_on_notices_changed_edits(walk, tmp_path, monkeypatch):
    def fail(*_args, **_options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, "write", fail)
        with pytest.raises(KeyboardInterrupt):
            build(walk.parent, tmp_path / "db", workers=1)
    assert list((tmp_path / "db.partial" / "shards").glob("*.npz"))
    edit(walk, lambda clip: change.keep(clip.edits, 0, 60))
    build(walk.parent, tmp_path / "db", workers=1)
    assert MotionDatabase.open(tmp_path / "db").frames == 2 * 30


def test_appending_says_that_edits_changed(walk, tmp_path):
    build(walk.parent, tmp_path / "db", workers=1)
    edit(walk, lambda clip: change.keep(clip.edits, 0, 60))
    report = build(walk.parent, tmp_path / "db", workers=1, append=True)
    assert [item.reason for item in report.skipped] == [
        "is in the database with other edits; build it again with --force"
    ]
    assert report.known == 0
    build(walk.parent, tmp_path / "db", workers=1, force=True)
    assert build(walk.parent, tmp_path / "db", workers=1, append=True).known == 1


def test_bad_edits_cost_their_file_only_and_short_pieces_are_told(walk, stroll, tmp_path):
    save(stroll.replace(name="more"), walk.with_name("more.bvh"))
    walk.with_name("stroll.npz.edits.json").write_text("{")
    edit(walk.with_name("more.bvh"), lambda clip: change.split(change.keep(clip.edits, 0, 100), 5))
    report = build(walk.parent, tmp_path / "db", workers=1, mirror=False)
    assert report.clips == 1 and [item.path for item in report.skipped] == ["takes/stroll.npz"]
    assert any("more.1: no 0.5 s without a jump" in line for line in report.warnings)


def test_a_real_walk_through_a_build(data_dir, tmp_path):
    source = data_dir / "human_mocap" / "cmu_bvh" / "cmu_12_01_walk.bvh"
    (tmp_path / source.name).write_bytes(source.read_bytes())

    def act(clip):
        edits = change.keep(change.keep(clip.edits, 40, 200), 260, 480, "end")
        return change.label(edits, 60, 150, "walk", "slowly")

    session = edit(tmp_path / source.name, act)
    clip = session.clips["cmu_12_01_walk"]
    clip.paint("left", 60, 100, True)
    session.save()
    report = build(tmp_path / source.name, tmp_path / "db", workers=1)
    database = MotionDatabase.open(tmp_path / "db")
    assert [one.name for one in database.clips] == ["cmu_12_01_walk.1"] * 2 + ["cmu_12_01_walk.end"] * 2
    assert report.skipped == () and report.edited == 4
    # 30 of 120 frames per second: frame k of a piece is its frame 4 k, label and contact with it.
    first = database.clips[0]
    wanted = to_mask([(20, 110)], 160)[::4]
    assert database.labelled("walk")[first.start : first.stop].tolist() == wanted.tolist()
    left = to_mask(clip.contacts()["left"], 524)[40:200:4]
    assert database.contacts[first.start : first.stop, 0].astype(bool).tolist() == left.tolist()
    assert left[5:15].all()
    assert json.loads((tmp_path / "db" / "index.json").read_text())["clips"][0]["edits"] != 0

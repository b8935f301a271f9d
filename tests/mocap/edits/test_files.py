"""Edits on disk."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema.errors import KinemaError
from kinema.formats.sources import Source, open_source
from kinema.mocap.edits import EditError, Edits, FileEdits, change, clip_keys, edits_path, read_edits, write_edits
from kinema.mocap.edits import files as module
from kinema.mocap.edits.files import Stamp, parse, render

from .conftest import random_edits

STAMP = Stamp("walk.bvh", 3, "ab" * 32)


def valid() -> dict:
    return json.loads(render(FileEdits(STAMP, {"walk": change.label(Edits.none(100, 30.0), 3, 9, "walk", "x")})))


@pytest.mark.parametrize("seed", range(25))
def test_what_is_written_is_read(seed):
    edits = {f"clip {n}": value for n, value in enumerate(random_edits(seed)) if not value.empty}
    found = parse(render(FileEdits(STAMP, edits)).encode())
    assert found == FileEdits(STAMP, edits)
    assert render(found) == render(FileEdits(STAMP, edits))


def test_the_text_is_for_people(tmp_path):
    edits = change.keep(change.label(Edits.none(300, 60.0), 3, 9, "walk", "über Stock und Stein"), 10, 90, "start")
    text = render(FileEdits(STAMP, {"walk": change.set_contacts(edits, {"left": [(0, 5)], "right": []})}))
    assert '        {"start": 10, "stop": 90, "name": "start"}\n' in text
    assert '        {"start": 3, "stop": 9, "tag": "walk", "text": "über Stock und Stein"}\n' in text
    assert '        "left": [[0, 5]],\n' in text
    assert render(FileEdits(STAMP, {"walk": Edits.none(3, 30.0)})) == render(FileEdits(STAMP)), "no edits are left out"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda top: top.update(more=1), "the file has an unknown key 'more'; known are clips, kinema_edits, source"),
        (lambda top: top.pop("source"), "the file has no 'source'"),
        (lambda top: top.update(kinema_edits=2), "is of version 2; this program reads version 1"),
        (lambda top: top.update(kinema_edits=True), "is of version True"),
        (lambda top: top["source"].update(size="3"), "source.size is '3'"),
        (lambda top: top.update(clips=[]), "clips must be an object"),
        (lambda top: top["clips"]["walk"].update(piece=1), "clips.walk has an unknown key 'piece'"),
        (lambda top: top["clips"]["walk"].update(frames=1e3), "clips.walk.frames is 1000.0"),
        (lambda top: top["clips"]["walk"].update(frames=True), "clips.walk.frames is True"),
        (lambda top: top["clips"]["walk"].update(fps=0), "clips.walk: a clip has a positive number"),
        (lambda top: top["clips"]["walk"].update(frames=5), "label of frames 3 to 9 is not within the 5 frames"),
        (lambda top: top["clips"]["walk"].update(mirror=1), "clips.walk.mirror is 1"),
        (lambda top: top["clips"]["walk"].update(labels={}), "clips.walk.labels is {}"),
        (lambda top: top["clips"]["walk"]["labels"][0].update(stop="9"), r"clips.walk.labels\[0\].stop is '9'"),
        (lambda top: top["clips"]["walk"]["labels"][0].pop("tag"), r"clips.walk.labels\[0\] has no 'tag'"),
        (lambda top: top["clips"]["walk"].update(contacts={"left": [[1]]}), "clips.walk.contacts.left must hold pairs"),
        (lambda top: top["clips"]["walk"].update(contacts={"left": [[1, True]]}), "clips.walk.contacts.left is True"),
        (lambda top: top["clips"]["walk"].update(mirror_partners=[["a", 1]]), "mirror_partners is 1"),
        (lambda top: top["clips"]["walk"].update(pieces=[{"start": 9, "stop": 10**40}]), r"pieces\[0\].stop is"),
        (lambda top: top["clips"]["walk"].update(fps=10**400), "clips.walk.fps is 1000"),
        (lambda top: top["clips"]["walk"].update(pieces=[{"start": 9, "stop": 101}]), "9 to 101 is not within"),
    ],
)
def test_hostile_values_are_refused_in_one_line(spoil, said):
    top = valid()
    spoil(top)
    with pytest.raises(EditError, match=said) as caught:
        parse(json.dumps(top).encode())
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a": NaN}', b"1" * 5_000, b"null", b"[]"])
def test_hostile_bytes_are_refused_in_one_line(data):
    with pytest.raises(EditError) as caught:
        parse(data)
    assert "\n" not in str(caught.value)


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
WORDS = st.sampled_from(["kinema_edits", "source", "clips", "frames", "pieces", "x"])
ANY_JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12
)


@settings(max_examples=120, deadline=None)
@given(ANY_JSON)
def test_any_json_is_read_or_refused(value):
    top = valid()
    for place in (top["clips"]["walk"], top["clips"], top):
        place["frames" if place is not top else "clips"] = value
        try:
            parse(json.dumps(top).encode())
        except EditError:
            top = valid()


def test_where_edits_are(tmp_path: Path):
    (tmp_path / "takes").mkdir()
    walk = tmp_path / "takes" / "walk.bvh"
    walk.write_text("x")
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("a/run.bvh", "y")
    plain, member = open_source(walk), open_source(tmp_path / "more.zip" / "a" / "run.bvh")
    assert edits_path(plain) == tmp_path / "takes" / "walk.bvh.edits.json"
    assert edits_path(member) == tmp_path / "more.zip.edits" / "a" / "run.bvh.edits.json"
    assert edits_path(plain, "ed") == Path("ed/takes/walk.bvh.edits.json")
    assert edits_path(member, "ed") == Path("ed/more.zip/a/run.bvh.edits.json")
    evil = Source("x.zip/../../run.bvh", str(tmp_path / "x.zip"), "../../run.bvh")
    assert edits_path(evil) == tmp_path / "x.zip.edits" / "run.bvh.edits.json"
    memory = Source.from_bytes(b"x", "walk.bvh")
    assert edits_path(memory) is None and edits_path(memory, "ed") == Path("ed/walk.bvh.edits.json")
    assert read_edits(plain) is None and read_edits(memory) is None


def test_reading_says_the_file_and_big_ones_are_not_read(tmp_path, monkeypatch):
    walk = tmp_path / "walk.bvh"
    walk.write_text("x")
    path = edits_path(open_source(walk))
    path.write_text("{")
    with pytest.raises(EditError, match=r"walk\.bvh\.edits\.json: is not JSON .* repair it, or remove it"):
        read_edits(open_source(walk))
    monkeypatch.setattr(module, "LARGEST", 100)
    path.write_text(" " * 101)
    with pytest.raises(EditError, match="more than the limit"):
        read_edits(open_source(walk))
    path.unlink()
    path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(EditError, match="a link that leads to no file"):
        read_edits(open_source(walk))


def test_a_failed_write_leaves_the_edits_before(tmp_path):
    path = tmp_path / "sub" / "walk.bvh.edits.json"
    write_edits(FileEdits(STAMP), path)
    before = path.read_bytes()
    with pytest.raises(UnicodeEncodeError):
        write_edits(FileEdits(Stamp("\ud800", 3, "")), path)
    assert path.read_bytes() == before and os.listdir(path.parent) == [path.name]
    (tmp_path / "file").write_text("")
    with pytest.raises(KinemaError, match="name a folder with --edits-folder"):
        write_edits(FileEdits(STAMP), tmp_path / "file" / "x.edits.json")


def test_keys_are_unique_and_the_only_clip_may_be_renamed(stroll):
    motions = [stroll, stroll.replace(name=""), stroll, stroll.replace(name="stroll (2)")]
    keys = clip_keys(motions)
    assert keys[:3] == ["stroll", "clip 2", "stroll (2)"] and len(set(keys)) == 4
    edits = change.keep(Edits.none(stroll.frames, stroll.fps), 0, 9)
    assert FileEdits(STAMP, {"old": edits}).matched(["new"]) == ({"new": edits}, {})
    assert FileEdits(STAMP, {"old": edits}).matched(["new", "other"]) == ({}, {"old": edits})

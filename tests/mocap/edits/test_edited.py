"""A file under edit: opened, changed, saved, opened again."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinema import save
from kinema.errors import KinemaError
from kinema.formats import load, open_source
from kinema.formats.sources import Source
from kinema.mocap.edits import EditedFile, EditError, change


@pytest.fixture
def walk(stroll, tmp_path: Path) -> Path:
    save(stroll, tmp_path / "stroll.npz")
    return tmp_path / "stroll.npz"


def opened(path: Path, folder: Path | None = None) -> EditedFile:
    source = open_source(path)
    return EditedFile.open(source, load(source).motions, folder)


def test_edits_survive_saving_and_the_source_is_not_touched(walk):
    before = walk.read_bytes()
    session = opened(walk)
    clip = session.clips["stroll"]
    found = dict(clip.contacts())
    clip.do(change.keep(clip.edits, 5, 100), "keep")
    clip.paint("left", 3, 7, True)
    assert session.dirty and clip.history.undo_name == "paint contact"
    assert session.save() == walk.with_name("stroll.npz.edits.json")
    assert not session.dirty
    again = opened(walk).clips["stroll"]
    assert again.edits == clip.edits
    assert set(range(3, 7)) <= {f for a, b in again.contacts()["left"] for f in range(a, b)}
    assert again.contacts()["right"] == found["right"]
    assert walk.read_bytes() == before


def test_a_changed_source_is_noticed_and_edits_that_do_not_fit_are_kept(walk, stroll):
    session = opened(walk)
    clip = session.clips["stroll"]
    clip.do(change.keep(clip.edits, 5, 100))
    session.save()
    save(stroll.replace(tags=("other",)), walk)
    same_length = opened(walk)
    assert same_length.changed and not same_length.lost and same_length.clips["stroll"].edits == clip.edits
    save(stroll.cut(0, 50), walk)
    shorter = opened(walk)
    assert shorter.changed and list(shorter.lost) == ["stroll"] and shorter.clips["stroll"].edits.empty
    shorter.save()
    save(stroll, walk)
    assert opened(walk).clips["stroll"].edits == clip.edits, "saving nothing over them does not lose them"


def test_edits_of_another_clip_are_refused_and_places_that_are_none(walk, stroll, tmp_path):
    session = opened(walk)
    longer = change.keep(change.keep_all(session.clips["stroll"].edits), 0, 9)
    other = EditedFile.open(Source.from_bytes(b"x", "x.npz"), [stroll.cut(0, 60)])
    with pytest.raises(EditError, match="edited in another version"):
        other.clips["stroll"].do(longer)
    with pytest.raises(EditError, match="have no place; name a folder"):
        other.save()
    (tmp_path / "file").write_text("")
    blocked = opened(walk, tmp_path / "file")
    blocked.clips["stroll"].do(longer)
    with pytest.raises(KinemaError, match="--edits-folder"):
        blocked.save()
    assert blocked.dirty


def test_the_ghost_is_made_anew_only_when_the_mirror_map_changes(walk):
    clip = opened(walk).clips["stroll"]
    first = clip.ghost()
    clip.do(change.drop(clip.edits, 0, 5))
    assert clip.ghost() is first
    hand = clip.motion.skeleton.names[clip.motion.skeleton.roles.arms[0].hand]
    clip.do(change.set_partner(clip.edits, hand, hand))
    assert clip.ghost() is not first

"""Editing clips: the same commands from a script, and as orders of a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinema import load, save
from kinema.formats import open_source
from kinema.mocap.edits import EditedFile, Edits, Label, Piece
from kinema.session.clips import ClipSession
from kinema.session.library import find_files

from .conftest import FRAMES

Hand = Callable[..., None]
"""Asks for something by name, with the fields of an order."""


def script(session: ClipSession) -> Hand:
    """Calls the editor's own methods, as the window does."""

    def span(order: dict[str, Any]) -> tuple[int, int] | None:
        return (order["start"], order["stop"]) if "start" in order else None

    editor = session.editor
    acts: dict[str, Callable[[dict[str, Any]], object]] = {
        "edit": lambda o: session.set_editing(o["on"]),
        "select": lambda o: editor.select(span(o)),
        "mark": lambda o: editor.mark(o["frame"], bool(o["end"])),
        "keep": lambda o: editor.keep(span(o), o.get("name", "")),
        "drop": lambda o: editor.drop(span(o)),
        "split": lambda o: editor.split(o["frame"]),
        "keep_all": lambda o: editor.keep_all(),
        "reshape": lambda o: editor.reshape(Piece(*o["old"]), Piece(o["start"], o["stop"], o["name"])),
        "label": lambda o: editor.label((o["start"], o["stop"]), o["tag"].strip(), o.get("text", "").strip()),
        "relabel": lambda o: editor.relabel(
            Label(*o["old"]), Label(o["start"], o["stop"], o["tag"], o["text"]), o.get("group")
        ),
        "unlabel": lambda o: editor.unlabel(Label(*o["old"])),
        "paint": lambda o: editor.paint(o["point"], (o["start"], o["stop"]), o["on"], o.get("group")),
        "detect": lambda o: editor.detect(o["speed"], o["height"], o["shortest"]),
        "auto": lambda o: editor.forget_contacts(),
        "mirror": lambda o: editor.set_mirror(o["on"]),
        "partner": lambda o: editor.set_partner(o["joint"], o["partner"]),
        "ghost": lambda o: editor.show_ghost(o["mode"]),
        "undo": lambda o: editor.undo(),
        "redo": lambda o: editor.redo(),
        "save": lambda o: editor.save(),
        "seek": lambda o: session.seek(o["frame"]),
        "play": lambda o: session.toggle_play(),
    }
    return lambda do, **order: acts[do](order)


def page(session: ClipSession) -> Hand:
    """Sends orders, as pages do."""
    pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")
    from kinema.viewer.channel import Channel
    from kinema.viewer.editor_page import EditorPage

    orders = EditorPage(session, Channel())
    return lambda do, **order: orders.obey({"do": do, **order})


@pytest.fixture
def session(clip_path: Path) -> ClipSession:
    made = ClipSession(find_files([clip_path]))
    made.wait()
    return made


@pytest.fixture(params=[script, page], ids=["script", "page"])
def do(request: pytest.FixtureRequest, session: ClipSession) -> Hand:
    return request.param(session)


@pytest.fixture
def editing(session: ClipSession) -> ClipSession:
    session.set_editing(True)
    return session


def problem(session: ClipSession) -> str:
    return session.log.lines[-1].text if session.log.lines else ""


def contacts(session: ClipSession) -> dict[str, Any]:
    return dict(session.contacts)


def test_nothing_is_read_until_it_is_asked_for(session: ClipSession, do: Hand):
    assert session.editor.clip is None and not session.editor.on and session.editor.reason == ""
    do("keep", start=0, stop=9)
    assert problem(session) == "switch the editor on first"
    do("edit", on=True)
    assert session.editor.on and session.editor.edits.whole
    assert contacts(session) == {"left": ((0, 50),), "right": ((50, 100),)}


def test_commands_change_undo_and_save(editing: ClipSession, do: Hand, clip_path: Path):
    editor = editing.editor
    do("keep", start=10, stop=60)
    do("split", frame=30)
    do("reshape", old=[30, 60, ""], start=35, stop=70, name="end")
    do("drop", start=40, stop=50)
    assert editor.edits.pieces == (Piece(10, 30), Piece(35, 40, "end"), Piece(50, 70, "end"))
    do("label", start=5, stop=25, tag="Walk", text=" slowly ")
    assert editor.edits.labels == (Label(5, 25, "walk", "slowly"),)
    do("relabel", old=[5, 25, "walk", "slowly"], start=6, stop=26, tag="run", text="")
    assert editor.clip is not None and editor.clip.history.undo_name == "change label"
    do("undo")
    assert editor.edits.labels == (Label(5, 25, "walk", "slowly"),)
    do("redo")
    do("mirror", on=False)
    assert editor.unsaved == [str(clip_path)]
    do("save")
    assert editor.unsaved == [] and problem(editing) == f"saved in {clip_path}.edits.json"
    source = open_source(clip_path)
    edits = EditedFile.open(source, load(source).motions).clips["stroll"].edits
    assert edits.pieces == (Piece(10, 30), Piece(35, 40, "end"), Piece(50, 70, "end"))
    assert edits.labels == (Label(6, 26, "run"),) and not edits.mirror and edits.contacts is None
    do("unlabel", old=[6, 26, "run", ""])
    do("keep_all")
    assert editor.edits.labels == () and editor.edits.whole


def test_every_command_of_a_drag_is_from_where_it_began(editing: ClipSession, do: Hand):
    for stop in (20, 45, 12):
        do("paint", point="right", start=10, stop=stop, on=True, group="a")
    assert contacts(editing)["right"] == ((10, 12), (50, 100))
    do("paint", point="right", start=11, stop=55, on=False, group="b")
    do("paint", point="right", start=11, stop=11, on=False, group="b")
    assert contacts(editing)["right"] == ((10, 12), (50, 100)), "dragged back to where it began"
    do("undo")
    assert editing.editor.edits.contacts is None
    do("label", start=10, stop=20, tag="walk")
    for by in (5, 30, 3):
        do("relabel", old=[10, 20, "walk", ""], start=10 + by, stop=20 + by, tag="walk", text="", group="c")
    assert editing.editor.edits.labels == (Label(13, 23, "walk"),)
    do("undo")
    assert editing.editor.edits.labels == (Label(10, 20, "walk"),)


def test_contacts_are_found_again_and_forgotten(editing: ClipSession, do: Hand):
    do("detect", speed=5.0, height=1.0, shortest=0.0)
    assert contacts(editing) == {"left": ((0, 100),), "right": ((0, 100),)}
    do("auto")
    assert editing.editor.edits.contacts is None and contacts(editing) == {"left": ((0, 50),), "right": ((50, 100),)}


def test_the_mirror_image_is_shown_and_takes_an_override(editing: ClipSession, do: Hand):
    do("ghost", mode="over")
    editing.update(0.0)
    assert len(editing.world.poses.batches[0].ids) == 2
    do("partner", joint="LeftHand", partner="LeftHand")
    assert editing.editor.edits.partners == (("LeftHand", "LeftHand"),)
    do("partner", joint="LeftHand", partner="")
    assert editing.editor.edits.partners == ()
    do("partner", joint="LeftHand", partner="Tail")
    assert "no joint is named 'Tail'" in problem(editing)
    do("edit", on=False)
    editing.update(0.0)
    assert editing.editor.ghost == "off" and len(editing.world.poses.batches[0].ids) == 1


def test_the_range_is_looped_and_goes_with_its_use(editing: ClipSession, do: Hand):
    editor = editing.editor
    do("select", start=40, stop=20)
    editing.update(0.0)
    assert editor.selection == (20, 40) == editing.playhead.within
    for frame, end, expected in ((30, 0, (30, 40)), (34, 1, (30, 35)), (9, 1, (0, 10)), (50, 0, (50, FRAMES))):
        do("mark", frame=frame, end=end)
        assert editor.selection == expected
    do("keep")
    assert editor.edits.pieces == (Piece(50, 100),) and editor.selection is None
    do("drop")
    assert problem(editing).startswith("set a range first") and editor.edits.pieces == (Piece(50, 100),)
    do("select", start=1, stop=9)
    do("select")
    assert editor.selection is None
    do("seek", frame=7)
    assert editing.playhead.frame == 7 and not editing.playhead.playing
    do("play")
    assert editing.playhead.playing


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"do": "keep", "start": 200, "stop": 300}, "hold none of the 100 frames"),
        ({"do": "label", "start": 1, "stop": 3, "tag": "two words"}, "must be one word"),
        ({"do": "unlabel", "old": [1, 2, "walk", ""]}, "is not there any more"),
        ({"do": "paint", "point": "tail", "start": 1, "stop": 3, "on": True}, "no contact point 'tail'"),
        ({"do": "split", "frame": 0}, "nothing to split here"),
        ({"do": "undo"}, "nothing to undo"),
        ({"do": "redo"}, "nothing to redo"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(editing: ClipSession, do: Hand, order: Any, said: str):
    before = editing.editor.edits
    do(**order)
    assert said in problem(editing) and editing.editor.edits == before and editing.log.lines[-1].level == "warning"


def test_edits_that_are_there_are_shown_without_the_editor(editing: ClipSession, do: Hand, clip_path: Path):
    do("paint", point="left", start=60, stop=70, on=True)
    do("save")
    looked = ClipSession(find_files([clip_path]))
    looked.wait()
    assert not looked.editor.on and looked.editor.edits.summary == "contacts"
    assert looked.contacts["left"] == ((0, 50), (60, 70))
    clip_path.with_name("stroll.npz.edits.json").write_text("{")
    broken = ClipSession(find_files([clip_path]))
    broken.wait()
    assert "is not JSON" in broken.editor.reason
    broken.set_editing(True)
    assert "is not JSON" in problem(broken) and broken.editor.clip is None


def test_unsaved_edits_stay_while_other_files_are_looked_at(editing: ClipSession, do: Hand, clip_path: Path, tmp_path):
    do("keep", start=1, stop=50)
    (tmp_path / "other").mkdir()
    save(load(clip_path).motions[0].replace(name="b"), tmp_path / "other" / "b.npz")
    editing.add_files([str(tmp_path / "other" / "b.npz")])
    editing.wait()
    assert editing.editor.edits.whole and editing.editor.unsaved == [str(clip_path)]
    editing.open(0)
    editing.wait()
    assert editing.editor.edits.pieces == (Piece(1, 50),) and editing.editor.clip is not None
    assert editing.editor.clip.history.undo_name == "keep"


def test_a_file_that_changed_is_named(editing: ClipSession, do: Hand, clip_path: Path):
    do("keep", start=1, stop=50)
    do("save")
    motion = load(clip_path).motions[0]
    save(motion.replace(labels={**motion.labels, "more": np.zeros(motion.frames)}), clip_path)
    changed = ClipSession(find_files([clip_path]))
    changed.wait()
    assert "the file changed since it was edited" in problem(changed)
    assert changed.editor.edits == Edits.none(FRAMES, 50.0).__class__(**vars(editing.editor.edits))

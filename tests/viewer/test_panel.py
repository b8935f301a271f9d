"""The panel's lists and switches, on a server without a browser."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

import viser

from kinema import Motion, Skeleton
from kinema.session.library import Clip
from kinema.session.playhead import Playhead
from kinema.viewer.panel import MAX_LISTED, ClipPanel, plain


class Owner:
    """Writes down what the panel asks for."""

    def __init__(self) -> None:
        self.playhead = Playhead()
        self.asked: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *values: self.asked.append((name, *values))


class Bench:
    def __init__(self, server: Any) -> None:
        self.owner = Owner()
        self.tasks: list[Callable[[], None]] = []
        self.panel = ClipPanel(server, {"Body": True, "Bones": False}, self.tasks.append, self.owner)  # pyright: ignore[reportArgumentType]

    def carry_out(self) -> list[tuple[Any, ...]]:
        while self.tasks:
            self.tasks.pop(0)()
        asked, self.owner.asked = self.owner.asked, []
        return asked


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    opened = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    yield opened
    opened.stop()


@pytest.fixture
def bench(server: Any) -> Bench:
    server.gui.reset()
    return Bench(server)


def clip(title: str = "walk", joints: int = 1) -> Clip:
    names = [f"j{k}" for k in range(joints)]
    skeleton = Skeleton.create(names, [k - 1 for k in range(joints)], np.zeros((joints, 3)))
    return Clip(title, skeleton, None, lambda: None)


def motion_of(shown: Clip, frames: int, warnings: tuple[str, ...] = ()) -> Motion:
    still = np.tile(np.array([1, 0, 0, 0], np.float32), (frames, shown.skeleton.joint_count, 1))
    return Motion.create(shown.skeleton, still, fps=30.0, warnings=warnings)


def click(handle: Any, client: object | None) -> None:
    """What viser does when a person touches a control; without a client, when we did."""
    for handler in handle._impl.update_cb:
        handler(types.SimpleNamespace(client=client, target=handle))


def test_a_list_of_one_file_is_hidden_and_a_long_one_can_be_searched(bench):
    bench.panel.list_documents(["a.bvh"], "a.bvh")
    assert not bench.panel._document.visible and not bench.panel._search.visible
    bench.panel.list_documents([f"{k}.bvh" for k in range(9)], "4.bvh")
    assert bench.panel._document.visible and bench.panel._search.visible
    assert bench.panel.document == "4.bvh"


def test_long_lists_are_cut_but_hold_the_chosen_one(bench):
    titles = [f"take {k}" for k in range(MAX_LISTED + 50)]
    bench.panel.list_documents(titles, titles[-1])
    assert bench.panel.document == titles[-1]
    assert len(bench.panel._document.options) == MAX_LISTED + 1
    bench.panel.select_document(titles[MAX_LISTED + 10])
    assert bench.panel.document == titles[MAX_LISTED + 10]


def test_a_search_narrows_the_list_and_one_that_finds_nothing_leaves_it(bench):
    titles = [f"{kind} {k}" for kind in ("walk", "run") for k in range(6)]
    bench.panel.list_documents(titles, "walk 0")
    bench.panel._search.value = "RUN 3"
    bench.panel._filter()
    assert tuple(bench.panel._document.options) == ("run 3",)
    assert bench.panel.document == "run 3"
    bench.panel._search.value = "swim"
    bench.panel._filter()
    assert bench.panel.document == "run 3"


def test_choosing_a_file_is_queued_and_asks_for_what_is_chosen_in_the_end(bench):
    bench.panel.list_documents(["a", "b", "c"], "a")
    bench.carry_out()
    bench.panel.select_document("b")
    assert bench.owner.asked == [], "handlers run on threads of viser's and may only queue"
    bench.panel.select_document("c")
    assert set(bench.carry_out()) == {("open_document", "c")}


def test_only_a_hand_moves_the_playhead(bench):
    bench.panel._frame.max = 50
    bench.carry_out()
    bench.panel._frame.value = 7
    assert bench.carry_out() == []
    click(bench.panel._frame, client=object())
    assert bench.carry_out() == [("seek", 7.0)]


def test_switches_reach_the_owner(bench):
    bench.panel._speed.value = 0.5
    bench.panel._loop.value = False
    assert bench.owner.playhead.speed == 0.5 and bench.owner.playhead.loop is False
    bench.panel.flip_mirror()
    assert bench.carry_out() == [("set_mirrored", True)]


@pytest.mark.parametrize(("frames", "last", "disabled"), [(1, 1, True), (2, 1, False), (40, 39, False)])
def test_the_slider_spans_the_clip(bench, frames, last, disabled):
    shown = clip()
    bench.panel.show_clip(["walk"], shown, motion_of(shown, frames), 1.7)
    assert (bench.panel._frame.value, bench.panel._frame.max, bench.panel._frame.disabled) == (0, last, disabled)
    assert not bench.panel._clip.visible
    assert f"{frames} frames, 30 fps" in bench.panel._about.content


def test_what_stands_still_has_no_time(bench):
    bench.panel.show_clip(["rest pose", "other"], clip("other", 3), None, 0.123)
    assert bench.panel._frame.disabled and bench.panel._clip.value == "other" and bench.panel._clip.visible
    assert bench.panel._about.content == "3 joints, 0.12 m"


def test_the_slider_follows_while_playing_and_rests_in_pause(bench):
    shown = clip()
    bench.panel.show_clip(["walk"], shown, motion_of(shown, 40), 1.7)
    head = Playhead()
    head.frames, head.fps, head.time, head.playing = 40, 30.0, 0.5, False
    bench.panel.show_time(head)
    assert bench.panel._frame.value == 0
    head.playing = True
    bench.panel.show_time(head)
    assert bench.panel._frame.value == 15
    bench.panel.show_playing(False)
    assert bench.panel._play.label == "Play"


def test_names_out_of_files_are_shown_and_not_obeyed(bench):
    shown = clip()
    warning = "joint '<img src=x onerror=alert(1)>' [x](http://a) **b**\n# head"
    bench.panel.show_clip(["walk"], shown, motion_of(shown, 2, (warning,)), 1.7)
    content = bench.panel._about.content
    assert r"\<img src\=x" in content and r"\[x\]\(http" in content and r"\*\*b" in content
    assert "\n" not in content
    assert plain("toe_base") == r"toe\_base"

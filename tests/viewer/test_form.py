"""Settings as widgets of the panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema.errors import ControlError
from kinema.session.settings import Action, Choice, Facts, Pad, SessionSetting, Slider, Switch, WordsSetting
from kinema.viewer.form import MAX_LISTED, Form, plain
from kinema.viewer.page import Viewer, open_viewer


class Owner:
    """One thing of each kind."""

    def __init__(self) -> None:
        self.on, self.speed, self.chosen, self.pressed = True, 1.0, 0, 0
        self.high, self.point = 2.0, (0.5, 0.5)
        self.options = ["a", "b", "c"]
        self.rows = [("joints", "21"), ("", "*odd* name")]

    def press(self) -> None:
        self.pressed += 1

    def settings(self) -> list[SessionSetting]:
        def change(name: str) -> Callable[[Any], None]:
            return lambda value: setattr(self, name, value)

        return [
            Switch("Show", "Body", "", lambda: self.on, change("on")),
            Slider("Time", "Speed", "", lambda: self.speed, change("speed"), 0.1, self.high, 0.1),
            Choice("Clip", "File", "", lambda: self.chosen, change("chosen"), lambda: self.options),
            Action("Time", "Again", "", self.press),
            Facts("Clip", "facts", "", lambda: self.rows),
            Pad("Time", "mix", "", lambda: self.point, change("point"), lambda: {"a<b": (0.0, 0.0), "c": (1.0, 1.0)}),
        ]


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0) as opened:
        yield opened


@pytest.fixture
def tasks() -> list[Callable[[], object]]:
    return []


@pytest.fixture
def form(viewer: Viewer, tasks: list[Callable[[], object]]) -> Form:
    return Form(viewer.server, tasks.append)


def by_hand(form: Form, group: str, label: str, value: Any) -> Any:
    """What viser does when a person changes a widget."""
    handle = form._widgets[group, label]._handles[0]
    handle._impl.value = value
    for callback in handle._impl.update_cb:
        callback(SimpleNamespace(client=object(), target=handle))
    return handle


def test_every_kind_has_a_widget_and_puts_what_a_hand_chooses(form: Form, tasks: list[Callable[[], object]]):
    owner = Owner()
    form.refresh(owner.settings())
    assert set(form._folders) == {"Show", "Time", "Clip"} and len(form._widgets) == 6
    by_hand(form, "Show", "Body", False)
    by_hand(form, "Time", "Speed", 1.5)
    by_hand(form, "Clip", "File", "c")
    by_hand(form, "Time", "Again", True)
    assert (owner.on, owner.speed, owner.chosen, owner.pressed) == (True, 1.0, 0, 0), "nothing outside of the loop"
    for task in tasks:
        task()
    assert (owner.on, owner.speed, owner.chosen, owner.pressed) == (False, 1.5, 2, 1)
    assert form._widgets["Clip", "facts"]._handles[0].content == "joints: 21<br>*\\*odd\\* name*"


def test_what_the_session_does_not_take_is_shown_back(form: Form, tasks: list[Callable[[], object]]):
    owner = Owner()
    form.refresh(owner.settings())
    handle = by_hand(form, "Time", "Speed", 99.0)
    tasks.pop()()
    assert owner.speed == 2.0 == handle.value
    handle = by_hand(form, "Time", "Speed", float("nan"))
    with pytest.raises(ControlError, match="Speed is a number"):
        tasks.pop()()
    assert owner.speed == 2.0 == handle.value


def test_changes_of_the_session_are_shown_and_heard_by_nobody(form: Form, tasks: list[Callable[[], object]]):
    owner = Owner()
    form.refresh(owner.settings())
    owner.on, owner.speed, owner.chosen, owner.high = False, 7.0, 1, 9.0
    form.refresh(owner.settings())
    speed = form._widgets["Time", "Speed"]._handles[0]
    assert (speed.value, speed.max) == (7.0, 9.0)
    assert form._widgets["Show", "Body"]._handles[0].value is False
    assert form._widgets["Clip", "File"]._handles[0].value == "b" and tasks == []


def test_a_pad_is_dragged_by_the_script_of_the_page(form: Form):
    owner = Owner()
    form.refresh(owner.settings())
    html = form._widgets["Time", "mix"]._handles[0]
    assert (
        'data-group="Time" data-label="mix"' in html.content and "a&lt;b" in html.content and "a<b" not in html.content
    )
    assert 'class="knob" cx="50.0" cy="50.0"' in html.content
    form.put("Time", "mix", [0.25, 1.0])
    assert owner.point == (0.25, 1.0) and 'class="knob" cx="25.0" cy="0.0"' in html.content
    for group, label, value in (("Time", "mix", "x"), ("Time", "other", [0, 0]), ("Show", "mix", [0, 0])):
        with pytest.raises(ControlError, match=r"is a point of|no setting"):
            form.put(group, label, value)
    assert owner.point == (0.25, 1.0)


def test_words_are_put_when_a_person_pauses_and_stay_when_they_are_refused(form: Form, tasks, monkeypatch):
    said: list[str] = [""]

    def put(words: str) -> None:
        if words == "xyzzy":
            raise ControlError("no movement was understood")
        said[0] = words

    settings = [WordsSetting("Drive", "text", "", lambda: said[0], put, "walks slowly")]
    form.refresh(settings)
    field = by_hand(form, "Drive", "text", "wal")
    by_hand(form, "Drive", "text", "walks")
    form.refresh(settings)
    assert tasks == [] and field.value == "walks", "nothing is put, and nothing is overwritten, while a person types"
    form._widgets["Drive", "text"]._typed = ("walks", -10.0)
    form.refresh(settings)
    tasks.pop()()
    assert said == ["walks"] and field.value == "walks"
    by_hand(form, "Drive", "text", "xyzzy")
    form._widgets["Drive", "text"]._typed = ("xyzzy", -10.0)
    form.refresh(settings)
    with pytest.raises(ControlError, match="understood"):
        tasks.pop()()
    assert said == ["walks"] and field.value == "xyzzy"


def test_settings_come_and_go(form: Form):
    owner = Owner()
    form.refresh(owner.settings()[:2])
    assert list(form._widgets) == [("Show", "Body"), ("Time", "Speed")]
    form.refresh(owner.settings()[1:])
    assert ("Show", "Body") not in form._widgets and len(form._widgets) == 5


def test_long_lists_are_searched(form: Form, tasks: list[Callable[[], object]]):
    owner = Owner()
    owner.options = [f"walk {number}" for number in range(1000)]
    form.refresh(owner.settings())
    widget = form._widgets["Clip", "File"]
    box, search = widget._handles
    assert search.visible and len(box.options) == MAX_LISTED
    search.value = "99 walk"
    tasks.pop()()
    assert box.options[:2] == ("walk 0", "walk 99") and len(box.options) == 20, "what is chosen stays in the list"
    owner.chosen = 777
    form.refresh(owner.settings())
    assert box.value == "walk 777"
    owner.options, owner.chosen = ["some", "few"], 0
    form.refresh(owner.settings())
    assert not search.visible


def test_names_are_no_markup():
    assert plain("![x](y)<b>") == "\\!\\[x\\]\\(y\\)\\<b\\>" and "\n" not in plain("two\nlines")

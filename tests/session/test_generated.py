"""Steering generated motion, without a screen."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from kinema.control.generated import GeneratedController, rig_paces
from kinema.errors import UsageError
from kinema.generation.channels import CHANNELS, TRAVEL
from kinema.generation.rig import AnyRig
from kinema.generation.wishes import Wish
from kinema.rendering.camera import Camera
from kinema.session.generated import STEERED, GeneratedSession
from kinema.session.settings import Choice, Slider, WordsSetting

from .conftest import go
from .generated_motion import ACTIONS, controller_of, session_of


class Obeying:
    """In place of the network: goes and turns as wished."""

    def __init__(self, rig: AnyRig) -> None:
        self.rig = rig

    def fork(self) -> Obeying:
        return self

    def next(self, wish: Wish) -> np.ndarray:
        made = np.zeros((8, self.rig.count, CHANNELS), np.float32)
        made[:, 0, TRAVEL] = (0.0, (wish.speed or 0.0) / self.rig.unit, wish.turn or 0.0)
        return made


@pytest.fixture
def controller() -> GeneratedController:
    made = controller_of("dog", ahead=0)
    made._begin = Obeying(made.rig)  # pyright: ignore[reportAttributeAccessIssue]
    return made


@pytest.fixture
def session(controller: GeneratedController) -> GeneratedSession:
    return session_of(controller)


def setting(session: GeneratedSession, label: str):
    return next(one for one in session.settings() if one.label == label)


def test_keys_move_and_turn_it_and_r_starts_over(session: GeneratedSession) -> None:
    go(session, 4.0, "KeyW")
    z = session.target.position[2]
    assert z > 2.0
    go(session, 6.0, "KeyA")
    assert session.target.heading == pytest.approx(np.pi / 2, abs=0.1)
    assert session.target.position[0] > 1.0
    session.key("KeyR")
    go(session, 0.1)
    assert np.abs(session.target.position).max() < 0.1


def test_actions_and_words_are_settings(session: GeneratedSession, controller: GeneratedController) -> None:
    action, text = setting(session, "action"), setting(session, "text")
    assert isinstance(action, Choice)
    assert list(action.options()) == [STEERED, *ACTIONS]
    action.put("jump")
    go(session, 0.1)
    assert controller.wish.action == "jump"
    action.put(STEERED)
    go(session, 0.1)
    assert controller.wish.action == "idle"
    assert isinstance(text, WordsSetting)
    text.put(" looks around ")
    go(session, 0.1)
    assert controller.wish.text == text.get() == "looks around"
    with pytest.raises(UsageError, match="xyzzy"):
        text.put("xyzzy")
    assert text.get() == "looks around"
    text.put("")
    go(session, 0.1)
    assert controller.wish.text == ""


def test_its_paces_are_sliders_and_no_crowd_can_join(session: GeneratedSession) -> None:
    walk = setting(session, "walk")
    assert isinstance(walk, Slider)
    assert walk.get() == pytest.approx(rig_paces(session.group.controller.rig).walk)
    assert "characters" not in [one.label for one in session.settings()]
    session.set_crowd(3)
    assert session.crowd == 0
    assert "one character only" in session.log.lines[-1].text


def test_figures_say_how_the_making_goes(session: GeneratedSession) -> None:
    go(session, 0.5, "KeyW")
    names = [name for name, _ in session.figures()]
    assert {"patch", "late", "asked speed"} <= set(names)


def test_it_is_drawn_with_its_feet(session: GeneratedSession) -> None:
    go(session, 0.5, "KeyW")
    session.show.update(dict.fromkeys(session.show, True))
    view = session.view(Camera.look_at((0, 1, -4), (0, 1, 0)))
    assert view.instances[0].pose.global_positions.shape[0] == 1
    assert view.draw is not None


def test_closing_ends_the_thread() -> None:
    controller = controller_of("dog")
    session_of(controller).close()
    assert not controller._ahead._thread.is_alive()

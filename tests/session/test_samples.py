"""Samples side by side, without a screen."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.errors import KinemaError, UsageError
from kinema.rendering.camera import Camera
from kinema.session import samples
from kinema.session.samples import OPEN, Sampler, SampleRequest, SamplesSession, mean_speed

from .conftest import blocks, walk

CAMERA = Camera.look_at((0, 1, -4), (0, 1, 0))


class Making:
    """Makes walks; waits at a gate between its two steps."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton, self.requests = skeleton, []
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, request: SampleRequest, progress: Callable[[int, int], None]) -> list[Motion]:
        self.requests.append(request)
        if request.text == "xyzzy":
            raise UsageError("no movement was understood in 'xyzzy'")
        progress(1, 2)
        assert self.gate.wait(10.0)
        progress(2, 2)
        return [walk(self.skeleton, round(30 * request.seconds)) for _ in range(request.count)]


@pytest.fixture
def making(biped: Skeleton) -> Making:
    return Making(biped)


@pytest.fixture
def session(making: Making, monkeypatch: pytest.MonkeyPatch) -> SamplesSession:
    monkeypatch.setattr(samples, "CALM_SECONDS", 0.02)
    sampler = Sampler("biped", blocks(making.skeleton), ("idle", "walk"), 1.4, making)
    made = SamplesSession(lambda say: sampler, SampleRequest(count=3, seconds=2.0))
    made.wait()
    return made


def until(session: SamplesSession, condition: Callable[[], object], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        session.update(0.0)
        if condition():
            return True
        time.sleep(0.005)
    return False


def setting(session: SamplesSession, label: str):
    return next(one for one in session.settings() if one.label == label)


def test_samples_stand_in_a_row_and_play(session: SamplesSession) -> None:
    assert session.shown == session.request
    first = session.view(CAMERA).instances[0].pose.global_positions
    assert first.shape[0] == 3
    across = np.sort(first[:, 0, 0])
    assert across[1] - across[0] == pytest.approx(session.apart, abs=0.01)
    session.update(1.0)
    later = session.view(CAMERA).instances[0].pose.global_positions
    np.testing.assert_allclose(later[:, 0, 2] - first[:, 0, 2], 1.0, atol=0.05)
    draw = session.view(CAMERA).draw
    assert draw is not None
    assert [text.text for text in draw.texts] == ["1", "2", "3"]
    assert ("m/s", "1.00  1.00  1.00") in session.figures()


def test_a_change_makes_new_samples_in_the_background(session: SamplesSession, making: Making) -> None:
    making.gate.clear()
    setting(session, "count").put(5)
    setting(session, "seconds").put(1.0)
    assert until(session, lambda: session.state == "50 %")
    assert session.view(CAMERA).instances[0].pose.global_positions.shape[0] == 3, "the old ones are shown meanwhile"
    assert not session.still
    making.gate.set()
    assert until(session, lambda: session.shown is session.request)
    assert (making.requests[-1].count, making.requests[-1].seconds) == (5, 1.0)
    assert session.view(CAMERA).instances[0].pose.global_positions.shape[0] == 5
    assert session.playhead.frames == 30
    assert len(making.requests) == 2, "changes in quick succession are one"


def test_samples_that_are_outdated_are_given_up(session: SamplesSession, making: Making) -> None:
    making.gate.clear()
    session.ask(seed=7)
    assert until(session, lambda: len(making.requests) == 2)
    session.ask(seed=8)
    assert until(session, lambda: session._changed_at is None)
    making.gate.set()
    assert until(session, lambda: session.shown is not None and session.shown.seed == 8)
    assert [request.seed for request in making.requests] == [0, 7, 8]
    assert not session.log.lines


def test_everything_is_a_setting(session: SamplesSession) -> None:
    for label, value, name, asked in (
        ("text", "walks", "text", "walks"),
        ("action", "walk", "action", "walk"),
        ("action", OPEN, "action", None),
        ("speed", 2.0, "speed", 2.0),
        ("ask for a speed", False, "speed", None),
        ("ask for a speed", True, "speed", 2.0),
        ("turn", 90.0, "turn", pytest.approx(np.pi / 2)),
        ("ask for a turn", False, "turn", None),
        ("guidance", 3.0, "guidance", 3.0),
        ("steps", 4.0, "steps", 4),
        ("seed", 9.0, "seed", 9),
    ):
        setting(session, label).put(value)
        assert getattr(session.request, name) == asked
    session.key("KeyP")
    assert session.request.seed == 8


def test_words_that_are_not_known_are_said_and_the_samples_stay(session: SamplesSession) -> None:
    setting(session, "text").put("xyzzy")
    assert until(session, lambda: session.log.lines)
    assert "xyzzy" in session.log.lines[-1].text
    assert session.failure is None
    assert len(session.motions) == 3
    setting(session, "text").put("walks")
    assert until(session, lambda: session.shown is session.request)


def test_what_cannot_be_made_at_all_is_the_end(making: Making) -> None:
    sampler = Sampler("biped", blocks(making.skeleton), (), 1.4, making)
    with pytest.raises(KinemaError, match="xyzzy"):
        SamplesSession(lambda say: sampler, SampleRequest(text="xyzzy")).wait()


def test_speed_is_that_of_the_hips_on_the_ground(biped: Skeleton) -> None:
    assert mean_speed(walk(biped)) == pytest.approx(1.0, abs=1e-3)

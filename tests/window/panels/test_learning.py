"""The panel of a training."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kinema import Skeleton
from kinema.session.rehearsal import RehearsalSession
from kinema.window.panels import PANELS
from kinema.window.panels.learning import LearningPanel
from kinema.window.panels.settings import SettingsPanel

from ...session.test_rehearsal import Learner
from ..conftest import Bench


@pytest.fixture
def session(biped: Skeleton) -> Iterator[RehearsalSession]:
    made = RehearsalSession(Learner(biped))
    made.update(0.0)
    yield made
    made.close()


def test_losses_and_figures_are_drawn(session: RehearsalSession, bench: Bench):
    drawn = bench.draw(LearningPanel(), session)
    assert all(words in drawn for words in ("loss", "0.0067", "held-out", "0.0133", "step", "50.0 cm"))


def test_its_settings_choose_and_play(session: RehearsalSession, bench: Bench):
    wanted = {panel.title for panel in (make() for make in PANELS) if panel.wanted(session)}
    assert {"Training", "Clip", "Time"} <= wanted and "Show" not in wanted
    bench.draw(SettingsPanel("Time"), session, Playing=False, Frame=7.0)
    assert session.playhead.frame == 7 and not session.playhead.playing
    bench.draw(SettingsPanel("Clip"), session, Held_out=1)
    assert session.rehearser.clip == 1

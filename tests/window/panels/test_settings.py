"""Settings as widgets."""

from __future__ import annotations

from kinema.session.clips import ClipSession
from kinema.session.play import PlaySession
from kinema.window.panels.settings import SettingsPanel

from ..conftest import Bench


def test_every_kind_has_its_widget(bench: Bench, playing: PlaySession):
    panel = SettingsPanel("Drive", "left")
    drawn = bench.draw(panel, playing, walk=2.0, characters=8.0)
    assert playing.input.steering.walk == 2.0 and playing.crowd == 7 and "gamepad | none" in drawn
    hero = playing.hero
    bench.draw(panel, playing, press="Start over")
    assert playing.hero != hero and playing.crowd == 7


def test_marks_are_switches(bench: Bench, viewing: ClipSession):
    panel = SettingsPanel("Show", "left", columns=2)
    drawn = bench.draw(panel, viewing)
    assert all(name in drawn for name in viewing.show) and not viewing.show["Skeleton"]
    bench.draw(panel, viewing, Skeleton=True)
    assert viewing.show["Skeleton"]


def test_a_panel_is_there_where_its_settings_are(playing: PlaySession, viewing: ClipSession):
    assert SettingsPanel("Drive").wanted(playing) and not SettingsPanel("Drive").wanted(viewing)

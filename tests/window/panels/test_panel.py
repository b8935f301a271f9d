"""What a panel is, and the list of them."""

from __future__ import annotations

from kinema.session.clips import ClipSession
from kinema.window.panels import PANELS


def test_panels_have_names_of_their_own_and_a_place():
    panels = [panel() for panel in PANELS]
    titles = [panel.title for panel in panels]
    assert len(set(titles)) == len(titles)
    for panel in panels:
        assert panel.place in ("left", "right", "bottom", "over")
        assert (panel.height > 0) == (panel.place == "bottom")


def test_panels_are_wanted_in_their_modes(viewing: ClipSession):
    wanted = {panel().title for panel in PANELS if panel().wanted(viewing)}
    assert {"Clips", "Timeline", "Show", "Camera"} <= wanted and not wanted & {"Drive", "Controller", "Training"}

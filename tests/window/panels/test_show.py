"""Switches for marks."""

from __future__ import annotations

from kinema.window.panels.show import ShowPanel
from kinema.window.viewing import ViewMode

from ..conftest import Bench


def test_every_mark_has_a_switch(bench: Bench, viewing: ViewMode):
    drawn = bench.draw(ShowPanel(), viewing)
    assert all(name in drawn for name in viewing.show)
    assert not viewing.show["Skeleton"]
    bench.draw(ShowPanel(), viewing, Skeleton=True)
    assert viewing.show["Skeleton"]

"""Who wears the clip."""

from __future__ import annotations

from kinema.window.panels.body import BodyPanel
from kinema.window.viewing import ViewMode

from ..conftest import Bench, blocks
from ..test_viewing import until


def test_facts_and_the_mirror(bench: Bench, viewing: ViewMode):
    drawn = bench.draw(BodyPanel(), viewing)
    assert "60 frames, 2.00 s" in drawn and "1.00 m/s" in drawn and "30 /s" in drawn
    bench.draw(BodyPanel(), viewing, Mirrored=True)
    until(viewing, lambda: viewing.footage is not None and viewing.footage.mirrored)


def test_another_body_is_put_on(bench: Bench, viewing: ViewMode):
    assert viewing.footage is not None
    viewing.characters["other.glb"] = other = blocks(viewing.footage.clip.skeleton)
    bench.draw(BodyPanel(), viewing, body=1)
    until(viewing, lambda: viewing.footage is not None and viewing.footage.character is other)

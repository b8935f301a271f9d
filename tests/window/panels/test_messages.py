"""What the window had to say."""

from __future__ import annotations

from kinema.session.clips import ClipSession
from kinema.window.panels.messages import MessagesPanel

from ..conftest import Bench


def test_newest_first_with_counts(bench: Bench, viewing: ClipSession):
    assert "nothing so far" in bench.draw(MessagesPanel(), viewing)
    for text in ("first", "second", "second"):
        bench.log.say(text, "warning")
    drawn = bench.draw(MessagesPanel(), viewing)
    assert drawn.index("second  (2\u00d7)") < drawn.index("first")

"""The keys that move through a clip, the same wherever one is shown."""

from __future__ import annotations

from collections.abc import Callable

from kinema.session.playhead import Playhead
from kinema.window.events import Key


def transport(event: Key, head: Playhead, seek: Callable[[float], None], many: int = 1) -> bool:
    """Obey arrows (`many` frames, again while held), Space, Home and End; False for all other keys."""
    match event.code:
        case "ArrowRight":
            seek(head.frame + many)
        case "ArrowLeft":
            seek(head.frame - many)
        case _ if event.repeat:
            return False
        case "Space":
            head.toggle()
        case "Home":
            seek(0)
        case "End":
            seek(head.frames - 1)
        case _:
            return False
    return True

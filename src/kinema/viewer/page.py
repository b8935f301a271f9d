"""Opens a viewer: viser behind one port, with our script in its page.

How keys get in. viser 1.1 reports clicks and drags, and hotkeys only as single strokes (`gui.add_command`): it never
says that a key is *held* or *released*, and markup given to it (`gui.add_html`) cannot carry scripts. Four ways were
weighed:

- a page of ours around viser's in an iframe: keys go to whichever frame has the focus, so one click into the scene
  would take the keyboard away, and two ports are needed;
- a browser extension or a patched viser: not for users, not for upgrades;
- reading keys in the terminal: no key-up there, no stick, no touch, and not from another machine;
- **serving viser's page ourselves with one script and style sheet added** (chosen): key events are taken on `window`
  in the capture phase, before viser's camera keys see them, focus does not matter, and everything that viser offers
  stays as it is.

The script sends what is held through a WebSocket of our own (`kinema.viewer.channel`) on the same port
(`kinema.viewer.front`), repeated while something is held; silence, a lost connection or a hidden tab release all.
Ctrl is left alone on purpose: Ctrl+W closes the tab and no page may prevent it.
"""

from __future__ import annotations

import contextlib
import html
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import viser

from kinema.errors import MissingError
from kinema.session.session import SessionName
from kinema.viewer.channel import Channel
from kinema.viewer.front import Front, listen
from kinema.viewer.guard import LOOPBACK, get_page, new_secret, start_viser, stop_viser

EDITOR_SCRIPTS = ("editor_marks.js", "editor_paint.js", "editor_lanes.js", "editor.js")


@dataclass(frozen=True)
class Viewer:
    """An open viewer.

    Attributes:
        server: viser: scene, GUI, clients.
        channel: input and figures of the open pages.
        url: what to open in a browser.
    """

    server: viser.ViserServer
    channel: Channel
    front: Front
    url: str


@contextmanager
def open_viewer(
    host: str = LOOPBACK, port: int = 8080, mode: SessionName = "view", title: str = "Kinema"
) -> Iterator[Viewer]:
    """A viewer that closes with the block; port 0 takes any free one.

    Raises:
        ControlError: the port is in use; the message names another.
    """
    listener = listen(host, port)
    with contextlib.ExitStack() as stack:
        stack.callback(listener.close)
        secret = new_secret()
        server = start_viser(secret, title)
        stack.callback(stop_viser, server)
        channel, port = Channel(), server.get_port()
        front = Front(listener, compose(get_page(port, secret)[1], mode, title), port, channel, secret)
        front.start()
        bound = listener.getsockname()[1]
        shown = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, f"[{host}]" if ":" in host else host)
        stack.callback(front.stop)
        mark_clients(server)
        yield Viewer(server, channel, front, f"http://{shown}:{bound}/")


def compose(page: str, mode: SessionName, title: str) -> str:
    """viser's page with our style and script before the end of its body."""
    folder = Path(__file__).parent
    style = (folder / "page.css").read_text(encoding="utf-8")
    script = (folder / "page.js").read_text(encoding="utf-8")
    more = ""
    if mode == "view":  # files can be edited there
        style += (folder / "editor.css").read_text(encoding="utf-8")
        more = "".join(f"<script>{(folder / name).read_text(encoding='utf-8')}</script>" for name in EDITOR_SCRIPTS)
    before, end, after = page.rpartition("</body>")
    if not end:
        raise MissingError("the installed viser has a page of another build; pip install 'viser>=1.1,<2'")
    before = before.replace("<title>Viser</title>", f"<title>{html.escape(title)}</title>", 1)
    ours = f'<style>{style}</style><script data-mode="{mode}" data-title="{html.escape(title)}">{script}</script>'
    return before + ours + more + end + after


def mark_clients(server: viser.ViserServer) -> None:
    """Tell each page which viser client it is, through an invisible element that our script reads."""

    @server.on_client_connect
    def _(client: viser.ClientHandle) -> None:
        client.gui.add_html(f'<i data-kinema-client="{client.client_id}" style="display:none"></i>', order=1e9)


def style(server: viser.ViserServer) -> None:
    """Our look, and no button that would share the scene through someone else's server."""
    server.gui.configure_theme(
        show_logo=False, show_share_button=False, control_width="small", brand_color=(63, 111, 216)
    )

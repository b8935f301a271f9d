"""The handles that pose a character, as viser's transform controls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kinema.session.clips import ClipSession
from kinema.session.settings import SessionSetting
from kinema.viewer import gui_values
from kinema.viewer.surroundings import WORLD

if TYPE_CHECKING:
    import viser

PREFIX = f"{WORLD}/handle/"

SCALE = 0.1
"""Length of the arrows, in sizes of the character."""


class Handles:
    """Shows the handles of a session and passes drags to it.

    Args:
        later: runs a task on the session's thread; drags arrive on another one.
    """

    def __init__(
        self, server: viser.ViserServer, session: ClipSession, later: Callable[[Callable[[], None]], None]
    ) -> None:
        self._server, self._session = server, session
        self._nodes: dict[str, viser.TransformControlsHandle] = {}
        self._held: dict[str, int] = {}
        self._size = 0.0
        gui_values.on_drag(
            server,
            lambda client, node, position: later(lambda: self._drag(client, node, position)),
            lambda client, node: later(lambda: self._end(node)),
        )

    def settings(self) -> Sequence[SessionSetting]:
        """The settings beside those of the session."""
        return self._session.posing.settings()

    def show(self) -> None:
        """Show the handles where they are. The page itself moves one that is dragged."""
        places, size, clients = self._session.posing.places, self._session.target.size, self._server.get_clients()
        self._held = {name: client for name, client in self._held.items() if client in clients}
        for name in list(self._nodes):
            if name not in places or size != self._size:
                self._nodes.pop(name).remove()
        self._size = size
        for name, place in places.items():
            if name not in self._nodes:
                self._nodes[name] = self._server.scene.add_transform_controls(
                    PREFIX + name, SCALE * size, disable_rotations=True, depth_test=False, position=place
                )
            elif name not in self._held:
                self._nodes[name].position = place

    def _drag(self, client: int, node: object, position: object) -> None:
        name = _handle_of(node)
        self._session.posing.drag(name, position)
        self._held[name] = client

    def _end(self, node: object) -> None:
        name, posing = _handle_of(node), self._session.posing
        if self._held.pop(name, None) is not None and name in posing.put and name in self._nodes:
            # The page has it there; viser sends only positions that differ from the last one it knows.
            self._nodes[name].position = posing.put[name]
            posing.release(name)


def _handle_of(node: object) -> str:
    """The name of the handle that a node is."""
    return str(node).removeprefix(PREFIX)

"""The page's own WebSocket: input comes in, figures go out.

It runs on an event loop of its own thread; the methods may be called from any thread.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from kinema.errors import ControlError
from kinema.session.steering import InputState
from kinema.viewer.wire import parse, parse_order

STALE_SECONDS = 0.7
"""Input older than this counts as released: the page repeats it ten times a second while something is held."""


class Channel:
    """Input of all connected browsers, and what to tell them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._states: dict[object, tuple[float, InputState]] = {}
        self._connections: set[ServerConnection] = set()
        self._presses: deque[str] = deque(maxlen=64)
        self._orders: deque[dict[str, Any]] = deque(maxlen=1024)
        self._standing: dict[str, str] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def connected(self) -> int:
        """How many pages are open."""
        return len(self._connections)

    def receive(self, source: object, text: str) -> None:
        """Take a message of one browser; ControlError when it makes no sense."""
        order = parse_order(text)
        if order is not None:
            self._orders.append(order)
            return
        state = parse(text)
        _, before = self._states.get(source, (0.0, InputState()))
        self._presses.extend(sorted(state.keys - before.keys))
        self._states[source] = (self._clock(), state)

    def forget(self, source: object) -> None:
        """A browser went away: what it held is released."""
        self._states.pop(source, None)

    def state(self) -> InputState:
        """The input that counts: of the browser that last touched anything and still does, else idle."""
        now = self._clock()
        held = [(when, state) for when, state in list(self._states.values()) if now - when < STALE_SECONDS]
        active = [entry for entry in held if not entry[1].idle]
        return max(active, key=lambda entry: entry[0])[1] if active else InputState()

    def take_presses(self) -> list[str]:
        """Codes of keys pressed since the last call, in order."""
        presses: list[str] = []
        while self._presses:
            presses.append(self._presses.popleft())
        return presses

    def take_orders(self) -> list[dict[str, Any]]:
        """What the pages asked to edit since the last call, in order."""
        orders: list[dict[str, Any]] = []
        while self._orders:
            orders.append(self._orders.popleft())
        return orders

    def tell(self, topic: str, message: Mapping[str, Any]) -> None:
        """Send a message to every page, and to those that open later until the topic has another."""
        self._standing[topic] = json.dumps(message)
        self.send(message)

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message to every page."""
        if self._loop is not None and self._connections:
            self._loop.call_soon_threadsafe(self._send, json.dumps(message))

    def _send(self, text: str) -> None:
        from websockets.asyncio.server import broadcast

        broadcast(self._connections, text)

    async def serve(self, connection: ServerConnection) -> None:
        """Handler of one WebSocket connection."""
        self._loop = asyncio.get_running_loop()
        self._connections.add(connection)
        try:
            for text in list(self._standing.values()):
                await connection.send(text)
            async for message in connection:
                self.receive(connection, message if isinstance(message, str) else message.decode(errors="replace"))
        except ControlError as error:
            self.forget(connection)
            reason = str(error).encode("ascii", "backslashreplace")[:100]  # a close frame holds 123 bytes
            await connection.close(1003, reason.decode("ascii"))
        except ConnectionClosed:
            return
        finally:
            self._connections.discard(connection)
            self.forget(connection)

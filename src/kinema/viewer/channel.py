"""The WebSocket of the page: receives input, sends figures.

It runs an event loop on its own thread; methods may be called from any thread.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from kinema.errors import ControlError
from kinema.session.steering import InputState
from kinema.viewer.wire import Put, parse

T = TypeVar("T")

STALE_SECONDS = 0.7
"""Input older than this counts as released; the page repeats it ten times per second while keys are held."""


class Channel:
    """Input of all connected browsers, and messages to them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._states: dict[object, tuple[float, InputState]] = {}
        self._connections: set[ServerConnection] = set()
        self._presses: deque[str] = deque(maxlen=64)
        self._orders: deque[Put | dict[str, Any]] = deque(maxlen=1024)
        self._standing: dict[str, str] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def receive(self, source: object, text: str) -> None:
        """Process a message of a browser; ControlError if it is invalid."""
        state = parse(text)
        if not isinstance(state, InputState):
            self._orders.append(state)
            return
        _, before = self._states.get(source, (0.0, InputState()))
        self._presses.extend(sorted(state.keys - before.keys))
        self._states[source] = (self._clock(), state)

    def forget(self, source: object) -> None:
        """Release the input of a browser that disconnected."""
        self._states.pop(source, None)

    def state(self) -> InputState:
        """The current input: of the browser that was last active and still is, otherwise idle."""
        now = self._clock()
        held = [(when, state) for when, state in list(self._states.values()) if now - when < STALE_SECONDS]
        active = [entry for entry in held if not entry[1].idle]
        return max(active, key=lambda entry: entry[0])[1] if active else InputState()

    def take_presses(self) -> list[str]:
        """Codes of keys pressed since the last call, in order."""
        return _drained(self._presses)

    def take_orders(self) -> list[Put | dict[str, Any]]:
        """Orders since the last call, in order."""
        return _drained(self._orders)

    def publish(self, topic: str, message: Mapping[str, Any]) -> None:
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


def _drained(queue: deque[T]) -> list[T]:
    """Take everything out of a queue that another thread appends to."""
    return [queue.popleft() for _ in range(len(queue))]

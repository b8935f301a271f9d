"""Checks the values that browsers send for elements of viser's GUI.

viser takes over what a client sends: a slider may get NaN, a list a name that is not in it, and any other attribute of
an element may be set. Here each value is checked before viser sees it: numbers are finite and within the slider's
range, names are in the list, texts are short. The client that sent another value gets the element's own value back.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Coroutine
from typing import Any

import viser
from viser import _messages
from viser.infra import ClientId, Message, WebsockMessageHandler

MAX_TEXT = 200
"""Characters of a text field."""

_FAR = 1e9
"""Metres; no camera is further away."""


def check_inputs(server: viser.ViserServer) -> None:
    """From now on, the server takes only GUI updates and cameras, and only with sound values.

    The handlers dropped are those of uploads, forms, commands, scene clicks and links for sharing, which Kinema does
    not use: one of them opens a tunnel to another server, another puts a file in the place of a slider's value.
    """
    connection, gui = server._websock_server, server.gui

    async def update(client: ClientId, message: Message) -> None:
        assert isinstance(message, _messages.GuiUpdateMessage)
        handle = gui._gui_input_handle_from_uuid.get(message.uuid) if isinstance(message.uuid, str) else None
        if handle is None or not isinstance(message.updates, dict):
            return
        sent = message.updates.get("value")
        value = checked(handle, sent)
        if value is None or value != sent:
            handle._queue_update("value", handle.value if value is None else value)
        if value is not None:
            await gui._handle_gui_updates(client, _messages.GuiUpdateMessage(message.uuid, {"value": value}))

    _keep(connection, ())
    connection.register_handler(_messages.GuiUpdateMessage, update)
    # Registered after viser's own callback, which gives the connection its handlers.
    connection.on_client_connect(lambda one: _keep(one, (_messages.ViewerCameraMessage,)))


def on_drag(
    server: viser.ViserServer,
    moved: Callable[[ClientId, object, object], None],
    ended: Callable[[ClientId, object], None],
) -> None:
    """From now on, hand over what clients send while they drag transform controls: unchecked, on viser's thread.

    Args:
        moved: called with the client, the name of a node, and its position below its parent.
        ended: called with the client and the name when it is let go.
    """
    connection = server._websock_server
    connection.register_handler(
        _messages.TransformControlsUpdateMessage,
        lambda client, message: moved(client, message.name, message.position),
    )
    connection.register_handler(
        _messages.TransformControlsDragEndMessage, lambda client, message: ended(client, message.name)
    )


def _keep(connection: WebsockMessageHandler, kinds: tuple[type[Message], ...]) -> None:
    """Drop the handlers of all other messages; those of kinds kept see only finite numbers."""
    for kind, handlers in list(connection._incoming_handlers.items()):
        connection.unregister_handler(kind)
        for handler in handlers if kind in kinds else ():
            connection.register_handler(kind, _finite_only(handler))


def _finite_only(handler: Callable[[ClientId, Any], Any]) -> Callable[[ClientId, Message], Coroutine[Any, Any, None]]:
    async def handle(client: ClientId, message: Message) -> None:
        if is_finite_camera(message):
            answer = handler(client, message)
            if inspect.isawaitable(answer):
                await answer

    return handle


def is_finite_camera(message: Message) -> bool:
    """Whether all numbers of a camera are finite, and vectors have as many as they must."""
    assert isinstance(message, _messages.ViewerCameraMessage)
    vectors = ((message.wxyz, 4), (message.position, 3), (message.look_at, 3), (message.up_direction, 3))
    if not all(isinstance(vector, tuple) and len(vector) == count for vector, count in vectors):
        return False
    numbers = [message.fov, message.near, message.far, message.image_height, message.image_width]
    numbers += [value for vector, _ in vectors for value in vector]
    return all(isinstance(value, int | float) and abs(value) < _FAR for value in numbers)


def checked(handle: Any, value: object) -> Any:
    """The value that an element takes for what a client sent; None to leave it as it is."""
    if isinstance(handle, viser.GuiSliderHandle):
        return _number(value, handle.min, handle.max)
    if isinstance(handle, viser.GuiDropdownHandle):
        return value if isinstance(value, str) and value in handle.options else None
    if isinstance(handle, viser.GuiTextHandle):
        return value[:MAX_TEXT] if isinstance(value, str) else None
    if isinstance(handle, viser.GuiCheckboxHandle | viser.GuiButtonHandle):
        return value if isinstance(value, bool) else None
    return None


def _number(value: object, low: float, high: float) -> float | None:
    """A number clamped to `[low, high]`, of their type; None for what is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    number = min(max(value, low), high)
    return round(number) if isinstance(low, int) and isinstance(high, int) else float(number)

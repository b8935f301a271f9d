"""A secret between the front and the ports behind it.

A web page may open a WebSocket to any loopback port of the machine that shows it, so the ports behind the front answer
only requests that carry a secret. The front adds it after its own checks (`kinema.viewer.front`); a page never
sees it and cannot set headers on a WebSocket.
"""

from __future__ import annotations

import contextlib
import http.client
import inspect
import io
import secrets
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import viser
import websockets.asyncio.server
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from kinema.errors import MissingError
from kinema.viewer import gui_values

LOOPBACK = "127.0.0.1"
HEADER = "X-Kinema-Secret"
FORBIDDEN = "this page is served to its own address only\n"

Answer: TypeAlias = Response | None
RequestCheck: TypeAlias = Callable[[ServerConnection, Request], Awaitable[Answer] | Answer]

_starting = threading.Lock()


def new_secret() -> str:
    """A secret that cannot be guessed, as text for a header."""
    return secrets.token_urlsafe(32)


def demand(secret: str, then: RequestCheck | None = None) -> RequestCheck:
    """A `process_request` for a server of websockets: 403 without the secret, else what `then` answers."""

    async def check(connection: ServerConnection, request: Request) -> Answer:
        offered = request.headers.get_all(HEADER)
        if not any(secrets.compare_digest(one.encode(), secret.encode()) for one in offered):
            return connection.respond(403, FORBIDDEN)
        answer = None if then is None else then(connection, request)
        return await answer if inspect.isawaitable(answer) else answer

    return check


def start_viser(secret: str, title: str | None = None) -> viser.ViserServer:
    """viser on a free loopback port that answers only requests with the secret, and takes only sound values.

    Raises:
        MissingError: the installed viser cannot be guarded.
    """
    with quiet(), _guarded_serve(secret):
        server = viser.ViserServer(host=LOOPBACK, port=0, label=title, verbose=False)
    try:
        if get_page(server.get_port(), None)[0] != 403:
            raise MissingError("the installed viser cannot be kept from other web pages; pip install 'viser>=1.1,<2'")
        gui_values.check_inputs(server)
    except BaseException:
        stop_viser(server)
        raise
    return server


def stop_viser(server: viser.ViserServer) -> None:
    with quiet():
        server.stop()


def get_page(port: int, secret: str | None) -> tuple[int, str]:
    """Status and text that a loopback port answers to a request for `/`.

    Raises:
        MissingError: it does not answer.
    """
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=10)
    try:
        connection.request("GET", "/", headers={} if secret is None else {HEADER: secret})
        response = connection.getresponse()
        return response.status, response.read().decode()
    except (OSError, http.client.HTTPException, UnicodeDecodeError) as error:
        raise MissingError(f"viser serves no page ({error}); pip install --force-reinstall viser") from error
    finally:
        connection.close()


@contextmanager
def _guarded_serve(secret: str) -> Iterator[None]:
    """While it is open, servers that viser starts demand the secret.

    viser has no option for this: it calls `websockets.asyncio.server.serve` with its own `process_request`. Calls
    of others pass through unchanged.
    """
    module = websockets.asyncio.server

    def serve(*positions: Any, **options: Any) -> Any:
        own = options.get("process_request")
        if getattr(own, "__module__", "").startswith("viser."):
            options["process_request"] = demand(secret, own)
        return original(*positions, **options)

    with _starting:
        original = module.serve
        module.serve = serve  # pyright: ignore[reportAttributeAccessIssue]
        try:
            yield
        finally:
            module.serve = original


@contextmanager
def quiet() -> Iterator[None]:
    """viser prints a banner on standard output, which belongs to our own results."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield

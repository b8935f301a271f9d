"""The one port a browser sees.

viser has no events for keys held and released, so its page is served from here with a script of ours added (see
`kinema.viewer.page`). Requests are routed by their head only: the page itself is answered, the WebSocket
`/kinema` goes to our channel, every other WebSocket goes to viser byte by byte. One port is enough, also through an
SSH tunnel. Channel and viser listen on loopback ports that demand a secret (`kinema.viewer.guard`), so that only
requests that passed the checks of this port reach them.
"""

from __future__ import annotations

import asyncio
import errno
import gzip
import ipaddress
import socket
import threading
from collections.abc import Mapping
from urllib.parse import urlsplit

from websockets.asyncio.server import serve

from kinema.errors import ControlError
from kinema.viewer.channel import Channel
from kinema.viewer.guard import FORBIDDEN, HEADER, LOOPBACK, demand

_LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_LOCAL_ZONES = ("local", "lan", "home.arpa", "internal", "fritz.box")
_MAX_HEAD = 65_536
_HEAD_SECONDS = 10.0


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        ControlError: the port is in use or not allowed, or the host is not of this machine.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except socket.gaierror as error:
        raise ControlError(f"host {host!r} is not known; use --host 127.0.0.1 or 0.0.0.0") from error
    except OverflowError as error:
        raise ControlError(f"there is no port {port}; use --port N with N from 1 to 65535") from error
    except OSError as error:
        following = port + 1 if port < 65_535 else 8080
        if error.errno == errno.EADDRINUSE:
            raise ControlError(f"port {port} is in use; use --port N, for example {following}") from error
        if error.errno == errno.EACCES:
            raise ControlError(f"port {port} needs special rights; use --port N, for example 8080") from error
        raise ControlError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error


class Front:
    """Serves page, channel and viser on one listening socket, on a thread of its own."""

    def __init__(self, listener: socket.socket, html: str, viser_port: int, channel: Channel, secret: str) -> None:
        self._listener = listener
        self._body = gzip.compress(html.encode(), 5)
        self._viser_port = viser_port
        self._channel = channel
        self._channel_port = 0
        self._secret = secret
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._done = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="kinema-front", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._ready.wait(10.0)

    def stop(self) -> None:
        """Close all connections and end the thread."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._done.set)
            self._thread.join(5.0)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.close()

    async def _serve(self) -> None:
        async with serve(
            self._channel.serve,
            LOOPBACK,
            0,
            max_size=4096,
            compression=None,
            close_timeout=0.5,
            process_request=demand(self._secret),
        ) as inner:
            self._channel_port = next(iter(inner.sockets)).getsockname()[1]
            # Not as a context: leaving it would wait for browsers to hang up.
            server = await asyncio.start_server(self._connection, sock=self._listener, limit=_MAX_HEAD)
            self._ready.set()
            await self._done.wait()
            server.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _HEAD_SECONDS)
            path, headers = parse_head(head)
            if not self._allowed(headers):
                writer.write(answer("403 Forbidden", FORBIDDEN.encode()))
            elif headers.get("upgrade", "").lower() == "websocket":
                head = head.removesuffix(b"\r\n") + f"{HEADER}: {self._secret}\r\n\r\n".encode()
                await splice(head, reader, writer, self._channel_port if path == "/kinema" else self._viser_port)
            elif path == "/":
                writer.write(answer("200 OK", self._body, "text/html; charset=utf-8", "Content-Encoding: gzip\r\n"))
            else:
                writer.write(answer("404 Not Found", b"there is only one page here: /\n"))
            await writer.drain()
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            return  # the browser went away or is none
        except asyncio.CancelledError:
            return  # we are stopping; a stream's task that ends cancelled is reported as an error by asyncio
        finally:
            writer.close()

    def _allowed(self, headers: Mapping[str, str]) -> bool:
        """Keeps other web pages out: they could otherwise read and steer a viewer on this machine.

        The page must be our own (`Origin` and `Host` agree), and a name in `Host` must be one of this machine: a
        page may make its own name point to our address.
        """
        named = headers.get("host", "")
        origin = headers.get("origin")
        try:
            if origin is not None and urlsplit(origin).netloc != named:
                return False
            name = urlsplit(f"//{named}").hostname or ""
        except ValueError:
            return False
        bound = self._listener.getsockname()[0]
        if bound.startswith("127.") or bound == "::1":
            return name in _LOCAL_NAMES | {bound}
        return name in _LOCAL_NAMES | _machine_names() or _is_address(name)


def _machine_names() -> frozenset[str]:
    """What this machine is called in its own network, in lower case."""
    full = socket.gethostname().lower()
    short = full.partition(".")[0]
    return frozenset({full, short, *(f"{short}.{zone}" for zone in _LOCAL_ZONES)})


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def parse_head(head: bytes) -> tuple[str, dict[str, str]]:
    """Path (without query) and lower-case headers of an HTTP request; ValueError when it is none."""
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ", 2)
    if method != "GET":
        raise ValueError(f"method {method}")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return target.partition("?")[0], headers


def answer(status: str, body: bytes, kind: str = "text/plain; charset=utf-8", extra: str = "") -> bytes:
    """A whole HTTP response after which the connection closes."""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{extra}"
        "Cache-Control: no-store\r\nX-Frame-Options: SAMEORIGIN\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


async def splice(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    """Hand a connection, whose request head was read, to a local port; copies bytes both ways until one side ends."""
    inner_reader, inner_writer = await asyncio.open_connection(LOOPBACK, port)
    inner_writer.write(head)
    pumps = [asyncio.ensure_future(_pump(reader, inner_writer)), asyncio.ensure_future(_pump(inner_reader, writer))]
    try:
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        inner_writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(262_144):
            writer.write(data)
            await writer.drain()
    except OSError:
        return

"""The ports behind the front answer nobody but the front."""

from __future__ import annotations

import http.server
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

import viser
import websockets.asyncio.server
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from kinema.errors import MissingError
from kinema.viewer import guard
from kinema.viewer.guard import HEADER, get_page, new_secret, start_viser, stop_viser
from kinema.viewer.page import Viewer, open_viewer

PROTOCOL = f"viser-v{viser.__version__}"

INTRUDER = """async (ports) => {
  const attempt = (address, protocols) => new Promise((done) => {
    let received = 0;
    const socket = new WebSocket(address, protocols);
    const end = (how) => { socket.close(); done([address, how, received]); };
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { socket.send('{"keys": ["KeyW"]}'); setTimeout(() => end("open"), 500); };
    socket.onmessage = (event) => { received += event.data.byteLength || event.data.length; };
    socket.onerror = () => end("refused");
    setTimeout(() => end("silent"), 5000);
  });
  const read = async (address) => {
    try { const text = await (await fetch(address)).text(); return [address, "read", text.length]; }
    catch { return [address, "refused", 0]; }
  };
  const found = [];
  for (const port of ports) for (const host of ["127.0.0.1", "localhost"]) {
    found.push(await attempt(`ws://${host}:${port}/`, ["PROTOCOL"]));
    found.push(await attempt(`ws://${host}:${port}/kinema`, []));
    found.push(await read(`http://${host}:${port}/`));
  }
  return found;
}""".replace("PROTOCOL", PROTOCOL)


@pytest.fixture(scope="module")
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="play") as opened:
        opened.server.scene.add_frame("/here")
        yield opened


def public_port(viewer: Viewer) -> int:
    return int(viewer.url.rsplit(":", 1)[1].strip("/"))


def inner_ports(viewer: Viewer) -> list[int]:
    return [viewer.server.get_port(), viewer.front._channel_port]


def listening_ports() -> list[int]:
    """TCP ports on which this process listens, as Linux says."""
    ours = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            ours.add(os.readlink(entry))
        except OSError:
            continue
    tables = [table for name in ("tcp", "tcp6") if (table := Path(f"/proc/self/net/{name}")).is_file()]
    rows = [line.split() for table in tables for line in table.read_text().splitlines()[1:]]
    return sorted(
        {int(row[1].rsplit(":", 1)[1], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in ours}
    )


HEADERS = [
    {},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Host": "evil.example"},
    {"Host": "127.0.0.1", "Origin": "http://127.0.0.1"},
    {HEADER: "guess"},
    {HEADER: ""},
]


@pytest.mark.parametrize("headers", HEADERS, ids=str)
@pytest.mark.parametrize("path", ["/", "/kinema", "/index.html"])
def test_ports_behind_the_front_refuse_whatever_origin_and_host_say(viewer, path, headers):
    for port in inner_ports(viewer):
        with pytest.raises(InvalidStatus) as refused:
            connect(
                f"ws://127.0.0.1:{port}{path}",
                subprotocols=[PROTOCOL],  # pyright: ignore[reportArgumentType]
                additional_headers=headers,
            )
        assert refused.value.response.status_code == 403
    assert viewer.server.get_clients() == {} and not viewer.channel._connections


def test_pages_of_ports_behind_the_front_are_closed_too(viewer):
    for port in inner_ports(viewer):
        assert get_page(port, None) == (403, guard.FORBIDDEN)
        assert get_page(port, new_secret()) == (403, guard.FORBIDDEN)


@pytest.mark.parametrize(
    ("status", "headers"),
    [(403, {"Origin": "http://evil.example"}), (403, {"Origin": "null"}), (403, {"Host": "evil.example"})],
    ids=str,
)
@pytest.mark.parametrize("path", ["/", "/kinema"])
def test_the_front_refuses_foreign_origins_and_hosts(viewer, path, status, headers):
    address = f"ws://127.0.0.1:{public_port(viewer)}{path}"
    with pytest.raises(InvalidStatus) as refused:
        connect(address, subprotocols=[PROTOCOL], additional_headers=headers)  # pyright: ignore[reportArgumentType]
    assert refused.value.response.status_code == status


def test_secrets_differ_and_the_server_of_others_stays_open():
    assert new_secret() != new_secret() and len(new_secret()) >= 40
    before = websockets.asyncio.server.serve
    first = start_viser(new_secret())
    assert websockets.asyncio.server.serve is before
    plain = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    assert get_page(plain.get_port(), None)[0] == 200
    stop_viser(plain)
    stop_viser(first)


def test_a_viser_that_cannot_be_guarded_is_refused(monkeypatch):
    monkeypatch.setattr(guard, "demand", lambda secret, then: then)
    with pytest.raises(MissingError, match="cannot be kept from other web pages"):
        start_viser(new_secret())


@contextmanager
def elsewhere() -> Iterator[int]:
    """A web server that is not ours; its port."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>elsewhere</title>")

        def log_message(self, format: str, *args: object) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5.0)


@pytest.mark.browser
@pytest.mark.parametrize("host", ["127.0.0.1", "evil.example"])
def test_a_page_of_another_origin_gets_nothing_from_any_port(viewer, browser: Any, host):
    with elsewhere() as port:
        ports = [one for one in listening_ports() if one != port]
        assert {public_port(viewer), *inner_ports(viewer)} <= set(ports)
        page = browser.new_page()
        page.goto(f"http://{host}:{port}/")  # conftest makes evil.example a name of this machine
        assert page.title() == "elsewhere"
        found = page.evaluate(INTRUDER, ports)
        page.close()
    assert len(found) == 6 * len(ports)
    assert [entry for entry in found if entry[1:] != ["refused", 0]] == []
    assert viewer.channel.state().idle


@pytest.mark.browser
def test_a_name_that_is_made_to_point_here_gets_nothing(viewer, browser: Any):
    page = browser.new_page()
    for port in [public_port(viewer), *inner_ports(viewer)]:
        answer = page.goto(f"http://evil.example:{port}/")
        assert answer.status == 403 and answer.text() == guard.FORBIDDEN
    page.close()

"""The one port: page, channel, viser, and who is kept out."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Iterator

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from kinema.errors import ControlError
from kinema.viewer.front import listen, parse_head
from kinema.viewer.page import Viewer, open_viewer


@pytest.fixture(scope="module")
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="play", title="A <b> & c") as opened:
        yield opened


def port_of(viewer: Viewer) -> int:
    return int(viewer.url.rsplit(":", 1)[1].strip("/"))


def ask(viewer: Viewer, text: str) -> tuple[str, bytes]:
    with socket.create_connection(("127.0.0.1", port_of(viewer)), timeout=60) as connection:
        connection.sendall(text.encode())
        received = b""
        while piece := connection.recv(65536):
            received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    return head.decode(), body


def get(viewer: Viewer, path: str, host: str | None = None, extra: str = "") -> tuple[str, bytes]:
    named = host or f"127.0.0.1:{port_of(viewer)}"
    return ask(viewer, f"GET {path} HTTP/1.1\r\nHost: {named}\r\n{extra}\r\n")


def test_the_page_holds_viser_and_our_script_and_loads_nothing_else(viewer):
    head, body = get(viewer, "/?x=1")
    assert head.startswith("HTTP/1.1 200")
    page = gzip.decompress(body).decode()
    assert 'id="root"' in page and 'data-mode="play"' in page and "/kinema" in page
    assert "A &lt;b&gt; &amp; c" in page and "<b> & c" not in page
    assert 'src="http' not in page and "cdn." not in page


def test_other_paths_and_methods_and_noise(viewer):
    assert get(viewer, "/etc/passwd")[0].startswith("HTTP/1.1 404")
    assert ask(viewer, "POST / HTTP/1.1\r\nHost: x\r\n\r\n") == ("", b"")
    assert ask(viewer, "noise\r\n\r\n") == ("", b"")
    assert get(viewer, "/")[0].startswith("HTTP/1.1 200")  # and it goes on


def test_pages_of_others_are_kept_out(viewer):
    port = port_of(viewer)
    assert get(viewer, "/", host="evil.example")[0].startswith("HTTP/1.1 403")
    assert get(viewer, "/", extra="Origin: http://evil.example\r\n")[0].startswith("HTTP/1.1 403")
    assert get(viewer, "/", host=f"localhost:{port}")[0].startswith("HTTP/1.1 200")
    with pytest.raises(InvalidStatus), connect(f"ws://127.0.0.1:{port}/kinema", origin="http://evil.example"):
        pass


def test_the_channel_takes_input_and_hangs_up_on_nonsense(viewer):
    port = port_of(viewer)
    with connect(f"ws://127.0.0.1:{port}/kinema", origin=f"http://127.0.0.1:{port}") as page:
        page.send('{"keys": ["KeyW"]}')
        for _ in range(100):
            if viewer.channel.state().keys:
                break
            page.ping().wait(0.05)
        assert viewer.channel.state().keys == {"KeyW"}
        viewer.channel.send({"figures": [["speed", "1"]]})
        assert page.recv(timeout=60) == '{"figures": [["speed", "1"]]}'
        page.send("nonsense")
        with pytest.raises(Exception, match="1003"):
            page.recv(timeout=60)
    assert viewer.channel.state().idle


def test_visers_own_connection_goes_through(viewer):
    import viser

    port = port_of(viewer)
    protocol = f"viser-v{viser.__version__}"
    with connect(f"ws://127.0.0.1:{port}", subprotocols=[protocol], max_size=None) as client:  # type: ignore[list-item]
        assert client.subprotocol == protocol
        assert len(client.recv(timeout=60)) > 16
        assert len(viewer.server.get_clients()) <= 1


def test_a_port_in_use_is_one_line_that_names_another():
    taken = listen("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(ControlError, match=f"^port {port} is in use; use --port N, for example {port + 1}$"):
        listen("127.0.0.1", port)
    taken.close()


def test_hosts_that_are_not_ours_are_one_line():
    for host in ("no-such-host.invalid", "203.0.113.7"):
        with pytest.raises(ControlError) as caught:
            listen(host, 0)
        assert "\n" not in str(caught.value) and host in str(caught.value)


def test_heads_are_parsed():
    assert parse_head(b"GET /a?b HTTP/1.1\r\nHost: x:1\r\nUPGRADE: websocket\r\n\r\n")[0] == "/a"
    with pytest.raises(ValueError):
        parse_head(b"PUT / HTTP/1.1\r\n\r\n")


def test_open_to_other_machines_it_answers_to_addresses_and_its_own_names_only():
    with open_viewer(host="0.0.0.0", port=0) as opened:
        own = socket.gethostname()
        names = "192.168.1.5:8080", "[fe80::1]:8080", "localhost", own.upper(), f"{own.partition('.')[0]}.local:1"
        for host in ("evil.example", f"{own}.evil.example", "[", ""):
            assert get(opened, "/", host=host or " ")[0].startswith("HTTP/1.1 403"), host
        for host in names:
            assert get(opened, "/", host=host)[0].startswith("HTTP/1.1 200"), host
            page = f"Origin: http://{host}\r\n"
            assert get(opened, "/", host=host, extra=page)[0].startswith("HTTP/1.1 200"), host
            assert get(opened, "/", host=host, extra="Origin: http://192.168.1.6\r\n")[0].startswith("HTTP/1.1 403")


def test_nonsense_in_any_script_is_answered_with_a_close(viewer):
    with connect(f"ws://127.0.0.1:{port_of(viewer)}/kinema") as page:
        page.send(80 * "日")
        with pytest.raises(ConnectionClosed) as closed:
            page.recv(timeout=60)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1003

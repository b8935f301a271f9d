"""Opening and closing viewers."""

from __future__ import annotations

import socket

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

import viser

from kinema.errors import ControlError, MissingError
from kinema.viewer import page
from kinema.viewer.page import compose, open_viewer


def test_says_nothing_on_standard_output_and_frees_its_port(capsys):
    with open_viewer(port=0) as viewer:
        port = int(viewer.url.rsplit(":", 1)[1].strip("/"))
        assert viewer.server.get_host() == "127.0.0.1" and viewer.server.get_port() != port
    assert capsys.readouterr().out == ""
    with socket.create_server(("127.0.0.1", port)):
        pass


def test_two_viewers_do_not_share_a_port():
    with open_viewer(port=0) as first:
        port = int(first.url.rsplit(":", 1)[1].strip("/"))
        with pytest.raises(ControlError, match="is in use"), open_viewer(port=port):
            pass


def test_an_unknown_page_is_refused():
    with pytest.raises(MissingError, match="page of another build"):
        compose("<html>no body", "view", "t")


def test_our_part_comes_last_and_the_title_is_ours():
    page = compose("<title>Viser</title><body>their</body>", "view", "Mine")
    assert page.startswith("<title>Mine</title><body>their<style>") and page.endswith("</script></body>")


def test_a_viewer_that_cannot_open_leaves_nothing_running(monkeypatch):
    def refuse(*_: object) -> str:
        raise MissingError("no page")

    monkeypatch.setattr(page, "compose", refuse)
    stopped: list[object] = []
    stop = viser.ViserServer.stop
    monkeypatch.setattr(viser.ViserServer, "stop", lambda self: (stopped.append(self), stop(self)))
    with pytest.raises(MissingError), page.open_viewer(port=0):
        pass
    assert len(stopped) == 1

"""Whose input counts."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from kinema.errors import ControlError
from kinema.viewer.channel import STALE_SECONDS, Channel


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_last_browser_that_still_holds_something_steers():
    clock = Clock()
    channel = Channel(clock)
    channel.receive("a", '{"keys": ["KeyW"]}')
    clock.now = 0.1
    channel.receive("b", '{"keys": ["KeyS"]}')
    assert channel.state().keys == {"KeyS"}
    channel.receive("b", '{"keys": []}')
    assert channel.state().keys == {"KeyW"}
    channel.forget("a")
    assert channel.state().idle


def test_silence_releases():
    clock = Clock()
    channel = Channel(clock)
    channel.receive("a", '{"move": [0, 1]}')
    clock.now = STALE_SECONDS * 0.9
    assert not channel.state().idle
    clock.now = STALE_SECONDS * 1.1
    assert channel.state().idle


def test_presses_are_reported_once_each():
    channel = Channel()
    channel.receive("a", '{"keys": ["KeyM"]}')
    channel.receive("a", '{"keys": ["KeyM", "Space"]}')
    channel.receive("a", '{"keys": []}')
    channel.receive("a", '{"keys": ["KeyM"]}')
    assert channel.take_presses() == ["KeyM", "Space", "KeyM"]
    assert channel.take_presses() == []


def test_nonsense_changes_nothing():
    channel = Channel()
    with pytest.raises(ControlError):
        channel.receive("a", "{")
    assert channel.state().idle
    channel.send({"figures": []})  # nobody listens: no error


def test_orders_are_kept_apart_from_keys_and_given_once():
    channel = Channel()
    channel.receive("a", '{"keys": ["KeyW"]}')
    channel.receive("a", '{"edit": {"do": "undo"}}')
    channel.receive("b", '{"edit": {"do": "seek", "frame": 3}}')
    assert channel.state().keys == {"KeyW"}
    assert channel.take_orders() == [{"do": "undo"}, {"do": "seek", "frame": 3}]
    assert channel.take_orders() == []


def test_a_page_that_opens_later_is_told_how_things_stand():
    from websockets.asyncio.client import connect
    from websockets.asyncio.server import serve

    async def talk() -> list[str]:
        channel = Channel()
        channel.publish("state", {"state": 1})
        channel.publish("state", {"state": 2})
        channel.publish("mirror", {"mirror": None})
        async with serve(channel.serve, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            async with connect(f"ws://127.0.0.1:{port}") as page:
                return [str(await page.recv()), str(await page.recv())]

    with ThreadPoolExecutor(1) as thread:  # a browser of another test may hold this thread's event loop
        assert thread.submit(asyncio.run, talk()).result() == ['{"state": 2}', '{"mirror": null}']

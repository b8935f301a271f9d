"""`kinema.play_generated` and `kinema.view_generated`, with a network that has not learned."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import kinema
from kinema.errors import UsageError
from kinema.face import live_generation, screens
from kinema.mocap.creatures import ACTIONS, make_creature
from kinema.session.generated import GeneratedSession
from kinema.session.log import Log
from kinema.session.samples import SamplesSession
from kinema.skeleton import Skeleton

from ..session.conftest import blocks
from ..session.generated_motion import unlearned


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list:
    """Sessions that would be shown, with their screens."""
    found: list = []
    monkeypatch.setattr("kinema.session.playable.build_mannequin", blocks)
    monkeypatch.setattr("kinema.rendering.mannequin.build.build_mannequin", blocks)

    def show(make, title, screen):
        found.append((make(Log()), screen))
        return screens.Shown()

    monkeypatch.setattr(live_generation, "show_session", show)
    return found


def test_a_rig_without_a_mesh_gets_a_body_and_is_steered(shown: list) -> None:
    kinema.play_generated("fish", model=unlearned(), text="swims, then dies", window=True, text_size=1.5)
    (session, screen), *_ = shown
    assert isinstance(session, GeneratedSession)
    assert (screen.window, screen.text) == (True, 1.5)
    session.wait()
    try:
        assert session.title == "fish"
        assert session.playable.character.meshes
        session.world.step()
        assert session._controller.wish.text.startswith("swims")
        assert "swim" in session._controller.actions
        assert "walk" not in session._controller.actions
    finally:
        session.close()


def test_what_is_typed_is_read_as_what_the_body_can_do(shown: list) -> None:
    kinema.play_generated("fish", model=unlearned(), text="walks around")
    session = shown[0][0]
    session.wait()
    try:
        session.world.step()
        assert session._controller.wish.action == "swim"
        session.say("runs off")
        session.world.step()
        assert session._controller.wish.action == "swim"
    finally:
        session.close()


def test_samples_are_asked_of_the_generator(shown: list) -> None:
    kinema.view_generated(make_creature("snake").skeleton, samples=2, text="slithers", model=unlearned())
    session = shown[0][0]
    assert isinstance(session, SamplesSession)
    session.ask(steps=1, seconds=1.0)
    session.wait()
    assert len(session.motions) == 2
    assert session.motions[0].skeleton.joint_count == 20
    for count in (0, 99):
        with pytest.raises(UsageError, match="up to 12 samples"):
            kinema.view_generated("snake", samples=count)
    with pytest.raises(UsageError, match="understood"):
        kinema.play_generated("snake", text="xyzzy")


def test_bodies_of_no_known_kind_are_offered_everything() -> None:
    stick = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    assert set(live_generation.actions_of(stick)) <= set(ACTIONS)
    assert live_generation.actions_of(stick)
    assert "walk" in live_generation.actions_of(make_creature("horse").skeleton)

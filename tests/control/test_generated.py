"""Endless generated motion under commands."""

from __future__ import annotations

import time

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from kinema import rotations
from kinema.control.command import Commands
from kinema.control.generated import PHRASE_SECONDS, GeneratedController, rig_paces
from kinema.control.paces import Paces
from kinema.errors import ControlError
from kinema.generation.channels import CHANNELS, FPS, HEIGHT, TRAVEL, decode
from kinema.generation.generator import Generator
from kinema.generation.model import AnySkeletonModel
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings
from kinema.generation.wishes import Wish
from kinema.learn.setting import Setting
from kinema.mocap.creatures import make_creature

QUICK = SamplingSettings(steps=2, guidance=1.0)


@pytest.fixture(scope="module")
def generator() -> Generator:
    torch.manual_seed(0)
    model = AnySkeletonModel(Setting(more={"size": "XS"}), "XS")
    with torch.no_grad():
        for weights in model.parameters():
            if weights.abs().max() == 0:
                weights.normal_(std=0.02)
    return Generator(model)


@pytest.fixture(scope="module")
def dog() -> AnyRig:
    return AnyRig.of(make_creature("dog").skeleton)


@pytest.fixture
def controller(generator: Generator, dog: AnyRig) -> GeneratedController:
    return GeneratedController(generator, dog, settings=QUICK, ahead=0)


def ahead(speed: float, toward: float = 0.0) -> Commands:
    return Commands.create(np.array([speed * np.sin(toward), 0, speed * np.cos(toward)], np.float32))


class Obeying:
    """In place of the network: goes and turns as wished, and notes the wishes."""

    def __init__(self, controller: GeneratedController) -> None:
        self.rig, self.wishes = controller.rig, []

    def __call__(self, wish: Wish) -> np.ndarray:
        self.wishes.append(wish)
        made = np.zeros((8, self.rig.count, CHANNELS), np.float32)
        made[:, 0, TRAVEL] = (0.0, (wish.speed or 0.0) / self.rig.unit, wish.turn or 0.0)
        made[:, 0, HEIGHT] = 0.01 * len(self.wishes)
        return made


def test_steps_play_the_patches_between_their_frames(controller: GeneratedController, dog: AnyRig) -> None:
    made = [controller._first]
    begin = controller._begin.fork()
    controller._ahead.restart(lambda wish: made.append(begin.next(wish)) or made[-1])
    shown = np.concatenate([controller.step(ahead(1.0), 1 / 60).global_positions for _ in range(40)])
    whole = decode(dog, np.concatenate(made))[:].global_positions
    np.testing.assert_allclose(shown[1::2], whole[1:21], atol=1e-4)
    hips = whole[:, dog.joints[0]]
    np.testing.assert_allclose(shown[::2, dog.joints[0]], 0.5 * (hips[:20] + hips[1:21]), atol=1e-4)


def test_place_and_heading_are_exact_over_many_patches(controller: GeneratedController, dog: AnyRig) -> None:
    obeying = Obeying(controller)
    controller._ahead.restart(obeying)
    pose = controller.reset(1)
    controller._ahead.restart(obeying)
    for _ in range(1200):
        pose = controller.step(ahead(1.0, 0.8), 1 / FPS)
    made = np.concatenate([controller._first, *[Obeying(controller)(wish) for wish in obeying.wishes]])
    travel = made[:1200, 0, TRAVEL].astype(np.float64)
    heading = np.cumsum(np.concatenate([[0.0], travel[:-1, 2]])) / FPS
    assert float(rotations.yaw(pose.root_rotations)[0]) == pytest.approx(0.8, abs=0.01)
    steps = travel[:, :2] / FPS * dog.unit
    x = steps[:, 0] * np.cos(heading) + steps[:, 1] * np.sin(heading)
    z = steps[:, 1] * np.cos(heading) - steps[:, 0] * np.sin(heading)
    np.testing.assert_allclose(pose.root_positions[0], [x.sum(), 0.0, z.sum()], atol=1e-4)


@pytest.mark.parametrize("toward", [0.5, 2.0, -2.9])
def test_a_body_that_obeys_late_hardly_overshoots(controller: GeneratedController, toward: float) -> None:
    delayed: list[Wish] = [Wish(speed=0.0, turn=0.0)] * 2
    obeying = Obeying(controller)

    def make(wish: Wish) -> np.ndarray:
        delayed.append(wish)
        return obeying(delayed.pop(0))

    controller._ahead.restart(make)
    headings = [float(rotations.yaw(controller.step(ahead(1.0, toward), 1 / 60).root_rotations)[0]) for _ in range(480)]
    assert headings[-1] == pytest.approx(toward, abs=0.05)
    assert max(abs(heading) for heading in headings) < abs(toward) + 0.2


def test_commands_become_wishes(controller: GeneratedController) -> None:
    controller.step(ahead(0.0), 1 / 60)
    assert controller.wish == Wish("", "idle", 0.0, 0.0)
    controller.step(ahead(rig_paces(controller.rig).walk), 1 / 60)
    assert (controller.wish.action, controller.wish.speed) == ("walk", pytest.approx(rig_paces(controller.rig).walk))
    controller.step(ahead(rig_paces(controller.rig).run), 1 / 60)
    assert controller.wish.action == "run"
    controller.step(Commands.create(np.zeros(3, np.float32), np.array([1, 0, 0], np.float32)), 1 / 60)
    assert controller.wish.speed == 0.0
    assert controller.wish.turn is not None
    assert controller.wish.turn > 0.5, "+X is to the left of +Z"
    controller.action = "jump"
    controller.step(ahead(0.0), 1 / 60)
    assert controller.wish == Wish("", "jump")
    controller.step(ahead(1.0), 1 / 60)
    assert (controller.wish.action, controller.wish.speed) == ("jump", 1.0)


def test_what_is_said_is_done_phrase_by_phrase(controller: GeneratedController) -> None:
    controller._ahead.restart(Obeying(controller))
    controller.say([Wish("walks", "walk"), Wish("then sits", None)])
    controller.step(ahead(0.0), 1 / 60)
    assert controller.wish == Wish("walks", "walk")
    for _ in range(round(30 * 2 * PHRASE_SECONDS)):
        controller.step(ahead(0.0), 1 / 30)
    assert controller.wish == Wish("then sits")
    controller.say([])
    controller.step(ahead(0.0), 1 / 60)
    assert controller.wish.action == "idle"


def test_a_turn_that_is_said_is_made_and_ends(controller: GeneratedController) -> None:
    still = Commands.idle()
    controller.say([Wish("walks", "walk"), Wish("turns right", "turn")])
    turns = []
    for _ in range(round(3 * PHRASE_SECONDS / 0.5)):
        controller.step(still, 0.5)
        turns.append(controller.wish.turn)
    assert turns[:7] == [None] * 7
    made = np.asarray([turn for turn in turns if turn is not None])
    assert made.min() == pytest.approx(-0.5 * np.pi / PHRASE_SECONDS) and (made <= 0).all()
    assert 0.5 * made.sum() == pytest.approx(-0.5 * np.pi, rel=0.15)
    assert turns[-1] == 0.0
    controller.action = "turn"
    controller.step(still, 0.5)
    assert controller.wish.turn == pytest.approx(-0.5 * np.pi / PHRASE_SECONDS), "what is chosen goes on"
    controller.say([])
    controller.step(still, 0.5)
    assert controller.wish.turn == pytest.approx(0.5 * np.pi / PHRASE_SECONDS), "for as long as it is chosen"


def test_the_same_commands_give_the_same_motion_after_a_reset(controller: GeneratedController) -> None:
    def run() -> np.ndarray:
        controller.reset(1)
        return np.concatenate([controller.step(ahead(1.0), 1 / 60).global_positions for _ in range(60)])

    np.testing.assert_array_equal(run(), run())
    with pytest.raises(ControlError, match="one character, not 3"):
        controller.reset(3)


def test_a_pose_is_held_while_the_next_patch_is_late(generator: Generator, dog: AnyRig) -> None:
    controller = GeneratedController(generator, dog, settings=QUICK)
    try:
        controller._ahead.close()
        controller._ahead._made.clear()
        poses = [controller.step(ahead(1.0), 1 / 30).global_positions for _ in range(20)]
        np.testing.assert_array_equal(poses[-1], poses[-5])
        assert controller.diagnostics["late_s"] == pytest.approx(13 / 30, abs=1e-6)
    finally:
        controller.close()


def test_a_thread_makes_patches_while_others_are_played(generator: Generator, dog: AnyRig) -> None:
    controller = GeneratedController(generator, dog, settings=QUICK)
    try:
        end = time.monotonic() + 20
        while controller.diagnostics["patches_ahead"] < 1 and time.monotonic() < end:
            time.sleep(0.01)
        before = controller.step(ahead(1.0), 1 / 60).global_positions
        for _ in range(20):
            after = controller.step(ahead(1.0), 1 / 60).global_positions
        assert np.abs(after - before).max() > 0
    finally:
        controller.close()
    assert not controller._ahead._thread.is_alive()


def test_speeds_grow_with_the_root_of_the_size() -> None:
    small, large = (rig_paces(AnyRig.of(make_creature(name).skeleton)) for name in ("sparrow", "horse"))
    assert small.walk < 1.0 < large.walk
    person = rig_paces(AnyRig.of(make_creature("person").skeleton))
    assert person.walk == pytest.approx(Paces().walk, rel=0.15)

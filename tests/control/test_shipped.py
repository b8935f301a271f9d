"""The networks that come with Kinema: their cards, and how they drive bodies for a long time."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")

from kinema import Character, perform
from kinema.control.command import Commands, harsh_track, scripted_track
from kinema.control.controller import Controller
from kinema.control.drive import drive as evaluated
from kinema.control.paces import paces_of
from kinema.control.presets import WEIGHTS, controller_maker, shipped, shipped_of_creatures
from kinema.control.retargeted import RetargetedController, retarget_controller
from kinema.control.tracks import StyleChanges
from kinema.errors import LearningError, UsageError
from kinema.metrics.feet import skate_locked
from kinema.mocap.creatures import Act, make_creature
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import humanoid

DT = 1 / 60
HEIGHTS = {"its own": None, "a child": 1.1, "a tall person": 1.95}
STEERED = ("bird", "horse", "spider")
FREE = {"Apache-2.0 OR MIT", "CC0-1.0", "MIT"}


@pytest.fixture(scope="module", params=shipped())
def made(request) -> tuple[Controller, MotionDatabase]:
    maker = controller_maker(request.param)
    database = maker.subject()
    assert database is not None
    return maker(database), database


def test_some_come_along():
    assert {"perceptron", "mann", "pfnn"} <= set(shipped())
    assert all("perceptron" in shipped(name) for name in STEERED)
    assert shipped_of_creatures() == [f"{name}/perceptron" for name in STEERED]
    assert not shipped("unicorn")


@pytest.mark.parametrize("name", [*shipped(), *shipped_of_creatures()])
def test_cards(name):
    """Licence, credit and how they were made; no paths of a machine, at most 10 MB."""
    folder = WEIGHTS / name
    spec = json.loads((folder / "spec.json").read_text())
    assert spec["task"] == folder.name
    assert spec["card"]["licence"] in FREE and spec["card"]["credit"] and spec["card"]["use"]
    assert spec["command"].startswith(("python scripts/weights.py ", "python scripts/creature_weights.py "))
    assert "/" not in spec["command"].split(".py ")[1]
    assert sorted(path.name for path in folder.iterdir()) == ["model.safetensors", "spec.json"]
    assert (folder / "model.safetensors").stat().st_size < 10e6


def drive(controller: Controller | RetargetedController, seconds: float) -> None:
    """Along a harsh track, in changing styles: whole, upright, on the ground."""
    skeleton, inner = controller.skeleton, controller if isinstance(controller, Controller) else controller.inner
    steering = StyleChanges(harsh_track(seconds, seed=97), inner.family.styles, seed=97).steering()
    head, hips, size = skeleton.roles.head, skeleton.roles.hips, skeleton.height
    body = skeleton.below([hips])  # some rigs have a root that lies on the ground whatever the body does
    high = 0
    pose = controller.reset(1)
    for step in range(round(seconds / DT)):
        pose = controller.step(steering(step * DT, pose.root_positions), DT)
        places = pose.global_positions[0]
        assert np.isfinite(places).all(), f"not finite at {step * DT:.2f} s"
        assert places[head, 1] > places[hips, 1] + 0.15 * size, f"not upright at {step * DT:.2f} s"
        low = places[body, 1].min() / size
        assert -0.05 < low < 0.2, f"{100 * low:.0f} % of its height above the ground at {step * DT:.2f} s"
        high += low > 0.06
    assert high < 0.05 * seconds / DT


@pytest.mark.parametrize(
    "seconds", [pytest.param(10.0, id="ten seconds"), pytest.param(600.0, marks=pytest.mark.slow, id="ten minutes")]
)
@pytest.mark.parametrize(
    "body", [pytest.param(each, marks=[] if each == "a child" else pytest.mark.slow) for each in HEIGHTS]
)
def test_long_drives_of_several_bodies(made, body, seconds):
    controller, database = made
    height = HEIGHTS[body]
    if height is None:
        return drive(controller, seconds)
    drive(retarget_controller(controller, database, Character(body, humanoid(height))), seconds)


@pytest.mark.parametrize(
    "name", ["horse", *(pytest.param(each, marks=pytest.mark.slow) for each in ("bird", "spider"))]
)
def test_creatures_are_steered_by_networks(name):
    """They go and turn as told, on feet that are held, stand on all of them at the end, and never fall apart."""
    maker = controller_maker("perceptron", creature=name)
    database = maker.subject()
    assert database is not None and database.skeleton.names == make_creature(name).skeleton.names
    walk = paces_of(database).walk
    track = scripted_track([(5.0, walk, 0.0), (7.0, walk, 90.0), (4.0, 0.0, 0.0)])
    driven = evaluated(maker(database), track, 60.0, database.clearance).rollout
    velocity = np.diff(driven.root_positions, axis=0) * 60.0
    for second, wanted in ((4, [0, 0, walk]), (11, [walk, 0, 0]), (15, [0, 0, 0])):
        mean = velocity[60 * second : 60 * second + 59].mean(axis=0)
        np.testing.assert_allclose(mean, wanted, atol=0.15 * walk)
    back = driven.motion[:].global_positions[:, driven.motion.skeleton.roles.hips, 1]
    assert back.min() > 0.8 * back[0] and back.max() < 1.2 * back[0]
    assert (skate_locked(driven) or np.inf) < 4.0
    assert np.asarray(driven.locked)[-60:].all(), "all feet stand at the end"


def test_a_creature_without_a_network_is_told_what_there_is():
    with pytest.raises(UsageError, match="no perceptron for the body of a crab comes with Kinema; there are bird/"):
        controller_maker("perceptron", creature="crab")
    with pytest.raises(LearningError, match="made for something else: joints"):
        controller_maker("horse/perceptron")(MotionDatabase.from_motions([perform("dog", [Act("walk", 2.0)])]))


@pytest.mark.parametrize(
    "made",
    [pytest.param(name, marks=() if name == "perceptron" else pytest.mark.slow) for name in shipped()],
    indirect=True,
)
def test_a_property_of_a_style_changes_steadily(made):
    """From the plain style to stealth the hips sink, and to the old one the back bends: never the other way."""
    controller, _ = made
    roles, shares = controller.skeleton.roles, np.linspace(0, 1, 9)
    words = [f"normal:{1 - share}+{style}:{share}" for style in ("stealth", "old") for share in shares]
    controller.reset(len(words))
    commands = Commands.create(np.tile(np.float32([0, 0, 1]), (len(words), 1)), style=words)
    hips, bends = [], []
    for step in range(round(8 / DT)):
        places = controller.step(commands, DT).global_positions
        if step * DT >= 2:
            back = places[:, roles.head] - places[:, roles.hips]
            hips.append(places[:, roles.hips, 1])
            bends.append(np.degrees(np.arctan2(back[:, 2], back[:, 1])))
    height, bend = np.mean(hips, axis=0)[: len(shares)], np.mean(bends, axis=0)[len(shares) :]
    assert (np.diff(height) < 0.002).all() and height[0] - height[-1] > 0.1
    assert (np.diff(bend) > -0.2).all() and bend[-1] - bend[0] > 8

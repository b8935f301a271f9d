from __future__ import annotations

import numpy as np
import pytest

from kinema.arrays import Floats
from kinema.generation.footfalls import Footfalls, standing_joints
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.mocap.creatures.perform import kind_of_creature

FPS, SPEED = 30.0, 1.0


def walking(duty: float, cadence: float, seconds: float = 6.0) -> Floats:
    """Two feet `[F, 2, 3]`, half a stride apart, of a body that goes along +Z at `SPEED`."""
    times = np.arange(round(seconds * FPS)) / FPS
    feet = np.zeros((len(times), 2, 3))
    for foot, offset in enumerate((0.0, 0.5)):
        phase = times * cadence + offset
        swing = np.clip((phase % 1.0 - duty) / (1.0 - duty), 0.0, 1.0)
        length = SPEED / cadence
        feet[:, foot, 2] = (np.floor(phase) + swing * swing * (3 - 2 * swing)) * length
        feet[:, foot, 1] = 0.02 + 0.15 * np.sin(np.pi * swing)
    return feet


@pytest.mark.parametrize(("duty", "cadence"), [(0.65, 1.0), (0.4, 1.5), (0.75, 0.8)])
def test_duty_and_cadence_are_those_of_the_steps(duty: float, cadence: float) -> None:
    found = Footfalls.of(walking(duty, cadence), np.full(2, 0.02), 0.8, SPEED, FPS)
    assert found.duty == pytest.approx(duty, abs=0.06)
    assert found.cadence == pytest.approx(cadence, rel=0.03)
    assert found.stepping == 1.0
    assert found.skate is not None and found.skate < 0.15


def test_feet_that_glide_or_float_do_not_stand() -> None:
    feet = walking(0.65, 1.0)
    gliding = np.zeros_like(feet)
    gliding[..., 2] = SPEED * np.arange(len(feet))[:, None] / FPS
    for other in (gliding, feet + np.asarray([0.0, 0.2, 0.0])):
        found = Footfalls.of(other, np.full(2, 0.02), 0.8, SPEED, FPS)
        assert found == Footfalls(0.0, None, None, None)


def test_one_foot_that_never_steps_is_told() -> None:
    feet = walking(0.65, 1.0)
    feet[:, 1] = feet[:1, 1]
    assert Footfalls.of(feet, np.full(2, 0.02), 0.8, SPEED, FPS).stepping == 0.5


def test_a_foot_that_rolls_over_its_toe_stands_as_long_as_the_toe() -> None:
    toes = walking(0.65, 1.0)
    heels = walking(0.4, 1.0) + np.asarray([0.0, 0.1, -0.2])
    joints, floor = np.concatenate([heels, toes], axis=1), np.asarray([0.12, 0.12, 0.02, 0.02])
    whole = Footfalls.of(joints, floor, 0.8, SPEED, FPS, feet=[0, 1, 0, 1])
    alone = Footfalls.of(heels, floor[:2], 0.8, SPEED, FPS)
    assert whole.duty == pytest.approx(0.65, abs=0.06) and alone.duty == pytest.approx(0.4, abs=0.06)
    assert whole.stepping == 1.0 and whole.cadence == pytest.approx(1.0, rel=0.03)


def test_it_agrees_with_the_labels_of_creatures() -> None:
    creature = make_creature("wolf")
    body = kind_of_creature(creature).body
    motion = perform(creature, [Act("walk", 5.0, speed=1.1)])
    joints = [leg.contact for leg in body.legs]
    feet, floor = motion[:].global_positions[:, joints], np.asarray([leg.place[1] for leg in body.legs])
    stands = standing_joints(feet, floor, body.leg, 1.1, motion.fps)
    labels = np.stack([motion.labels[f"contact.{body.skeleton.names[joint]}"] for joint in joints], axis=-1) > 0.5
    assert (stands == labels).mean() > 0.94

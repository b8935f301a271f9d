from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.conduct import beat, conduct
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.motion import Motion

SPEED, TURN = 1.2, 0.4


@pytest.fixture(scope="module")
def kind() -> Kind:
    return kind_of_creature(make_creature("dog").skeleton)


@pytest.fixture(scope="module")
def walk(kind: Kind) -> Motion:
    return perform(kind.body.skeleton, [Act("walk", 4.0, speed=SPEED, curve=TURN)])


def test_a_walk_is_measured_as_it_was_planned(kind: Kind, dog: AnyRig, walk: Motion) -> None:
    found = conduct(kind, dog, walk)
    assert found.finite and found.bones < 1e-5 and found.reach <= 1 + 1e-5
    assert found.speed == pytest.approx(SPEED, rel=0.05)
    assert found.turn == pytest.approx(TURN, rel=0.1)
    assert found.ground is not None and found.ground < 0.01
    assert found.below is not None and found.below < 0.01
    assert abs(found.aside) < 0.3
    assert found.duty is not None and 0.6 < found.duty < 0.75


def test_what_is_wrong_is_found(kind: Kind, dog: AnyRig, walk: Motion) -> None:
    up = lifted(walk, 0.2 * kind.body.leg)
    assert conduct(kind, dog, up).ground == pytest.approx(0.2, abs=0.01)
    down = conduct(kind, dog, lifted(walk, -0.2 * kind.body.leg))
    assert down.below == pytest.approx(0.2, abs=0.02) and down.ground == pytest.approx(0.2, abs=0.01)
    turns = walk.local_rotations.copy()
    turns[40, 3] = np.nan
    assert not conduct(kind, dog, walk.replace(local_rotations=turns)).finite


def test_bones_that_stretch_are_found(kind: Kind, dog: AnyRig, walk: Motion) -> None:
    joint = kind.body.legs[0].contact
    moved = np.asarray([*walk.translated, joint], np.int32)
    longer = np.tile(5.0 * walk.skeleton.rest_translations[joint], (walk.frames, 1, 1))
    shifts = np.concatenate([walk.local_translations, longer], axis=1)
    stretched = Motion.create(walk.skeleton, walk.local_rotations, shifts, moved, fps=walk.fps)
    found = conduct(kind, dog, stretched)
    bone = float(np.linalg.norm(walk.skeleton.rest_translations[joint]))
    assert found.bones == pytest.approx(4.0 * bone / dog.unit, rel=1e-3)
    assert found.reach > 1.01


def test_fish_beat_and_bodies_in_the_air_have_no_ground() -> None:
    shark = make_creature("shark").skeleton
    found = conduct(kind_of_creature(shark), AnyRig.of(shark), perform(shark, [Act("swim", 4.0)]), grounded=False)
    assert found.ground is None and found.duty is None and found.cadence is not None


def test_the_beat_is_the_frequency_of_a_wave() -> None:
    times = np.arange(150) / 30.0
    wave = 0.2 * np.sin(2 * np.pi * 1.7 * times)[:, None, None] * np.ones((1, 4, 6))
    assert beat(wave, 30.0) == pytest.approx(1.7, abs=0.05)
    assert beat(np.ones((150, 4, 6)), 30.0) is None


def lifted(motion: Motion, height: float) -> Motion:
    """The motion, higher in the world."""
    root = int(np.flatnonzero(motion.skeleton.parents < 0)[0])
    column = motion.translated.tolist().index(root)
    shifts = motion.local_translations.copy()
    shifts[:, column, 1] += height
    return motion.replace(local_translations=shifts)

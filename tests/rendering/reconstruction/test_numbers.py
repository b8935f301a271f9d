from __future__ import annotations

import numpy as np

from kinema.rendering.reconstruction.numbers import NAMES, Adam, Numbers

from .conftest import few, place


def test_scenes_come_back() -> None:
    numbers = Numbers.of(place())
    scene = numbers.scene("x")
    assert all(np.array_equal(getattr(scene, name), getattr(place(), name)) for name in NAMES) and scene.name == "x"
    assert len(numbers.taken(np.arange(3)).joined(few(2))) == 5


def test_steps_are_those_of_adam() -> None:
    numbers = few(3, 4)
    start, gradients = numbers.taken(np.arange(3)), few(3, 4, seed=1)
    adam = Adam(numbers)
    for _ in range(3):
        adam.step(numbers, gradients, dict.fromkeys(NAMES, 0.01))
    moved = start.means - numbers.means
    assert np.allclose(moved, 0.03 * np.sign(gradients.means), atol=1e-4)
    colours = np.abs(start.harmonics - numbers.harmonics).mean(axis=(0, 2))
    assert np.allclose(colours, [0.03, 0.0015, 0.0015, 0.0015], rtol=0.01)
    adam.kept(np.asarray([0, 2, 2]), np.asarray([False, False, True]))
    assert adam.first.means[1].any() and not adam.first.means[2].any()

from __future__ import annotations

import numpy as np

from kinema.mocap.gestures.posture import KeyPosture, curves

UP = KeyPosture(hand=(0.3, 0.5, 0.1), pitch=0.4)
KEYS = ((0.0, KeyPosture()), (1.0, UP), (2.0, UP), (3.0, KeyPosture()))


def test_keys_are_met_and_held_before_and_after() -> None:
    made = curves(KEYS, np.asarray([-1.0, 0.0, 1.0, 1.5, 2.0, 3.0, 9.0]))
    np.testing.assert_allclose(made["pitch"], [0, 0, 0.4, 0.4, 0.4, 0, 0], atol=1e-12)
    np.testing.assert_allclose(made.hand_weight, [0, 0, 1, 1, 1, 0, 0], atol=1e-12)
    assert not made.other_weight.any() and not made["sink"].any()


def test_nothing_overshoots_and_nothing_jumps() -> None:
    made = curves(KEYS, np.linspace(0.0, 3.0, 400))
    assert made["pitch"].min() >= 0.0 and made["pitch"].max() <= 0.4
    assert np.abs(np.diff(made["pitch"], n=2)).max() < 2e-4
    np.testing.assert_allclose(made.hand, np.broadcast_to([0.3, 0.5, 0.1], made.hand.shape), atol=1e-12)


def test_a_single_key_is_a_posture() -> None:
    np.testing.assert_allclose(curves(((0.0, UP),), np.arange(3.0))["pitch"], 0.4)

from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.channels import CHANNELS, CONTACT, FPS, TURN
from kinema.generation.smoothing import REACH, LiveSmoothing, smooth


def wave(hertz: float, frames: int = 120, noise: float = 0.0) -> np.ndarray:
    """Channels of two joints that swing; contacts come and go."""
    seconds = np.arange(frames) / FPS
    channels = np.random.default_rng(0).normal(0, noise, (frames, 2, CHANNELS)) if noise else 0.0
    channels = channels + np.sin(2 * np.pi * hertz * seconds)[:, None, None] * np.ones((1, 2, CHANNELS))
    channels[..., CONTACT] = (np.arange(frames) // 10 % 2)[:, None, None]
    return channels.astype(np.float32)


def jerk(channels: np.ndarray) -> float:
    return float(np.abs(np.diff(channels[..., TURN], 3, axis=0)).mean())


@pytest.mark.parametrize(("hertz", "kept"), [(1.0, 0.99), (3.0, 0.9)])
def test_gaits_stay_and_tremble_goes(hertz: float, kept: float) -> None:
    plain, rough = wave(hertz), wave(hertz, noise=0.05)
    swings = smooth(plain)[10:-10, 0, 0].std() / plain[10:-10, 0, 0].std()
    assert swings > kept
    assert jerk(smooth(rough) - smooth(plain)) < 0.25 * jerk(rough - plain)
    np.testing.assert_array_equal(smooth(rough)[..., CONTACT], rough[..., CONTACT])


def test_a_loop_has_no_ends_and_short_clips_stay() -> None:
    looped = wave(1.0, 30, noise=0.05)
    turned = np.roll(smooth(looped, loop=True), 11, axis=0)
    np.testing.assert_allclose(smooth(np.roll(looped, 11, axis=0), loop=True), turned, atol=1e-5)
    short = wave(1.0, 2 * REACH)
    np.testing.assert_array_equal(smooth(short), short)


def test_piece_by_piece_it_is_the_same_as_at_once() -> None:
    rough, live = wave(2.0, 80, noise=0.05), LiveSmoothing()
    pieces = [live.next(rough[at : at + 8], rough[at + 8 : at + 24]) for at in range(0, 64, 8)]
    np.testing.assert_allclose(np.concatenate(pieces), smooth(rough[: 64 + REACH])[:64], atol=1e-5)

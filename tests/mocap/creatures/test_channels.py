import numpy as np
import pytest

from kinema.mocap.creatures.channels import NAMES, Channels, slow_noise


def test_channels_are_zero_and_each_its_own():
    channels = Channels(5)
    channels.pitch += 1.0
    assert all(getattr(channels, name).shape == (5,) for name in NAMES)
    assert [name for name in NAMES if getattr(channels, name).any()] == ["pitch"]
    assert set(NAMES) == set(Channels.__annotations__)


@pytest.mark.parametrize("seconds", [0.3, 2.0])
def test_slow_noise_has_unit_variance_and_its_tempo(seconds):
    noise = slow_noise(np.random.default_rng(0), 60_000, 60.0, seconds)
    assert noise.std() == pytest.approx(1.0, rel=0.1)
    lag = round(seconds * 60)
    assert 0.3 < np.mean(noise[lag:] * noise[:-lag]) < 0.95  # alike a moment later
    assert abs(np.mean(noise[5 * lag :] * noise[: -5 * lag])) < 0.15

"""The periodic autoencoder."""

from __future__ import annotations

import math

import pytest
import torch

from kinema.learn.networks.periodic import FourierLayer, LongConvolution, PeriodicAutoencoder, Waves


def sines(seconds: torch.Tensor, phase, frequency, amplitude, offset) -> torch.Tensor:
    given = (torch.as_tensor(v, dtype=torch.float64)[..., None] for v in (phase, frequency, amplitude, offset))
    phase, frequency, amplitude, offset = given
    return amplitude * torch.sin(2 * math.pi * frequency * seconds + phase) + offset


@pytest.mark.parametrize("frames", [60, 61, 121])
def test_a_sine_of_whole_periods_is_recovered(frames):
    fps = 30.0
    layer = FourierLayer(frames, fps).double()
    time = (torch.arange(frames, dtype=torch.float64) - (frames - 1) / 2) / fps
    for turns in (2, 3, frames // 3):
        frequency = turns * fps / frames
        for phase in (-3.0, -1.0, 0.0, 0.5, 3.1):
            wave = layer(sines(time, [phase], [frequency], [1.7], [-0.4])[None])
            assert wave.frequency.item() == pytest.approx(frequency, abs=0.01)
            assert wave.amplitude.item() == pytest.approx(1.7, abs=1e-9)
            assert wave.offset.item() == pytest.approx(-0.4, abs=1e-9)
            assert wave.phase.item() == pytest.approx(phase, abs=0.01)


def test_any_sine_of_more_than_a_period_is_recovered():
    fps, frames = 30.0, 61
    layer = FourierLayer(frames, fps).double()
    time = (torch.arange(frames, dtype=torch.float64) - 30) / fps
    moments = torch.arange(120, dtype=torch.float64) / fps
    for frequency in (0.6, 0.8, 1.13, 1.9, 3.3):
        shifted = torch.sin(2 * math.pi * frequency * (time + moments[:, None]))
        waves = layer(shifted[:, None])
        true = 2 * math.pi * frequency * moments[:, None]
        error = torch.remainder(waves.phase - true + math.pi, 2 * math.pi) - math.pi
        assert error.abs().max() < 0.05
        assert (waves.frequency / frequency - 1).abs().max() < (0.3 if frequency < 0.8 else 0.06)
        step = torch.remainder(torch.diff(waves.phase, dim=0) + math.pi, 2 * math.pi) - math.pi
        assert step.min() > 0  # it never turns back


def test_the_power_of_a_wave_is_that_of_its_signal():
    torch.manual_seed(0)
    for frames in (40, 41):
        signal = torch.randn(3, 2, frames, dtype=torch.float64) + 1.0
        wave = FourierLayer(frames, 30.0).double()(signal)
        assert torch.allclose(0.5 * wave.amplitude.square(), signal.var(-1, correction=0))
        assert torch.allclose(wave.offset, signal.mean(-1))


def test_noise_beside_a_sine_hardly_moves_its_phase():
    torch.manual_seed(0)
    layer = FourierLayer(61, 30.0)
    signal = torch.sin(2 * math.pi * 1.4 * layer.seconds + 1.0) + 0.1 * torch.randn(200, 61)
    assert (layer(signal[:, None]).phase - 1.0).abs().max() < 0.2


def test_a_constant_signal_has_no_amplitude_and_finite_gradients():
    layer = FourierLayer(31, 30.0)
    for value in (0.0, 2.0):
        signal = torch.full((1, 1, 31), value, requires_grad=True)
        waves = layer(signal)
        assert waves.amplitude.item() < 1e-4 and waves.offset.item() == pytest.approx(value)
        assert all(torch.isfinite(part).all() for part in waves)
        (gradient,) = torch.autograd.grad((layer.signals(waves) ** 2).sum() + sum(p.sum() for p in waves), signal)
        assert torch.isfinite(gradient).all()


def test_gradients_are_right():
    torch.manual_seed(0)
    layer = FourierLayer(9, 30.0).double()
    signal = torch.randn(2, 2, 9, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: tuple(layer(x)), (signal,))


def test_waves_become_signals():
    layer = FourierLayer(31, 30.0)
    waves = Waves(*(torch.rand(4, 3) for _ in range(4)))
    time = (torch.arange(31) - 15) / 30
    assert torch.allclose(layer.signals(waves).double(), sines(time.double(), *waves), atol=1e-5)


@pytest.mark.parametrize(("waves", "parameters"), [(5, 448_561), (8, 466_720)])
def test_size_of_the_paper_without_the_weights_of_its_phases(waves, parameters):
    network = PeriodicAutoencoder(72, 121, 60.0, waves)
    assert sum(p.numel() for p in network.parameters()) == parameters - waves * (2 * 121 + 2)


@pytest.mark.parametrize("frames", [30, 31])
def test_windows_of_any_length_and_no_others(frames):
    network = PeriodicAutoencoder(4, frames, 30.0, waves=2)
    assert network(torch.randn(3, 4, frames)).shape == (3, 4, frames)
    with pytest.raises(ValueError, match=rf"4 channels x {frames} samples are wanted, not \[4, 32\]"):
        network(torch.randn(3, 4, 32))


@pytest.mark.slow
def test_it_learns_the_phase_of_what_repeats():
    torch.manual_seed(0)
    fps, frames, count = 30.0, 41, 2000
    frequency = 1.5 + 0.5 * torch.sin(torch.arange(count) / 150)
    phase = torch.cumsum(2 * math.pi * frequency / fps, 0)
    shifts, strengths = torch.rand(6, 1) * 6.3, torch.rand(6, 1) + 0.5
    windows = (strengths * torch.sin(phase + shifts)).unfold(1, frames, 1).transpose(0, 1)
    network = PeriodicAutoencoder(6, frames, fps, waves=2)
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3)
    for _ in range(200):
        batch = windows[torch.randint(len(windows), (32,))]
        loss = (network(batch) - batch).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.1 * windows.var()
    waves = network.waves(windows)
    true = phase[frames // 2 :][: len(windows)]
    for direction in (-1, 1):
        locked = torch.exp(1j * (direction * waves.phase - true[:, None])).mean(0).abs()
        if direction == 1:
            assert locked.max() > 0.9
        else:
            assert locked.max() < 0.5
    assert (waves.frequency[:, locked.argmax()].mean() - frequency.mean()).abs() < 0.5


def test_the_mean_of_a_window_is_kept_and_does_not_count():
    torch.manual_seed(0)
    network, window = PeriodicAutoencoder(6, 31, 30.0, 2), torch.randn(4, 6, 31)
    moved = window + torch.randn(4, 6, 1)
    for one, other in zip(network.waves(window), network.waves(moved), strict=True):
        torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(network(moved) - moved, network(window) - window, atol=1e-5, rtol=1e-4)


@pytest.mark.filterwarnings("ignore:Using padding='same'")
@pytest.mark.parametrize(("frames", "kernel"), [(61, 61), (60, 60), (40, 7), (7, 40)])
def test_long_convolutions_are_convolutions(frames, kernel):
    torch.manual_seed(0)
    fast = LongConvolution(5, 3, kernel).double()
    signal = torch.randn(4, 5, frames, dtype=torch.float64, requires_grad=True)
    plain = torch.nn.functional.conv1d(signal, fast.weight, fast.bias, padding="same")
    assert torch.allclose(fast(signal), plain, atol=1e-12)
    parameters = (signal, fast.weight, fast.bias)
    for one, other in zip(
        torch.autograd.grad(fast(signal).square().sum(), parameters),
        torch.autograd.grad(plain.square().sum(), parameters),
        strict=True,
    ):
        assert torch.allclose(one, other, atol=1e-10)

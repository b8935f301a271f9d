"""The periodic autoencoder: movement as a few sine waves, whose phases order it in time.

Starke, Mason and Komura, "DeepPhase: Periodic Autoencoders for Learning Motion Phase Manifolds" (2022).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from scipy.fft import next_fast_len
from torch import Tensor, nn
from torch.nn import functional

_SMALLEST = 1e-12  # variance below which a signal is constant


class Waves(NamedTuple):
    """Sine waves `amplitude * sin(2 pi frequency t + phase) + offset`, each `[B, M]`; t = 0 in the window's middle.

    Attributes:
        phase: radians, from -pi to pi. frequency: Hz.
        amplitude, offset: in the units of the signal.
    """

    phase: Tensor
    frequency: Tensor
    amplitude: Tensor
    offset: Tensor


class FourierLayer(nn.Module):
    """The sine wave nearest to each signal of a window, by Fourier transform. It has no weights.

    The frequency is the mean of the spectrum, weighted by power; the amplitude is that of a sine with the same power;
    the offset is the mean. The phase is that of the sine of this frequency that fits best. In the public code a
    linear layer learns the phase, and the spectrum is that of the bare window: for periods that do not fit the
    window, its leakage overstates low frequencies by up to 80 %. Here a Hann window weights the spectrum and the fit.
    A signal that is constant has the amplitude zero, the phase zero and finite gradients.

    Args:
        frames: samples `T` of a window. fps: samples per second.
    """

    def __init__(self, frames: int, fps: float) -> None:
        super().__init__()
        taper = torch.hann_window(frames + 2, periodic=False)[1:-1]
        buffers = {
            "taper": taper / taper.sum(),
            "frequencies": torch.fft.rfftfreq(frames, 1.0 / fps),
            "seconds": (torch.arange(frames) - 0.5 * (frames - 1)) / fps,
        }
        for name, value in buffers.items():
            self.register_buffer(name, value, persistent=False)
        self.taper: Tensor
        self.frequencies: Tensor
        self.seconds: Tensor

    def forward(self, signals: Tensor) -> Waves:
        """The waves `[B, M]` of signals `[B, M, T]`."""
        offset = signals.mean(-1)
        variance = (signals - offset[..., None]).square().mean(-1)
        moving = self.taper * (signals - self._tapered_mean(signals))
        power = torch.view_as_real(torch.fft.rfft(moving)).square().sum(-1)
        frequency = (power * self.frequencies).sum(-1) / power.sum(-1).clamp_min(_SMALLEST)
        # Least squares on sine, cosine and a constant. Seen from the middle, the sine is odd and the others are even.
        turns = math.tau * frequency[..., None] * self.seconds
        sine, cosine = turns.sin(), turns.cos()
        cosine = cosine - self._tapered_mean(cosine)
        y = (moving * cosine).sum(-1) * (self.taper * sine.square()).sum(-1)
        x = (moving * sine).sum(-1) * (self.taper * cosine.square()).sum(-1)
        # atan2 has no gradient at the origin.
        silent = y.square() + x.square() < _SMALLEST**2
        phase = torch.atan2(y.masked_fill(silent, 0.0), x.masked_fill(silent, 1.0))
        return Waves(phase, frequency, (2.0 * variance.clamp_min(_SMALLEST)).sqrt(), offset)

    def _tapered_mean(self, signals: Tensor) -> Tensor:
        return (self.taper * signals).sum(-1, keepdim=True)

    def signals(self, waves: Waves) -> Tensor:
        """The signals `[B, M, T]` of waves `[B, M]`."""
        phase, frequency, amplitude, offset = (part[..., None] for part in waves)
        return amplitude * torch.sin(math.tau * frequency * self.seconds + phase) + offset


class LongConvolution(nn.Conv1d):
    """A convolution over time with as many frames out as in, by Fourier transform: for kernels as long as a window.

    Equal to `nn.Conv1d` with the padding "same", in a fifth of the time with 61 frames on a CPU.
    """

    def __init__(self, inputs: int, outputs: int, kernel: int) -> None:
        super().__init__(inputs, outputs, kernel, padding="same")

    def forward(self, input: Tensor) -> Tensor:
        """Signals `[B, inputs, T]` to `[B, outputs, T]`."""
        frames, kernel = input.shape[-1], self.weight.shape[-1]
        size = next_fast_len(frames + kernel - 1, real=True)
        seen = torch.fft.rfft(input, size).permute(2, 0, 1)
        weight = torch.fft.rfft(self.weight.flip(-1), size).permute(2, 1, 0)
        whole = torch.fft.irfft((seen @ weight).permute(1, 2, 0), size)
        first = kernel // 2  # "same" pads one more behind than before for even kernels
        bias = self.bias
        assert bias is not None
        return whole[..., first : first + frames] + bias[:, None]


class PeriodicAutoencoder(nn.Module):
    """Convolutions over a window to a few signals, the wave of each, and convolutions back.

    Windows are seen without their mean, and nothing is normalised over time as in the paper: the network may make the
    waves of a calm movement small. With the paper's normalisation amplitudes fell where a body moved faster, and waves
    that stood still told speeds.

    Args:
        inputs: channels of the window; in the paper joint velocities in the root frame, 3 for each joint.
        frames: samples `T` of a window; 121 in the paper. fps: samples per second; 60 in the paper.
        waves: number `M` of waves; 5 to 10 in the paper.
        hidden: channels between; default: a third of the inputs, as in the paper.
    """

    def __init__(self, inputs: int, frames: int, fps: float, waves: int = 5, hidden: int | None = None) -> None:
        super().__init__()
        hidden = max(inputs // 3, 1) if hidden is None else hidden
        self.inputs, self.frames = inputs, frames
        self.fourier = FourierLayer(frames, fps)
        self.first, self.second, self.third, self.fourth = (
            LongConvolution(a, b, frames)
            for a, b in ((inputs, hidden), (hidden, waves), (waves, hidden), (hidden, inputs))
        )

    def encode(self, x: Tensor) -> Tensor:
        """The signals `[B, M, T]` of windows `[B, inputs, T]`.

        Raises:
            ValueError: the windows have another number of channels or samples.
        """
        if x.shape[1:] != (self.inputs, self.frames):
            raise ValueError(
                f"windows of {self.inputs} channels x {self.frames} samples are wanted, not {list(x.shape[1:])}"
            )
        return self.second(functional.elu(self.first(x - x.mean(-1, keepdim=True))))

    def waves(self, x: Tensor) -> Waves:
        """The waves `[B, M]` of windows `[B, inputs, T]`."""
        return self.fourier(self.encode(x))

    def forward(self, x: Tensor) -> Tensor:
        """Windows `[B, inputs, T]` to the same, through the waves."""
        signals = self.fourier.signals(self.waves(x))
        return self.fourth(functional.elu(self.third(signals))) + x.mean(-1, keepdim=True)

"""Temporal convolution: sequences in, sequences of the same length out."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class TemporalConvolution(nn.Module):
    """Residual blocks of convolutions over time, each with twice the dilation of the one before.

    Bai, Kolter and Koltun, "An Empirical Evaluation of Generic Convolutional and Recurrent Networks for Sequence
    Modeling" (2018).

    Args:
        inputs, outputs: numbers of a frame.
        hidden: channels. blocks: number of blocks of two convolutions.
        kernel: frames that a convolution sees. dropout: share of the channels' numbers left out while training.
        causal: whether a frame of the output sees only the frames up to its own.
    """

    def __init__(
        self,
        inputs: int,
        outputs: int,
        hidden: int = 128,
        blocks: int = 4,
        kernel: int = 3,
        dropout: float = 0.0,
        causal: bool = True,
    ) -> None:
        super().__init__()
        self.enter = nn.Conv1d(inputs, hidden, 1)
        self.blocks = nn.ModuleList(_Block(hidden, kernel, 2**level, dropout, causal) for level in range(blocks))
        self.leave = nn.Conv1d(hidden, outputs, 1)
        self.reach = 2 * (kernel - 1) * (2**blocks - 1)
        """Frames that a frame of the output sees besides its own: all before it if causal."""

    def forward(self, x: Tensor) -> Tensor:
        """`[B, T, inputs]` to `[B, T, outputs]`."""
        x = self.enter(x.transpose(1, 2))
        for block in self.blocks:
            x = block(x)
        return self.leave(x).transpose(1, 2)


class _Block(nn.Module):
    def __init__(self, channels: int, kernel: int, dilation: int, dropout: float, causal: bool) -> None:
        super().__init__()
        self.first, self.second = (nn.Conv1d(channels, channels, kernel, dilation=dilation) for _ in range(2))
        self.dropout = nn.Dropout(dropout)
        reach = dilation * (kernel - 1)
        self.padding = (reach, 0) if causal else (reach // 2, reach - reach // 2)

    def forward(self, x: Tensor) -> Tensor:
        y = self.dropout(functional.elu(self.first(functional.pad(x, self.padding))))
        return x + self.dropout(functional.elu(self.second(functional.pad(y, self.padding))))

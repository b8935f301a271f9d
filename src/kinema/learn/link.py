"""Weights on their way from a training to whoever watches it, in memory that both processes see.

The training copies them only when they were asked for, and not more often than every half second: watching costs it a
memory copy now and then, whatever the display does.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

if TYPE_CHECKING:
    from kinema.learn.training import Training

SECONDS = 0.5


class WeightsLink:
    """Room for the weights of one network; made by the training's side and handed to a process as it is started.

    The training waits for nothing here: a watcher may be stopped or killed at any moment, even as it holds the lock.
    """

    def __init__(self, network: nn.Module) -> None:
        context = multiprocessing.get_context("spawn")
        self._size = sum(tensor.numel() for tensor in _tensors(network))
        self._memory = context.RawArray("f", max(self._size, 1))
        self._step = context.RawValue("q", -1)
        self._lock = context.Lock()
        self._asked = context.RawValue("b", 0)
        self._next = 0.0

    def after_step(self, training: Training) -> None:
        """Training's side: hand the weights out if they were asked for and it is time."""
        now = time.monotonic()
        if now < self._next or not self._asked.value:
            return
        self._next = now + SECONDS
        self.publish(training)

    def publish(self, training: Training, patience: float = 0.0) -> None:
        """Training's side: hand the weights out now; not at all if they are being taken for so many seconds."""
        if not self._lock.acquire(timeout=patience):
            return
        try:
            room = self._room()
            with training.kept_weights(), torch.no_grad():
                begin = 0
                for tensor in _tensors(training.network):
                    torch.from_numpy(room[begin : begin + tensor.numel()]).copy_(tensor.reshape(-1))
                    begin += tensor.numel()
                self._step.value = training.step
                self._asked.value = 0
        finally:
            self._lock.release()

    def ask(self) -> None:
        """Watcher's side: want the next weights."""
        self._asked.value = 1

    @property
    def step(self) -> int:
        """Watcher's side: the step of the weights that lie ready; -1 before the first."""
        return self._step.value

    def take(self, network: nn.Module) -> int:
        """Watcher's side: put the weights that lie ready into a network of the same kind; returns their step."""
        room = self._room()
        with self._lock, torch.no_grad():
            begin = 0
            for tensor in _tensors(network):
                tensor.copy_(torch.from_numpy(room[begin : begin + tensor.numel()]).reshape(tensor.shape))
                begin += tensor.numel()
            return self._step.value

    def _room(self) -> NDArray[np.float32]:
        return np.frombuffer(self._memory, np.float32)[: self._size]


def _tensors(network: nn.Module) -> Iterator[Tensor]:
    """All numbers that `torch.nn.Module.state_dict` keeps and that are floating, in its order."""
    return (tensor for tensor in network.state_dict().values() if tensor.is_floating_point())

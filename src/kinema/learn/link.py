"""Weights handed from a training to the process that displays it, in shared memory.

The training copies them only on request, at most every half second: being watched costs it a memory copy now and then.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from kinema.arrays import Singles
from kinema.learn.model import own_state

if TYPE_CHECKING:
    from kinema.learn.training import Training

SECONDS = 0.5


class WeightsLink:
    """Shared memory for the weights of one model; made by the training, passed to a process when it is started.

    The training never blocks on it: a watcher may be stopped or killed at any moment, even while it holds the lock.
    """

    def __init__(self, model: nn.Module) -> None:
        context = multiprocessing.get_context("spawn")
        self._size = sum(tensor.numel() for tensor in _tensors(model))
        self._memory = context.RawArray("f", max(self._size, 1))
        self._step = context.RawValue("q", -1)
        self._lock = context.Lock()
        self._asked = context.RawValue("b", 0)
        self._next = 0.0

    def after_step(self, training: Training) -> None:
        """Training's side: publish the weights if they were requested and it is time."""
        now = time.monotonic()
        if now < self._next or not self._asked.value:
            return
        self._next = now + SECONDS
        self.publish(training)

    def publish(self, training: Training, patience: float = 0.0) -> None:
        """Training's side: publish the weights now; give up if the watcher holds the lock for `patience` seconds."""
        if not self._lock.acquire(timeout=patience):
            return
        try:
            room = self._room()
            with training.kept_weights(), torch.no_grad():
                begin = 0
                for tensor in _tensors(training.model):
                    torch.from_numpy(room[begin : begin + tensor.numel()]).copy_(tensor.reshape(-1))
                    begin += tensor.numel()
                self._step.value = training.step
                self._asked.value = 0
        finally:
            self._lock.release()

    def ask(self) -> None:
        """Watcher's side: request the next weights."""
        self._asked.value = 1

    @property
    def step(self) -> int:
        """Watcher's side: the step of the published weights; -1 before the first."""
        return self._step.value

    def take(self, model: nn.Module) -> int:
        """Watcher's side: load the published weights into a model of the same kind; returns their step."""
        room = self._room()
        with self._lock, torch.no_grad():
            begin = 0
            for tensor in _tensors(model):
                tensor.copy_(torch.from_numpy(room[begin : begin + tensor.numel()]).reshape(tensor.shape))
                begin += tensor.numel()
            return self._step.value

    def _room(self) -> Singles:
        return np.frombuffer(self._memory, np.float32)[: self._size]


def _tensors(model: nn.Module) -> Iterator[Tensor]:
    """The floating-point tensors of a model's own state, in its order."""
    return (tensor for tensor in own_state(model).values() if tensor.is_floating_point())

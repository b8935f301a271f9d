"""What a model is, and what a task brings: features, network and baselines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from kinema.arrays import Indices
from kinema.errors import LearningError
from kinema.features import Dataset, FeatureSpec, Normalizer
from kinema.features.spec import Specs
from kinema.skeleton import Skeleton


class Samples(NamedTuple):
    """A batch on the model's device: x `[B, D_x]` and y `[B, D_y]`, in the units of their features."""

    x: Tensor
    y: Tensor


@dataclass(frozen=True, eq=False)
class Setting:
    """What a network is made for.

    Attributes:
        x_spec, y_spec: what its vectors mean.
        x_scaling, y_scaling: scaling of the training samples; a network keeps them in its weights.
        fps: frame rate of the database.
        translated: int32 `[T]`: joints whose distance to their parent is not fixed.
    """

    x_spec: FeatureSpec
    y_spec: FeatureSpec
    x_scaling: Normalizer
    y_scaling: Normalizer
    fps: float
    translated: Indices

    @staticmethod
    def of(dataset: Dataset, translated: Indices) -> Setting:
        """The setting of a data set; the scalings are those of all its training samples."""
        x_scaling, y_scaling = dataset.normalizers()
        return Setting(dataset.x_spec, dataset.y_spec, x_scaling, y_scaling, dataset.fps, translated)

    @staticmethod
    def bare(x_spec: FeatureSpec, y_spec: FeatureSpec, fps: float, translated: Indices) -> Setting:
        """A setting for weights that are read from a file, which hold the scalings."""
        x_scaling, y_scaling = (
            Normalizer(np.zeros(spec.dim, np.float32), np.ones(spec.dim, np.float32)) for spec in (x_spec, y_spec)
        )
        return Setting(x_spec, y_spec, x_scaling, y_scaling, fps, translated)


class Model(nn.Module):
    """Base of all networks: vectors of features in, vectors of features out; the batch dimension is characters."""

    def forward(self, x: Tensor) -> Tensor:
        """Outputs `[B, D_y]` for inputs `[B, D_x]`, both in the units of their features."""
        raise NotImplementedError

    def loss(self, samples: Samples) -> dict[str, Tensor]:
        """Terms by name, each a number; their sum is what is made small."""
        raise NotImplementedError


Predict = Callable[[Tensor], Tensor]
"""Anything that does what a network does: `[B, D_x]` to `[B, D_y]`."""


class Task(Protocol):
    """What is learned, and by which network: a module of `kinema.learn.tasks`.

    Attributes:
        Options: frozen dataclass with a default for every field, each int, float, bool or str.
        Network: made with `Network(setting, options)`.
        SHOWN: which times of the output are a pose to look at and to measure.
    """

    Options: type[Any]
    Network: Callable[[Setting, Any], Model]
    SHOWN: Sequence[int]

    def specs(self, skeleton: Skeleton, options: Any) -> Specs:
        """Features of input and output. The output has "positions" and "rotations" (rotation6d) of all joints."""
        ...

    def baselines(self, dataset: Dataset, setting: Setting, options: Any) -> Mapping[str, Predict]:
        """What the network must beat, by name, beside the mean pose that every task is compared to."""
        ...


def make_options(task: Task, values: Mapping[str, Any]) -> Any:
    """A task's options; values may be text, as on the command line.

    Raises:
        LearningError: an option is unknown (the message lists those there are), has a value of another kind, or one
            that no network can have: whole numbers are counts and at least 1, others are finite and not below 0.
    """
    known = {field.name: type(field.default) for field in fields(task.Options)}
    for name in values:
        if name not in known:
            raise LearningError(f"no option is named {name!r}; the options are: {', '.join(known)}")
    return task.Options(**{name: _option(name, known[name], value) for name, value in values.items()})


def _option(name: str, kind: type, value: Any) -> Any:
    """The value of an option, which may be text; LearningError if it is not of its kind or out of range."""
    try:
        made = {"true": True, "false": False}[str(value).lower()] if kind is bool else kind(value)
    except (ValueError, KeyError):
        raise LearningError(f"option {name} is {value!r}; it must be a {kind.__name__}") from None
    if kind is int and made < 1:
        raise LearningError(f"option {name} is {made}; it must be at least 1")
    if kind is float and not (math.isfinite(made) and made >= 0):
        raise LearningError(f"option {name} is {made:g}; it must be a finite number not below 0")
    return made


def find_device(name: str) -> torch.device:
    """A device by torch's name for it.

    Raises:
        LearningError: it is not there; the message says why.
    """
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise LearningError(f"device {name!r} cannot be used: {str(error).splitlines()[0]}") from None
    return device


@contextmanager
def kept_random_state() -> Iterator[None]:
    """Restore torch's global generator after the block; a new network draws from it even when its weights are read."""
    with torch.random.fork_rng(devices=[]):
        yield


def scaling_buffers(module: nn.Module, name: str, scaling: Normalizer) -> None:
    """Keep a scaling in the weights of a module, as `<name>_offset` and `<name>_scale` `[D]`."""
    module.register_buffer(f"{name}_offset", torch.from_numpy(np.array(scaling.offset, np.float32)))
    module.register_buffer(f"{name}_scale", torch.from_numpy(np.array(scaling.scale, np.float32)))

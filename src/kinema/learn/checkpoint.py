"""Checkpoints: weights, running mean, optimisers and counters in one safetensors file, written atomically."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import Tensor, nn
from torch.optim import Optimizer

from kinema.errors import LearningError
from kinema.formats.atomic import atomic_write
from kinema.learn.folder import encode
from kinema.learn.model import own_state

FILE = "checkpoint.safetensors"
VERSION = 3


def save_checkpoint(
    path: Path,
    model: nn.Module,
    mean: Mapping[str, Tensor],
    optimizers: Mapping[str, Optimizer],
    state: Mapping[str, Any],
) -> None:
    """Write a checkpoint.

    Args:
        mean: running mean of the parameters; may be empty.
        optimizers: optimisers by name.
        state: counters as plain JSON values.

    Raises:
        WriteError: the disk is full; the checkpoint before it stays.
    """
    tensors = {f"model.{name}": tensor for name, tensor in own_state(model).items()}
    tensors |= {f"mean.{name}": tensor for name, tensor in mean.items()}
    for turn, optimizer in optimizers.items():
        for name, parameter in _parameters(model, optimizer):
            values = optimizer.state.get(parameter, {})
            tensors |= {f"optimizer.{turn}/{name}/{key}": v for key, v in values.items() if isinstance(v, Tensor)}
    metadata = {"version": str(VERSION), "state": json.dumps(dict(state), allow_nan=False)}
    atomic_write(path, encode(tensors, metadata))


def load_checkpoint(
    path: Path, model: nn.Module, mean: dict[str, Tensor], optimizers: Mapping[str, Optimizer]
) -> dict[str, Any]:
    """Load a checkpoint into model, mean and optimisers, and return the counters.

    Raises:
        LearningError: it is damaged, or of another model.
    """
    tensors, state = _read(path)
    try:
        model.load_state_dict({**model.state_dict(), **{name: tensors[f"model.{name}"] for name in own_state(model)}})
        for name in mean:
            mean[name].copy_(tensors[f"mean.{name}"])
    except (KeyError, RuntimeError) as error:
        raise LearningError(f"{path}: a checkpoint of another model ({str(error).splitlines()[0]})") from None
    for turn, optimizer in optimizers.items():
        values = {}
        for index, (name, _) in enumerate(_parameters(model, optimizer)):
            prefix = f"optimizer.{turn}/{name}/"
            values[index] = {key.removeprefix(prefix): v for key, v in tensors.items() if key.startswith(prefix)}
        filled = {index: each for index, each in values.items() if each}
        optimizer.load_state_dict({**optimizer.state_dict(), "state": filled})
    return state


def _parameters(model: nn.Module, optimizer: Optimizer) -> list[tuple[str, nn.Parameter]]:
    """The parameters of an optimiser with their names in the model, in the optimiser's order."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    return [(names[id(each)], each) for group in optimizer.param_groups for each in group["params"]]


def _read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the counters of a checkpoint; LearningError when it is damaged."""
    try:
        with safe_open(path, "pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (the file is not a mapping)
        if metadata.get("version") != str(VERSION):
            raise LearningError(f"{path}: a checkpoint of version {metadata.get('version')}, not {VERSION}")
        return tensors, json.loads(metadata["state"])
    except (SafetensorError, OSError, ValueError, KeyError) as error:
        raise LearningError(f"{path}: damaged ({error}); start over with --force") from None

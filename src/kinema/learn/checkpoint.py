"""Checkpoints: weights, running mean, optimiser and counters in one safetensors file, written atomically."""

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

FILE = "checkpoint.safetensors"
VERSION = 1


def save_checkpoint(
    path: Path, network: nn.Module, mean: Mapping[str, Tensor], optimizer: Optimizer, state: Mapping[str, Any]
) -> None:
    """Write a checkpoint.

    Args:
        mean: running mean of the parameters; may be empty.
        state: counters as plain JSON values.

    Raises:
        WriteError: the disk is full; the checkpoint before it stays.
    """
    tensors = {f"network.{name}": tensor for name, tensor in network.state_dict().items()}
    tensors |= {f"mean.{name}": tensor for name, tensor in mean.items()}
    for name, parameter in network.named_parameters():
        for key, value in optimizer.state[parameter].items():
            tensors[f"optimizer.{name}/{key}"] = value
    metadata = {"version": str(VERSION), "state": json.dumps(dict(state), allow_nan=False)}
    atomic_write(path, encode(tensors, metadata))


def load_checkpoint(path: Path, network: nn.Module, mean: dict[str, Tensor], optimizer: Optimizer) -> dict[str, Any]:
    """Load a checkpoint into network, mean and optimiser, and return the counters.

    Raises:
        LearningError: it is damaged, or of another network.
    """
    tensors, state = _read(path)
    try:
        network.load_state_dict({name: tensors[f"network.{name}"] for name in network.state_dict()})
        for name in mean:
            mean[name].copy_(tensors[f"mean.{name}"])
    except (KeyError, RuntimeError) as error:
        raise LearningError(f"{path}: a checkpoint of another network ({str(error).splitlines()[0]})") from None
    for name, parameter in network.named_parameters():
        prefix = f"optimizer.{name}/"
        entries = {key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)}
        if entries:
            # The count of steps stays where torch keeps it; moments belong to their parameter.
            optimizer.state[parameter] = {
                key: value if value.dim() == 0 else value.to(parameter.device) for key, value in entries.items()
            }
    return state


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

"""Devices, precision and processes of a training, by the library accelerate.

`accelerate launch --multi_gpu --num_processes 2 -m kinema.cli.main train ...` starts a training in several processes,
on one machine or on many; with the device "cpu" they need no graphics cards.
"""

from __future__ import annotations

import os
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from accelerate.utils import DistributedDataParallelKwargs, GradientAccumulationPlugin

from kinema.errors import LearningError, one_line
from kinema.learn.recipe import Recipe


def open_accelerator(recipe: Recipe) -> Accelerator:
    """What a training runs on. Settings of the one before it in this process no longer hold.

    Raises:
        LearningError: the device is not there or lacks the precision, or the number of processes is another.
    """
    AcceleratorState._reset_state(reset_partial_state=not torch.distributed.is_initialized())
    try:
        accelerator = Accelerator(
            cpu=recipe.device == "cpu",
            mixed_precision=recipe.precision,
            gradient_accumulation_plugin=GradientAccumulationPlugin(recipe.accumulate, sync_with_dataloader=False),
            # Losses depend on the step: not every network takes part in each.
            kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)],
        )
    except (ValueError, RuntimeError) as error:
        problem = f"device {recipe.device!r} with precision {recipe.precision!r} cannot be used"
        raise LearningError(f"{problem}: {one_line(str(error))}") from None
    if accelerator.device.type != recipe.device:
        raise LearningError(f"device {recipe.device!r} cannot be used: this machine offers {accelerator.device.type!r}")
    if accelerator.num_processes != recipe.processes:
        raise LearningError(
            f"a training of {recipe.processes} processes, but {accelerator.num_processes} run; start it with "
            f"accelerate launch --multi_gpu --num_processes {recipe.processes}"
        )
    return accelerator


def launched() -> dict[str, Any]:
    """Fields of a recipe that the launcher of accelerate has set for this process; none without it."""
    fields: dict[str, Any] = {}
    processes, accumulate = (
        int(os.environ.get(name, "1")) for name in ("WORLD_SIZE", "ACCELERATE_GRADIENT_ACCUMULATION_STEPS")
    )
    precision = os.environ.get("ACCELERATE_MIXED_PRECISION", "no")
    fields |= {"processes": processes} if processes > 1 else {}
    fields |= {"accumulate": accumulate} if accumulate > 1 else {}
    return fields | ({"precision": precision} if precision != "no" else {})


def is_main() -> bool:
    """Whether this process is the one that writes and reports, by what the launcher says."""
    return int(os.environ.get("RANK", "0")) == 0

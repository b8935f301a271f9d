"""Untrained networks with the scalings of the small database."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from kinema.learn.run import Run
from kinema.learn.tasks.plan import PlanNetwork


@pytest.fixture
def begin(new_run) -> Callable[[str], tuple[Run, PlanNetwork]]:
    """Makes a run of a task, and a network with random weights everywhere."""

    def make(name: str) -> tuple[Run, PlanNetwork]:
        run = new_run(name)
        torch.manual_seed(0)
        network = run.task.model(run.data.setting).eval()
        run.task.start(network, run.data)
        for weight in network.parameters():  # some are zero at the start, and hide those before them
            torch.nn.init.normal_(weight, std=0.1)
        return run, network

    return make

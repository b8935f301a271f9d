"""The registry of tasks: to add one, copy `autoencoder.py` and add one line to `TASKS`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

from kinema.errors import LearningError

if TYPE_CHECKING:
    from kinema.learn.model import Task

TASKS: dict[str, str] = {
    "autoencoder": "poses through a bottleneck and back: how little describes a movement",
    "sequence": "the next half second of pose and path from the present pose and the path wanted",
}
"""Module in this folder: what it learns."""


def find_task(name: str) -> Task:
    """A task by name.

    Raises:
        LearningError: there is no such task; the message lists those there are.
    """
    if name not in TASKS:
        raise LearningError(f"no task is named {name!r}; the tasks are: {', '.join(TASKS)}")
    return cast("Task", importlib.import_module(f"kinema.learn.tasks.{name}"))

"""The families of trained networks: which one drives follows from the task that a folder was trained with."""

from __future__ import annotations

import os
from collections.abc import Callable

import torch

from kinema.control.learned import Learned, plan_model
from kinema.control.learned_matching import LearnedMatching, matching_model
from kinema.errors import LearningError
from kinema.learn.folder import TrainedModel, load_model
from kinema.learn.task import Task
from kinema.learn.tasks import TASKS, find_task
from kinema.learn.tasks.learned_matching import LearnedMatchingTask
from kinema.learn.tasks.plan import PlanTask
from kinema.skeleton import Skeleton

NetworkFamily = Learned | LearnedMatching

DRIVEN_BY: dict[type[Task], Callable[[TrainedModel], NetworkFamily]] = {
    PlanTask: lambda trained: Learned(plan_model(trained)),
    LearnedMatchingTask: lambda trained: LearnedMatching(matching_model(trained)),
}
"""Makes the family of a trained model, by the class or base class of its task: to add one, add a line here."""


def load_family(folder: str | os.PathLike[str], skeleton: Skeleton | None = None, threads: int = 1) -> NetworkFamily:
    """The family of a folder that `kinema train` wrote with a task that drives characters.

    Args:
        skeleton: the body that it is for, if that is to be checked.
        threads: of torch, for the whole program.

    Raises:
        LearningError: it is not there, damaged, of another task or made for another body; says what differs.
    """
    trained = load_model(folder, skeleton=skeleton)
    make = next((DRIVEN_BY[kind] for kind in type(trained.task).__mro__ if kind in DRIVEN_BY), None)
    if make is None:
        raise LearningError(
            f"{folder}: a model of the task {trained.document['task']!r} drives no character; those of these tasks do: "
            f"{', '.join(driving_tasks())}"
        )
    torch.set_num_threads(threads)
    return make(trained)


def driving_tasks() -> list[str]:
    """Names of the tasks whose models drive characters."""
    return [name for name in TASKS if issubclass(find_task(name), tuple(DRIVEN_BY))]

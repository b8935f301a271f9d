"""The registry of tasks: to add one, copy `autoencoder.py` and add one line to `TASKS`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

from kinema import plugins
from kinema.errors import UsageError

if TYPE_CHECKING:
    from kinema.learn.task import Task


class ListedTask(NamedTuple):
    """Where a task is: a module of this folder, or the full name of another, and the class in it; what it learns."""

    place: str
    about: str


TASKS: dict[str, ListedTask] = {
    "action-classifier": ListedTask(
        "kinema.generation.classifier_task:ActionTask",
        "which action a motion of any skeleton is: to judge generated motion",
    ),
    "any-skeleton": ListedTask(
        "kinema.generation.task:AnySkeletonTask", "motion of any skeleton, from a collection of motion"
    ),
    "autoencoder": ListedTask(
        "autoencoder:AutoencoderTask", "poses through a bottleneck and back: how little describes a movement"
    ),
    "caption-reader": ListedTask(
        "kinema.generation.captions.task:CaptionReaderTask",
        "what is done in captions of creatures, from a file of captions",
    ),
    "codebook": ListedTask("codebook:CodebookTask", "plans by codebook matching: choices among categories"),
    "deep-phase": ListedTask("deep_phase:DeepPhaseTask", "plans by experts, gated by phases that were learned"),
    "flow": ListedTask("flow:FlowTask", "plans that flow from noise"),
    "instruction-reader": ListedTask(
        "kinema.instructions.learned.task:InstructionReaderTask",
        "programmes from instructions in English, from a file of sentences",
    ),
    "learned-matching": ListedTask(
        "learned_matching:LearnedMatchingTask", "the features, steps and poses of motion matching, without its database"
    ),
    "local-phases": ListedTask("local_phases:LocalPhasesTask", "plans by experts, gated by a phase of each leg"),
    "mann": ListedTask("mann:MannTask", "plans by experts, gated by feet and path"),
    "nsm": ListedTask("nsm:NsmTask", "plans by experts that see a goal, gated by phase and wishes"),
    "perceptron": ListedTask("perceptron:PerceptronTask", "plans by a plain network"),
    "periodic": ListedTask("periodic:PeriodicTask", "phases of any motion, for labels: windows as a few sine waves"),
    "pfnn": ListedTask("pfnn:PfnnTask", "plans by experts along a spline, gated by the phase of the gait"),
    "sequence": ListedTask(
        "sequence:SequenceTask", "the next half second of pose and path from the present pose and the path wanted"
    ),
}


def find_task(name: str | type[Task]) -> type[Task]:
    """A task by name.

    Args:
        name: a key of `TASKS`, your own class, or a reference to it: `my_task.py:MyTask`, `mypkg.tasks:MyTask`, or an
            entry point of the group `kinema.tasks`.

    Raises:
        UsageError: there is no such task, or it is something else; the message lists those there are.
    """
    from kinema.learn.task import Task

    if name in TASKS:
        module, _, part = TASKS[str(name)].place.partition(":")
        return getattr(importlib.import_module(module if "." in module else f"{__name__}.{module}"), part)
    found = plugins.find(name, "kinema.tasks", TASKS) if isinstance(name, str) else name
    if not (isinstance(found, type) and issubclass(found, Task)):
        raise UsageError(f"{name} is not a subclass of kinema.learn.task.Task")
    return found


def name_of_task(task: str | type[Task]) -> str:
    """The name by which `find_task` finds a task."""
    return task if isinstance(task, str) else f"{task.__module__}:{task.__qualname__}"

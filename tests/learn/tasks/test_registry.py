"""Tasks by name: Kinema's own, and the user's."""

from __future__ import annotations

import pytest

from kinema.errors import UsageError
from kinema.learn.task import Task
from kinema.learn.tasks import TASKS, find_task, name_of_task
from kinema.learn.tasks.autoencoder import AutoencoderTask


def test_every_task_of_the_registry_is_one():
    for name, listed in TASKS.items():
        kind = find_task(name)
        module = listed.place.partition(":")[0]
        assert issubclass(kind, Task) and kind.__module__.endswith(module) and listed.about
        assert module.startswith("kinema.") or module == name.replace("-", "_")
        assert isinstance(kind(kind.Options()).options, kind.Options)


def test_your_own_are_found_by_file_module_and_class(tmp_path):
    path = tmp_path / "my_task.py"
    path.write_text("from kinema.learn.tasks.sequence import SequenceTask\n\n\nclass Mine(SequenceTask): ...\nx = 3\n")
    assert find_task(f"{path}:Mine").__name__ == "Mine"
    assert find_task("kinema.learn.tasks.autoencoder:AutoencoderTask") is AutoencoderTask
    assert find_task(AutoencoderTask) is AutoencoderTask is find_task(name_of_task(AutoencoderTask))
    assert name_of_task("sequence") == "sequence"
    with pytest.raises(UsageError, match=r"x is not a subclass of kinema\.learn\.task\.Task"):
        find_task(f"{path}:x")
    with pytest.raises(
        UsageError,
        match=r"no 'gan' among the tasks; there are action-classifier, any-skeleton, .*, and your own",
    ):
        find_task("gan")

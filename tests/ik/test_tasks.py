"""What a task asks for where it does not say."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from kinema.ik import Above, Balance, Capsules, Hold, LookAt, Orient, Posture, Reach
from kinema.ik.tasks import NO_CAPSULES

ORIGIN, IDENTITY = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
TASKS = [
    Reach("a", ORIGIN),
    Hold("a", ORIGIN, ORIGIN),
    Above("a", 0.0),
    Orient("a", IDENTITY),
    LookAt("a", ORIGIN),
    Balance(ORIGIN),
    Posture([IDENTITY]),
]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)
def test_a_task_is_about_the_joint_itself_and_as_urgent_as_any_other(task: Any) -> None:
    assert task.weight == 1.0 and task.level == 0
    assert getattr(task, "offset", ORIGIN) == ORIGIN
    assert getattr(task, "direction", (0.0, 0.0, 1.0)) == (0.0, 0.0, 1.0), "as the eyes look"
    assert getattr(task, "masses", None) is None
    with pytest.raises(dataclasses.FrozenInstanceError):
        task.weight = 2.0


def test_no_capsules_have_the_shapes_of_capsules() -> None:
    one = Capsules(np.zeros(1, int), np.zeros((1, 2, 3)), np.zeros(1), np.zeros((1, 2), int), np.zeros(1))
    assert one.weight == NO_CAPSULES.weight == 1.0
    for name in ("joints", "ends", "radii", "pairs", "slack"):
        assert getattr(NO_CAPSULES, name).shape == (0, *getattr(one, name).shape[1:])

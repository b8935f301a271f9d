from __future__ import annotations

import pytest

from kinema.errors import UsageError
from kinema.instructions.grammar.reader import parse
from kinema.instructions.programme import Locomotion


@pytest.mark.parametrize(
    "said, gait", [("walk to the tree", "walk"), ("go running to the tree", "run"), ("sneak to the tree", "sneak")]
)
def test_the_gait_of_a_clause(said: str, gait: str) -> None:
    (step,) = parse(said).steps
    assert isinstance(step, Locomotion)
    assert step.gait == gait


def test_a_camera_that_is_not_understood_is_told_what_cameras_do() -> None:
    with pytest.raises(UsageError, match="pans or stays still"):
        parse("the camera tracks left")


def test_a_clause_whose_end_is_not_understood_says_which_end() -> None:
    with pytest.raises(UsageError, match="flibber"):
        parse("walk flibber the tree")

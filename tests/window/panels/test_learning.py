"""The panel of a training in view."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.session.log import Log
from kinema.window.panels.learning import LearningPanel
from kinema.window.rehearsing import RehearseMode


class Learner:
    """Two clips; the model is half a metre too high."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton, self.titles = skeleton, ("one", "two")

    def still(self, lift: float) -> Motion:
        moved = np.tile(self.skeleton.rest_translations, (20, 1, 1))
        moved[:, 0, 1] += lift
        return Motion.create(self.skeleton, np.tile(self.skeleton.rest_rotations, (20, 1, 1)), moved, fps=30)

    def truth(self, clip: int) -> Motion:
        return self.still(0.0)

    def fresh(self) -> bool:
        return False

    def model(self, clip: int) -> tuple[Motion, int]:
        return self.still(0.5), 1

    def losses(self):
        steps = np.array([50.0, 100.0, 150.0])
        return (steps, 1.0 / steps), (steps, 2.0 / steps)


@pytest.fixture
def mode(biped: Skeleton) -> Iterator[RehearseMode]:
    made = RehearseMode(Learner(biped), Log())
    yield made
    made.close()


def test_the_panel_tells_and_chooses(mode, bench):
    panel = LearningPanel()
    assert panel.wanted(mode)
    said = bench.draw(panel, mode)
    assert all(words in said for words in ("loss", "0.0067", "held-out", "0.0133", "step", "50.0 cm", "Pause"))
    bench.draw(panel, mode, "Pause")
    assert not mode.playhead.playing
    bench.draw(panel, mode, **{"##frame": 7})
    assert mode.playhead.frame == 7
    bench.draw(panel, mode, held_out=1)
    assert mode.takes.clip == 1

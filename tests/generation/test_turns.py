from __future__ import annotations

import numpy as np

from kinema.generation.rig import AnyRig
from kinema.generation.turns import asymmetry, symmetric_turns, turned


def test_turns_keep_left_and_right_mirror_images(dog: AnyRig) -> None:
    turns = symmetric_turns(dog)
    assert len(turns) == 8 and sum(turn.swaps for turn in turns) == 4
    np.testing.assert_allclose(turns[0].rig.rest_positions, dog.rest_positions)
    assert not turns[0].swaps and not turns[0].topples
    assert all(asymmetry(turn.rig) < 1e-4 for turn in turns)


def test_a_rig_that_was_read_sideways_is_put_right(dog: AnyRig) -> None:
    aside = turned(dog, np.asarray([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]))
    assert asymmetry(aside) > 0.05
    assert asymmetry(symmetric_turns(aside)[0].rig) < 1e-4

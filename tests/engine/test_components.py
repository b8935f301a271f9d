"""The components that come with the world."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema.engine import components
from kinema.engine.components import COMPONENTS, vector
from kinema.errors import WorldError


def test_vectors_are_checked():
    assert vector((1, 2, 3), 3, "it").dtype == np.float32
    for wrong in ((1, 2), (1, 2, np.nan), "abc", None, [[1, 2, 3]], (1, 2, {})):
        with pytest.raises(WorldError, match="it must be 3 finite numbers"):
            vector(wrong, 3, "it")


def test_all_are_dataclasses_that_scenes_know():
    own = components.__name__
    kinds = {kind for kind in vars(components).values() if isinstance(kind, type) and kind.__module__ == own}
    kinds.add(components.Command)  # defined with the controllers that obey it
    assert {components.Transform, components.Recorder, components.Lamp} <= kinds
    assert kinds == set(COMPONENTS) and all(dataclasses.is_dataclass(kind) for kind in kinds)

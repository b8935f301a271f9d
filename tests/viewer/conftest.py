"""A controller without motion data."""

from __future__ import annotations

import pytest

from kinema import Skeleton

from ..session.conftest import Gliding


@pytest.fixture
def gliding(biped: Skeleton) -> Gliding:
    return Gliding(biped)

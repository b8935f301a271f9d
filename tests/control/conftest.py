"""A small generated database, shared by all tests of control."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kinema.control.controller import Controller
from kinema.control.presets import motion_matching_controller
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set


@pytest.fixture(scope="session")
def database() -> MotionDatabase:
    """Two minutes of generated locomotion and their mirror images."""
    return MotionDatabase.from_motions(locomotion_set(minutes=2))


@pytest.fixture(scope="session")
def shared(database: MotionDatabase) -> Controller:
    return motion_matching_controller(database)


@pytest.fixture
def controller(shared: Controller) -> Controller:
    """A controller of one character at rest; built once, reset for each test."""
    shared.reset(1)
    return shared


@pytest.fixture
def fresh(database: MotionDatabase) -> Callable[..., Controller]:
    """Makes controllers that may be changed."""
    return lambda **options: motion_matching_controller(database, **options)

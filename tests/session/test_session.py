"""What all sessions are."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from kinema import Skeleton
from kinema.engine import Figure, Transform, World
from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.session.session import Session, cell, drawn_positions

from .conftest import blocks

CAMERA = Camera.look_at((0, 1, -4), (0, 1, 0))


def test_a_world_is_shown_as_it_is(biped: Skeleton):
    world = World()
    world.resources.add(Draw()).spheres(np.zeros((2, 3)))
    one = world.spawn(Transform((3.0, 0.0, 1.0)), Figure(blocks(biped)))
    session = Session(world)
    view = session.view(CAMERA)
    assert len(view.instances) == 1 and view.draw is not None and len(view.draw.rows("sphere")) == 2
    positions = drawn_positions(view, one)
    assert positions is not None and abs(positions[0, 0] - 3.0) < 1e-5 and drawn_positions(view, one + 1) is None
    target = session.target
    assert abs(target.position[0] - 3.0) < 0.1 and target.position[1] == 0 and 1.0 < target.size < 2.0
    assert len(world.resources[Draw].rows("sphere")) == 2, "what a script draws stays its own"


def test_an_empty_world_has_room_for_a_person():
    session = Session()
    assert session.target.empty and session.target.size == 1.7 and session.view(CAMERA).instances == ()
    assert not session.key("KeyX") and not session.key("Digit1") and session.settings() == ()
    assert dict(session.figures())["entities"] == "0"


def test_number_keys_switch_marks(biped: Skeleton):
    session = Session()
    session.show = {"Body": True, "Trail": False}
    assert session.key("Digit2") and session.show["Trail"]
    assert not session.key("Digit3") and not session.key("Digit2", repeat=True)
    assert [one.hint for one in session.settings()] == ["key 1", "key 2"]


def test_cells_grow_with_what_stands_on_them():
    assert [cell(size) for size in (1.7, 3.4, 0.4, 0.0)] == [0.5, 1.0, 0.125, 0.5 * 2**-11]


def test_no_session_needs_a_gui():
    code = (
        "import sys, pkgutil, importlib, kinema.session as room\n"
        "names = [m.name for m in pkgutil.iter_modules(room.__path__) if m.name != 'training']\n"
        "[importlib.import_module(f'kinema.session.{name}') for name in names]\n"
        "print([name for name in ('viser', 'imgui_bundle', 'glfw', 'moderngl', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""A controller with a body."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, formats
from kinema.character import Character
from kinema.control import subject
from kinema.control.command import Commands
from kinema.control.controller import Controller
from kinema.control.paces import Paces
from kinema.errors import ControlError, KinemaError
from kinema.mocap.creatures import make_creature
from kinema.session.playable import from_files, playable

from .conftest import Gliding, blocks


def test_a_controller_gets_a_body_and_is_warm(gliding: Gliding, biped: Skeleton):
    said: list[str] = []
    made = playable(gliding, None, "gliding", say=said.append)
    assert made.character.meshes and made.character.skeleton is biped and gliding.steps > 0 and said
    assert made.size == pytest.approx(1.7, rel=0.15)
    np.testing.assert_array_equal(gliding.trajectory.position, 0)


def test_a_body_with_other_joints_is_refused(gliding: Gliding):
    other = blocks(Skeleton.create(["a"], [-1], [[0, 0, 0]]))
    with pytest.raises(ControlError, match="1 joints that are not the 21 joints"):
        playable(gliding, other)
    bare = Character("bare", gliding.skeleton)
    assert playable(gliding, bare).character.meshes, "a character without meshes gets a body"


def test_data_that_cannot_be_used_is_one_line(tmp_path):
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    from kinema import Motion

    formats.save(Motion.create(snake, np.tile(snake.rest_rotations, (90, 1, 1)), fps=30.0), tmp_path / "snake.bvh")
    with pytest.raises(KinemaError, match="legs"):
        from_files([str(tmp_path / "snake.bvh")], None)(lambda line: None)


def test_an_animal_from_a_file_moves_on_its_own_skeleton_at_its_own_speeds(tmp_path, monkeypatch):
    monkeypatch.setattr(subject, "GENERATED_MINUTES", 0.5)
    dog = make_creature("dog")
    formats.save(blocks(dog.skeleton), tmp_path / "dog.glb")
    said: list[str] = []
    made = from_files([], str(tmp_path / "dog.glb"))(said.append)
    try:
        assert isinstance(made.controller, Controller) and made.controller.skeleton.same_topology(dog.skeleton)
        assert len(made.controller.family.contact_joints) == 4
        assert made.paces.walk < Paces().walk < Paces().run < made.paces.run, "a dog is smaller, and gallops"
        assert any("minutes of motion of a quadruped" in line for line in said)
    finally:
        made.held.close()


def test_a_character_with_other_joints_is_steered_as_itself(tmp_path):
    from kinema.benchmarks.data import rig
    from kinema.control.retargeted import RetargetedController
    from kinema.mocap.procedural import Segment, generate

    person = blocks(rig())
    formats.save(person, tmp_path / "other.glb")
    formats.save(generate(script=[Segment("idle", 2.0), Segment("walk", 8.0)]), tmp_path / "walk.bvh")
    made = from_files([str(tmp_path / "walk.bvh")], str(tmp_path / "other.glb"))(lambda line: None)
    try:
        assert isinstance(made.controller, RetargetedController) and made.inner is made.controller.inner
        assert made.character.meshes and made.character.skeleton.same_topology(made.controller.skeleton)
        command = Commands.create(np.float32([0, 0, 1.0]))
        assert made.to_inner_commands(command).velocity[0, 2] == pytest.approx(1.0 / made.controller.live.scale)
    finally:
        made.held.close()

"""A controller and a body, ready to be steered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from kinema.character import Character
from kinema.control.command import Commands
from kinema.control.paces import Paces, paces_of
from kinema.control.presets import ControllerMaker, controller_maker
from kinema.control.retargeted import (
    RetargetedController,
    read_character,
    retarget_controller,
    source_skeleton,
    stance_of,
)
from kinema.control.subject import open_subject
from kinema.engine.groups import BatchController
from kinema.errors import ControlError, one_line
from kinema.mocap.creatures import Creature
from kinema.rendering.mannequin.build import build_mannequin
from kinema.retargeting.retargeter import target_skeleton
from kinema.session.library import extent

RATE = 60.0
"""Steps per second."""

Say = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Playable:
    """What is steered.

    Attributes:
        title: name of the motion data. controller: moves all characters. character: the body. size: its height, metres.
        held: resources to close at the end.
        beside: what gets the same commands beside it.
        paces: how fast it is commanded to go.
    """

    title: str
    controller: BatchController
    character: Character
    size: float
    held: ExitStack
    beside: tuple[Playable, ...] = ()
    paces: Paces = field(default_factory=Paces)

    @property
    def inner(self) -> BatchController:
        """The controller on the skeleton of its data, with its diagnostics and settings."""
        return self.controller.inner if isinstance(self.controller, RetargetedController) else self.controller

    def to_inner_commands(self, commands: Commands) -> Commands:
        """Commands at the scale of `inner`."""
        return (
            self.controller.to_inner_commands(commands)
            if isinstance(self.controller, RetargetedController)
            else commands
        )


def from_files(
    data: Sequence[str],
    character: str | None,
    control: ControllerMaker | None = None,
    reading: Mapping[str, Any] | None = None,
    creature: Creature | None = None,
) -> Callable[[Say], Playable]:
    """A function that makes the playable of `kinema play`: a controller on data, or on generated motion.

    Args:
        data: a database or motion files; if empty, motion is generated.
        character: a file with any skeleton; None uses a mannequin.
        control: makes the controller of a database; default motion matching.
        reading: options for the readers of motion files, such as `{"up": "z"}`; each format takes those it knows.
        creature: whose motion is generated, in place of data.
    """

    def make(say: Say) -> Playable:
        file = read_character(character) if character else None
        generated = creature if file is None else source_skeleton(target_skeleton(file))
        with ExitStack() as stack:
            maker = control or controller_maker()
            database = stack.enter_context(open_subject(data, generated, say, reading, maker.subject, stance_of(file)))
            say("preparing the controller")
            own = maker(database)
            controller: BatchController = own
            body = None
            if file is not None:
                controller, body = retarget_controller(own, database, file), file.character
            without = "generated motion" if maker.weights is None else maker.weights.name
            names = ", ".join(one_line(Path(path).name or path) for path in data)
            title = names or (without if creature is None else creature.name)
            return replace(playable(controller, body, title, stack.pop_all(), say), paces=paces_of(database))

    return make


def side_by_side(names: Sequence[str], makes: Sequence[Callable[[Say], Playable]]) -> Callable[[Say], Playable]:
    """A function that makes several playables with these names, which get the same commands beside each other."""

    def make(say: Say) -> Playable:
        with ExitStack() as stack:
            made: list[Playable] = []
            for name, one in zip(names, makes, strict=True):
                made.append(replace(one(lambda line, name=name: say(f"{name}: {line}")), title=name))
                stack.enter_context(made[-1].held)
            return replace(made[0], held=stack.pop_all(), beside=tuple(made[1:]))

    return make


def playable(
    controller: BatchController,
    character: Character | None = None,
    title: str = "",
    held: ExitStack | None = None,
    say: Say = lambda line: None,
) -> Playable:
    """A controller with a body for its joints, warmed up.

    Raises:
        ControlError: the character has different joints from the controller.
    """
    skeleton = controller.skeleton
    if character is not None and not character.skeleton.same_topology(skeleton):
        raise ControlError(
            f"{character.name!r} has {character.skeleton.joint_count} joints that are not the "
            f"{skeleton.joint_count} joints of the controller; use kinema.control.retargeted.retarget_controller"
        )
    if character is None or not character.meshes:
        say("modelling the mannequin")
        character = build_mannequin(skeleton)
    say("warming up")
    # Compilation on first use would make the first seconds stutter.
    pose = controller.reset(1)
    for speed in (0.0, 1.0, 1.0, 0.0):
        pose = controller.step(Commands.create(np.array([0, 0, speed], np.float32)), 1.0 / RATE)
    size = extent(character, pose)
    controller.reset(1)
    return Playable(title, controller, character, size, held or ExitStack())

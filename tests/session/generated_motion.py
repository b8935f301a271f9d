"""A small network that has not learned, and sessions that generate motion with it; for tests of all screens."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import cache

import pytest

pytest.importorskip("torch")

import torch

from kinema.control.generated import GeneratedController, rig_paces
from kinema.errors import UsageError
from kinema.generation.generator import Generator
from kinema.generation.model import AnySkeletonModel
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings
from kinema.generation.wishes import Wish
from kinema.learn.setting import Setting
from kinema.mocap.creatures import make_creature
from kinema.session.generated import GeneratedSession
from kinema.session.playable import playable

ACTIONS = ("idle", "walk", "jump")


@cache
def unlearned() -> Generator:
    """Its weights let every input matter."""
    torch.manual_seed(0)
    model = AnySkeletonModel(Setting(more={"size": "XS"}), "XS")
    with torch.no_grad():
        for weights in model.parameters():
            if weights.abs().max() == 0:
                weights.normal_(std=0.02)
    return Generator(model)


def controller_of(creature: str, ahead: int = 1) -> GeneratedController:
    """A controller of a creature, in two steps a patch."""
    rig = AnyRig.of(make_creature(creature).skeleton)
    return GeneratedController(unlearned(), rig, actions=ACTIONS, settings=SamplingSettings(2, 1.0), ahead=ahead)


def session_of(controller: GeneratedController) -> GeneratedSession:
    """A session that steers it, and knows any word but xyzzy."""

    def make(say):
        held = ExitStack()
        held.callback(controller.close)
        return controller, replace(playable(controller, None, "dog", held, say), paces=rig_paces(controller.rig))

    session = GeneratedSession(make, understand)
    session.wait()
    return session


def understand(text: str) -> list[Wish]:
    if text == "xyzzy":
        raise UsageError("no movement was understood in 'xyzzy'")
    return [Wish(text)]

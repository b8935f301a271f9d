"""Generated motion on live screens: `kinema.play_generated`, `kinema.view_generated`."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.character import Character
from kinema.errors import SkeletonError, UsageError
from kinema.face.generation import (
    Body,
    PathLike,
    abilities_of,
    asset_of,
    generate,
    load_generator,
    rig_of,
    skeleton_of,
    wishes_of,
)
from kinema.face.screens import Screen, Shown, show_session
from kinema.session.samples import MOST, SampleRequest

if TYPE_CHECKING:
    from kinema.control.generated import GeneratedController
    from kinema.generation.generator import Generator
    from kinema.generation.wishes import Wish
    from kinema.session.playable import Playable, Say
    from kinema.session.samples import Sampler
    from kinema.skeleton import Skeleton


def play_generated(
    rig: Body, *, seed: int = 0, model: PathLike | Generator | None = None, text: str = "", **screen: Any
) -> Shown:
    """Steer a body of any kind, whose motion is generated without an end, in the browser or in a window.

    Args:
        rig: a file with a skeleton, the name of a creature such as "horse", or what was loaded from a file.
        seed: of the noise.
        model: the folder of a trained model, or one that was loaded; None takes the one that comes with Kinema.
        text: what it does first, such as "walks slowly, then jumps"; empty goes as steered.
        screen: attributes of `kinema.face.screens.Screen`, such as `window=True` or `seconds=10`; its `text`, the size
            of text, is `text_size` here.

    Raises:
        UsageError: nothing in the text is known.
        SkeletonError, FormatError: the rig cannot be read.
        LearningError: there is no such model.
        MissingError: the viewer or the window is not installed.
    """
    from kinema.session.generated import GeneratedSession

    asset = asset_of(rig)
    skeleton = skeleton_of(asset)

    def understand(said: str) -> list[Wish]:
        return wishes_of(said, body=abilities_of(rig, said))

    wishes = understand(text) if text else []

    def make(say: Say) -> tuple[GeneratedController, Playable]:
        from kinema.control.generated import GeneratedController, rig_paces
        from kinema.session.playable import playable

        body = rig_of(asset)
        say("reading the model")
        generator = load_generator(model)
        say("generating the first seconds")
        controller = GeneratedController(generator, body, actions=actions_of(skeleton), seed=seed)
        with ExitStack() as held:
            held.callback(controller.close)
            made = playable(controller, asset.character, name_of(rig), None, say)
            controller.say(wishes)
            return controller, replace(made, held=held.pop_all(), paces=rig_paces(body))

    return show_session(lambda log: GeneratedSession(make, understand, log, text), "Kinema play", _screen(screen))


def view_generated(
    rig: Body,
    *,
    samples: int = 4,
    seed: int = 0,
    model: PathLike | Generator | None = None,
    text: str = "",
    **screen: Any,
) -> Shown:
    """Look at samples of generated motion side by side, and change what is asked of them.

    Args:
        samples: number of samples.
        text: what they do first; empty asks for nothing.
        rig, seed, model, screen: as for `play_generated`.

    Raises:
        UsageError: nothing in the text is known, or there are too many samples.
        SkeletonError, FormatError: the rig cannot be read.
        LearningError: there is no such model.
        MissingError: the viewer or the window is not installed.
    """
    from kinema.session.samples import SamplesSession

    if not 1 <= samples <= MOST:
        raise UsageError(f"up to {MOST} samples are shown side by side, not {samples}")
    asset = asset_of(rig)
    skeleton_of(asset)
    wishes_of(text, body=abilities_of(rig, text))

    def make(say: Say) -> Sampler:
        return sampler_of(rig, model, say)

    request = SampleRequest(text=text, count=samples, seed=seed)
    return show_session(lambda log: SamplesSession(make, request, log), "Kinema samples", _screen(screen))


def sampler_of(rig: Body, model: PathLike | Generator | None, say: Say) -> Sampler:
    """A body and what makes motion for it.

    Args:
        say: called with what is being done.
    """
    from kinema.control.generated import rig_paces
    from kinema.rendering.mannequin.build import build_mannequin
    from kinema.session.samples import Sampler

    asset = asset_of(rig)
    skeleton = skeleton_of(asset)
    say("reading the model")
    generator = load_generator(model)
    say("modelling the body")
    body = asset.character
    shown: Character = body if body is not None and body.meshes else build_mannequin(skeleton)
    return Sampler(
        name_of(rig),
        shown,
        actions_of(skeleton),
        rig_paces(rig_of(asset)).walk,
        lambda request, progress: generate(asset, **asdict(request), model=generator, progress=progress),
    )


def actions_of(skeleton: Skeleton) -> tuple[str, ...]:
    """What a body can do; everything where its kind is not recognised."""
    from kinema.mocap.creatures import ACTIONS, allowed_actions

    try:
        return allowed_actions(skeleton)
    except SkeletonError:
        return ACTIONS


def name_of(rig: Body) -> str:
    """What a rig is called on screens."""
    if isinstance(rig, str | os.PathLike):
        return Path(os.fspath(rig)).name
    return getattr(rig, "name", "") or "generated motion"


def _screen(options: dict[str, Any]) -> Screen:
    size = options.pop("text_size", 1.0)
    return Screen(**options, text=size)

"""What is done in training clips: moments of motion that is generated, steered, or read from files, with labels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinema.errors import FormatError, KinemaError, UsageError
from kinema.footage.acts import draw_act, named_frames, perform_act, shown_from
from kinema.footage.cast import Actor
from kinema.footage.licences import Provenance, provenance
from kinema.footage.steered import steer, steered_frames, told
from kinema.formats import FORMATS, load_motions
from kinema.formats.sources import iterate
from kinema.mocap.creatures import ACTIONS, perform, random_script
from kinema.mocap.creatures.captions import caption
from kinema.motion import Motion
from kinema.retargeting import retarget

GENERATED, STEERED = "generated", "steered"
"""The words for motion of the generator, and of a controller under commands that change."""

_OWN = {GENERATED: Provenance("kinema generator"), STEERED: Provenance("kinema controller")}

_LEAD = 0.4  # seconds around a moment of a file that are retargeted with it
_LEVEL = 0.04  # metres: lowest points this close to the floor stand on it
_SAMPLES = 40  # poses that say where the floor is
_CREATURE_FPS = 30.0


@dataclass(frozen=True)
class MotionSource:
    """A motion that may be shown.

    Attributes:
        path: of its file, `GENERATED` or `STEERED`. clip: its number there. seconds: its length.
    """

    path: str
    clip: int
    seconds: float
    origin: Provenance


@dataclass(frozen=True, eq=False)
class Take:
    """What a clip shows.

    Attributes:
        motion: one frame for each picture. floor: height of its floor, metres.
        action: what it is about. actions: what each picture shows. words: of a caption, third person or a sentence.
        told: whether the words are a whole sentence.
        origin: where the motion comes from.
    """

    motion: Motion
    floor: float
    action: str
    actions: tuple[str, ...]
    words: str
    told: bool
    origin: Provenance


def gather_motions(
    motions: Sequence[str | os.PathLike[str]], seconds: float, licence: str = ""
) -> tuple[list[MotionSource], list[tuple[str, str]]]:
    """The motions of files, folders and archives, and those that cannot be used, with the reason.

    Args:
        motions: paths, `GENERATED` and `STEERED`. seconds: that a motion must have.
        licence: class of files that no list names.

    Raises:
        UsageError: nothing can be used.
    """
    found: list[MotionSource] = []
    failed: list[tuple[str, str]] = []
    for given in motions or (GENERATED,):
        if (word := os.fspath(given)) in _OWN:
            found.append(MotionSource(word, 0, seconds, _OWN[word]))
            continue
        for source in iterate(given, FORMATS):
            try:
                clips = load_motions(source).motions
            except KinemaError as error:
                failed.append((source.path, str(error)))
                continue
            origin = provenance(source.path, licence)
            long = [(number, one.seconds) for number, one in enumerate(clips) if one.seconds >= seconds]
            found += [MotionSource(source.path, number, length, origin) for number, length in long]
            if clips and not long:
                longest = max(one.seconds for one in clips)
                failed.append((source.path, f"lasts {longest:.2f} s, and clips last {seconds:.2f} s"))
    if not found:
        reason = f"; {failed[0][0]}: {failed[0][1]}" if failed else ""
        raise UsageError(f"no motion of {seconds:.2f} s or more was found{reason}")
    return found, failed


def take(actor: Actor, source: MotionSource, frames: int, fps: float, rng: np.random.Generator) -> Take:
    """A moment of a motion on a body.

    Raises:
        KinemaError: the motion cannot be read, or does not fit the body.
    """
    if source.path not in _OWN:
        return _of_file(actor, source, frames, fps, rng)
    if actor.creature is not None or not actor.person:
        return _of_creature(actor, source, frames, fps, rng)
    return (_of_controller if source.path == STEERED else _of_person)(actor, source, frames, fps, rng)


def _of_person(actor: Actor, source: MotionSource, frames: int, fps: float, rng: np.random.Generator) -> Take:
    seconds = frames / fps
    act = draw_act(rng, seconds)
    whole = perform_act(actor.skeleton, act)
    start = shown_from(whole, seconds)
    times = start + np.arange(frames) / fps
    names = named_frames(whole)
    shown = tuple(names[at] for at in _nearest(times, whole))
    return Take(
        whole.sample(times).replace(fps=fps), _floor(actor, whole), act.deed, shown, act.words, False, source.origin
    )


def _of_creature(actor: Actor, source: MotionSource, frames: int, fps: float, rng: np.random.Generator) -> Take:
    seconds = frames / fps
    subject = actor.creature or actor.skeleton
    script = random_script(subject, rng, seconds + 2 * _LEAD)
    whole = perform(subject, script, fps=_CREATURE_FPS, seed=int(rng.integers(1 << 31)))
    times = _LEAD + np.arange(frames) / fps
    kinds = [ACTIONS[kind] for kind in np.asarray(whole.labels["action"]).tolist()]
    shown = tuple(kinds[at] for at in _nearest(times, whole))
    name = actor.words.removeprefix("a ").removeprefix("character named ")
    plan = actor.creature.plan if actor.creature else None
    words = caption((name,), [act for act in script if act.kind in shown] or script[:1], rng, plan)
    return Take(
        whole.sample(times).replace(fps=fps), _floor(actor, whole), _main(shown), shown, words, True, source.origin
    )


def _of_controller(actor: Actor, source: MotionSource, frames: int, fps: float, rng: np.random.Generator) -> Take:
    whole = steer(frames / fps + 2 * _LEAD, rng)
    times = _LEAD + np.arange(frames) / fps
    names = steered_frames(whole)
    shown = tuple(names[at] for at in _nearest(times, whole))
    made = retarget(whole, actor.character).motion
    words = told(shown)
    return Take(
        made.sample(times).replace(fps=fps), _floor(actor, made), _main(shown), shown, words, False, source.origin
    )


def _of_file(actor: Actor, source: MotionSource, frames: int, fps: float, rng: np.random.Generator) -> Take:
    seconds, whole = frames / fps, _read(source.path)[source.clip]
    start = float(rng.uniform(0.0, max(whole.seconds - seconds, 0.0)))
    first = max(int((start - _LEAD) * whole.fps), 0)
    piece = whole.cut(first, min(int(np.ceil((start + seconds + _LEAD) * whole.fps)) + 1, whole.frames))
    if not actor.skeleton.same_topology(whole.skeleton):
        piece = retarget(piece, actor.character).motion
    elif actor.skeleton is not whole.skeleton:
        piece = piece.replace(skeleton=actor.skeleton)
    times = start - first / whole.fps + np.arange(frames) / fps
    name = (whole.name or os.path.splitext(os.path.basename(source.path))[0]).strip()
    shown = (
        tuple(named_frames(piece)[at] for at in _nearest(times, piece)) if "gait" in piece.labels else (name,) * frames
    )
    words = f"moves: {name.replace('_', ' ')}"
    return Take(piece.sample(times).replace(fps=fps), _floor(actor, piece), name, shown, words, False, source.origin)


@lru_cache(maxsize=8)
def _read(path: str) -> tuple[Motion, ...]:
    motions = load_motions(path).motions
    if not motions:
        raise FormatError("holds no motion", path=path)
    return motions


def _nearest(times: np.ndarray, motion: Motion) -> list[int]:
    return np.clip(np.rint(times * motion.fps), 0, motion.frames - 1).astype(np.int64).tolist()


def _main(actions: Sequence[str]) -> str:
    """What most pictures show."""
    names, counts = np.unique(np.asarray(actions), return_counts=True)
    return str(names[counts.argmax()])


def _floor(actor: Actor, motion: Motion) -> float:
    """Height of the floor of a motion: where its lowest points are when something stands."""
    lows = np.sort(actor.lowest(motion[:: max(motion.frames // _SAMPLES, 1)]))
    within = lows[lows <= lows[len(lows) // 20] + _LEVEL]
    return float(np.quantile(within, 0.2))

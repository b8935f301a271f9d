"""What people do in training clips: scripts of the generator with names, and what each frame shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kinema.mocap.procedural import generate
from kinema.mocap.procedural.script import GAITS, Segment
from kinema.motion import Motion
from kinema.skeleton import Skeleton

FPS = 30.0
"""Frames per second of generated motion, from which clips take their moments."""

_BEFORE, _AFTER = 1.2, 0.6  # seconds of the script before and after what a clip shows
_TURNING = 0.9  # rad/s from which a step is a turn to a side
_STYLED = 0.3  # how often somebody has a style of moving


@dataclass(frozen=True)
class Doing:
    """Something that people do.

    Attributes:
        words: of a caption, third person. weight: how often, over the others.
        script: what leads to it and what it is, for a clip of some seconds, from random numbers.
    """

    words: str
    weight: float
    script: Callable[[np.random.Generator, float], tuple[Segment, ...]]


def _steady(kind: str, low: float, high: float, curve: float = 0.0, direction: float | None = None):
    """A script at one speed, m/s, that may bend by `curve` rad/s."""

    def script(rng: np.random.Generator, seconds: float) -> tuple[Segment, ...]:
        bend = float(rng.uniform(0.6, 1.2)) * curve if curve else float(rng.uniform(-0.1, 0.1))
        speed = float(rng.uniform(low, high)) or None
        return (Segment(kind, seconds + _BEFORE + _AFTER, speed, curve=bend, direction=direction),)

    return script


def _standing(rng: np.random.Generator, seconds: float) -> tuple[Segment, ...]:
    return (Segment("idle", seconds + _BEFORE + _AFTER),)


def _turning(side: float):
    def script(rng: np.random.Generator, seconds: float) -> tuple[Segment, ...]:
        turn = side * float(rng.uniform(1.2, 2.6))
        return Segment("idle", _BEFORE + 0.1 * seconds), Segment("turn", seconds + _AFTER, turn=turn)

    return script


def _jumping(rng: np.random.Generator, seconds: float) -> tuple[Segment, ...]:
    height = float(rng.uniform(0.2, 0.45))
    return Segment("idle", _BEFORE + 0.15 * seconds), Segment("jump", seconds + _AFTER, height=height)


def _leaping(rng: np.random.Generator, seconds: float) -> tuple[Segment, ...]:
    return Segment("run", _BEFORE + 0.3 * seconds), Segment(
        "jump", seconds + _AFTER, height=float(rng.uniform(0.25, 0.5))
    )


def _crouching(rng: np.random.Generator, seconds: float) -> tuple[Segment, ...]:
    return Segment("idle", _BEFORE + 0.2 * seconds), Segment("crouch", seconds + _AFTER, 0.0)


def _changing(first: str, then: str):
    def script(rng: np.random.Generator, seconds: float) -> tuple[Segment, ...]:
        share = float(rng.uniform(0.25, 0.5))
        return Segment(first, _BEFORE + share * seconds), Segment(then, seconds + _AFTER)

    return script


DEEDS: Mapping[str, Doing] = {
    "stand": Doing("stands", 1.0, _standing),
    "walk": Doing("walks", 2.5, _steady("walk", 0.9, 1.7)),
    "walk_left": Doing("walks in a bend to the left", 1.0, _steady("walk", 0.9, 1.5, 0.9)),
    "walk_right": Doing("walks in a bend to the right", 1.0, _steady("walk", 0.9, 1.5, -0.9)),
    "jog": Doing("jogs", 1.0, _steady("jog", 2.1, 2.8)),
    "run": Doing("runs", 1.5, _steady("run", 3.2, 4.2)),
    "run_left": Doing("runs in a bend to the left", 0.6, _steady("run", 2.8, 3.6, 1.2)),
    "run_right": Doing("runs in a bend to the right", 0.6, _steady("run", 2.8, 3.6, -1.2)),
    "sprint": Doing("sprints", 0.6, _steady("sprint", 4.6, 5.8)),
    "backward": Doing("walks backward", 1.0, _steady("backward", 0.7, 1.2)),
    "sidestep_left": Doing("steps to the left", 0.7, _steady("strafe", 0.7, 1.2, direction=0.5 * np.pi)),
    "sidestep_right": Doing("steps to the right", 0.7, _steady("strafe", 0.7, 1.2, direction=-0.5 * np.pi)),
    "turn_left": Doing("turns to the left", 1.0, _turning(1.0)),
    "turn_right": Doing("turns to the right", 1.0, _turning(-1.0)),
    "jump": Doing("jumps up", 1.0, _jumping),
    "leap": Doing("jumps from a run", 0.8, _leaping),
    "crouch": Doing("crouches", 0.8, _crouching),
    "creep": Doing("walks crouching", 0.8, _steady("crouch", 0.6, 1.0)),
    "start": Doing("begins to walk", 0.7, _changing("idle", "walk")),
    "start_running": Doing("begins to run", 0.5, _changing("walk", "run")),
    "stop": Doing("stops walking", 0.7, _changing("walk", "idle")),
}
"""What people do, by name. Left and right are the person's own."""


MANNERS = {
    "injured": "limping",
    "stealth": "stealthily",
    "old": "like an old person",
    "proud": "proudly",
    "tired": "wearily",
}
"""Styles of moving, and how captions say them."""


@dataclass(frozen=True)
class PersonAct:
    """A deed with all that varies.

    Attributes:
        deed: name in `DEEDS`. style: of moving. seed: of its small irregularities. script: segments in order.
    """

    deed: str
    style: str
    seed: int
    script: tuple[Segment, ...]

    @property
    def words(self) -> str:
        """Such as "walks, proudly"."""
        words = DEEDS[self.deed].words
        return words if self.style == "neutral" else f"{words}, {MANNERS[self.style]}"


def draw_act(rng: np.random.Generator, seconds: float) -> PersonAct:
    """Something to do for a clip of some seconds."""
    names = list(DEEDS)
    weights = np.asarray([DEEDS[name].weight for name in names])
    deed = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    style = str(rng.choice(list(MANNERS))) if rng.random() < _STYLED else "neutral"
    return PersonAct(deed, style, int(rng.integers(1 << 31)), DEEDS[deed].script(rng, seconds))


def perform_act(skeleton: Skeleton, act: PersonAct) -> Motion:
    """The motion of an act, `FPS` frames per second, with what led to it; see `kinema.mocap.procedural.generate`.

    Raises:
        SkeletonError: the skeleton has no two legs.
    """
    return generate(skeleton, act.script, act.style, FPS, act.seed, act.deed)


def shown_from(motion: Motion, seconds: float) -> float:
    """The second at which a clip of an act begins."""
    return min(_BEFORE, max(motion.seconds - seconds, 0.0))


def named_frames(motion: Motion) -> list[str]:
    """What a generated motion does in each frame: names of `GAITS`, with the side of turns and of steps aside."""
    gait = np.asarray(motion.labels["gait"])
    _, headings = motion.root_frame()
    facing = np.unwrap(2.0 * np.arctan2(headings[:, 2], headings[:, 0]).astype(np.float64))
    turning = np.gradient(facing) * motion.fps if len(facing) > 1 else np.zeros(len(facing))
    return [_named(GAITS[kind], float(rate)) for kind, rate in zip(gait.tolist(), turning, strict=True)]


def _named(gait: str, rate: float) -> str:
    if gait == "turn":
        return f"turn_{'left' if rate > 0 else 'right'}" if abs(rate) > 0.3 * _TURNING else "idle"
    return gait

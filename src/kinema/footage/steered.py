"""Steered motion for training clips: what a controller does under commands that change."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.ndimage import uniform_filter1d

from kinema.control.augment import SHARES
from kinema.control.controller import Controller
from kinema.control.drive import drive
from kinema.control.presets import controller_maker
from kinema.control.tracks import COMMANDED
from kinema.footage.acts import DEEDS
from kinema.motion import Motion

FAMILY = "perceptron"
"""The network that comes with Kinema, whose body is steered."""

_WARM = (0.5, 3.0)  # seconds that it has been steered before a clip begins: a command or two
_SLOW = 0.25  # m/s, below which a body stands
_PACES = ((1.9, "walk"), (3.0, "jog"), (4.4, "run"), (np.inf, "sprint"))  # up to which speed, m/s
_TURNING = 0.6  # rad/s from which standing is turning
_SMOOTH = 0.2  # seconds over which speeds are means
_SHORTEST = 0.15  # of a clip: what takes less is not told
_WORDS = {name: doing.words for name, doing in DEEDS.items()} | {"idle": DEEDS["stand"].words, "strafe": "steps aside"}


def steer(seconds: float, rng: np.random.Generator) -> Motion:
    """The last `seconds` of a drive along a track that is drawn, 60 frames per second, on the network's own body."""
    name = str(rng.choice(list(SHARES), p=list(SHARES.values())))
    before = float(rng.uniform(*_WARM))
    motion = drive(_controller(), COMMANDED[name](before + seconds, int(rng.integers(2**31)))).motion
    return motion.cut(motion.frames - round(seconds * motion.fps), motion.frames)


@cache
def _controller() -> Controller:
    maker = controller_maker(FAMILY)
    subject = maker.subject()
    assert subject is not None
    return maker(subject)


def steered_frames(motion: Motion) -> list[str]:
    """What a person does in each frame, by its way alone: "idle", "walk", "turn_left", "backward" and so on."""
    positions, headings = motion.root_frame()
    facing = np.unwrap(2.0 * np.arctan2(headings[:, 2], headings[:, 0]).astype(np.float64))
    turning = _smooth(np.gradient(facing) * motion.fps, motion.fps)
    ways = _smooth(np.gradient(np.asarray(positions, np.float64)[:, (0, 2)], axis=0) * motion.fps, motion.fps)
    speeds, aside = np.linalg.norm(ways, axis=-1), np.arctan2(ways[:, 0], ways[:, 1]) - facing
    aside = np.abs((aside + np.pi) % (2.0 * np.pi) - np.pi)
    return [_named(*each) for each in zip(speeds.tolist(), aside.tolist(), turning.tolist(), strict=True)]


def told(shown: tuple[str, ...]) -> str:
    """Words of a caption for what pictures show in their order, third person: "stands, then walks"."""
    runs: list[list[str]] = []
    for name in shown:
        if runs and runs[-1][0] == name:
            runs[-1].append(name)
        else:
            runs.append([name])
    long = [run for run in runs if len(run) >= _SHORTEST * len(shown)] or [max(runs, key=len)]
    words = [_WORDS[run[0]] for run in long]
    return ", then ".join(word for at, word in enumerate(words) if at == 0 or word != words[at - 1])


def _smooth(values: np.ndarray, fps: float) -> np.ndarray:
    return uniform_filter1d(values, max(round(_SMOOTH * fps), 1), axis=0, mode="nearest")


def _named(speed: float, aside: float, turning: float) -> str:
    if speed < _SLOW:
        return "idle" if abs(turning) < _TURNING else f"turn_{'left' if turning > 0 else 'right'}"
    if aside > 0.75 * np.pi:
        return "backward"
    if aside > 0.25 * np.pi:
        return "strafe"
    return next(name for most, name in _PACES if speed < most)

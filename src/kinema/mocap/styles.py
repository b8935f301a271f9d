"""Styles: how a clip is moved, apart from where it goes and how fast."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from kinema import kinematics, rotations
from kinema.arrays import Bools, Ints, Singles
from kinema.mocap.database import Clip, MotionDatabase
from kinema.pose import Pose

_WORDS = """
walk walks walking stroll strolling jog jogs jogging run runs running dash sprint sprinting gallop trot
stand stands standing idle turn turns turning pivot start starts stop stops strafe strafing sidestep step steps
acceleration deceleration left right forward forwards fwd back backward backwards bwd side sideways spot place
circle circles snake eight slow fast speed locomotion motion dataset clip take loop cycle generated mirrored
normal neutral a and at free from in of on out outof range roam the to with
"""
PLAIN = frozenset(_WORDS.split())
"""Words that say where a clip goes and how fast, but not how."""

NORMAL = "normal"
"""The name of the style of clips that have none."""

SPAN = "style "
"""Before the name of a style in a clip's labels: the style of a stretch of the clip."""

_SHARE = re.compile(r"(.+):([0-9]*\.?[0-9]+)")


def style_of(clip: Clip) -> str:
    """The style of a clip: its tags without those that are `PLAIN`, sorted; empty if none are left."""
    return " ".join(sorted(tag for tag in clip.tags if tag not in PLAIN))


def style_numbers(clips: Sequence[Clip]) -> Ints:
    """A number `[n]` for each clip, the same for clips of one style."""
    numbers: dict[str, int] = {}
    return np.asarray([numbers.setdefault(style_of(clip), len(numbers)) for clip in clips], np.int64)


def clip_styles(clip: Clip) -> list[tuple[int, int, str]]:
    """The stretches of a clip, in frames from its start, and the names of their styles.

    They are those of its labels that begin with `SPAN`; without any, the whole clip has the style of its tags.
    """
    spans = [(start, stop, words.removeprefix(SPAN)) for start, stop, words in clip.labels if words.startswith(SPAN)]
    return spans or [(0, clip.stop - clip.start, style_of(clip) or NORMAL)]


def styles_of(clips: Sequence[Clip]) -> dict[str, int]:
    """Names of the styles of clips, and how many frames they have: the default style first, then by name.

    The default is `NORMAL` or, where all have a style, the one with most frames.
    """
    counts: dict[str, int] = {}
    for clip in clips:
        for start, stop, name in clip_styles(clip):
            counts[name] = counts.get(name, 0) + stop - start
    default = NORMAL if NORMAL in counts else max(counts, key=counts.__getitem__, default=NORMAL)
    return dict(sorted(counts.items(), key=lambda one: (one[0] != default, one[0])))


def style_shares(clips: Sequence[Clip], names: Sequence[str], first: int, last: int) -> Singles:
    """The share of each named style in the frames from `first` up to `last`, `[n, S]`: 1 for their own."""
    shares = np.zeros((last - first, len(names)), np.float32)
    for clip in clips:
        if clip.stop > first and clip.start < last:
            for start, stop, name in clip_styles(clip):
                if name in names:
                    rows = slice(max(clip.start + start - first, 0), max(clip.start + stop - first, 0))
                    shares[rows, names.index(name)] = 1.0
    return shares


@lru_cache(maxsize=1024)
def mix_of(words: str) -> Mapping[str, float]:
    """The styles that a command names, and their shares: `"old"`, or a mix such as `"old:0.3+proud:0.7"`.

    Shares that add up to more than 1 are scaled to 1; what is missing to 1 is of the default style. No word is
    refused, since commands come from anywhere: one that makes no sense is the name of a style that nobody has.
    """
    mix: dict[str, float] = {}
    for part in filter(None, words.split("+")):
        found = _SHARE.fullmatch(part)
        name, share = (found[1], float(found[2])) if found else (part, 1.0)
        mix[name] = mix.get(name, 0.0) + share
    total = max(sum(mix.values()), 1.0)
    return MappingProxyType({name: share / total for name, share in mix.items() if share > 0})


def main_style(words: str) -> str:
    """The style with the largest share in a command; empty for the default style."""
    mix = mix_of(words)
    main = max(mix, key=mix.__getitem__, default="")
    return main if mix.get(main, 0.0) >= 1.0 - sum(mix.values()) else ""


def shares_of(words: Sequence[str], names: Sequence[str]) -> Singles:
    """The shares of named styles, the default one first, for the words of commands, `[n, S]`. Rows add up to 1."""
    shares = np.zeros((len(words), len(names)), np.float32)
    for one in set(words):
        mix = mix_of(one)
        shares[[word == one for word in words]] = [mix.get(name, 0.0) for name in names]
    shares[:, 0] += 1.0 - shares.sum(axis=1)
    return shares


def mix_words(shares: Mapping[str, float]) -> str:
    """The words of a command for a mix of styles; the inverse of `mix_of`."""
    return "+".join(f"{name}:{share:.3f}" for name, share in shares.items() if share >= 5e-4)


def root_rates(database: MotionDatabase) -> Singles:
    """Velocity in the root frame (m/s) and turn rate (rad/s) of every frame, `[N, 4]`."""
    rates = np.zeros((database.frames, 4), np.float32)
    dt = 1.0 / database.fps
    for clip in database.clips:
        rows = slice(clip.start, clip.stop)
        root_rotations = np.asarray(database.root_rotations[rows])
        velocity = kinematics.velocities(np.asarray(database.root_positions[rows]), dt)
        rates[rows, :3] = rotations.inverse_rotate(root_rotations, velocity)
        rates[rows, 3] = kinematics.angular_velocities(root_rotations, dt)[:, 1]
    return rates


def fastest(database: MotionDatabase) -> dict[str, float]:
    """The speed, m/s, that each style reaches, in the order of `styles_of`: a hundredth of its frames is faster."""
    speed = np.linalg.norm(root_rates(database)[:, :3], axis=-1)
    names = list(styles_of(database.clips))
    shares = style_shares(database.clips, names, 0, database.frames)
    return {name: float(np.quantile(speed[own > 0], 0.99)) for name, own in zip(names, shares.T, strict=True)}


def mean_poses(database: MotionDatabase) -> dict[str, Singles]:
    """The mean pose of each style, in the order of `styles_of`: positions of the joints in the root frame, `[J, 3]`, m.

    It says how a body is held, whatever its limbs do: bent, upright, arms spread.
    """
    names = list(styles_of(database.clips))
    shares = style_shares(database.clips, names, 0, database.frames)
    return {
        name: mean_pose(database.pose(_some(np.flatnonzero(own)))) for name, own in zip(names, shares.T, strict=True)
    }


def mean_pose(poses: Pose) -> Singles:
    """Mean positions `[J, 3]` of the joints of poses `[F]` in their root frames, metres."""
    return np.asarray(poses.model_positions, np.float64).mean(axis=0).astype(np.float32)


def _some(frames: Ints, most: int = 8192) -> Ints:
    """At most so many of the frames, evenly spread."""
    return frames[:: max(1, -(-len(frames) // most))]


def still_frame(database: MotionDatabase, usable: Bools | None = None) -> int:
    """The frame in which a body stands most nearly still, without a style or in the most common one.

    Args:
        usable: frames `[N]` to choose from; default all.
    """
    rates = root_rates(database)
    speed = np.linalg.norm(rates[:, :3], axis=-1) + np.abs(rates[:, 3])
    usable = np.ones(database.frames, np.bool_) if usable is None else usable
    return int(np.argmin(np.where(_home(usable, database), speed, np.inf)))


def _home(usable: Bools, database: MotionDatabase) -> Bools:
    """The usable frames `[N]` without a style; those of the most common style if all have one."""
    styles = np.repeat([style_of(clip) for clip in database.clips], [clip.frames for clip in database.clips])
    there, counts = np.unique(styles[usable], return_counts=True)
    return usable & (styles == ("" if "" in there else there[counts.argmax()]))

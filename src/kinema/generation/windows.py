"""Training samples of a collection: windows of many rigs side by side, with what is known and what is asked."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from kinema.arrays import Bools, Floats, Ints, Singles
from kinema.errors import LearningError
from kinema.generation import conditions, text
from kinema.generation.cadence import Beat, measured_beat
from kinema.generation.channels import FPS, TRAVEL, ground_path
from kinema.generation.collection import OWN_CHANNELS, ClipRecord, MotionCollection, Stretch
from kinema.generation.encoding import NAMED, ROLED, RigEncoding, encode_rig
from kinema.generation.rig import AnyRig
from kinema.generation.variation import Variation, vary
from kinema.mocap.creatures.acts import ACTIONS, LOCOMOTION

if TYPE_CHECKING:
    from kinema.learn.sentences import SentenceEncoder

LENGTHS = (6, 8, 8, 12)
"""Patches of a window; those of a batch are the same."""

_USUAL = 36  # joints of a rig of usual size
_ALIKE = 0.2  # relative difference of joint counts in a batch, so that padding costs little
_NAMELESS, _ROLELESS = 0.4, 0.4
_UNASKED, _TEXTLESS, _ACTIONLESS, _SPEEDLESS, _TURNLESS = 0.1, 0.4, 0.35, 0.35, 0.35
_SINCELESS, _UNTILLESS, _CADENCELESS, _CLOCKLESS = 0.25, 0.4, 0.1, 0.1
_ROUGHLY = 0.5  # of the logarithm of the size that is told: else nothing that is asked could change the tempo
_CONCEPTLESS, _WORDLESS = 0.15, 0.3
_PATHLESS = 0.65
_RESCALED, _FASTEST = 0.3, 1.25
_VARIED, _VARIATIONS = 0.4, 3


@dataclass(frozen=True, eq=False)
class RigWindow:
    """One sample. `T` frames are `P` patches of a rig with `K` joints.

    Attributes:
        channels: `[T, K, CHANNELS]`. known: `[T, K]` and known_root `[T]`: what is given.
        asked: `[P, ASKED]`. path: `[P, PATH]`. texts: tokens of each stretch. stretch: `[P]`, which of them.
        sentences: `[S, E]`: the vector of each stretch's caption; `E` is 0 without an encoder of sentences.
        static: what the network is told of the joints, `[K, WIDTH]`. size: and of the size, roughly.
        told: whether it is told all that is asked, and nothing else: its flow begins at noise, where that decides.
    """

    rig: AnyRig
    encoding: RigEncoding
    static: Singles
    size: float
    channels: Singles
    known: Bools
    known_root: Bools
    asked: Singles
    path: Singles
    texts: list[list[int]]
    sentences: Singles
    stretch: Ints
    told: bool = False


class WindowSource:
    """Draws windows of a collection, balanced over body plans, then rigs, then actions.

    Short acts would be lost among long ones: each action of a rig counts as the square root of its frames.

    Args:
        clips: those to draw from.
        patch: frames of a patch.
        encoder: of captions; None for none.
        actions: those of which every window has some; None for any.
        told: share of windows that are told all that is asked, see `RigWindow`.

    Raises:
        LearningError: no clip is as long as a window, or none has such an action.
    """

    def __init__(
        self,
        collection: MotionCollection,
        clips: Sequence[ClipRecord],
        patch: int,
        encoder: SentenceEncoder | None = None,
        actions: Sequence[str] | None = None,
        told: float = 0.0,
    ) -> None:
        self.collection, self.patch, self._encoder, self._told = collection, patch, encoder, told
        shortest = min(LENGTHS) * patch
        self.clips = [clip for clip in clips if clip.frames >= shortest]
        if not self.clips:
            raise LearningError(f"{collection.path}: no clip of {shortest} frames or more; that is the shortest window")
        self._parts = [
            (clip, part)
            for clip in self.clips
            for part in clip.stretches or (Stretch(0, clip.frames),)
            if part.stop > part.start and (actions is None or part.action in actions)
        ]
        if not self._parts:
            raise LearningError(f"{collection.path}: no clip has one of the actions {', '.join(actions or ())}")
        self._counts = np.asarray([collection.rig(clip.rig).count for clip, _ in self._parts])
        self._frames = np.asarray([clip.frames for clip, _ in self._parts])
        self._weights = _balanced(collection, self._parts)
        self.body = lru_cache(maxsize=None)(self._body)
        self.beats = lru_cache(maxsize=None)(self._beats)

    def draw(
        self, count: int, rng: np.random.Generator, length: int | None = None, plain: bool = False
    ) -> list[RigWindow]:
        """Windows of rigs with similar numbers of joints: `count` of rigs of a usual size, fewer of larger ones.

        Args:
            length: patches; None draws one of `LENGTHS`.
            plain: everything is asked, nothing is known, nothing is withheld.
        """
        pivot = rng.choice(len(self._parts), p=self._weights)
        length = length or int(rng.choice([each for each in LENGTHS if each * self.patch <= self._frames[pivot]]))
        near = np.abs(self._counts / self._counts[pivot] - 1.0) <= _ALIKE
        near &= self._frames >= length * self.patch
        weights = self._weights * near
        count = int(np.clip(round(count * _USUAL / self._counts[pivot]), min(4, count), 2 * count))
        chosen = rng.choice(len(self._parts), count, p=weights / weights.sum())
        return [
            self.window(clip, length, rng, plain, int(rng.integers(part.start, part.stop)))
            for clip, part in (self._parts[at] for at in chosen.tolist())
        ]

    def _body(self, index: int, number: int | None) -> tuple[AnyRig, RigEncoding, Variation | None]:
        """A rig as it is, for `number` None, or one of its variations."""
        rig = self.collection.rig(index)
        varied = None if number is None else vary(rig, np.random.default_rng([index, number]))
        if varied is None:
            return rig, encode_rig(rig), None
        return varied.rig, encode_rig(varied.rig), varied

    def _beats(self, clip: ClipRecord) -> tuple[Floats, Floats]:
        """Cadences of the stretches of a clip, Hz, and phases `[F]` of strides; NaN where there is no telling."""
        cadences, phases = [], np.full(clip.frames, np.nan)
        for part in clip.stretches:
            found = Beat(np.nan, phases[part.start : part.stop])
            if part.action in LOCOMOTION:
                found = measured_beat(
                    self.collection.rig(clip.rig), self.collection.channels(clip, part.start, part.stop)
                )
            cadences.append(found.cadence)
            phases[part.start : part.stop] = found.phase
        return np.asarray(cadences or [np.nan]), phases

    def window(
        self, clip: ClipRecord, length: int, rng: np.random.Generator, plain: bool = False, about: int | None = None
    ) -> RigWindow:
        """A window of a clip, `length` patches long, somewhere in it; `about` is a frame that it has, or just missed.

        A window that would leave the clip is moved into it.
        """
        frames, patch = length * self.patch, self.patch
        told = not plain and rng.random() < self._told
        changed = not plain and rng.random() < _VARIED
        rig, encoding, varied = self.body(clip.rig, int(rng.integers(_VARIATIONS)) if changed else None)
        rate = 1.0
        if not plain and rng.random() < _RESCALED:
            fastest = min(_FASTEST, (clip.frames - 1) / frames)
            rate = float(np.exp(rng.uniform(-np.log(_FASTEST), np.log(fastest)))) if fastest > 1 / _FASTEST else 1.0
        needed = min(int(np.ceil(frames * rate)) + 1, clip.frames)
        about = int(rng.integers(clip.frames)) if about is None else about
        start = int(np.clip(about - rng.integers(needed), 0, clip.frames - needed))
        channels = _at_rate(self.collection.channels(clip, start, start + needed), rate, frames)
        channels = channels if varied is None else varied.channels(channels)
        middles = np.asarray(start + rate * (np.arange(length) + 0.5) * patch, np.float64)
        numbers = np.asarray(
            [
                next((n for n, part in enumerate(clip.stretches) if part.stop > at), len(clip.stretches) - 1)
                for at in middles
            ]
        )
        known, known_root = np.zeros((frames, rig.count), np.bool_), np.zeros(frames, np.bool_)
        static, size = encoding.joints.copy(), encoding.size
        asked, texts, sentences = self._asked(clip, channels, numbers, middles, rate, rng, plain or told)
        path = np.zeros((length, conditions.PATH), np.float32)
        if not plain:
            if not told:
                known, known_root = draw_known(rig, frames, rng)
            static[:, NAMED] *= rng.random() >= _NAMELESS
            static[:, ROLED] *= rng.random() >= _ROLELESS
            size += float(rng.normal(0.0, _ROUGHLY))
            if not told and (rng.random() >= _PATHLESS or known_root.any()):
                given = conditions.places(*ground_path(channels, rig), patch)
                path = given * (rng.random((length, 1)) < rng.choice((0.15, 0.5, 1.0)))
        return RigWindow(
            rig, encoding, static, size, channels, known, known_root, asked, path, texts, sentences, numbers, told
        )

    def _asked(
        self,
        clip: ClipRecord,
        channels: Singles,
        numbers: Ints,
        middles: Floats,
        rate: float,
        rng: np.random.Generator,
        told: bool,
    ) -> tuple[Singles, list[list[int]], Singles]:
        def left_open(share: float) -> bool:
            return not told and bool(rng.random() < share)

        nothing = left_open(_UNASKED)
        restless = nothing or left_open(_CADENCELESS)
        cadences, phases = self.beats(clip)
        times = _times(clip, middles, numbers) / rate
        speed, turn = conditions.measured(channels, self.patch)
        actions = np.asarray(
            [ACTIONS.index(part.action) if part.action in ACTIONS else -1 for part in clip.stretches] or [-1]
        )[numbers]
        asked = conditions.asked(
            np.where(nothing or left_open(_ACTIONLESS), -1, actions),
            np.where(nothing or left_open(_SPEEDLESS), np.nan, speed),
            np.where(nothing or left_open(_TURNLESS), np.nan, turn),
            np.where(restless, np.nan, rate * cadences[numbers]),
            np.where(
                restless or left_open(_CLOCKLESS), np.nan, phases[np.minimum(middles.astype(np.int64), len(phases) - 1)]
            ),
            np.where(nothing or left_open(_SINCELESS), np.nan, times[0]),
            np.where(nothing or left_open(_UNTILLESS), np.nan, times[1]),
        )
        silent = nothing or left_open(_TEXTLESS)
        said = ["" if silent or not part.texts else str(rng.choice(part.texts)) for part in clip.stretches] or [""]
        texts = [_tokens(caption) for caption in said]
        if left_open(_CONCEPTLESS):
            texts = [[token for token in each if not text.is_concept(np.asarray(token))] for each in texts]
        elif left_open(_WORDLESS):
            texts = [[token for token in each if text.is_concept(np.asarray(token))] for each in texts]
            said = [""] * len(said)
        return asked, texts, vectors(self._encoder, said)


def _times(clip: ClipRecord, frames: Floats, numbers: Ints) -> Floats:
    """Seconds `[2, P]` since stretches began at some frames `[P]`, and until they end; NaN where that is not known.

    Args:
        numbers: `[P]`, of the stretches.
    """
    edges = [(part.start, part.stop) if part.whole else (np.nan, np.nan) for part in clip.stretches]
    start, stop = np.asarray(edges or [(np.nan, np.nan)])[numbers].T
    return np.stack([frames - start, stop - frames]) / FPS


def vectors(encoder: SentenceEncoder | None, said: Sequence[str]) -> Singles:
    """Vectors `[S, E]` of sentences; without an encoder, `E` is 0."""
    return np.zeros((len(said), 0), np.float32) if encoder is None else encoder(said)


@lru_cache(maxsize=65_536)
def _tokens(caption: str) -> list[int]:
    return text.tokens(caption)


def _balanced(collection: MotionCollection, parts: Sequence[tuple[ClipRecord, Stretch]]) -> Floats:
    """Probabilities `[N]` of stretches of clips: as much for each plan, within it for each rig.

    Within a rig, each action has the square root of its frames, and each stretch of it what it has of them.
    """
    frames = np.asarray([part.stop - part.start for _, part in parts], np.float64)
    rigs = _numbered([clip.rig for clip, _ in parts])
    plans = _numbered([collection.rigs[clip.rig].plan for clip, _ in parts])
    actions = _numbered([(clip.rig, part.action) for clip, part in parts])
    weights = frames / np.sqrt(np.bincount(actions, frames))[actions]
    weights /= np.bincount(rigs, weights)[rigs]
    weights /= np.bincount(plans, weights)[plans]
    return weights / weights.sum()


def _numbered(values: Sequence[Hashable]) -> Ints:
    """Equal values as equal numbers."""
    numbers: dict[Hashable, int] = {}
    return np.asarray([numbers.setdefault(value, len(numbers)) for value in values])


def _at_rate(channels: Singles, rate: float, frames: int) -> Singles:
    """The first `frames` of channels that are played `rate` times as fast."""
    if rate == 1.0:
        return channels[:frames]
    at = np.minimum(np.arange(frames) * rate, len(channels) - 1.001)
    first, share = at.astype(np.int64), (at % 1.0).astype(np.float32)[:, None, None]
    out = (np.float32(1) - share) * channels[first] + share * channels[first + 1]
    out[..., OWN_CHANNELS - 1] = np.round(out[..., OWN_CHANNELS - 1])
    out[:, 0, TRAVEL] *= np.float32(rate)
    return out.astype(np.float32)


def draw_known(rig: AnyRig, frames: int, rng: np.random.Generator) -> tuple[Bools, Bools]:
    """What is given of a sample, for training: which joints `[T, K]`, and of which frames `[T]` the travel to the next.

    Nothing; a beginning, an end or both; single frames; branches of the skeleton; the travel alone.
    """
    known, root = np.zeros((frames, rig.count), np.bool_), np.zeros(frames, np.bool_)
    kind = rng.random()
    if kind < 0.4:
        return known, root
    if kind < 0.7:
        begin = int(rng.integers(1, frames // 2))
        end = int(rng.integers(1, frames // 2)) if rng.random() < 0.6 else 0
        root[:begin] = root[frames - end :] = True
        known[root] = True
    elif kind < 0.8:
        root[rng.random(frames) < rng.choice((0.02, 0.05, 0.2))] = True
        known[root] = True
    elif kind < 0.95:
        top = int(rng.integers(rig.count))
        branch = rig.parents == -2
        branch[top] = True
        for joint in range(top + 1, rig.count):
            branch[joint] = branch[rig.parents[joint]]
        given = branch if rng.random() < 0.5 else ~branch
        known[:, given] = True
        root[:] = given[0] or rng.random() < 0.5
    else:
        root[:] = True
    return known, root & np.concatenate([root[1:], root[-1:]])

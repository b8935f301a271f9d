"""The ground truth of one rig, as the benchmark compares with it, and what it asks for in order to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinema.arrays import Bools, Floats, Ints, Singles
from kinema.errors import DatabaseError
from kinema.generation import conditions
from kinema.generation.bridging import CONTEXT, bridge
from kinema.generation.channels import CHANNELS, FPS
from kinema.generation.collection import ClipRecord, MotionCollection
from kinema.generation.feet import RigFeet
from kinema.generation.likeness import frame_features, half_distance, split_clips, still_windows
from kinema.generation.measures import Skate, jerk, travelled
from kinema.generation.request import Request
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes
from kinema.generation.wishes import Wish
from kinema.mocap.creatures.acts import ACTIONS, LOCOMOTION

SHORTEST = 60
"""Frames; shorter clips are left out."""

_STANDS = 0.8  # share of the frames of an action in which a foot is planted, if something should always stand
_STILL, _STRAIGHT = 0.2, 0.2  # units/s and rad/s below which no speed and no turn are asked for
_SPEEDS = (0.2, 0.5, 0.8)  # quantiles


@dataclass(frozen=True, eq=False)
class AskedPiece:
    """A stretch of the ground truth that is asked for.

    Attributes:
        clip: index of its clip. channels: `[F, K, CHANNELS]`. actions: `[F]`, indices into `ACTIONS`, -1 if not known.
    """

    clip: int
    channels: Singles
    actions: Ints
    wishes: tuple[Wish, ...]


@dataclass(frozen=True, eq=False)
class RigTruth:
    """The ground truth of a rig. Use `of`.

    Attributes:
        clips: what is known of each clip. channels: `[F, K, CHANNELS]` of each.
        frames: length of pieces. texts: whether wishes are texts; else they are actions, speeds and yaw rates.
    """

    rig: AnyRig
    clips: tuple[ClipRecord, ...]
    channels: tuple[Singles, ...]
    frames: int
    texts: bool = False

    @staticmethod
    def of(collection: MotionCollection, rig: int, frames: int, most: int, texts: bool = False) -> RigTruth:
        """The ground truth of a rig of a collection.

        Args:
            frames: length of pieces; that of the shortest clip if this is less.
            most: largest number of clips; more are thinned out evenly over what they do.

        Raises:
            DatabaseError: no clip of the rig has `SHORTEST` frames.
        """
        clips = [clip for clip in collection.clips if clip.rig == rig and clip.frames >= SHORTEST]
        if len(clips) < 2:
            raise DatabaseError(
                f"{collection.path}: {collection.rigs[rig].name} has {len(clips)} clips of {SHORTEST} frames or more; "
                "two are needed"
            )
        order = np.concatenate(split_clips([kind(clip) for clip in clips], 0))
        chosen = tuple(clips[at] for at in np.sort(order[:most]).tolist())
        length = min(frames, *(clip.frames for clip in chosen))
        channels = tuple(collection.channels(clip) for clip in chosen)
        return RigTruth(collection.rig(rig), chosen, channels, length, texts)

    @cached_property
    def takes(self) -> Takes:
        """All pieces."""
        return Takes(self.rig, np.stack([piece.channels for piece in self.pieces]))

    @cached_property
    def pieces(self) -> tuple[AskedPiece, ...]:
        """The clips cut into pieces of `frames`; what is left of each is dropped."""
        return tuple(
            self._piece(number, begin)
            for number, clip in enumerate(self.clips)
            for begin in range(0, clip.frames - self.frames + 1, self.frames)
        )

    @cached_property
    def features(self) -> tuple[Singles, ...]:
        """Features `[F - 4, D]` of the clips, see `kinema.generation.likeness`."""
        return tuple(frame_features(Takes(self.rig, clip[None]))[0] for clip in self.channels)

    @cached_property
    def still(self) -> tuple[Bools, ...]:
        """Which windows of the clips are still."""
        return tuple(still_windows(Takes(self.rig, clip[None]))[0] for clip in self.channels)

    @cached_property
    def feet(self) -> RigFeet | None:
        """The feet; None if there are none."""
        return RigFeet.of(self.rig, [self.takes])

    @cached_property
    def skate(self) -> Skate | None:
        """How feet slide; None if there are none."""
        return None if self.feet is None else Skate.of(self.takes, self.feet)

    @cached_property
    def jerk(self) -> float:
        """See `kinema.generation.measures.jerk`."""
        return jerk(self.takes)

    @cached_property
    def standing(self) -> Bools:
        """Actions `[len(ACTIONS)]` in which a foot is always planted."""
        planted = self.takes.contacts.any(
            axis=-1
        )  # not all the time even in a walk: heels strike before toes are planted
        done = np.stack([piece.actions for piece in self.pieces])
        numbers = np.arange(len(ACTIONS))[:, None, None]
        frames = (done == numbers).sum(axis=(1, 2))
        stood = ((done == numbers) & planted).sum(axis=(1, 2))
        return (frames > 0) & (stood >= _STANDS * frames)

    def halves(self, seed: int) -> tuple[Ints, Ints]:
        """Clips divided into two halves that do the same things."""
        return split_clips([kind(clip) for clip in self.clips], seed)

    def usual_distance(self, seed: int) -> float:
        """Distance of windows of one half to the nearest of the other, units."""
        return half_distance(self.features, self.halves(seed))

    def drawn_pieces(self, count: int, seed: int) -> list[AskedPiece]:
        """Pieces in an order of the seed's, over and over if there are too few."""
        order = np.random.default_rng(seed).permutation(len(self.pieces))
        return [self.pieces[at] for at in np.resize(order, count).tolist()]

    def controls(self) -> list[tuple[float, float]]:
        """Speeds, units a second, and yaw rates, rad/s, that the ground truth has: slow to fast, straight and in turns.

        Each pair is one stretch of the ground truth; next to no turn is none.
        """
        speeds, turns = self._ways
        asked = []
        for on in (np.abs(turns) < _STRAIGHT, turns >= _STRAIGHT, turns <= -_STRAIGHT):
            mine = np.flatnonzero(on & (speeds > _STILL))
            mine = mine[np.argsort(speeds[mine])]
            chosen = [int(mine[round(share * (len(mine) - 1))]) for share in _SPEEDS if len(mine)]
            asked += [(float(speeds[at]), float(turns[at]) if abs(turns[at]) >= _STRAIGHT else 0.0) for at in chosen]
        return asked

    @cached_property
    def _ways(self) -> tuple[Floats, Floats]:
        """Mean speeds and yaw rates of the stretches of locomotion."""
        parts = [
            travelled(Takes(self.rig, channels[None, part.start : part.stop]))
            for clip, channels in zip(self.clips, self.channels, strict=True)
            for part in clip.stretches
            if part.action in LOCOMOTION and part.stop > part.start
        ]
        speeds, turns = (np.concatenate([np.zeros(0), *(part[column] for part in parts)]) for column in (0, 1))
        return speeds, turns

    def bridges(self, gap: int, most: int, seed: int) -> list[tuple[Request, Takes, slice]]:
        """Requests to fill a gap in locomotion, with the truth and where the gap is in it.

        What is around the gap is known, and so is where the root is in the world.
        """
        needed = gap + 2 * CONTEXT
        found = []
        for clip, channels in zip(self.clips, self.channels, strict=True):
            for part in clip.stretches:
                length = min(self.frames, part.stop - part.start)
                if part.action in LOCOMOTION and length >= needed:
                    found.append((channels[part.start : part.start + length], part.action))
        order = np.random.default_rng(seed).permutation(len(found))[:most]
        return [
            bridge(self.rig, channels, action, gap, seed) for channels, action in (found[at] for at in order.tolist())
        ]

    def _piece(self, number: int, begin: int) -> AskedPiece:
        clip, end = self.clips[number], begin + self.frames
        channels = self.channels[number][begin:end]
        actions, wishes = np.full(self.frames, -1), []
        for part in clip.stretches:
            start, stop = max(part.start, begin) - begin, min(part.stop, end) - begin
            if stop > start:
                actions[start:stop] = ACTIONS.index(part.action) if part.action in ACTIONS else -1
                wishes.append(self._wish(part.action, part.texts, channels[start:stop]))
        return AskedPiece(number, channels, actions, tuple(wishes))

    def _wish(self, action: str, texts: Sequence[str], channels: Singles) -> Wish:
        seconds = len(channels) / FPS
        if self.texts and texts:
            return Wish(text=texts[0], seconds=seconds)
        speed, turn = (float(values.mean()) for values in conditions.measured(channels, 1))
        return Wish(
            action=action if action in ACTIONS else None, speed=speed * self.rig.unit, turn=turn, seconds=seconds
        )


def kind(clip: ClipRecord) -> str:
    """What a clip does, as one word."""
    return "+".join(part.action for part in clip.stretches)


def joined(rig: AnyRig, parts: Sequence[Singles], frames: int) -> Takes:
    """Clips `[N, F, K, CHANNELS]`, of one rig and length, side by side."""
    return Takes(rig, np.concatenate(parts) if parts else np.zeros((0, frames, rig.count, CHANNELS), np.float32))

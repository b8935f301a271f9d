"""Edits of a motion that keep a part of it: gaps are filled, joints replaced, ends continued, key poses connected.

What is kept is given to the network as it is, and stays as it is. Where the root is kept on both sides of a gap, the
travel in between leads exactly from one side to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Singles
from kinema.errors import UsageError
from kinema.generation import conditions
from kinema.generation.channels import CHANNELS, FPS, TRAVEL, Start, decode, encode, ground_path
from kinema.generation.planting import plant
from kinema.generation.rig import AnyRig
from kinema.mocap.contacts import runs
from kinema.motion import Motion


@dataclass(frozen=True, eq=False)
class Kept:
    """What of a clip of `F` frames is kept.

    Attributes:
        channels: `[F, K, CHANNELS]`. joints: bool `[F, K]`: whose channels are kept.
        root: bool `[F]`: at which frames the root stays where it is in the world.
        start: where the clip begins.
    """

    channels: Singles
    joints: Bools
    root: Bools
    start: Start

    @property
    def travel(self) -> Bools:
        """bool `[F]`: frames whose travel is kept, since the root stays there and at the frame after it."""
        return self.root & np.concatenate([self.root[1:], self.root[-1:]])

    def path(self, rig: AnyRig, patch: int) -> Singles:
        """The places `[P, PATH]` of patches at the end of which the root is kept; the last may be cut short."""
        places = conditions.places(*ground_path(self.channels, rig), patch)
        made = np.zeros((-(-len(self.root) // patch), conditions.PATH), np.float32)
        made[: len(places)] = places * self.root[patch - 1 :: patch][:, None]
        return made


def whole(rig: AnyRig, motion: Motion) -> Kept:
    """All of a motion."""
    channels, start = encode(rig, motion)
    frames = len(channels)
    return Kept(channels, np.ones((frames, rig.count), np.bool_), np.ones(frames, np.bool_), start)


def without(kept: Kept, begin: float, end: float) -> Kept:
    """Lets go of what is between two times, seconds.

    Raises:
        UsageError: nothing of the clip is between them.
    """
    first, last = (int(np.clip(round(each * FPS), 0, len(kept.root))) for each in (begin, end))
    if last <= first:
        raise UsageError(
            f"there is no frame between {begin:g} s and {end:g} s; the clip lasts {len(kept.root) / FPS:g} s"
        )
    joints, root = kept.joints.copy(), kept.root.copy()
    joints[first:last] = root[first:last] = False
    return replace(kept, joints=joints, root=root)


def only_at(kept: Kept, times: Sequence[float]) -> Kept:
    """Keeps the poses at some times, seconds, and nothing else."""
    frames = np.clip(np.round(np.asarray(times) * FPS).astype(np.int64), 0, len(kept.root) - 1)
    chosen = np.zeros(len(kept.root), np.bool_)
    chosen[frames] = True
    return replace(kept, joints=kept.joints & chosen[:, None], root=kept.root & chosen)


def without_joints(kept: Kept, rig: AnyRig, names: Iterable[str]) -> Kept:
    """Lets go of joints, by name or role, with all that hangs on them. Without the hips, the root stays.

    Raises:
        UsageError: there is no such joint.
    """
    skeleton = rig.skeleton
    loose = np.zeros(rig.count, np.bool_)
    for name in names:
        found = [
            column
            for column, joint in enumerate(rig.joints.tolist())
            if name in (skeleton.names[joint], skeleton.roles.role(joint))
        ]
        if not found:
            known = sorted({skeleton.names[joint] for joint in rig.joints.tolist()})
            raise UsageError(f"no joint has the name or role {name!r}; the joints are: {', '.join(known[:40])}")
        loose[found] = True
    for joint in range(1, rig.count):
        loose[joint] |= loose[rig.parents[joint]]
    return replace(kept, joints=kept.joints & ~loose, root=kept.root & ~loose[0])


def longer(kept: Kept, seconds: float) -> Kept:
    """Appends room for new motion."""
    more = round(seconds * FPS)
    count = kept.channels.shape[1]
    return Kept(
        np.concatenate([kept.channels, np.zeros((more, count, CHANNELS), np.float32)]),
        np.concatenate([kept.joints, np.zeros((more, count), np.bool_)]),
        np.concatenate([kept.root, np.zeros(more, np.bool_)]),
        kept.start,
    )


def finished(rig: AnyRig, made: Singles, kept: Kept, source: Motion, plant_feet: bool = True) -> Motion:
    """The motion of new channels `[F, K, CHANNELS]` at the rate of its source, of which what is kept is copied.

    Args:
        plant_feet: hold feet still that touch the ground, where they are new.
    """
    channels = joined(rig, made, kept)
    if plant_feet:
        channels = np.where(kept.joints[..., None], channels, plant(rig, channels))
    added = len(kept.root) - (int(np.floor((source.frames - 1) * FPS / source.fps + 1e-6)) + 1)
    seconds = np.arange(source.frames + round(added / FPS * source.fps)) / source.fps
    motion = decode(rig, channels, kept.start, source.name).sample(seconds)
    times = np.minimum(np.round(seconds * FPS).astype(int), len(kept.root) - 1)
    same = np.flatnonzero((kept.joints.all(axis=1) & kept.root)[times] & (np.arange(motion.frames) < source.frames))
    pose, original = motion[:], source[:]
    rotations_made, translations_made = pose.local_rotations.copy(), pose.local_translations.copy()
    rotations_made[same], translations_made[same] = original.local_rotations[same], original.local_translations[same]
    return Motion.create(source.skeleton, rotations_made, translations_made, fps=source.fps, name=source.name)


def joined(rig: AnyRig, made: Singles, kept: Kept) -> Singles:
    """New channels `[F, K, CHANNELS]` whose travel meets the root of what is kept after every gap."""
    out = made.copy()
    truth = ground_path(kept.channels, rig)
    for begin, end in runs(~kept.root):
        if begin > 0 and end < len(kept.root):
            _meet(rig, out, truth, begin - 1, end)
    return out


def _meet(rig: AnyRig, channels: Singles, truth: tuple[Singles, Singles], first: int, last: int) -> None:
    """Changes the travel of frames `first` to `last` evenly, so that it leads from one true place to the other."""
    steps = last - first
    part = np.ascontiguousarray(channels[first : last + 1, :1])
    x, z = (truth[0][first] * rig.unit).tolist()
    begin = Start(x, z, float(truth[1][first]))
    _, heading = ground_path(part, rig, begin)
    part[:-1, 0, TRAVEL.stop - 1] += FPS / steps * float(rotations.wrap(truth[1][last] - heading[-1]))
    path, heading = ground_path(part, rig, begin)
    missing = np.tile(FPS / steps * (truth[0][last] - path[-1]), (steps, 1))
    sine, cosine = np.sin(heading[:-1]), np.cos(heading[:-1])
    part[:-1, 0, TRAVEL.start] += missing[:, 0] * cosine - missing[:, 1] * sine
    part[:-1, 0, TRAVEL.start + 1] += missing[:, 0] * sine + missing[:, 1] * cosine
    channels[first:last, 0, TRAVEL] = part[:-1, 0, TRAVEL]

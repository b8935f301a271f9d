"""Edits of a motion that keep a part of it: gaps are filled, joints replaced, ends continued, key poses connected.

What is kept is given to the network as it is, and stays as it is. Where the root is kept on both sides of a gap, the
travel in between leads exactly from one side to the other; a new beginning leads exactly to what follows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinema.arrays import Bools, Floats, Singles
from kinema.errors import UsageError
from kinema.generation import conditions
from kinema.generation.channels import (
    CHANNELS,
    FPS,
    HEIGHT,
    Start,
    decode,
    encode,
    ground_path,
    labelled_contacts,
)
from kinema.generation.meeting import met
from kinema.generation.planting import plant
from kinema.generation.rig import AnyRig
from kinema.mocap.contacts import contact_joints, runs
from kinema.mocap.ground import standing_of
from kinema.motion import Motion

CONTEXT = 12
"""Patches of what is kept, on each side of what is new, that the network sees."""

_LISTED = 40


@dataclass(frozen=True, eq=False)
class Kept:
    """What of a clip of `F` frames is kept.

    Attributes:
        channels: `[F, K, CHANNELS]`. joints: bool `[F, K]`: whose channels are kept.
        root: bool `[F]`: at which frames the root stays where it is in the world.
        start: where the clip begins. floor: height of the ground, metres.
    """

    channels: Singles
    joints: Bools
    root: Bools
    start: Start
    floor: float = 0.0

    def part(self, frames: slice) -> Kept:
        """Some frames of it, as a clip of its own."""
        return replace(self, channels=self.channels[frames], joints=self.joints[frames], root=self.root[frames])

    @property
    def new(self) -> Bools:
        """bool `[F]`: frames of which something is not kept."""
        return ~(self.joints.all(axis=1) & self.root)

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
    """All of a motion. Without labels of contacts, feet stand where they are slow and low."""
    channels, start = encode(rig, motion, _contacts(rig, motion))
    floor = _floor(rig, motion)
    channels[:, 0, HEIGHT] -= np.float32(floor / rig.unit)
    frames = len(channels)
    return Kept(channels, np.ones((frames, rig.count), np.bool_), np.ones(frames, np.bool_), start, floor)


def _contacts(rig: AnyRig, motion: Motion) -> Bools:
    """Which joints `[F, K]` are planted."""
    planted = labelled_contacts(rig, motion)
    return planted if planted.any() or not motion.frames else standing_joints(rig, motion)


def standing_joints(rig: AnyRig, motion: Motion) -> Bools:
    """Which animated joints `[F, K]` stand in the frames of a motion, because they are slow and low."""
    stands = np.zeros((motion.frames, rig.count), np.bool_)
    columns = rig.followed[contact_joints(motion.skeleton)]
    stands[:, columns[columns >= 0]] = standing_of(motion, motion[:])[0][:, columns >= 0]
    return stands


def _floor(rig: AnyRig, motion: Motion) -> float:
    """Height of the ground, metres: 0, or where the rest pose stands if the motion is nearer to that."""
    lowest = float(motion[:].global_positions[..., rig.joints, 1].min())
    resting = float(motion.skeleton.rest_pose.global_positions[rig.joints, 1].min())
    return resting if abs(lowest - resting) < abs(lowest) else 0.0


def stretches(kept: Kept, patch: int) -> list[slice]:
    """Frames in which something is new, with `CONTEXT` around them: what has to be made."""
    around = CONTEXT * patch
    seen = np.zeros(len(kept.root), np.bool_)
    for begin, end in runs(kept.new):
        seen[max(begin - around, 0) : end + around] = True
    return [slice(begin, end) for begin, end in runs(seen)]


def without(kept: Kept, begin: float, end: float) -> Kept:
    """Lets go of what is between two times, seconds.

    Raises:
        UsageError: nothing of the clip is between them.
    """
    first, last = np.round(np.clip(np.nan_to_num([begin, end]) * FPS, 0, len(kept.root))).astype(int).tolist()
    if not begin < end or last <= first:
        raise UsageError(
            f"there is no frame between {begin:g} s and {end:g} s; the clip lasts {len(kept.root) / FPS:g} s"
        )
    joints, root = kept.joints.copy(), kept.root.copy()
    joints[first:last] = root[first:last] = False
    return replace(kept, joints=joints, root=root)


def only_at(kept: Kept, times: Sequence[float]) -> Kept:
    """Keeps the poses at some times, seconds, and nothing else.

    Raises:
        UsageError: a time is outside of the clip.
    """
    seconds = len(kept.root) / FPS
    outside = [each for each in times if not 0 <= each <= seconds]
    if outside:
        raise UsageError(f"there is no pose at {outside[0]:g} s; the clip lasts {seconds:g} s")
    frames = np.minimum(np.round(np.asarray(times) * FPS).astype(np.int64), len(kept.root) - 1)
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
            more = ", ..." if len(known) > _LISTED else ""
            raise UsageError(
                f"no joint has the name or role {name!r}; the joints are: {', '.join(known[:_LISTED])}{more}"
            )
        loose[found] = True
    for joint in range(1, rig.count):
        loose[joint] |= loose[rig.parents[joint]]
    return replace(kept, joints=kept.joints & ~loose, root=kept.root & ~loose[0])


def longer(kept: Kept, seconds: float) -> Kept:
    """Appends room for new motion."""
    more = round(seconds * FPS)
    count = kept.channels.shape[1]
    return replace(
        kept,
        channels=np.concatenate([kept.channels, np.zeros((more, count, CHANNELS), np.float32)]),
        joints=np.concatenate([kept.joints, np.zeros((more, count), np.bool_)]),
        root=np.concatenate([kept.root, np.zeros(more, np.bool_)]),
    )


def finished(rig: AnyRig, made: Singles, kept: Kept, source: Motion, plant_feet: bool = True) -> Motion:
    """The motion of new channels `[F, K, CHANNELS]` at the rate of its source, of which what is kept is copied.

    Args:
        plant_feet: hold feet still that touch the ground, where they are new.
    """
    channels, start = met(rig, made, kept.root, ground_path(kept.channels, rig, kept.start), kept.start)
    if plant_feet:
        channels = np.where(kept.joints[..., None], channels, plant(rig, channels))
    channels[:, 0, HEIGHT] += np.float32(kept.floor / rig.unit)
    added = len(kept.root) - (int(np.floor((source.frames - 1) * FPS / source.fps + 1e-6)) + 1)
    seconds = np.arange(source.frames + round(added / FPS * source.fps)) / source.fps
    motion = decode(rig, channels, start, source.name).sample(seconds)
    frames, joints = np.nonzero(_same(rig, kept, seconds[: source.frames]))
    pose, original = motion[:], source[:]
    rotations_made, translations_made = pose.local_rotations.copy(), pose.local_translations.copy()
    rotations_made[frames, joints] = original.local_rotations[frames, joints]
    translations_made[frames, joints] = original.local_translations[frames, joints]
    return Motion.create(source.skeleton, rotations_made, translations_made, fps=source.fps, name=source.name)


def _same(rig: AnyRig, kept: Kept, seconds: Floats) -> Bools:
    """Which joints `[T, J]` of the skeleton keep their local transforms, at some times.

    They and their parents are where they were: they move with kept joints on kept joints, and so does the root.
    """
    steady = kept.joints & kept.root[:, None]
    for joint in range(1, rig.count):
        steady[:, joint] &= steady[:, rig.parents[joint]]
    places = np.stack([np.floor(seconds * FPS + 1e-6), np.ceil(seconds * FPS - 1e-6)])
    before, after = np.clip(places, 0, len(steady) - 1).astype(np.int64)
    whole = (steady[before] & steady[after])[:, np.maximum(rig.followed, 0)]
    return whole & whole[:, np.maximum(rig.skeleton.parents, 0)]

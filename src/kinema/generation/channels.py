"""Motion of any rig as numbers: rotations from the rest pose, positions, contacts, and the travel of the root.

A frame of a joint has `CHANNELS` numbers. Nothing is measured over the motion of a skeleton, so a rest pose is enough
to decode them. Per joint: its own rotation from rest, relative to its parent's, as 6D less the identity; its position
relative to the hips in the heading frame, less that at rest, in units; and whether it is planted. The hips have the
travel of the root, too: velocity in the heading frame, units a second, yaw rate, and how much higher than at rest they
are, units. Travel is integrated exactly: frame by frame it leads back to the positions that it was taken from.
Positions of joints are redundant: decoding uses rotations, and positions are what these are checked with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Indices, Singles
from kinema.errors import SkeletonError
from kinema.generation.rig import AnyRig
from kinema.motion import Motion
from kinema.rootframe import smooth_columns

FPS = 30.0
"""Frames a second of all channels. Motions of other rates are resampled, and results can be resampled again."""

TURN, PLACE, CONTACT, TRAVEL, HEIGHT = slice(0, 6), slice(6, 9), slice(9, 10), slice(10, 13), slice(13, 14)
ROOT = slice(10, 14)
"""Channels that the hips alone have."""

CHANNELS = 14

_HEADING_SECONDS, _BOB_SECONDS = 0.5, 1.0
UPRIGHT_6D = np.asarray([1, 0, 0, 0, 1, 0], np.float32)


@dataclass(frozen=True)
class Start:
    """Where a clip begins.

    Attributes:
        x, z: position of the hips on the ground, metres.
        heading: radians.
    """

    x: float = 0.0
    z: float = 0.0
    heading: float = 0.0


def encode(rig: AnyRig, motion: Motion, contacts: Bools | None = None) -> tuple[Singles, Start]:
    """The channels `[F, K, CHANNELS]` of a motion, and where it begins.

    Args:
        motion: of the rig's skeleton.
        contacts: `[F, K]`, at the rate of the motion: which joints are planted; None: the labels `contact.<joint>`.

    Raises:
        SkeletonError: the motion is of another skeleton, or has no frames.
    """
    if not motion.skeleton.same_topology(rig.skeleton):
        raise SkeletonError(f"motion {motion.name!r} is of another skeleton than the rig")
    if not motion.frames:
        raise SkeletonError(f"motion {motion.name!r} has no frames")
    planted = labelled_contacts(rig, motion) if contacts is None else contacts
    motion = motion.replace(labels={"planted": planted}).resample(FPS)
    pose = motion[:]
    turns = rotations.multiply(
        pose.global_rotations[:, rig.joints], rotations.inverse(rig.rest_rotations[rig.joints])[None]
    )
    positions = pose.global_positions[:, rig.joints] / np.float32(rig.unit)
    heading = headings(turns[:, 0])
    upward = np.concatenate([rotations.from_yaw(heading)[:, None], turns[:, rig.parents[1:]]], axis=1)
    places = rotations.rotate_yaw(-heading[:, None], positions - positions[:, :1]) + rig.rest_positions[0]
    out = np.zeros((motion.frames, rig.count, CHANNELS), np.float32)
    out[..., TURN] = rotations.to_6d(rotations.relative(upward, turns)) - UPRIGHT_6D
    out[..., PLACE] = places - rig.rest_positions
    out[..., CONTACT] = motion.labels["planted"][..., None]
    out[:, 0, TRAVEL] = _travel(positions[:, 0], heading)
    out[:, 0, HEIGHT] = positions[:, 0, 1:2] - rig.rest_positions[0, 1]
    x, _, z = (positions[0, 0] * rig.unit).tolist()
    return out, Start(x, z, float(heading[0]))


def labelled_contacts(rig: AnyRig, motion: Motion) -> Bools:
    """Which joints `[F, K]` the labels `contact.<joint>` of a motion call planted."""
    planted = np.zeros((motion.frames, rig.count), np.bool_)
    for column, joint in enumerate(rig.joints.tolist()):
        label = motion.labels.get(f"contact.{rig.skeleton.names[joint]}")
        if label is not None:
            planted[:, column] = label
    return planted


def headings(turns: Singles) -> Singles:
    """Headings `[F]`, unwrapped and smooth, of turns `[F, 4]` from a rest pose that faces +Z, radians.

    The part of the rotation about the vertical: it is defined for bodies that pitch or roll over, too.
    """
    angles = np.unwrap(2.0 * np.arctan2(turns[:, 2], turns[:, 0]).astype(np.float64))
    window = round(_HEADING_SECONDS * FPS) | 1
    return smooth_columns(angles[:, None].astype(np.float32), window)[:, 0]


def _travel(hips: Singles, heading: Singles) -> Singles:
    """Velocity ahead and yaw rate `[F, 3]` from each frame to the next; the last frame goes on as the one before."""
    steps = rotations.rotate_yaw(-heading[:-1], np.diff(hips, axis=0)) * np.float32(FPS)
    travel = np.stack([steps[:, 0], steps[:, 2], np.diff(heading) * np.float32(FPS)], axis=-1)
    return np.concatenate([travel, travel[-1:] if len(travel) else np.zeros((1, 3), np.float32)])


def ground_path(channels: Singles, rig: AnyRig, start: Start | None = None) -> tuple[Singles, Singles]:
    """Ground positions `[F, 2]` (x, z) of the hips in units, and headings `[F]`, that the travel leads to."""
    path, heading = travelled(channels, rig, start)
    return path[:-1].astype(np.float32), heading[:-1].astype(np.float32)


def travelled(channels: Singles, rig: AnyRig, start: Start | None = None) -> tuple[Floats, Floats]:
    """The same as float64 `[F + 1, 2]` and `[F + 1]`: the last is where a frame after the clip would be.

    Motion that is made piece by piece goes on there, so that no length of it adds an error.
    """
    start = start or Start()
    travel = channels[:, 0, TRAVEL].astype(np.float64)
    heading = start.heading + np.concatenate([[0.0], np.cumsum(travel[:, 2])]) / FPS
    sine, cosine = np.sin(heading[:-1]), np.cos(heading[:-1])
    steps = np.stack(
        [travel[:, 0] * cosine + travel[:, 1] * sine, travel[:, 1] * cosine - travel[:, 0] * sine], axis=-1
    )
    begin = np.asarray([[start.x, start.z]]) / rig.unit
    return begin + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)]) / FPS, heading


def hips_positions(rig: AnyRig, channels: Singles, path: Singles) -> Singles:
    """Positions `[..., F, 3]` of the hips, in units, from channels `[..., F, K, CHANNELS]` and ground positions."""
    height = rig.rest_positions[0, 1] + channels[..., 0, HEIGHT][..., 0]
    return np.stack([path[..., 0], height, path[..., 1]], axis=-1)


def stated_positions(rig: AnyRig, channels: Singles) -> Singles:
    """Positions `[..., K, 3]` in the heading frame, in units, that the position channels state, over the ground."""
    places = channels[..., PLACE] + rig.rest_positions
    places[..., 1] += channels[..., :1, HEIGHT][..., 0]
    return places


def decode(rig: AnyRig, channels: Singles, start: Start | None = None, name: str = "") -> Motion:
    """The motion at `FPS` that channels `[F, K, CHANNELS]` describe, by forward kinematics: bones keep their length.

    Labels `contact.<joint>` are set for joints that are planted in any frame.
    """
    path, heading = ground_path(channels, rig, start)
    local = rotations.from_6d(channels[..., TURN] + UPRIGHT_6D).astype(np.float32)
    local[:, 0] = rotations.multiply(rotations.from_yaw(heading), local[:, 0])
    turns, positions = rig.forward(local, hips_positions(rig, channels, path))
    planted = channels[..., CONTACT][..., 0] > 0.5
    labels = {
        f"contact.{rig.skeleton.names[joint]}": planted[:, column].copy()
        for column, joint in enumerate(rig.joints.tolist())
        if planted[:, column].any()
    }
    return to_motion(rig, turns, positions * np.float32(rig.unit), name).replace(labels=labels)


def to_motion(rig: AnyRig, turns: Singles, positions: Singles, name: str = "") -> Motion:
    """A motion from global turns `[F, K, 4]` from rest and global positions `[F, K, 3]`, metres, of a rig's joints.

    Ancestors of the hips go and turn along with them, level and without their bob, so that a mesh that hangs on both
    stays whole.
    """
    skeleton = rig.skeleton
    around = rotations.from_yaw(headings(turns[:, 0])).astype(np.float32)
    carried = rig.followed >= 0
    whole = rotations.multiply(around[:, None], rig.rest_rotations[None])
    whole[:, carried] = rotations.multiply(turns[:, rig.followed[carried]], rig.rest_rotations[carried][None])
    local = whole.copy()
    below = skeleton.parents >= 0
    local[:, below] = rotations.relative(whole[:, skeleton.parents[below]], whole[:, below])
    loose = np.flatnonzero(~_rigid(rig)).astype(np.int32)
    translations = _translations(rig, turns, positions, whole, loose, around)
    return Motion.create(skeleton, local, translations, loose, fps=FPS, name=name)


def _rigid(rig: AnyRig) -> Bools:
    """Which joints `[J]` keep their place in the frame of their parent, which moves as the joint that they hang on."""
    parents = rig.skeleton.parents
    moves_with = np.where(parents >= 0, rig.followed[parents], -1)
    above = np.where(np.isin(np.arange(len(parents)), rig.joints), rig.parents[rig.followed], rig.followed)
    carriers = (parents >= 0) & (rig.followed < 0)
    return ((moves_with >= 0) & (moves_with == above)) | carriers


def _translations(
    rig: AnyRig, turns: Singles, positions: Singles, whole: Singles, loose: Indices, around: Singles
) -> Singles:
    """Local translations `[F, T, 3]`, metres, of the joints that do not move as their parents do.

    Args:
        whole: global rotations `[F, J, 4]`. around: `[F, 4]`, about the vertical, of the ancestors of the hips.
    """
    skeleton, rest = rig.skeleton, rig.stance.global_positions
    hips = int(rig.joints[0])
    to_axes = rotations.multiply(rig.rest_rotations[hips], rotations.inverse(rig.stance.global_rotations[hips]))
    moved = np.flatnonzero(rig.followed >= 0)
    followed = rig.followed[moved]
    hung = rotations.rotate(to_axes, rest[moved] - rest[rig.joints[followed]])
    steady = positions[:, 0].copy()
    steady[:, 1] = smooth_columns(steady[:, 1:2], round(_BOB_SECONDS * FPS) | 1)[:, 0]
    places = steady[:, None] + rotations.rotate(around[:, None], rotations.rotate(to_axes, rest - rest[hips])[None])
    places[:, moved] = positions[:, followed] + rotations.rotate(turns[:, followed], hung[None])
    parents = skeleton.parents[loose]
    beside = rotations.inverse_rotate(whole[:, parents], places[:, loose] - places[:, parents])
    return np.where((parents >= 0)[:, None], beside, places[:, loose])

"""Is a clip worth mirroring, and does the mirror map fit its rig?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import mirroring, rotations
from kinema.arrays import Indices, Singles
from kinema.motion import Motion

MOST_FRAMES = 2_000
"""Frames looked at: a longer clip is sampled evenly."""


@dataclass(frozen=True, eq=False)
class Asymmetry:
    """How a clip differs from its mirror image, joint by joint; all in metres, relative to the root frame.

    Attributes:
        partner: int32 `[J]`, the mirror map that was used.
        place: float32 `[J]`, distance of a joint's mean place from that of its mirrored partner. Steps of both legs
            average out; an arm that is held up does not.
        reach: float32 `[J]`, difference of how far the joint and its partner move about their mean.
        bones: float32 `[J]`, difference in length of a bone and its partner's. Large: the map pairs wrong joints.
    """

    partner: Indices
    place: Singles
    reach: Singles
    bones: Singles

    @property
    def figure(self) -> float:
        """One number for the clip: mean distance over joints, metres."""
        return float(self.place.mean())

    def worst(self, count: int) -> list[int]:
        """Joints whose places differ most, of a pair the first only."""
        order = np.argsort(-self.place, kind="stable").tolist()
        return [joint for joint in order if joint <= self.partner[joint]][:count]


def asymmetry(motion: Motion, pairs: Indices | None = None) -> Asymmetry:
    """Compare a clip of at least one frame with its mirror image.

    Args:
        pairs: mirror map `[J]`, the skeleton's own where None.
    """
    some = np.unique(np.linspace(0, motion.frames - 1, min(motion.frames, MOST_FRAMES)).astype(np.int64))
    own = motion[some].on_root(*(part[some] for part in motion.root_frame())).model_positions.astype(np.float64)
    partner = mirroring.partners(motion.skeleton, pairs)
    mean = own.mean(axis=0)
    spread = np.sqrt(((own - mean) ** 2).sum(-1).mean(axis=0))
    lengths = motion.skeleton.bone_lengths
    return Asymmetry(
        partner,
        np.linalg.norm(mean - mirroring.reflect_vector(mean[partner]), axis=-1).astype(np.float32),
        np.abs(spread - spread[partner]).astype(np.float32),
        np.abs(lengths - lengths[partner]).astype(np.float32),
    )


def ghost(motion: Motion, pairs: Indices | None = None) -> Motion:
    """The mirror image that stands where the motion stands and faces where it faces, in every frame.

    The image of the world walks elsewhere; this one can be laid over the motion to compare poses.
    """
    image = mirroring.mirror_motion(motion, pairs)
    root_positions, root_rotations = motion.root_frame()
    onto = rotations.multiply(root_rotations, rotations.inverse(mirroring.reflect_rotation(root_rotations)))
    place = root_positions - rotations.rotate(onto, mirroring.reflect_vector(root_positions))
    pose = image[:].replace(root_positions=place, root_rotations=onto).in_world()
    joints = np.union1d(image.translated, np.flatnonzero(motion.skeleton.parents < 0)).astype(np.int32)
    return image.replace(
        local_rotations=pose.local_rotations,
        translated=joints,
        local_translations=np.ascontiguousarray(pose.local_translations[:, joints]),
    )

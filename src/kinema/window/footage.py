"""A clip made ready to be looked at: everything that is the same for all of its pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics
from kinema.character import Character
from kinema.mocap.edits.asymmetry import ghost
from kinema.mocap.edits.feet import Feet
from kinema.motion import Motion
from kinema.rendering.faces import weights_at
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rootframe import smooth_columns
from kinema.session.library import Clip

MANNEQUIN = "Mannequin"
"""The body that every skeleton can have."""

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Footage:
    """A clip on a body.

    Attributes:
        clip: where it is from. mirrored: whether it is shown in a mirror.
        motion: what is shown, None for what stands still. ghost: its mirror image laid over it, None without a motion.
        character: who is drawn. dress: the name of that body, as in `wardrobe`.
        size: metres, of what is to be seen.
        roots, headings: `[F, 3]` and `[F, 4]`, the root frame; one row for what stands still.
        velocities: `[F, J, 3]`, m/s. centres: `[F, 3]`, what a camera looks at.
        feet: names of contact points, their joints and the frames in which they touch.
    """

    clip: Clip
    mirrored: bool
    motion: Motion | None
    ghost: Motion | None
    character: Character
    dress: str
    size: float
    roots: NDArray[np.float32]
    headings: NDArray[np.float32]
    velocities: NDArray[np.float32]
    centres: NDArray[np.float32]
    feet: tuple[str, ...]
    feet_joints: tuple[int, ...]
    contacts: dict[str, Spans]

    @property
    def frames(self) -> int:
        return 1 if self.motion is None else self.motion.frames

    @property
    def fps(self) -> float:
        return 30.0 if self.motion is None else self.motion.fps

    def pose(self, time: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Global rotations `[J, 4]` and positions `[J, 3]` at a time in seconds, between frames too."""
        return _posed(self.motion, self.clip, time)

    def face(self, time: float) -> NDArray[np.float32] | None:
        """Weights `[1, M]` of the morph targets at a time in seconds; None where they rest."""
        weights = None if self.motion is None else weights_at(self.character, self.motion, time)
        return None if weights is None else weights[None]

    def ghost_pose(self, time: float) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
        """The same of the mirror image; None without a motion."""
        return None if self.ghost is None else _posed(self.ghost, self.clip, time)

    def touching(self, frame: int, contacts: Mapping[str, Spans]) -> NDArray[np.float32]:
        """`[C]`, 1 for contact points that touch in a frame."""
        return np.array([any(a <= frame < b for a, b in contacts.get(name, ())) for name in self.feet], np.float32)


def _posed(motion: Motion | None, clip: Clip, time: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    if motion is None:
        pose = clip.skeleton.rest_pose
    else:
        pose = motion.sample([time], "cubic")[0]
    return pose.global_rotations, pose.global_positions


def wardrobe(clip: Clip, others: dict[str, Character]) -> dict[str, Callable[[], Character]]:
    """Bodies that fit a clip's skeleton, by name, its own first; those that must be made are made when called."""
    fitting: dict[str, Callable[[], Character]] = {}
    if clip.character is not None and clip.character.meshes:
        own = clip.character
        fitting["Own mesh"] = lambda: own
    fitting[MANNEQUIN] = lambda: build_mannequin(clip.skeleton)
    for name, character in others.items():
        if character is not clip.character and character.skeleton.same_topology(clip.skeleton):
            fitting[name] = lambda character=character: character
    return fitting


def prepare(clip: Clip, mirrored: bool, dress: str, others: dict[str, Character]) -> Footage:
    """Read a clip and work out what its pictures need.

    Args:
        dress: the body wanted; the clip's first where it has none of that name.
        others: characters of other files, by name.

    Raises:
        KinemaError: the clip cannot be read.
    """
    motion = clip.load()
    if motion is not None and motion.frames == 0:
        motion = None
    if motion is not None and mirrored:
        motion = motion.mirror()
    bodies = wardrobe(clip, others)
    name = dress if dress in bodies else next(iter(bodies))
    character = bodies[name]()
    size = clip.size(motion)
    if motion is None:
        placed = clip.skeleton.rest_pose.global_positions
        still = np.zeros((1, clip.skeleton.joint_count, 3), np.float32)
        middle = placed.mean(axis=0, keepdims=True).astype(np.float32)
        upright = np.array([[1, 0, 0, 0]], np.float32)
        return Footage(
            clip, mirrored, None, None, character, name, size, middle * [1, 0, 1], upright, still, middle, (), (), {}
        )
    placed = motion[:].global_positions
    roots, headings = motion.root_frame()
    feet = Feet.of(motion)
    hips = placed[:, motion.skeleton.roles.hips]
    return Footage(
        clip,
        mirrored,
        motion,
        ghost(motion),
        character,
        name,
        size,
        roots,
        headings,
        kinematics.velocities(placed, 1.0 / motion.fps) if motion.frames > 1 else np.zeros_like(placed),
        smooth_columns(hips, round(motion.fps)),
        feet.points,
        tuple(feet.joints.tolist()),
        feet.current(),
    )

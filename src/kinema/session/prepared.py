"""A clip ready to be shown: everything that is the same for all of its pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics
from kinema.character import Character
from kinema.mocap.edits.asymmetry import ghost
from kinema.mocap.edits.feet import Feet
from kinema.mocap.edits.spans import Spans
from kinema.motion import Motion
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rootframe import smooth_columns
from kinema.session.library import LibraryClip

MANNEQUIN = "Mannequin"
"""The body that every skeleton can have."""


@dataclass(frozen=True, eq=False)
class PreparedClip:
    """A clip on a body.

    Attributes:
        clip: where it is from. mirrored: whether it is shown in a mirror.
        motion: what is shown; None for a rest pose.
        character: who is drawn. body: the name of that body, as in `bodies`.
        size: metres, of what is to be seen.
        roots, facings: `[F, 3]` and `[F, 4]`, the root frame; one row for a rest pose.
        velocities: `[F, J, 3]`, m/s. centres: `[F, 3]`, a smooth path of the hips, for cameras.
        feet: the contact points; None for a rest pose.
    """

    clip: LibraryClip
    mirrored: bool
    motion: Motion | None
    character: Character
    body: str
    size: float
    roots: NDArray[np.float32]
    facings: NDArray[np.float32]
    velocities: NDArray[np.float32]
    centres: NDArray[np.float32]
    feet: Feet | None

    @property
    def frames(self) -> int:
        return 1 if self.motion is None else self.motion.frames

    @property
    def fps(self) -> float:
        return 30.0 if self.motion is None else self.motion.fps

    @cached_property
    def contacts(self) -> Mapping[str, Spans]:
        """When each contact point touches, before any edit."""
        return {} if self.feet is None else self.feet.current()

    @cached_property
    def mirror_image(self) -> Motion | None:
        """The mirror image laid over the motion."""
        return None if self.motion is None else ghost(self.motion)


def bodies(clip: LibraryClip, others: Mapping[str, Character]) -> dict[str, Callable[[Motion | None], Character]]:
    """Bodies that fit a clip's skeleton, by name, its own first; they are made, for a motion, when called."""
    fitting: dict[str, Callable[[Motion | None], Character]] = {}
    if clip.character is not None and clip.character.meshes:
        own = clip.character
        fitting["Own mesh"] = lambda motion: own
    fitting[MANNEQUIN] = lambda motion: build_mannequin(clip.skeleton, motion=motion)
    for name, character in others.items():
        if character is not clip.character and character.skeleton.same_topology(clip.skeleton):
            fitting[name] = lambda motion, character=character: character
    return fitting


def prepare(
    clip: LibraryClip, mirrored: bool = False, body: str = "", others: Mapping[str, Character] | None = None
) -> PreparedClip:
    """Read a clip and compute what its pictures need.

    Args:
        body: the body wanted; the clip's first where it has none of that name.
        others: characters of other files, by name.

    Raises:
        KinemaError: the clip cannot be read.
    """
    motion = clip.load()
    if motion is not None and motion.frames == 0:
        motion = None
    if motion is not None and mirrored:
        motion = motion.mirror()
    fitting = bodies(clip, others or {})
    name = body if body in fitting else next(iter(fitting))
    made, size = fitting[name](motion), clip.size(motion)
    if motion is None:
        placed = clip.skeleton.rest_pose.global_positions
        still = np.zeros((1, clip.skeleton.joint_count, 3), np.float32)
        middle = placed.mean(axis=0, keepdims=True).astype(np.float32)
        upright = np.array([[1, 0, 0, 0]], np.float32)
        ground = middle * np.array([1, 0, 1], np.float32)
        return PreparedClip(clip, mirrored, None, made, name, size, ground, upright, still, middle, None)
    placed = motion[:].global_positions
    roots, facings = motion.root_frame()
    return PreparedClip(
        clip,
        mirrored,
        motion,
        made,
        name,
        size,
        roots,
        facings,
        kinematics.velocities(placed, 1.0 / motion.fps) if motion.frames > 1 else np.zeros_like(placed),
        smooth_columns(placed[:, motion.skeleton.roles.hips], round(motion.fps)),
        Feet.of(motion),
    )

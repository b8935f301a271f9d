"""A clip prepared for display: everything that does not depend on the time."""

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
"""Name of the body that is made for any skeleton."""


@dataclass(frozen=True, eq=False)
class PreparedClip:
    """A clip on a body.

    Attributes:
        clip: the source. mirrored: whether it is mirrored.
        motion: the motion shown; None for a rest pose.
        character: the body. body: its name in `bodies`.
        size: size of the subject, metres.
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
        """Spans of each contact point, without edits."""
        return {} if self.feet is None else self.feet.current()

    @cached_property
    def mirror_image(self) -> Motion | None:
        """The mirror image, aligned with the motion."""
        return None if self.motion is None else ghost(self.motion)


def bodies(clip: LibraryClip, others: Mapping[str, Character]) -> dict[str, Callable[[Motion | None], Character]]:
    """Bodies that fit the skeleton of a clip, by name, its own first, as functions of the motion."""
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
        body: name of the body; the first one if there is none of that name.
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
    character, size = fitting[name](motion), clip.size(motion)
    positions = (clip.skeleton.rest_pose[None] if motion is None else motion[:]).global_positions
    velocities = np.zeros_like(positions)
    if motion is None:
        centres, facings = positions.mean(axis=1), np.array([[1, 0, 0, 0]], np.float32)
        roots = centres * np.array([1, 0, 1], np.float32)
    else:
        roots, facings = motion.root_frame()
        centres = smooth_columns(positions[:, motion.skeleton.roles.hips], round(motion.fps))
        if motion.frames > 1:
            velocities = kinematics.velocities(positions, 1.0 / motion.fps)
    return PreparedClip(
        clip,
        mirrored,
        motion,
        character,
        name,
        size,
        roots,
        facings,
        velocities,
        centres,
        None if motion is None else Feet.of(motion),
    )

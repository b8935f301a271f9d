"""Retargeting by constraint: what the source moves is given, and a trained model moves the rest of the target.

Tails, ears, jaws or antennae that a source has nothing for stay as they are at rest in plain retargeting. Here all that
was retargeted, the root's travel and the contacts of the feet are known to the model, and it adds what goes with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from kinema.arrays import Bools, Singles
from kinema.errors import listed
from kinema.generation.channels import decode, encode
from kinema.generation.edits import standing_joints
from kinema.generation.generator import Generator, Known
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings
from kinema.motion import Motion
from kinema.retargeting.retargeter import Retargeted, Retargeter
from kinema.retargeting.transfer import KEEP

_LEFT_ALONE = frozenset(("twist", "helper", "prop", "root", "face", "eye", "hair"))
_LEFT_ALONE |= frozenset(("thumb", "index", "middle", "ring", "little", "finger", "toes"))
"""Parts that do not move by themselves, or of which models of whole bodies know too little."""

_LOADED = lru_cache(maxsize=1)(Generator.load)


@dataclass(frozen=True)
class Infill:
    """Moves the joints of a target that nothing of a source moves. It is pickled to worker processes.

    Attributes:
        model: folder of a trained model. seed: of the noise. steps: of the flow.
    """

    model: str
    seed: int = 0
    steps: int = 8

    def __call__(self, setup: Retargeter, result: Retargeted) -> Retargeted:
        """A retargeted motion in which joints move that kept their rest pose; all others are exactly as before.

        Raises:
            LearningError: the model cannot be read.
        """
        body = AnyRig.of(result.motion.skeleton)
        loose = loose_joints(body, setup.transfer.ops != KEEP)
        if not loose.any():
            return result
        settings = SamplingSettings(self.steps, guidance=1.0)  # nothing is asked that could be overstated
        motion = filled(body, result.motion, loose, _LOADED(self.model), self.seed, settings)
        names = [result.motion.skeleton.names[joint] for joint in body.joints[loose].tolist()]
        kept = tuple(name for name in result.report.unmatched if name not in names)
        told = f"{len(names)} joints that the source has nothing for are moved by the model: {listed(names, 12)}"
        report = replace(result.report, unmatched=kept, warnings=(*result.report.warnings, told))
        return replace(result, motion=motion, report=report)


def loose_joints(body: AnyRig, moved: Bools) -> Bools:
    """Which animated joints `[K]` are free: those of branches in which nothing is moved.

    A joint that carries one that is moved stays: with it, feet and hands would leave their places.

    Args:
        moved: `[J]`, of the joints of the skeleton.
    """
    parts = body.skeleton.roles.parts
    held = np.asarray([moved[joint] or parts[joint] in _LEFT_ALONE for joint in body.joints.tolist()])
    held[0] = True
    for joint in range(body.count - 1, 0, -1):
        held[body.parents[joint]] |= held[joint]
    return ~held


def filled(
    body: AnyRig, motion: Motion, loose: Bools, generator: Generator, seed: int, settings: SamplingSettings
) -> Motion:
    """The motion with new rotations of some joints, at its own rate.

    Args:
        motion: of the rig's skeleton. loose: `[K]`, which animated joints are new.
    """
    channels, start = encode(body, motion, standing_joints(body, motion))
    known = np.broadcast_to(~loose, channels.shape[:2])
    root = np.ones(len(channels), np.bool_)
    made = generator.sample(
        body, len(channels), seed=seed, settings=settings, known=Known(channels * known[..., None], known, root)
    )
    return _with_turns(motion, decode(body, made[0], start), body.joints[loose].tolist())


def _with_turns(motion: Motion, other: Motion, joints: Sequence[int]) -> Motion:
    """A motion with the local rotations of some joints from another, which may have another rate."""
    turns: Singles = motion.local_rotations.copy()
    turns[:, joints] = other.sample(np.arange(motion.frames) / motion.fps).local_rotations[:, joints]
    return motion.replace(local_rotations=turns)

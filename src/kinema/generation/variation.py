"""Rigs that move alike with other joints: ends of branches left out, joints put between two others, other names.

What is learned of one rig then does not depend on how finely its author divided it. Joints that may stand on the ground
are never left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Indices, Singles
from kinema.errors import SkeletonError
from kinema.generation.channels import CHANNELS, HEIGHT, PLACE, TRAVEL
from kinema.generation.rig import AnyRig
from kinema.skeleton import Skeleton

_LEFT_OUT = (0.0, 0.1, 0.3)  # shares of the ends that may be left out
_PUT_IN = (0, 1, 3)  # joints
_NAMELESS = 0.3
_LOW = 0.15  # share of the height of the hips below which an end may stand on the ground
_SAME = 1e-3  # units


@dataclass(frozen=True, eq=False)
class Variation:
    """A rig that moves like another.

    Attributes:
        rig: the new one, with `N` animated joints.
        first, second: int32 `[N]`: each joint lies between these two of the other rig; they are the same for a joint
            that the other rig has, too.
        scale: units of the new rig in one of the other.
    """

    rig: AnyRig
    first: Indices
    second: Indices
    scale: float

    def channels(self, channels: Singles) -> Singles:
        """Channels `[F, N, CHANNELS]` of the new rig from those of the other `[F, K, CHANNELS]`."""
        own = self.first == self.second
        out = np.zeros((len(channels), len(own), CHANNELS), np.float32)
        out[:, own] = channels[:, self.first[own]]
        out[..., PLACE] = 0.5 * self.scale * (channels[:, self.first, PLACE] + channels[:, self.second, PLACE])
        out[:, 0, HEIGHT] *= self.scale
        out[:, 0, TRAVEL.start : TRAVEL.stop - 1] *= self.scale
        return out


def vary(rig: AnyRig, rng: np.random.Generator) -> Variation | None:
    """A random variation; None where the change would hide what the body is, or how it stands."""
    skeleton = rig.skeleton
    removed = _ends(rig, float(rng.choice(_LEFT_OUT)), rng)
    kept = np.setdiff1d(np.arange(skeleton.joint_count), removed)
    split = rng.permutation(np.intersect1d(kept, rig.joints[1:]))[: int(rng.choice(_PUT_IN))]
    try:
        changed, sources = _skeleton(skeleton, kept, split, bool(rng.random() < _NAMELESS), rng)
        made = AnyRig.of(changed)
    except SkeletonError:
        return None
    return _matched(rig, made, sources)


def _ends(rig: AnyRig, share: float, rng: np.random.Generator) -> Indices:
    """Joints of the skeleton, ends of branches above the ground, that are left out."""
    skeleton = rig.skeleton
    ends = [
        joint
        for column, joint in enumerate(rig.joints.tolist())
        if not skeleton.children[joint] and rig.rest_positions[column, 1] > _LOW * rig.rest_positions[0, 1]
    ]
    return rng.permutation(np.asarray(ends, np.int32))[: round(share * len(ends))]


def _skeleton(
    skeleton: Skeleton, kept: Indices, split: Indices, nameless: bool, rng: np.random.Generator
) -> tuple[Skeleton, list[tuple[int, int]]]:
    """The new skeleton, and the two joints of the old one that each of its joints lies between.

    Args:
        kept: joints of the old one, ascending. split: those above which one is put in.
    """
    names: list[str] = []
    parents: list[int] = []
    translations: list[Singles] = []
    turns: list[Singles] = []
    sources: list[tuple[int, int]] = []
    place: dict[int, int] = {-1: -1}

    def add(name: str, parent: int, translation: Singles, turn: Singles, source: tuple[int, int]) -> None:
        names.append(name)
        parents.append(parent)
        translations.append(translation)
        turns.append(turn)
        sources.append(source)

    for joint in kept.tolist():
        above = int(skeleton.parents[joint])
        translation, parent = skeleton.rest_translations[joint], place[above]
        if joint in split:
            translation = 0.5 * translation
            upright = np.asarray([1, 0, 0, 0], np.float32)
            add(f"{skeleton.names[above]}_mid_{joint}", parent, translation, upright, (above, joint))
            parent = len(names) - 1
        add(skeleton.names[joint], parent, translation, skeleton.rest_rotations[joint], (joint, joint))
        place[joint] = len(names) - 1
    if nameless:
        names = [f"bone_{number}" for number in rng.permutation(len(names)).tolist()]
    tips = [
        (place[joint], offset)
        for joint, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True)
        if joint in place
    ]
    return Skeleton.create(names, parents, np.stack(translations), np.stack(turns), tips), sources


def _matched(rig: AnyRig, made: AnyRig, sources: list[tuple[int, int]]) -> Variation | None:
    """The variation, if the new rig is seen as the old one was: the same root, facing and tree."""
    column = {joint: number for number, joint in enumerate(rig.joints.tolist())}
    pairs = [sources[joint] for joint in made.joints.tolist()]
    if any(one not in column or two not in column for one, two in pairs) or pairs[0] != (rig.joints[0],) * 2:
        return None
    first, second = (np.asarray([column[pair[side]] for pair in pairs], np.int32) for side in (0, 1))
    scale = rig.unit / made.unit
    expected = 0.5 * scale * (rig.rest_positions[first] + rig.rest_positions[second])
    offsets = np.abs((expected - expected[0]) - (made.rest_positions - made.rest_positions[0]))
    own, above = first == second, made.parents[1:]
    hangs_on = np.where(own, rig.parents[second], first)[1:]
    hung = (first[above] == hangs_on) & ((second[above] == hangs_on) | (own[1:] & (second[above] == second[1:])))
    return Variation(made, first, second, scale) if offsets.max() < _SAME and hung.all() else None

"""Motion of one skeleton on another: the set-up of a pair, and what is done to each motion."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, rotations
from kinema.character import Character
from kinema.errors import SkeletonError
from kinema.formats import Asset
from kinema.mocap import contacts as detection
from kinema.motion import Motion
from kinema.retargeting import contacts
from kinema.retargeting.alignment import align
from kinema.retargeting.beside import strays_of
from kinema.retargeting.builds import knowing
from kinema.retargeting.limbs import Limb, carrier, clearances, common_ground, legs_of, loose_ends, strays
from kinema.retargeting.mapping import match
from kinema.retargeting.overrides import Overrides
from kinema.retargeting.reach import SOFT, Way, calmed, calmed_path, lead, levelled, standing_tops
from kinema.retargeting.report import Footing, Report, measure
from kinema.retargeting.soles import sole_height
from kinema.retargeting.stance import LEGS, find_stance
from kinema.retargeting.transfer import transfer, transfer_rotations
from kinema.skeleton import Skeleton

Floats = NDArray[np.float32]
Target = Skeleton | Character | Asset

TRUNK = ("spine", "neck", "head")
CALM = (0.025, 0.08)  # seconds: standard deviation of what a trunk is smoothed with on other builds; on other plans
LOPSIDED = 1.15  # times as high as the other one, a leg stands in no pose that is at rest
LEVER = 0.1  # seconds: the same for how the hips sit over the legs


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A motion on its new skeleton, and how well it fits.

    Attributes:
        motion: of the target's skeleton; rate, name, labels and tags are those of the source.
        report: errors, contacts and what was left out.
    """

    motion: Motion
    report: Report


class Retargeter:
    """Everything about a pair of skeletons that does not depend on the motion.

    Attributes:
        source, target: the skeletons.
        match: what moves what.
        scale: size of the target over that of the source, by the height of their hips.
        warnings: what had to be assumed.
        source_stance: how the source stands. body: the target's joint that carries it. legs: of source and target.
        clearances: height of each leg's touching point above the ground. tops: which of `legs` carry the body.
        beside: joints of the target beside its body. ways: legs of other build than the source's, by their chain.

    Args:
        source: the skeleton that motions come from.
        target: where they go: a skeleton, a character, or a file that was loaded.
        motions: of the source; needed (one at least) if its rest pose is none that a body stands in.
        mapping: the user's word on chains and joints, as a dictionary or a JSON file; see `overrides.Overrides`.

    Raises:
        SkeletonError: nothing matches, a rest pose says nothing and there is no motion to look at instead, or
            `mapping` names what is not there.
        FormatError: `mapping` is no mapping.
    """

    def __init__(
        self,
        source: Skeleton,
        target: Target,
        *,
        motions: Sequence[Motion] = (),
        mapping: Overrides | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    ) -> None:
        character = target if isinstance(target, Character) else target.character if isinstance(target, Asset) else None
        own = target.motions if isinstance(target, Asset) else ()
        self.source, self.target = knowing(source, motions), knowing(target_skeleton(target), own)
        here, there = find_stance(self.source, motions), find_stance(self.target, own)
        self.source_stance = here
        beside = [strays(self.source, here.positions), strays(self.target, there.positions)]
        loose = (
            loose_ends(self.source, here.positions, beside[0]),
            loose_ends(self.target, there.positions, beside[1]),
        )
        frames, theirs = align(self.source, here, loose[0]), align(self.target, there, loose[1])
        straight = frames.straight, theirs.straight
        self.match = match(self.source, self.target, Overrides.create(mapping), straight, loose)
        self.transfer = transfer(self.match, frames, theirs, self.target, there)
        self.warnings = tuple(
            f"the rest pose of the {which} is none that a body stands in; its stance was measured from motion"
            for which, stance in (("source", here), ("target", there))
            if stance.measured
        )
        feet = [j for j, part in enumerate(self.target.roles.parts) if part in ("foot", "toe")]
        feet += [c.joints[-1] for c in self.target.roles.chains if c.kind in LEGS] + list(loose[1].values())
        soles = None if character is None else sole_height(character, there, feet)
        legs = legs_of(self.source, here, frames, loose[0])
        high = [leg.top for leg in legs.values() if "front_leg" not in leg.chain]
        if here.measured or (motions and high and max(high) > LOPSIDED * min(high)):
            # the mean of a motion is not how high a body stands, nor is one of its frames
            tops = standing_tops(motions, {name: leg for name, leg in legs.items() if not leg.straight})
            legs = {name: replace(leg, top=tops.get(name, leg.top)) for name, leg in legs.items()}
        others = legs_of(self.target, there, theirs, loose[1], soles)
        self.legs: list[tuple[Limb, Limb]] = []
        for name, leg in others.items():
            other = legs.get(self.match.chains.get(name, ""))
            if other is not None:
                toes = (other.on_toe and leg.on_toe) or not (other.straight and leg.straight)
                self.legs.append((other, leg) if toes else (other.at_foot(), leg.at_foot()))
        heights = clearances(there, {leg.chain: leg for _, leg in self.legs}, soles)
        self.clearances = [heights[leg.chain] for _, leg in self.legs]
        self.tops, self.scale = self._carry()
        self.body = carrier(self.target)
        ways = [
            Way.of((self.source, self.target), (here, there), pair, self.scale)
            for pair in self.legs
            if not (pair[0].straight and pair[1].straight)
        ]
        self.ways = {} if all(way.alike for way in ways) else {way.target.chain: way for way in ways}
        self.legs = [(a, replace(b, straight=b.straight and b.chain not in self.ways)) for a, b in self.legs]
        self.beside = strays_of(self.match, self.body, there, beside[1], loose[1], set(self.ways))

    def _carry(self) -> tuple[list[int], float]:
        """Which of `legs` carry the hips in both, and the scale that all give."""
        if not self.legs:
            return [], self.target.height / self.source.height if self.source.height > 1e-6 else 1.0
        behind = [i for i, (_, leg) in enumerate(self.legs) if "front_leg" not in leg.chain]
        straight = all(a.straight and b.straight for a, b in self.legs)
        mine = [a.length if straight else a.top for a, _ in self.legs]
        yours = [b.length if straight else b.top for _, b in self.legs]
        return behind or list(range(len(self.legs))), float(np.sum(yours) / np.sum(mine))

    def __call__(
        self, motion: Motion, *, contacts: bool = True, refine: bool | None = None, measured: bool = True
    ) -> Retargeted:
        """One motion on the target.

        Args:
            motion: of the source skeleton.
            contacts: keep feet that stand where they stand; without it the closed form alone is taken.
            refine: solve every frame by least squares after that: hands reach as far as the source's, limbs keep out
                of the body, hinges keep axes and limits. None does it for robots, whose hinges need it.
            measured: fill the report; without it the report says what was matched and how long it took.

        Raises:
            SkeletonError: the motion has other joints than the source, or no frames.
        """
        if not motion.skeleton.same_topology(self.source):
            raise SkeletonError(f"motion {motion.name!r} has other joints than the skeleton this was set up for")
        if motion.frames == 0:
            raise SkeletonError(f"motion {motion.name!r} has no frames to retarget")
        began = time.perf_counter()
        world = motion[:]
        turned, placed = world.global_rotations, world.global_positions
        states = self.standing(motion, turned, placed)
        calm = self._calmed(turned, motion.fps)
        local = transfer_rotations(self.transfer, calm)
        hips = self.hips(calm, placed, states, motion.fps)
        poses = self.globals(local, hips)
        if self.ways:
            ways = [
                (self.ways[leg.chain], state, clearance)
                for (_, leg), (_, state), clearance in zip(self.legs, states, self.clearances, strict=True)
                if leg.chain in self.ways
            ]
            local = lead(self.target, local, (turned, placed), poses, ways, self.scale, motion.fps)
            poses = self.globals(local, hips)
        refine = bool(self.target.hinges) if refine is None else refine
        plain = self._motion(motion, local, hips) if refine else None
        if contacts and self.legs:
            local, sinks = self._plant(local, poses, states, motion.fps)
            hips[:, 1] -= sinks
        result = self._motion(motion, local, hips)
        if plain is not None:
            from kinema.retargeting.refine import refine as solve

            standing = [(leg, state.stands) for (_, leg), (_, state) in zip(self.legs, states, strict=True)]
            result = solve(self, (turned, placed), plain, result, standing)
        wall = time.perf_counter() - began
        report = Report.of(self.match, motion.frames, wall, (*motion.warnings, *self.warnings))
        if plain is not None:  # hinges that nothing moves by itself were solved for
            hinged = {self.target.names[hinge.joint] for hinge in self.target.hinges}
            report = dataclasses.replace(report, unmatched=tuple(n for n in report.unmatched if n not in hinged))
        if measured:
            report = measure(report, self, motion, (turned, placed), result, self._footing(states))
        return Retargeted(result, report)

    def _calmed(self, turned: Floats, fps: float) -> Floats:
        """Global rotations of the source `[F, S, 4]`, its trunk and tail calm for a body of other build."""
        if not self.ways:
            return turned
        roles, level = (
            self.source.roles,
            [any(c.kind == "front_leg" for c in s.roles.chains) for s in (self.source, self.target)],
        )
        kinds = TRUNK if level[0] != level[1] else (*TRUNK, "tail")
        joints = sorted({roles.hips, *(j for c in roles.chains if c.kind in kinds for j in c.joints)})
        if level[0] == level[1]:
            return calmed(turned, joints, CALM[0] * fps)
        turned = levelled(turned, self.source_stance.global_rotations, roles.hips, joints)
        return calmed(turned, joints, CALM[1] * fps)

    def standing(self, motion: Motion, turned: Floats, placed: Floats) -> list[tuple[float, contacts.Standing]]:
        """Of each leg how high the source touches while it stands, and when it stands, in the target's size."""
        states = []
        paths = [leg.path(turned, placed)[:, None] for leg, _ in self.legs]
        sizes = [(leg.length if leg.straight else leg.top) / detection.REFERENCE_LEG for leg, _ in self.legs]
        grounds = common_ground(paths, motion.fps, sizes)
        for points, size, ground in zip(paths, sizes, grounds, strict=True):
            stands = detection.detect(points, motion.fps, ground, size)[:, 0]
            heights = self.scale * (points[:, 0, 1] - ground)
            states.append((ground, contacts.Standing(stands, heights.astype(np.float32))))
        return states

    def hips(
        self, turned: Floats, placed: Floats, states: list[tuple[float, contacts.Standing]], fps: float | None = None
    ) -> Floats:
        """Where the target's hips are, `[F, 3]`: travel and height in the target's size, the feet on its ground.

        Args:
            fps: what is different in how hips and legs sit is then smoothed over time: noise of how the hips are turned
                would else swing the whole body.
        """
        a, b = self.source.roles.hips, self.body
        link = next((link for link in self.match.links if link.target == b), None)
        turn = rotations.identity((len(turned),), turned)
        if link is not None:
            turn = rotations.multiply(turned[:, link.first], self.transfer.first[b])
        if not self.tops:
            return (self.scale * placed[:, a]).astype(np.float32)
        legs = [self.legs[index] for index in self.tops]
        here = np.mean([placed[:, leg.upper] for leg, _ in legs], axis=0)
        lifts = [self.lift(index, states[index][0]) for index in self.tops]
        lever = self.scale * (here - placed[:, a]) - rotations.rotate(turn, self.seat)
        hips = self.scale * placed[:, a] + (lever if fps is None else calmed_path(lever, LEVER * fps))
        hips[:, 1] += float(np.mean(lifts))
        return hips.astype(np.float32)

    @cached_property
    def seat(self) -> Floats:
        """From the target's hips to the middle of the tops of the legs that carry it, `[3]`, in the hips' frame."""
        turned, placed = self.target.rest_pose.global_rotations, self.target.rest_pose.global_positions
        tops = np.mean([placed[self.legs[index][1].upper] for index in self.tops], axis=0)
        return rotations.inverse_rotate(turned[self.body], (tops - placed[self.body]).astype(np.float32))

    def lift(self, index: int, ground: float) -> float:
        """What to add to scaled heights so that this leg's foot is on the ground when the source's is."""
        leg, other = self.legs[index]
        if leg.straight and other.straight:
            return self.clearances[index] + other.rise - self.scale * (ground + leg.rise)
        lowered = max((way.lowered for way in self.ways.values()), default=0.0)
        return self.clearances[index] + other.top - lowered - self.scale * (ground + leg.top)

    def globals(self, local: Floats, hips: Floats) -> tuple[Floats, Floats]:
        """Poses in the world with the hips where they shall be."""
        skeleton, b = self.target, self.body
        moved = np.broadcast_to(skeleton.rest_translations, (len(local), skeleton.joint_count, 3)).copy()
        moved[:, b] = self._local_hips(hips)
        return kinematics.forward(local, moved, skeleton.parents.tolist())

    def _local_hips(self, hips: Floats) -> Floats:
        """In the frame of what the hips hang on, which stays at rest."""
        parent = int(self.target.parents[self.body])
        if parent < 0:
            return hips
        turned, placed = self.target.rest_pose.global_rotations, self.target.rest_pose.global_positions
        return rotations.inverse_rotate(turned[parent], hips - placed[parent])

    def _plant(
        self, local: Floats, poses: tuple[Floats, Floats], states: list[tuple[float, contacts.Standing]], fps: float
    ) -> tuple[Floats, Floats]:
        legs, standing = [leg for _, leg in self.legs], [state for _, state in states]
        soft = [SOFT if leg.chain in self.ways else 0.0 for leg in legs]
        return contacts.plant(self.target, local, *poses, legs, standing, self.clearances, soft, fps)

    def _motion(self, motion: Motion, local: Floats, hips: Floats) -> Motion:
        """The result, with what stands beside the body put where its limb is."""
        skeleton = self.target
        moved: dict[int, Floats] = {self.body: self._local_hips(hips)}
        if self.beside:
            turned, placed = self.globals(local, hips)
            legs = {leg.chain: (leg, clearance) for (_, leg), clearance in zip(self.legs, self.clearances, strict=True)}
            for stray in self.beside:
                way = self.ways.get(stray.foot_of)
                heights = legs[stray.foot_of][0].path(turned, placed)[:, 1] - legs[stray.foot_of][1] if way else None
                moved[stray.joint], local[:, stray.joint] = stray.carried(skeleton, turned, placed, way, heights)
        for root in np.flatnonzero(skeleton.parents < 0).tolist():
            moved.setdefault(root, np.broadcast_to(skeleton.rest_translations[root], hips.shape))
        joints = sorted(moved)
        labels = {name: values for name, values in motion.labels.items() if not name.startswith("morph.")}
        return Motion.create(
            skeleton,
            local,
            np.stack([moved[joint] for joint in joints], axis=1),
            joints,
            motion.fps,
            motion.name,
            labels,
            motion.tags,
            (*motion.warnings, *self.warnings),
        )

    def _footing(self, states: list[tuple[float, contacts.Standing]]) -> list[Footing]:
        return [
            Footing(a, b, state.stands, ground, clearance)
            for (a, b), (ground, state), clearance in zip(self.legs, states, self.clearances, strict=True)
        ]


def target_skeleton(target: Target) -> Skeleton:
    """The skeleton of something that motion can go to.

    Raises:
        SkeletonError: a file without a skeleton.
    """
    if isinstance(target, Skeleton):
        return target
    if target.skeleton is None:
        raise SkeletonError(f"{target.path}: holds no skeleton to retarget to")
    return target.skeleton


def retarget(
    motion: Motion,
    target: Target,
    *,
    contacts: bool = True,
    refine: bool | None = None,
    mapping: Overrides | Mapping[str, Any] | str | os.PathLike[str] | None = None,
) -> Retargeted:
    """One motion on another skeleton. For several motions of one skeleton set up a `Retargeter` once.

    Args:
        motion: of any skeleton with roles that the target has too.
        target: a skeleton, a character or a loaded file.
        contacts: keep feet that stand where they stand.
        refine: solve every frame by least squares after that; None for robots only.
        mapping: the user's word on chains and joints, as a dictionary or a JSON file; see `overrides.Overrides`.

    Raises:
        SkeletonError: nothing matches, or the target's rest pose says nothing about how it stands.
        FormatError: `mapping` is no mapping.
    """
    setup = Retargeter(motion.skeleton, target, motions=(motion,), mapping=mapping)
    return setup(motion, contacts=contacts, refine=refine)


def onto(asset: Asset, motions: Sequence[Motion]) -> Asset:
    """The target's file with new motions in place of its own: the character, its meshes and materials stay."""
    return replace(asset, motions=tuple(motions), warnings=tuple(dict.fromkeys(w for m in motions for w in m.warnings)))

"""Retargets motion from one skeleton to another: the set-up of a pair, and the passes over each motion."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Singles
from kinema.character import Character
from kinema.errors import SkeletonError
from kinema.formats import Asset
from kinema.mocap import contacts as detection
from kinema.mocap.jumps import trim_at_jumps
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.chains import LEGS, has_front_legs
from kinema.retargeting.contacts import LegContacts, plant
from kinema.retargeting.followers import followers
from kinema.retargeting.foot_paths import FootPath, LegPair, follow_paths, standing_tops
from kinema.retargeting.limbs import Limb, clearances, common_ground, legs_of
from kinema.retargeting.mapping import Match, match
from kinema.retargeting.overrides import Overrides
from kinema.retargeting.report import Report, measure
from kinema.retargeting.smoothing import level_trunk, smooth, smooth_joints
from kinema.retargeting.soles import Corner, FootVertices
from kinema.retargeting.stance import StandingPose
from kinema.retargeting.transfer import transfer
from kinema.roles import carrier
from kinema.skeleton import Skeleton

Target = Skeleton | Character | Asset

TRUNK = ("spine", "neck", "head")
SMOOTH = {True: 0.025, False: 0.08}
"""Seconds, standard deviation of the smoothing of a trunk on a different build, by whether both trunks lie alike."""
LOPSIDED = 1.15  # ratio of the heights of two legs from which a pose is not one of a body at rest
LEAST = 1e-3  # metres of a trunk
LEVER = 0.1  # seconds: standard deviation of the smoothing of how the hips sit over the legs and under the trunk


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A motion on its new skeleton, and how well it fits.

    Attributes:
        motion: a motion of the target's skeleton; rate, name, labels and tags are those of the source.
        report: errors, contacts and what was left out.
    """

    motion: Motion
    report: Report

    def __repr__(self) -> str:
        return f"<Retargeted {self.motion!r}, directions {self.report.direction_error_deg or 0.0:.1f} degrees off>"


class Retargeter:
    """Everything about a pair of skeletons that does not depend on the motion.

    Attributes:
        source, target: the skeletons, with the roles that were used.
        bodies: the anatomies of both.
        match: which source joint moves which target joint. transfer: the constants of the closed form.
        legs: pairs of legs. tops: indices of the pairs that carry the body.
        scale: size of the target relative to that of the source, by the height of their hips.
        body: the target's joint that carries it.
        followers: joints of the target that are detached from its body.
        warnings: what was assumed.

    Args:
        source: the skeleton of the motions.
        target: a skeleton, a character, or a file that was loaded.
        motions: motions of the source, at least one if its rest pose is not a standing pose.
        mapping: matches of chains and joints stated by the user, as a dictionary or a JSON file; see
            `overrides.Overrides`.

    Raises:
        SkeletonError: nothing matches, a rest pose is not a standing pose and there is no motion, or `mapping` names
            something that does not exist.
        FormatError: `mapping` is not a mapping.
    """

    def __init__(
        self,
        source: Skeleton,
        target: Target,
        *,
        motions: Sequence[Motion] = (),
        mapping: Overrides | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    ) -> None:
        own = target.motions if isinstance(target, Asset) else ()
        character = target.character if isinstance(target, Asset) else target
        here, there = Anatomy.of(source, motions), Anatomy.of(target_skeleton(target), own)
        self.bodies = here, there
        self.source, self.target = here.skeleton, there.skeleton
        self.match = match(self.bodies, Overrides.create(mapping))
        self.transfer = transfer(self.match, here, there)
        self.warnings = tuple(
            f"the rest pose of the {which} is not a standing pose; its standing pose was measured in motion"
            for which, anatomy in (("source", here), ("target", there))
            if anatomy.standing.measured
        )
        feet = _feet(character, there) if isinstance(character, Character) else None
        soles = None if feet is None else feet.height(there.standing)
        legs = _paired(_source_legs(here, motions), legs_of(there, soles), self.match)
        heights = clearances(there.standing, {leg.chain: leg for _, leg in legs}, soles)
        self.tops, self.scale = _support(legs, here.skeleton, there.skeleton)
        self.body = carrier(self.target)
        corners = {b.chain: _corners(feet, there.standing, b, heights[b.chain]) for _, b in legs}
        pairs = [LegPair(a, b, heights[b.chain], corners=corners[b.chain]) for a, b in legs]
        self.legs = _with_paths(pairs, self.bodies, self.scale)
        self.followers = followers(self.match, there, {leg.target.chain for leg in self.legs if leg.path})

    def __call__(
        self,
        motion: Motion,
        *,
        contacts: bool = True,
        stands: Bools | None = None,
        refine: bool | None = None,
        measured: bool = True,
    ) -> Retargeted:
        """One motion on the target.

        Args:
            motion: a motion of the source skeleton.
            contacts: keep feet that stand in one place; without it the result is that of the closed form.
            stands: when each foot stands, `[L, F]`, in the order of the source's legs; None finds out from the motion.
            refine: solve every frame by least squares after that: hands reach as far as the source's, limbs keep out
                of the body, hinges keep axes and limits. None does it for robots, whose hinges need it.
            measured: fill the report; without it the report lists what was matched and how long it took.

        Raises:
            SkeletonError: the motion has different joints from the source, or no frames; or `stands` does not fit.
        """
        if not motion.skeleton.same_topology(self.source):
            raise SkeletonError(f"motion {motion.name!r} has different joints from the skeleton this was set up for")
        if motion.frames == 0:
            raise SkeletonError(f"motion {motion.name!r} has no frames to retarget")
        if stands is not None and np.shape(stands) != (len(self.legs), motion.frames):
            raise SkeletonError(
                f"stands has shape {list(np.shape(stands))}; {len(self.legs)} legs and {motion.frames} frames need "
                f"{[len(self.legs), motion.frames]}"
            )
        began = time.perf_counter()
        source, fps = motion[:], motion.fps
        states = self.contacts(source, fps)
        if stands is not None:
            states = [replace(state, stands=stands[number]) for number, state in enumerate(states)]
        local, hips = self._closed_form(source, states, fps)
        refine = bool(self.target.hinges) if refine is None else refine
        plain = self._motion(motion, local, hips) if refine else None
        if contacts and self.legs:
            local, moves = plant(self.pose(local, hips), self.legs, states, fps)
            hips = hips + moves
        result = self._motion(motion, local, hips)
        if plain is not None:
            from kinema.retargeting.refine import refine as solve

            result = solve(self, source, plain, result, [state.stands for state in states])
        report = self._report(motion, time.perf_counter() - began, refined=plain is not None)
        return Retargeted(result, measure(report, self, source, result, states) if measured else report)

    def _report(self, motion: Motion, wall: float, refined: bool) -> Report:
        """The report before anything is measured."""
        report = Report.of(self.match, motion.frames, wall, (*motion.warnings, *self.warnings))
        if not refined:
            return report
        hinged = {self.target.names[hinge.joint] for hinge in self.target.hinges}  # these were solved for
        return replace(report, unmatched=tuple(name for name in report.unmatched if name not in hinged))

    def local_rotations(self, source_rotations: Singles) -> Singles:
        """Local rotations `[F, J, 4]` of the target from global ones `[F, S, 4]` of the source: the closed form."""
        from kinema.retargeting import kernels  # numba loads on first use

        return kernels.transfer_rotations(self.transfer, np.ascontiguousarray(source_rotations, np.float32))

    def _closed_form(self, source: Pose, states: Sequence[LegContacts], fps: float) -> tuple[Singles, Singles]:
        """Local rotations `[F, J, 4]` of the target and positions `[F, 3]` of its hips."""
        smoothed = self._smoothed(source, fps)
        local = self.local_rotations(smoothed.global_rotations)
        hips = self.hips(smoothed, states, fps)
        if not any(leg.path for leg in self.legs):
            return local, self._steadied(source, local, hips, fps)
        return follow_paths(source, self.pose(local, hips), self.legs, states, self.scale, fps), hips

    def _steadied(self, source: Pose, local: Singles, hips: Singles, fps: float) -> Singles:
        """Positions `[F, 3]` of the hips with which the trunk as a whole moves as steadily as the source's.

        In a recording, rotations of hips and spine jitter against each other, and the head stays steady. They no longer
        cancel where bones have other lengths. Then every fast difference is shared by the whole trunk, instead of
        growing from the hips to the head. Slow differences are proportions, and stay.
        """
        theirs, ours, sizes = self.trunk
        if not len(ours):
            return hips
        here, there = source.global_positions, self.pose(local, hips).global_positions
        wanted = (here[:, theirs] - here[:, [self.source.roles.hips]]) * sizes[:, None]
        off = (wanted - there[:, ours] + there[:, [self.target.roles.hips]]).sum(axis=1) / np.float32(len(ours) + 1)
        return hips + off - smooth(off, LEVER * fps)

    def _smoothed(self, source: Pose, fps: float) -> Pose:
        """The source, with its trunk and tail smoothed for a body of a different build."""
        if not any(leg.path for leg in self.legs):
            return source
        roles, turns = self.source.roles, source.global_rotations
        alike = has_front_legs(roles) == has_front_legs(self.target.roles)
        kinds = (*TRUNK, "tail") if alike else TRUNK
        joints = sorted({roles.hips, *(j for c in roles.chains if c.kind in kinds for j in c.joints)})
        if not alike:
            turns = level_trunk(turns, self.bodies[0].standing.rotations, roles.hips, joints)
        turns = smooth_joints(turns, joints, SMOOTH[alike] * fps)
        return Pose.from_model(self.source, turns, source.global_positions)

    def contacts(self, source: Pose, fps: float) -> list[LegContacts]:
        """Contacts of the source's legs, with heights scaled to the size of the target."""
        paths = [leg.source.path(source)[:, None] for leg in self.legs]
        limbs = [leg.source for leg in self.legs]
        sizes = [(limb.length if limb.straight else limb.top) / detection.REFERENCE_LEG for limb in limbs]
        states = []
        for points, size, ground in zip(paths, sizes, common_ground(paths, fps, sizes), strict=True):
            stands = detection.detect(points, fps, ground, size)[:, 0]
            heights = self.scale * (points[:, 0, 1] - ground)
            states.append(LegContacts(ground, stands, heights.astype(np.float32)))
        return states

    def hips(self, source: Pose, states: Sequence[LegContacts], fps: float | None = None) -> Singles:
        """Positions of the target's hips, `[F, 3]`: travel and height in the target's size, the feet on its ground.

        Args:
            source: poses `[F]` of the source.
            states: contacts of its legs.
            fps: smooth the difference in how hips and legs sit over time; otherwise the noise of the hips' rotation
                swings the whole body.
        """
        here = self.scale * source.global_positions[:, self.source.roles.hips]
        if not self.tops:
            return here.astype(np.float32)
        link = next((link for link in self.match.links if link.target == self.body), None)
        turn = rotations.identity((len(source),), source.global_rotations)
        if link is not None:
            turn = rotations.multiply(source.global_rotations[:, link.first], self.transfer.first[self.body])
        tops = [source.global_positions[:, self.legs[index].source.upper] for index in self.tops]
        lever = self.scale * np.mean(tops, axis=0) - here - rotations.rotate(turn, self.seat - self.saddle)
        hips = here + (lever if fps is None else smooth(lever, LEVER * fps)) - rotations.rotate(turn, self.saddle)
        hips[:, 1] += float(np.mean([self.lift(index, states[index].ground) for index in self.tops]))
        return hips.astype(np.float32)

    @cached_property
    def trunk(self) -> tuple[list[int], list[int], Singles]:
        """The joints of the trunk without the hips, in source and target, and the size of the target's part of it
        relative to the source's: that of the legs for their tops, that of the trunk for spine, neck and head."""
        roles, hips = self.target.roles, self.source.roles.hips
        joints = {joint for chain in roles.chains if chain.kind in TRUNK for joint in chain.joints} - {roles.hips}
        links = [(link.first, link.target) for link in self.match.links if link.target in joints and link.first != hips]
        tops = [(self.legs[index].source.upper, self.legs[index].target.upper) for index in self.tops]
        spans = [_span(body, last) for body, last in zip(self.bodies, links[-1], strict=True)] if links else [1.0, 1.0]
        sizes = [self.scale] * len(tops) + [spans[1] / max(spans[0], LEAST)] * len(links)
        theirs, ours = ([pair[side] for pair in (*tops, *links)] for side in (0, 1))
        return theirs, ours, np.array(sizes, np.float32)

    @cached_property
    def seat(self) -> Singles:
        """From the carrier of the body to the middle of the tops of its legs, `[3]`, in the frame of the carrier."""
        positions = self.target.rest_pose.global_positions
        return self._carried(np.mean([positions[self.legs[index].target.upper] for index in self.tops], axis=0))

    @cached_property
    def saddle(self) -> Singles:
        """From the body's carrier to the hips, `[3]`, in the carrier's frame; zero for a carrier that is hips too.

        The body turns about this point: a carrier on the floor would swing far with the noise of the hips' rotation.
        """
        hips = self.body if self.target.roles.parts[self.body] == "hips" else self.target.roles.hips
        return self._carried(self.target.rest_pose.global_positions[hips])

    def _carried(self, point: Singles) -> Singles:
        """A point `[3]` of the target's rest pose in the frame of the joint that carries the body."""
        rest = self.target.rest_pose
        offset = (point - rest.global_positions[self.body]).astype(np.float32)
        return rotations.inverse_rotate(rest.global_rotations[self.body], offset)

    def lift(self, index: int, ground: float) -> float:
        """Metres to add to scaled heights so that the foot of a leg is on the ground when the source's is."""
        pair = self.legs[index]
        leg, other = pair.source, pair.target
        if leg.straight and other.straight:
            return pair.clearance + other.rise - self.scale * (ground + leg.rise)
        lowered = max((each.path.lowered for each in self.legs if each.path), default=0.0)
        return pair.clearance + other.top - lowered - self.scale * (ground + leg.top)

    def pose(self, local_rotations: Singles, hips: Singles) -> Pose:
        """Poses `[F]` of the target with local rotations `[F, J, 4]` and the hips at `[F, 3]` in the world."""
        translations = np.broadcast_to(self.target.rest_translations, (*local_rotations.shape[:2], 3)).copy()
        translations[:, self.body] = self._local_hips(hips)
        return Pose(self.target, local_rotations, translations)

    def _local_hips(self, hips: Singles) -> Singles:
        """In the frame of the parent of the hips, which stays at rest."""
        parent = int(self.target.parents[self.body])
        if parent < 0:
            return hips
        rest = self.target.rest_pose
        return rotations.inverse_rotate(rest.global_rotations[parent], hips - rest.global_positions[parent])

    def _motion(self, motion: Motion, local: Singles, hips: Singles) -> Motion:
        """The result, with detached joints at their limbs."""
        skeleton = self.target
        moved: dict[int, Singles] = {self.body: self._local_hips(hips)}
        if self.followers:
            pose, local = self.pose(local, hips), local.copy()
            legs = {leg.target.chain: leg for leg in self.legs}
            for follower in self.followers:
                moved[follower.joint], local[:, follower.joint] = follower.local(pose, legs.get(follower.foot_of))
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


def _span(body: Anatomy, joint: int) -> float:
    """Metres from the hips to a joint while the body stands."""
    positions = body.standing.positions
    return float(np.linalg.norm(positions[joint] - positions[body.skeleton.roles.hips]))


def _feet(character: Character, body: Anatomy) -> FootVertices | None:
    """The vertices of a character's feet, None without a mesh on them."""
    roles = body.skeleton.roles
    feet = [j for j, part in enumerate(roles.parts) if part in ("foot", "toe")]
    feet += [chain.joints[-1] for chain in roles.chains if chain.kind in LEGS]
    return FootVertices.of(character, body.standing, [*feet, *body.ends.values()])


def _corners(feet: FootVertices | None, standing: StandingPose, leg: Limb, clearance: float) -> list[Corner]:
    """Corners of a leg's sole; without a mesh on its foot, the point on the ground below where it touches."""
    found = feet.corners(standing, leg.touch if leg.end is None else leg.end) if feet is not None else []
    below = leg.path(standing.pose) - np.float32(clearance) * standing.up
    return found or [Corner.at(standing, leg.touch, np.asarray(below, np.float32))]


def _source_legs(body: Anatomy, motions: Sequence[Motion]) -> dict[str, Limb]:
    """The legs of the source; how high they stand is measured where the standing pose does not show it."""
    legs = legs_of(body)
    if not body.standing.measured and not (motions and _lopsided(legs.values())):
        return legs
    tops = standing_tops(motions, [leg for leg in legs.values() if not leg.straight])
    return {name: replace(leg, top=tops.get(name, leg.top)) for name, leg in legs.items()}


def _lopsided(legs: Iterable[Limb]) -> bool:
    """Whether the hind legs of a pose are so different that no body rests in it."""
    high = [leg.top for leg in legs if "front_leg" not in leg.chain]
    return bool(high) and max(high) > LOPSIDED * min(high)


def _paired(sources: Mapping[str, Limb], targets: Mapping[str, Limb], matched: Match) -> list[tuple[Limb, Limb]]:
    """Matched legs; straight legs touch the ground with their toes only if both have some."""
    found = []
    for name, leg in targets.items():
        other = sources.get(matched.chains.get(name, ""))
        if other is not None:
            toes = (other.on_toe and leg.on_toe) or not (other.straight and leg.straight)
            found.append((other, leg) if toes else (other.at_foot(), leg.at_foot()))
    return found


def _support(legs: Sequence[tuple[Limb, Limb]], source: Skeleton, target: Skeleton) -> tuple[list[int], float]:
    """Which pairs of legs carry the hips in both, and the scale that all of them give."""
    if not legs:
        return [], target.height / source.height if source.height > 1e-6 else 1.0
    carrying = [index for index, (_, leg) in enumerate(legs) if "front_leg" not in leg.chain]
    straight = all(leg.straight for pair in legs for leg in pair)
    sizes = np.array([[leg.length if straight else leg.top for leg in pair] for pair in legs]).sum(axis=0)
    return carrying or list(range(len(legs))), float(sizes[1] / sizes[0])


def _with_paths(legs: Sequence[LegPair], bodies: tuple[Anatomy, Anatomy], scale: float) -> list[LegPair]:
    """Legs of a different build get a path, unless all of them have bones like those of the source."""
    paths = {
        leg.target.chain: FootPath.of(bodies, (leg.source, leg.target), scale)
        for leg in legs
        if not (leg.source.straight and leg.target.straight)
    }
    if all(path.alike for path in paths.values()):
        return list(legs)
    return [replace(leg, path=paths.get(leg.target.chain)) for leg in legs]


def target_skeleton(target: Target) -> Skeleton:
    """The skeleton of a target.

    Raises:
        SkeletonError: a file without a skeleton.
    """
    if isinstance(target, Skeleton):
        return target
    if target.skeleton is None:
        raise SkeletonError(f"{target.path}: holds no skeleton to retarget to")
    return target.skeleton


Fill = Callable[[Retargeter, Retargeted], Retargeted]
"""Adds to what was retargeted. It is pickled to worker processes."""


def retarget(
    motion: Motion,
    target: Target,
    *,
    contacts: bool = True,
    refine: bool | None = None,
    mapping: Overrides | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    fill: Fill | None = None,
) -> Retargeted:
    """One motion on another skeleton. For several motions of one skeleton set up a `Retargeter` once.

    A calibration pose at the start or the end is cut, see `kinema.mocap.jumps.trim_at_jumps`. A `Retargeter` keeps it.

    Args:
        motion: a motion of any skeleton with roles that the target has too.
        target: a skeleton, a character or a loaded file.
        contacts: keep feet that stand in one place.
        refine: solve every frame by least squares after that; None for robots only.
        mapping: matches of chains and joints stated by the user, as a dictionary or a JSON file; see
            `overrides.Overrides`.
        fill: moves joints that nothing of the source moves, such as `kinema.generation.infill.Infill`; None leaves
            them at rest.

    Raises:
        SkeletonError: nothing matches, or the target's rest pose is not a standing pose.
        FormatError: `mapping` is not a mapping.
    """
    motion = trim_at_jumps(motion)
    setup = Retargeter(motion.skeleton, target, motions=(motion,), mapping=mapping)
    result = setup(motion, contacts=contacts, refine=refine)
    return result if fill is None else fill(setup, result)


def onto(asset: Asset, motions: Sequence[Motion]) -> Asset:
    """The target's file with new motions in place of its own: the character, its meshes and materials stay."""
    return replace(asset, motions=tuple(motions), warnings=tuple(dict.fromkeys(w for m in motions for w in m.warnings)))

"""How well a retargeted motion fits: directions, ends of limbs, feet, smoothness."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Bools, Singles
from kinema.metrics.feet import DEEP
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.chains import LIMBS, limb_joints
from kinema.retargeting.contacts import LegContacts
from kinema.retargeting.foot_paths import LegPair
from kinema.retargeting.limbs import Limb, point_of
from kinema.retargeting.mapping import Match
from kinema.roles import Chain

if TYPE_CHECKING:
    from kinema.retargeting.retargeter import Retargeter

AT_LIMIT = np.radians(1.0)  # nearer to a limit, a hinge is at it
OUTSIDE = 1e-3  # radians
NO_BONE = 1e-3  # share of the body's height: joints nearer to each other are in one place
WHEN = "before", "after"
_Points = dict[int, Singles]
"""Positions `[F, 3]` by joints of the target."""
_LimbPair = tuple[list[int], list[int]]
"""Upper and lower joint and end, in source and target."""


@dataclass(frozen=True)
class Report:
    """Figures of one motion; None where something does not apply.

    Attributes:
        frames: number of frames. wall_seconds: time of the work, without measuring. frames_per_second: their ratio.
        direction_error_deg: median over matched limb bones and frames of the angle between the bone in the source and
            in the target; limbs of a different build are left out.
        direction_error_p95_deg: the 95th percentile of the same.
        position_error_cm: mean distance of hands and feet from where the source has them, as seen from the top of
            their limb in the target's size; position_error_limbs: the same in lengths of the limb.
        skate_before_cm_s, skate_after_cm_s: mean speed of standing feet in source and target, in the same frames.
        skate_before_legs_s, skate_after_legs_s: the same in leg lengths per second.
        penetration_before_percent, penetration_after_percent: frames with a touching point more than 1 cm (on an
            adult) below where it stands.
        jerk_ratio: mean jerk of matched joints in the target over that in the source in the target's proportions, see
            `_in_proportion`; in chains with different numbers of joints, of points equally far along.
        jerk_ratio_by_size: the same over that in the source as it is, scaled by the size of the body: of its matched
            limbs, spine and neck.
        limit_hits: frames and hinges at which a robot's joint is outside its limits.
        at_limits_before_percent, at_limits_after_percent: frames in which a joint is within a degree of its limits or
            outside, of the robot's joint that has most; None without hinges.
        peak_joint_speed_before_rad_s, peak_joint_speed_after_rad_s: the largest speed of a joint relative to its
            parent, in the source of a joint that moves the target.
        sole_depth_before_cm, sole_depth_after_cm: how far the lowest corner of a sole gets below the ground, in the
            source the touching point of a foot below where it stands.
        unmatched: target joints with a known role that nothing moves.
        unmatched_source: source joints with a known role whose motion went nowhere.
        warnings: what was repaired or assumed.
    """

    frames: int
    wall_seconds: float
    frames_per_second: float
    direction_error_deg: float | None = None
    direction_error_p95_deg: float | None = None
    position_error_cm: float | None = None
    position_error_limbs: float | None = None
    skate_before_cm_s: float | None = None
    skate_after_cm_s: float | None = None
    skate_before_legs_s: float | None = None
    skate_after_legs_s: float | None = None
    penetration_before_percent: float | None = None
    penetration_after_percent: float | None = None
    jerk_ratio: float | None = None
    jerk_ratio_by_size: float | None = None
    limit_hits: int = 0
    at_limits_before_percent: float | None = None
    at_limits_after_percent: float | None = None
    peak_joint_speed_before_rad_s: float | None = None
    peak_joint_speed_after_rad_s: float | None = None
    sole_depth_before_cm: float | None = None
    sole_depth_after_cm: float | None = None
    unmatched: tuple[str, ...] = ()
    unmatched_source: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @staticmethod
    def of(match: Match, frames: int, wall: float, warnings: Sequence[str]) -> Report:
        """What is known without measuring."""
        return Report(
            frames,
            wall,
            frames / max(wall, 1e-9),
            unmatched=match.unmatched_target,
            unmatched_source=match.unmatched_source,
            warnings=tuple(dict.fromkeys(warnings)),
        )

    def to_dict(self) -> dict[str, Any]:
        """The report as `kinema retarget --json` prints it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def measure(report: Report, setup: Retargeter, source: Pose, result: Motion, contacts: Sequence[LegContacts]) -> Report:
    """The report with everything measured.

    Args:
        setup: the pair.
        source: poses `[F]` of the source.
        result: the motion on the target.
        contacts: contacts of the source's legs.
    """
    target = result[:]
    limbs = list(_limb_pairs(setup))
    angles = _directions(limbs, source.global_positions, target.global_positions)
    errors, lengths = _positions(limbs, source.global_positions, target.global_positions)
    return replace(
        report,
        **_feet(setup.legs, contacts, source, target, result.fps),
        direction_error_deg=float(np.median(angles)) if angles.size else None,
        direction_error_p95_deg=float(np.percentile(angles, 95)) if angles.size else None,
        position_error_cm=100.0 * float(errors.mean()) if errors.size else None,
        position_error_limbs=float((errors / lengths).mean()) if errors.size else None,
        **_jerk_ratios(setup, source, target),
        limit_hits=_limit_hits(target),
        at_limits_before_percent=_at_limits(source),
        at_limits_after_percent=_at_limits(target),
        peak_joint_speed_before_rad_s=_peak_speed(source, result.fps, [link.first for link in setup.match.links]),
        peak_joint_speed_after_rad_s=_peak_speed(target, result.fps, range(target.skeleton.joint_count)),
    )


def _chain_pairs(setup: Retargeter, kinds: Collection[str]) -> Iterator[tuple[Chain, Chain]]:
    """Matched chains of source and target, of some kinds of the target."""
    for name, wanted in setup.match.chains.items():
        theirs, ours = setup.source.roles.chain(wanted), setup.target.roles.chain(name)
        if theirs is not None and ours is not None and ours.kind in kinds:
            yield theirs, ours


def _limb_pairs(setup: Retargeter) -> Iterator[_LimbPair]:
    """Upper and lower joint and end of matched limbs of the same build in source and target."""
    straight = {leg.target.chain for leg in setup.legs if leg.source.straight and leg.target.straight}
    for theirs, ours in _chain_pairs(setup, LIMBS):
        same_build = theirs.kind == ours.kind and (ours.kind == "arm" or ours.name in straight)
        if same_build and min(len(theirs.joints), len(ours.joints)) >= 3:
            a, b = limb_joints(setup.source.roles, theirs), limb_joints(setup.target.roles, ours)
            if a[2] is not None and b[2] is not None:
                yield [a[0], a[1], a[2]], [b[0], b[1], b[2]]


def _directions(limbs: Sequence[_LimbPair], source: Singles, target: Singles) -> Singles:
    """Angles in degrees between limb bones `[F, B]`."""
    angles = []
    for theirs, ours in limbs:
        for bone in (0, 1):
            a = rotations.normalize_vector(source[:, theirs[bone + 1]] - source[:, theirs[bone]])
            b = rotations.normalize_vector(target[:, ours[bone + 1]] - target[:, ours[bone]])
            angles.append(np.degrees(np.arccos(np.clip(np.sum(a * b, axis=-1), -1.0, 1.0))))
    return np.stack(angles, axis=-1) if angles else np.zeros((0, 0), np.float32)


def _positions(limbs: Sequence[_LimbPair], source: Singles, target: Singles) -> tuple[Singles, Singles]:
    """Distances `[F, L]` of the ends of limbs from those of the source, in metres, and the limbs' lengths `[L]`."""
    errors, lengths = [], []
    for theirs, ours in limbs:
        sizes = _usual_length(source[:, theirs]), _usual_length(target[:, ours])
        wanted = (source[:, theirs[2]] - source[:, theirs[0]]) * (sizes[1] / max(sizes[0], 1e-9))
        errors.append(np.linalg.norm(target[:, ours[2]] - target[:, ours[0]] - wanted, axis=-1))
        lengths.append(max(sizes[1], 1e-9))
    if not errors:
        return np.zeros((0, 0), np.float32), np.zeros(0, np.float32)
    return np.stack(errors, axis=-1), np.array(lengths, np.float32)


def _usual_length(lines: Singles) -> float:
    """Median length of lines of points `[F, N, 3]`."""
    return float(np.median(np.linalg.norm(np.diff(lines, axis=1), axis=-1).sum(axis=1)))


def _feet(
    legs: Sequence[LegPair], contacts: Sequence[LegContacts], source: Pose, target: Pose, fps: float
) -> dict[str, float | None]:
    """Skate, penetration and depth of the soles of both."""
    both = [state.stands[1:] & state.stands[:-1] for state in contacts]
    grounds = [state.ground for state in contacts], [leg.clearance for leg in legs]
    before = _foot_figures([leg.source for leg in legs], source, both, grounds[0], fps)
    after = _foot_figures([leg.target for leg in legs], target, both, grounds[1], fps)
    depths = [
        100.0 * (state.ground - leg.source.path(source)[:, 1]).max() for leg, state in zip(legs, contacts, strict=True)
    ]
    deepest = [-100.0 * corner.points(target)[:, 1].min() for leg in legs for corner in leg.corners]
    figures = zip(("skate_{}_cm_s", "skate_{}_legs_s", "penetration_{}_percent"), before, after, strict=True)
    found = {name.format(when): value for name, *pair in figures for when, value in zip(WHEN, pair, strict=True)}
    soles = zip(WHEN, (depths, deepest), strict=True)
    return found | {f"sole_depth_{when}_cm": max(0.0, *map(float, each)) if each else None for when, each in soles}


def _foot_figures(
    limbs: Sequence[Limb], pose: Pose, stands: Sequence[Bools], grounds: Sequence[float], fps: float
) -> tuple[float | None, float | None, float | None]:
    """Mean speed of standing feet in cm/s and in leg lengths per second, and the share of frames below the ground."""
    speeds, in_legs, depths = [], [], []
    for limb, standing, ground in zip(limbs, stands, grounds, strict=True):
        path, size = limb.path(pose), max(limb.length, 1e-9)
        speeds.append(np.linalg.norm(np.diff(path, axis=0), axis=-1)[standing] * fps)
        in_legs.append(speeds[-1] / size)
        depths.append((ground - path[:, 1]) / size)
    deep = np.max(depths, axis=0) > DEEP / 0.82 if depths else np.zeros(0)
    return _mean(speeds, 100.0), _mean(in_legs), _mean([deep], 100.0)


def _mean(parts: Sequence[NDArray[Any]], factor: float = 1.0) -> float | None:
    """Mean of all values times a factor, None without values."""
    every = np.concatenate(parts) if parts else np.zeros(0)
    return factor * float(every.mean()) if every.size else None


def _jerk_ratios(setup: Retargeter, source: Pose, target: Pose) -> dict[str, float]:
    """The mean jerk of the target over that of the source, by proportion and by size; nothing for one that rests."""
    if len(source) < 4:
        return {}
    before, after = _corresponding(setup, source, target)
    scaled = np.float32(_size_ratio(setup, source, target)) * _stacked(before)
    jerk, *others = map(_jerk, (_stacked(after), _in_proportion(setup, source, before, after), scaled))
    still = 1e-7 * setup.target.height * len(setup.match.links)
    ratios = zip(("jerk_ratio", "jerk_ratio_by_size"), others, strict=True)
    return {name: jerk / other for name, other in ratios if other > still}


def _jerk(points: Singles) -> float:
    """Sum over points `[F, N, 3]` of their mean third differences, metres."""
    return float(np.linalg.norm(np.diff(points.astype(np.float64), n=3, axis=0), axis=-1).mean(axis=0).sum())


def _stacked(points: _Points) -> Singles:
    return np.stack(list(points.values()), axis=1)


def _size_ratio(setup: Retargeter, source: Pose, target: Pose) -> float:
    """Length of all matched limbs, spines and necks of the target over that of the source's; legs to the ground."""
    lengths = np.zeros(2)
    legs = {leg.target.chain: (leg.source, leg.target) for leg in setup.legs}
    for pair in _chain_pairs(setup, (*LIMBS, "spine", "neck")):
        limbs = legs.get(pair[1].name)
        for index, (pose, chain) in enumerate(zip((source[0], target[0]), pair, strict=True)):
            positions = pose.global_positions
            line = positions[list(chain.joints)]
            if limbs is not None:
                leg = limbs[index]
                line = np.stack([positions[leg.upper], positions[leg.lower], leg.ends(pose), leg.path(pose)])
            lengths[index] += np.linalg.norm(np.diff(line, axis=0), axis=-1).sum()
    return float(lengths[1] / lengths[0]) if lengths.min() > 1e-6 else setup.scale


def _in_proportion(setup: Retargeter, pose: Pose, source: _Points, target: _Points) -> Singles:
    """Points of the source `[F, N, 3]` with the target's distances between a joint and the one above it.

    A body with longer arms and shorter legs moves its hands more and its hips less, with the same rotations. Without
    this, such proportions would count as jerk.

    Args:
        pose: poses `[F]` of the source.
        source, target: the points that correspond.
    """
    links = {link.target: link for link in setup.match.links}
    placed: _Points = {}
    for joint in sorted(source):
        above = next((other for other in setup.target.ancestors(joint) if other in placed), None)
        if above is None:
            placed[joint] = np.float32(setup.scale) * source[joint]
            continue
        bone, ours = source[joint] - source[above], target[joint] - target[above]
        if float(np.median(np.linalg.norm(bone, axis=-1))) > NO_BONE * setup.source.height:
            bone = rotations.normalize_vector(bone) * np.median(np.linalg.norm(ours, axis=-1))
        else:  # a bone that the source does not have moves with the joint above it
            turn = pose.global_rotations[:, links[above].first]
            bone = rotations.rotate(turn, rotations.inverse_rotate(turn[0], ours[0]))
        placed[joint] = placed[above] + bone
    return np.stack([placed[joint] for joint in target], axis=1)


def _corresponding(setup: Retargeter, source: Pose, target: Pose) -> tuple[_Points, _Points]:
    """Positions `[F, 3]` of matched joints of the target, and of the points of the source that correspond to them.

    In limbs, and in chains with equal numbers of joints, these are joints. In other chains, each joint of the target
    has the point of the source that is equally far along the chain, counted to its tip.
    """
    linked = {link.target: link for link in setup.match.links}
    others = {chain.kind for chain in setup.target.roles.chains} - set(LIMBS)
    before: _Points = {}
    for theirs, ours in _chain_pairs(setup, others):
        if len(ours.joints) != len(theirs.joints):
            (line, along), (_, places) = _line(source, theirs), _line(target, ours)
            kept = [index for index, joint in enumerate(ours.joints) if linked.pop(joint, None) is not None]
            points = _interpolated(line, along, places[kept])
            before |= {ours.joints[index]: points[:, number] for number, index in enumerate(kept)}
    before |= {joint: source.global_positions[:, link.first] for joint, link in linked.items() if link.share == 0.0}
    return before, {joint: target.global_positions[:, joint] for joint in before}


def _interpolated(line: Singles, along: Singles, places: Singles) -> Singles:
    """Points `[F, M]` at some places of a line of points `[F, N]` that are `along` `[N]` it."""
    after = np.clip(np.searchsorted(along, places - 1e-6), 1, len(along) - 1)
    spans = np.maximum(along[after] - along[after - 1], 1e-9)
    share = np.clip((places - along[after - 1]) / spans, 0.0, 1.0)[:, None]
    return ((1 - share) * line[:, after - 1] + share * line[:, after]).astype(np.float32)


def _line(pose: Pose, chain: Chain) -> tuple[Singles, Singles]:
    """The joints of a chain and its tip, `[F, N, 3]`, and how far along each is, `[N]`, 0 to 1."""
    points = [pose.global_positions[:, joint] for joint in chain.joints]
    last = chain.joints[-1]
    tips = pose.skeleton.tip_offsets[pose.skeleton.tip_joints == last]
    if len(tips) or len(points) == 1:
        points.append(point_of(pose, last, tips[0] if len(tips) else np.zeros(3, np.float32)))
    line = np.stack(points, axis=1)
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line[0], axis=0), axis=-1))])
    return line, (along / max(float(along[-1]), 1e-9)).astype(np.float32)


def _limit_hits(pose: Pose) -> int:
    return int(np.count_nonzero(_beyond_limits(pose) > OUTSIDE))


def _at_limits(pose: Pose) -> float | None:
    beyond = _beyond_limits(pose)
    return 100.0 * float((beyond > -AT_LIMIT).mean(axis=0).max()) if beyond.size else None


def _beyond_limits(pose: Pose) -> Singles:
    """How far hinges `[F, H]` are beyond the nearer of their limits, radians; negative inside."""
    skeleton, beyond = pose.skeleton, []
    for hinge in skeleton.hinges:
        axis = np.asarray(hinge.axis, np.float32)
        turn = rotations.relative(skeleton.rest_rotations[hinge.joint], pose.local_rotations[:, hinge.joint])
        twist = rotations.log(rotations.swing_twist(turn, axis)[1]) @ axis
        beyond.append(np.maximum(hinge.lower - twist, twist - hinge.upper))
    return np.stack(beyond, axis=-1) if beyond else np.zeros((len(pose), 0), np.float32)


def _peak_speed(pose: Pose, fps: float, joints: Sequence[int]) -> float | None:
    local = pose.local_rotations[:, list(joints)]
    turns = rotations.angle(rotations.relative(local[:-1], local[1:]))
    return fps * float(turns.max()) if turns.size else None

"""The optional last pass: least squares in every frame for what the closed form leaves open.

Hands reach where the source's do, scaled to the target's size. Hinges keep their axes and limits, so that robots can
take the pose. Soles of robots stay above the ground, forearms, hands, shins and feet out of the body. Frames are solved
independently, but have to make one movement. So the movement (for free joints, its change) is then smoothed over time
and solved once more from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Reals, Singles
from kinema.ik import Above, Coordinates, Orient, Reach, full_body
from kinema.ik.limits import joint_index
from kinema.ik.tasks import NO_CAPSULES
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.capsules import body_capsules
from kinema.retargeting.chains import limb_chains
from kinema.retargeting.contacts import LIFT, settle
from kinema.retargeting.footing import level_feet
from kinema.retargeting.smoothing import smooth, smooth_rotations
from kinema.roles import Arm, carrier
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.retargeting.foot_paths import LegPair
    from kinema.retargeting.retargeter import Retargeter


SMOOTH = 0.03  # seconds: standard deviation of the Gaussian that the movement is smoothed with
RESTART = 0.1  # seconds: limbs also start from their nominal posture once in such a time
TRUNK = ("hips", "spine", "neck", "head")
UP: Singles = np.array([0, 1, 0], np.float32)
NO_BONE = 0.04  # share of the body's height: hinges nearer to each other share one bone

Goal = Reach | Orient | Above
"""The tasks of the pass."""


@dataclass(frozen=True)
class Weights:
    """Per metre for places, per radian for turns; a centimetre counts as much as six degrees.

    Attributes:
        standing, moving: places of feet that stand and that do not; their turns count a tenth of it.
        hands: places of hands; their turns count a tenth of it.
        knees: places of knees and elbows.
        trunk: turns of hips, spine, neck and head; places of the hips count ten times it.
        apart: depth at which limbs enter the body.
        floor: depth at which soles enter the ground.
        stay: pull of free joints to where the closed form puts them.
        stay_hinge: pull of hinges to where they were in the frame before.
        lean: pull of hinges to the middle of their limits.
        stay_smooth: pull of all of them to the smoothed movement.
    """

    standing: float = 40.0
    moving: float = 10.0
    hands: float = 5.0
    knees: float = 2.0
    trunk: float = 2.0
    apart: float = 20.0
    floor: float = 20.0
    stay: float = 0.3
    stay_hinge: float = 0.05
    lean: float = 0.05
    stay_smooth: float = 6.0


def refine(
    setup: Retargeter,
    source: Pose,
    plain: Motion,
    planted: Motion,
    standing: Sequence[Bools],
    weights: Weights | None = None,
    iterations: int = 12,
) -> Motion:
    """The motion after the pass.

    Args:
        setup: the pair.
        source: poses `[F]` of the source.
        plain: the motion on the target in closed form, from which body and limbs start.
        planted: the same after the contact pass, which has the positions of feet and hips.
        standing: when each of the legs stands, `[F]`.
    """
    weights = weights or Weights()
    skeleton = setup.target
    hinged = {hinge.joint for hinge in skeleton.hinges}
    start = plain if hinged else planted  # legs of free joints stay exactly where the contact pass put them
    wanted = level_feet(setup, planted[:], planted.fps) if hinged else planted[:]
    goals = goals_of(setup, source, start[:], wanted, standing, weights, planted.fps)
    if hinged:
        moving = ancestors_of(skeleton, goals) | hinged
        goals += floors(setup, planted.frames, weights)
    else:
        moving = {joint for arm in skeleton.roles.arms for joint in (arm.upper, arm.lower, arm.hand)}
    coordinates = _coordinates(planted, moving, hinged, weights)
    capsules = body_capsules(skeleton, weights.apart) or NO_CAPSULES
    begin = Pose(skeleton, start.local_rotations, planted[:].local_translations)
    every = max(round(RESTART * planted.fps), 1)
    found = full_body(begin, goals, coordinates, capsules, iterations, restart=every)
    if hinged:
        goals = lifted(setup, found.pose, goals, planted.fps)
    # Free joints begin as smooth as the source: only the change is smoothed. Hinges do not begin smooth.
    smoothed = _smoothed(None if hinged else begin.local_rotations, found.pose, planted.fps)
    near = replace(coordinates, stay=np.full(len(coordinates.stay), weights.stay_smooth))
    found = full_body(smoothed, goals, near, capsules, max(iterations // 3, 2), follow=False)
    return planted.replace(
        local_rotations=found.pose.local_rotations,
        local_translations=found.pose.local_translations[:, planted.translated],
    )


def _coordinates(planted: Motion, moving: set[int], hinged: set[int], weights: Weights) -> Coordinates:
    """Coordinates of the moving joints, without detached joints, which follow their limbs."""
    skeleton = planted.skeleton
    hips = carrier(skeleton)
    stay = np.full(skeleton.joint_count, weights.stay)
    stay[list(hinged)] = weights.stay_hinge
    detached = {joint for joint in planted.translated.tolist() if joint != hips and skeleton.parents[joint] >= 0}
    limbs = [np.flatnonzero(skeleton.below([c.joints[0]])).tolist() for c in limb_chains(skeleton.roles)]
    return Coordinates.of(skeleton, sorted(moving - detached), [hips] if hinged else [], stay, weights.lean, limbs)


def floors(setup: Retargeter, frames: int, weights: Weights) -> list[Goal]:
    """Goals that keep the soles above the ground."""
    ground = np.zeros(frames)
    return [Above(corner.joint, ground, weights.floor, corner.offset) for leg in setup.legs for corner in leg.corners]


def lifted(setup: Retargeter, pose: Pose, goals: Sequence[Goal], fps: float) -> list[Goal]:
    """Goals with the ends of legs raised by the depth of their soles in `pose` `[F]`, smoothly over time.

    A sole stays below the ground where the ankle cannot turn far enough to level it. The foot is lifted instead.
    """
    raised = {}
    for leg in setup.legs:
        if leg.corners and leg.target.end is not None:
            lowest = np.min([corner.points(pose)[:, 1] for corner in leg.corners], axis=0)
            raised[leg.target.end] = settle(np.maximum(-lowest, 0.0), fps, LIFT)[:, None] * UP
    return [
        replace(goal, target=goal.target + raised[goal.joint])
        if isinstance(goal, Reach) and goal.joint in raised
        else goal
        for goal in goals
    ]


def goals_of(
    setup: Retargeter, source: Pose, plain: Pose, planted: Pose, standing: Sequence[Bools], weights: Weights, fps: float
) -> list[Goal]:
    """The goals of the target in every frame.

    Args:
        setup, source, plain, planted, standing: see `refine`, but poses `[F]`.
    """
    skeleton, hips = setup.target, setup.target.roles.hips
    # The hips of the contact pass may be lower; knees, elbows and hands follow them.
    positions = plain.global_positions + (planted.global_positions - plain.global_positions)[:, [hips]]
    goals: list[Goal] = [Reach(hips, planted.global_positions[:, hips], 10.0 * weights.trunk)]
    goals += [Orient(j, plain.global_rotations[:, j], weights.trunk) for j in _with_bones(skeleton, TRUNK)]
    for leg, stands in zip(setup.legs, standing, strict=True):
        pull = smooth(np.where(stands, weights.standing, weights.moving), SMOOTH * fps)
        goals += _leg_goals(leg, positions, planted, pull, weights)
    for arm, elbow, hand in _arms(setup, source.global_positions, positions):
        last = _last(skeleton, arm.hand)
        goals += [Reach(arm.lower, elbow, weights.knees), Reach(arm.hand, hand, weights.hands)]
        goals.append(Orient(last, plain.global_rotations[:, last], 0.1 * weights.hands))
    return goals


def _leg_goals(leg: LegPair, plain: Singles, planted: Pose, pull: Reals, weights: Weights) -> list[Goal]:
    limb, places = leg.target, planted.global_positions
    if limb.end is None:
        return [Reach(limb.lower, places[:, limb.lower], pull)]
    last = _last(planted.skeleton, limb.end)
    return [
        Reach(limb.end, places[:, limb.end], pull),
        Orient(last, planted.global_rotations[:, last], 0.1 * pull),
        Reach(limb.lower, plain[:, limb.lower], weights.knees),
    ]


def _with_bones(skeleton: Skeleton, parts: tuple[str, ...]) -> list[int]:
    """Joints of these parts that have a bone of their own: the last of several hinges in one place."""
    return [
        joint for joint, part in enumerate(skeleton.roles.parts) if part in parts and _last(skeleton, joint) == joint
    ]


def ancestors_of(skeleton: Skeleton, goals: Sequence[Goal]) -> set[int]:
    """Joints from the hips on that can move towards a goal."""
    found: set[int] = set()
    for goal in goals:
        joint = joint_index(skeleton, goal.joint)
        found.update((joint, *skeleton.ancestors(joint)))
    return found - set(skeleton.ancestors(carrier(skeleton)))


def _last(skeleton: Skeleton, joint: int) -> int:
    """The last of the hinges in one place with this one."""
    hinged = {hinge.joint for hinge in skeleton.hinges}
    most = NO_BONE * skeleton.height
    while joint in hinged:
        near = [c for c in skeleton.children[joint] if c in hinged and skeleton.bone_lengths[c] < most]
        if not near:
            break
        joint = near[0]
    return joint


def _arms(setup: Retargeter, source: Singles, plain: Singles) -> Iterator[tuple[Arm, Reals, Reals]]:
    """Positions for elbows and hands. The distance of a hand from the shoulder is that of the source, scaled to the
    target's arm. The elbow moves half as far as the hand.

    Args:
        source, plain: global positions `[F, J, 3]` of source and target.
    """
    others = {arm.side: arm for arm in setup.source.roles.arms}
    for arm in setup.target.roles.arms:
        other, name = others.get(arm.side), f"{arm.side}_arm"
        if other is None or setup.match.chains.get(name) != name:
            continue
        own, theirs = _arm_length(plain, arm), _arm_length(source, other)
        if theirs > 1e-6:
            reach = (source[:, other.hand] - source[:, other.upper]) * np.float32(own / theirs)
            hand = plain[:, arm.upper] + reach
            yield arm, plain[:, arm.lower] + 0.5 * (hand - plain[:, arm.hand]), hand


def _arm_length(positions: Singles, arm: Arm) -> float:
    """Median over all frames, because an arm of hinges beside each other has another length in each posture."""
    line = positions[:, [arm.upper, arm.lower, arm.hand]]
    return float(np.median(np.linalg.norm(np.diff(line, axis=1), axis=-1).sum(axis=1)))


def _smoothed(began: Singles | None, pose: Pose, fps: float) -> Pose:
    """Poses smoothed over time, in float64; rotations of hinges stay rotations about their axes.

    Args:
        began: rotations `[F, J, 4]` from which only the change is smoothed; None for all of the movement.
    """
    turns, slides = pose.local_rotations.astype(np.float64), pose.local_translations.astype(np.float64)
    if began is None:
        return Pose(pose.skeleton, smooth_rotations(turns, SMOOTH * fps), smooth(slides, SMOOTH * fps))
    start = began.astype(np.float64)
    change = smooth_rotations(rotations.relative(start, turns), SMOOTH * fps)
    return Pose(pose.skeleton, rotations.multiply(start, change), slides)

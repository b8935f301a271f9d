"""The optional last pass: least squares on every frame for what closed form leaves open.

Hands reach where the source's do, in the target's size; hinges keep their axes and limits, so that robots can take the
pose; forearms, hands, shins and feet stay out of the body. Then the movement (of free joints its change) is smoothed
over time and solved once more from there, so that frames which know nothing of each other still make one movement.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.ik.full_body import NO_CAPSULES, Coordinates, Face, Reach, full_body
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.capsules import body_capsules
from kinema.roles import Arm
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.retargeting.limbs import Limb
    from kinema.retargeting.retargeter import Retargeter

Floats = NDArray[np.float32]

SMOOTH = 0.03  # seconds: standard deviation of the Gaussian that the movement is smoothed with
TRUNK = ("hips", "spine", "neck", "head")
CARRIES = 0.04  # share of the body's height; joints nearer to the next one carry no bone of their own


@dataclass(frozen=True)
class Weights:
    """Per metre for places, per radian for turns; a centimetre counts as much as six degrees.

    Attributes:
        standing, moving: places of feet that stand and that do not; their turns count a tenth of it.
        hands: places of hands; their turns count a tenth of it.
        knees: places of knees and elbows.
        trunk: turns of hips, spine, neck and head; places of the hips count ten times it.
        apart: depth at which limbs enter the body.
        stay: pull of free joints to where closed form puts them.
        stay_hinge: pull of hinges to where they were in the frame before.
        stay_smooth: pull of all of them to the smoothed movement.
    """

    standing: float = 40.0
    moving: float = 10.0
    hands: float = 5.0
    knees: float = 2.0
    trunk: float = 2.0
    apart: float = 20.0
    stay: float = 0.3
    stay_hinge: float = 0.05
    stay_smooth: float = 6.0


def refine(
    setup: Retargeter,
    source: tuple[Floats, Floats],
    plain: Motion,
    planted: Motion,
    standing: list[tuple[Limb, NDArray[np.bool_]]],
    weights: Weights | None = None,
    iterations: int = 12,
) -> Motion:
    """The motion after the pass.

    Args:
        setup: of the pair.
        source: global rotations `[F, J, 4]` and positions `[F, J, 3]` of the source.
        plain: the motion on the target in closed form, from which body and limbs start.
        planted: the same after the contact pass: where feet and hips are to be.
        standing: legs of the target and when they stand `[F]`.
    """
    weights = weights or Weights()
    skeleton = setup.target
    hips = skeleton.roles.hips
    hinged = {hinge.joint for hinge in skeleton.hinges}
    if not hinged:  # legs of free joints stand where the contact pass put them, and that is exact
        plain = planted
    goals = goals_of(setup, source[1], plain[:], planted, standing, weights)
    if hinged:
        moving = above(skeleton, goals) | hinged
    else:
        moving = {joint for arm in skeleton.roles.arms for joint in (arm.upper, arm.lower, arm.hand)}
    stay = np.full(skeleton.joint_count, weights.stay)
    stay[list(hinged)] = weights.stay_hinge
    loose = {joint for joint in planted.translated.tolist() if joint != hips and skeleton.parents[joint] >= 0}
    coordinates = Coordinates.of(skeleton, sorted(moving - loose), [hips] if hinged else [], stay)
    capsules = body_capsules(skeleton, weights.apart) or NO_CAPSULES
    moved = planted[:].local_translations
    found = full_body(skeleton, plain.local_rotations, moved, goals, coordinates, capsules, iterations)
    # Free joints begin as smooth as the source: only what was changed is smoothed. Hinges do not.
    began = None if hinged else plain.local_rotations
    local, slid = _smoothed(began, found.local_rotations, found.local_translations, planted.fps)
    near = replace(coordinates, stay=np.full(len(coordinates.stay), weights.stay_smooth))
    found = full_body(skeleton, local, slid, goals, near, capsules, max(iterations // 3, 2), follow=False)
    return planted.replace(
        local_rotations=found.local_rotations, local_translations=found.local_translations[:, planted.translated]
    )


def goals_of(
    setup: Retargeter,
    source: Floats,
    plain: Pose,
    planted: Motion,
    standing: list[tuple[Limb, NDArray[np.bool_]]],
    weights: Weights,
) -> list[Reach | Face]:
    """What is asked of the target in every frame."""
    skeleton, turned, placed = setup.target, plain.global_rotations, plain.global_positions
    world = planted[:]
    turned_feet, placed_feet = world.global_rotations, world.global_positions
    hips = skeleton.roles.hips
    goals: list[Reach | Face] = [Reach(hips, placed_feet[:, hips], 10.0 * weights.trunk)]
    goals += [Face(joint, turned[:, joint], weights.trunk) for joint in _carrying(skeleton, TRUNK)]
    for leg, stands in standing:
        pull = _eased(np.where(stands, weights.standing, weights.moving), planted.fps)
        if leg.end is None:
            goals.append(Reach(leg.lower, placed_feet[:, leg.lower], pull))
            continue
        last = _last(skeleton, leg.end)
        goals += [Reach(leg.end, placed_feet[:, leg.end], pull), Face(last, turned_feet[:, last], 0.1 * pull)]
        # The hips of the contact pass may be lower: knees go with them.
        goals.append(Reach(leg.lower, placed[:, leg.lower] + placed_feet[:, hips] - placed[:, hips], weights.knees))
    for arm, elbow, hand in _arms(setup, source, placed):
        last = _last(skeleton, arm.hand)
        goals += [Reach(arm.lower, elbow, weights.knees), Reach(arm.hand, hand, weights.hands)]
        goals.append(Face(last, turned[:, last], 0.1 * weights.hands))
    return goals


def _carrying(skeleton: Skeleton, parts: tuple[str, ...]) -> list[int]:
    """Joints of these parts that carry a bone: the last of several hinges that sit in one place."""
    return [
        joint for joint, part in enumerate(skeleton.roles.parts) if part in parts and _last(skeleton, joint) == joint
    ]


def above(skeleton: Skeleton, goals: list[Reach | Face]) -> set[int]:
    """Joints from the hips on by which some goal can be met."""
    found: set[int] = set()
    for goal in goals:
        found.update((goal.joint, *skeleton.ancestors(goal.joint)))
    return found - set(skeleton.ancestors(skeleton.roles.hips))


def _last(skeleton: Skeleton, joint: int) -> int:
    """The last of the hinges that sit in one place with this one."""
    hinged = {hinge.joint for hinge in skeleton.hinges}
    while joint in hinged:
        near = [
            c for c in skeleton.children[joint] if c in hinged and skeleton.bone_lengths[c] < CARRIES * skeleton.height
        ]
        if not near:
            break
        joint = near[0]
    return joint


def _arms(setup: Retargeter, source: Floats, placed: Floats) -> list[tuple[Arm, Floats, Floats]]:
    """Where elbows and hands are to be: as far from the shoulder as the source's hand, in the size of the target's arm;
    the elbow goes half as far from where it is as the hand."""
    mine, yours = setup.target.roles, setup.source.roles
    found = []
    for arm in mine.arms:
        other = next((a for a in yours.arms if a.side == arm.side), None)
        if other is None or setup.match.chains.get(f"{arm.side}_arm") != f"{arm.side}_arm":
            continue
        sizes = [
            float(np.linalg.norm(p[0, [a.lower, a.hand]] - p[0, [a.upper, a.lower]], axis=-1).sum())
            for p, a in ((placed, arm), (source, other))
        ]
        if sizes[1] > 1e-6:
            reach = (source[:, other.hand] - source[:, other.upper]) * np.float32(sizes[0] / sizes[1])
            hand = placed[:, arm.upper] + reach
            found.append((arm, placed[:, arm.lower] + 0.5 * (hand - placed[:, arm.hand]), hand))
    return found


def _eased(values: NDArray[np.floating], fps: float) -> NDArray[np.floating]:
    """Weights without steps."""
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(np.asarray(values, np.float64), SMOOTH * fps, mode="nearest")


def _smoothed(
    began: Floats | None, local: Floats, slid: Floats, fps: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A movement smoothed over time; turns of hinges stay turns about their axes.

    Args:
        began: rotations `[F, J, 4]` from which only the change is smoothed; None for all of the movement.
        local: rotations `[F, J, 4]`. slid: translations `[F, J, 3]`, metres.
    """
    from scipy.ndimage import gaussian_filter1d

    ended = local.astype(np.float64)
    turns = ended if began is None else rotations.relative(began.astype(np.float64), ended)
    turns = gaussian_filter1d(rotations.unroll(turns), SMOOTH * fps, axis=0, mode="nearest")
    turns = rotations.normalize(turns)
    if began is not None:
        return rotations.multiply(began.astype(np.float64), turns), slid.astype(np.float64)
    return turns, gaussian_filter1d(slid.astype(np.float64), SMOOTH * fps, axis=0, mode="nearest")

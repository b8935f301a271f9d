"""Act out scripts with any body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kinema.errors import ControlError
from kinema.mocap.creatures.acts import ACTIONS, Act
from kinema.mocap.creatures.anatomy import CreatureAnatomy, anatomy_of
from kinema.mocap.creatures.course import Course, plan_course
from kinema.mocap.creatures.crawlers import pose_crawler
from kinema.mocap.creatures.creature import CREATURES, PLANS, Creature
from kinema.mocap.creatures.kinds import Kind, kind_of
from kinema.mocap.creatures.repertoire import actions_of
from kinema.mocap.creatures.standing import stand
from kinema.mocap.creatures.swimmers import pose_swimmer
from kinema.mocap.creatures.walkers import Posed, pose_walker
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rates import HIGHEST_RATE, MOST_FRAMES, is_length
from kinema.skeleton import Skeleton

_POSERS = {"swim": pose_swimmer, "crawl": pose_crawler}


def perform(
    creature: Creature | Skeleton,
    script: Sequence[Act],
    fps: float = 30.0,
    seed: int = 0,
    name: str = "",
    stance: Pose | None = None,
    plan: str | None = None,
) -> Motion:
    """One clip that acts out a script; the same arguments give the same bytes.

    Args:
        creature: a creature, or any skeleton whose roles have something that moves.
        script: acts in order.
        fps: frames per second.
        seed: seed of everything that varies from clip to clip.
        name: name of the clip; empty takes the kinds of its acts.
        stance: a pose of the skeleton in which it stands, such as a frame of a motion; None is the rest pose.
        plan: the body plan or the creature that a skeleton is most like, such as "fish" or "dolphin"; None decides by
            its limbs.

    Returns:
        A motion in the world: ground at y = 0, facing +Z at the start, the root over x = z = 0. Labels:
        `contact.<joint>` of each foot (bool: its joint does not move), `action` (int8, index into `ACTIONS`), `speed`
        (planned, m/s), `turn` (planned, rad/s), `phase` (of the stride or the wave, 0 to 1). Tags: the body plan, the
        creature, and the kinds of acts.

    Raises:
        SkeletonError: nothing in the skeleton was recognised that could move, or it does not stand on its legs.
        ControlError: the script is empty, or has an act that this body cannot do, or the rate or the seed is out of
            range, or there is no such plan.
    """
    _check(script, fps, seed)
    kind = kind_of_creature(creature, stance, plan)
    label = creature.name.split("-")[0] if isinstance(creature, Creature) else ""
    allowed = actions_of(kind)
    wrong = [act.kind for act in script if act.kind not in allowed]
    if wrong:
        raise ControlError(f"a {kind.plan} cannot {wrong[0]}; it can: {', '.join(allowed)}")
    rng = np.random.default_rng(seed)
    unit = kind.pacing.unit
    course = plan_course(script, fps, kind.pacing, max(8 * unit, 1.0))
    posed = _POSERS.get(kind.medium, pose_walker)(kind, course, rng)
    first = int(np.searchsorted(course.times, -0.5 / fps))
    inside = slice(first, first + max(round(sum(act.seconds for act in script) * fps), 1))
    root = kind.body.anatomy.root
    posed.figure.shift(-posed.figure.place(root)[first] * np.asarray([1.0, 0.0, 1.0]))
    posed.figure.take_along()
    kinds = list(dict.fromkeys(act.kind for act in script))
    motion = posed.figure.motion(inside, fps, name or "-".join(kinds))
    tags = dict.fromkeys([kind.plan, label.lower(), *(ACTIONS[index] for index in np.unique(course.action[inside]))])
    return motion.replace(labels=_labels(course, posed, inside), tags=tuple(tag for tag in tags if tag))


def allowed_actions(creature: Creature | Skeleton, plan: str | None = None) -> tuple[str, ...]:
    """The kinds of act that a body can do, in the order of `ACTIONS`.

    Args:
        creature: a creature or any skeleton.
        plan: see `perform`.

    Raises:
        SkeletonError: nothing in the skeleton was recognised that could move.
        ControlError: no body plan has that name, or it does not go with the limbs.
    """
    return actions_of(kind_of_creature(creature, plan=plan))


def _check(script: Sequence[Act], fps: float, seed: int) -> None:
    if not 10 <= fps <= HIGHEST_RATE:
        raise ControlError(f"creatures need 10 to {HIGHEST_RATE:g} frames per second, not {fps}")
    if not script:
        raise ControlError("the script is empty; it needs at least one Act")
    if not is_length(seconds := sum(act.seconds for act in script), fps):
        raise ControlError(f"{seconds:g} s at {fps:g} frames per second are more than {MOST_FRAMES:,} frames")
    if seed < 0:
        raise ControlError(f"a seed must be a non-negative integer, not {seed}")


@lru_cache(maxsize=32)
def kind_of_creature(creature: Creature | Skeleton, stance: Pose | None = None, plan: str | None = None) -> Kind:
    """How a creature or any skeleton moves; remembered for the latest ones.

    Raises:
        SkeletonError: nothing in the skeleton was recognised that could move.
        ControlError: no body plan has that name, or it does not go with the limbs.
    """
    if isinstance(creature, Creature):
        if plan is not None:
            raise ControlError(f"a {creature.plan} has its plan already; leave plan={plan!r} out")
        return kind_of(stand(creature.skeleton, creature.anatomy, known=True), creature.plan)
    anatomy = anatomy_of(creature, stance)
    level = None
    if plan is not None:
        plan, level = _hinted(plan, anatomy)
    plan = plan or anatomy.plan
    return kind_of(stand(creature, anatomy, known=False, stance=stance, swims=plan == "fish"), plan, level)


def _hinted(name: str, anatomy: CreatureAnatomy) -> tuple[str, bool | None]:
    """The body plan that a user states, and whether its tail beats up and down."""
    plan, preset = CREATURES.get(name, (name, {}))
    if plan not in PLANS:
        raise ControlError(f"no creature or body plan is named {name!r}; there are: {', '.join([*CREATURES, *PLANS])}")
    limbs = bool(anatomy.legs or anatomy.tentacles)
    if limbs == (plan in ("fish", "snake")):
        found = f"{len(anatomy.legs)} legs" if limbs else "no legs"
        raise ControlError(f"a {plan} does not fit a skeleton with {found}; a roles file can say what its joints are")
    return plan, bool(preset["level"]) if "level" in preset else None


def _labels(course: Course, posed: Posed, inside: slice) -> Mapping[str, NDArray]:
    contacts = {f"contact.{name}": planted[inside].copy() for name, planted in posed.contacts.items()}
    return contacts | {
        "action": course.action[inside].copy(),
        "speed": course.speed[inside].astype(np.float32),
        "turn": course.turning[inside].astype(np.float32),
        "phase": np.asarray(posed.phase[inside] % 1.0, np.float32) % np.float32(1),
    }

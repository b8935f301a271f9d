"""Sets of clips: what a creature may be asked to do, many creatures doing it, and steering data for one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kinema.errors import ControlError
from kinema.mocap.creatures.acts import Act
from kinema.mocap.creatures.creature import CREATURES, PLANS, Creature, make_creature
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.perform import allowed_actions, kind_of_creature, perform
from kinema.mocap.creatures.repertoire import actions_of
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton

_ON_THE_SPOT = ("turn", "jump", "look", "attack", "eat")
_LONGER = {"die": 2.2, "fly": 2.6, "glide": 2.0, "jump": 1.6}
"""Seconds that some acts need to be seen."""
_SHOWN = ("attack", "eat", "look", "jump", "die")
"""Acts that take most of a script that is about them."""
_MOST = 1.5  # seconds of such an act for each second of others
_FOUR_LEGS = ("walk", "trot", "pace", "canter", "gallop", "bound")
_CLIP_SECONDS = 30.0

TRAVEL = ("walk", "run", "swim", "fly")
"""Kinds of act that lead somewhere."""


def random_script(
    creature: Creature | Skeleton, rng: np.random.Generator, seconds: float = 4.0, kind: str | None = None
) -> list[Act]:
    """A script of one to three acts, with a turn, a curve and a pace of their own.

    Args:
        creature: who acts.
        rng: source of the choices.
        seconds: how long the script lasts, exactly.
        kind: act that the script is about; None chooses one.

    Raises:
        ControlError: the seconds are not positive, or the creature cannot do the act.
    """
    if not 0 < seconds < np.inf:
        raise ControlError(f"a script needs a positive number of seconds, not {seconds}")
    allowed = allowed_actions(creature)
    kind = kind or allowed[int(rng.integers(len(allowed)))]
    if kind not in allowed:
        raise ControlError(f"this creature cannot {kind}; it can: {', '.join(allowed)}")
    kinds = _around(kind, allowed, rng)
    shares = np.asarray([rng.uniform(0.7, 1.3) * _LONGER.get(name, 1.0) for name in kinds])
    main = np.asarray([name == kind for name in kinds])
    if kind in _SHOWN and not main.all():
        shares = np.where(main, max(float(shares[main].sum()), _MOST * float(shares[~main].sum())) / main.sum(), shares)
    times = seconds * shares / shares.sum()
    travel = kind_of_creature(creature)
    return [_varied(name, float(time), rng, travel) for name, time in zip(kinds, times, strict=True)]


def _around(kind: str, allowed: tuple[str, ...], rng: np.random.Generator) -> list[str]:
    """The act with what may come before and after it."""
    moving = [name for name in ("walk", "run", "swim") if name in allowed]
    before = ["idle", *moving[: 1 + int(rng.integers(2))]] if moving else ["idle"]
    choice = float(rng.random())
    if kind in ("fly", "glide"):
        whole = ["fly", kind] if kind == "glide" and choice < 0.5 else [kind]
        return ["idle", *whole] if choice < 0.35 else [*whole, "idle"] if choice > 0.75 else whole
    if kind == "die":
        return ["die"] if choice < 0.3 else [before[int(rng.integers(len(before)))], "die"]
    if choice < 0.4:
        return [kind]
    if choice < 0.65:
        return [before[int(rng.integers(len(before)))], kind]
    if choice < 0.85 or kind == "idle":
        return [kind, before[int(rng.integers(len(before)))]]
    return ["idle", kind, "idle"]


def _varied(kind: str, seconds: float, rng: np.random.Generator, travel: Kind) -> Act:
    """An act with a random pace, and a turn or a curve if it travels."""
    pace = float(np.clip(rng.choice((-0.8, 0.0, 0.8)) + rng.uniform(-0.2, 0.2), -1, 1))
    side = 1.0 if rng.random() < 0.5 else -1.0
    hold = 0.55 / travel.pacing.unit**0.5
    four = travel.build == "four"
    if kind == "turn":
        angle = min(float(rng.uniform(0.6, np.pi)), max(travel.pacing.turn_within(seconds, pace), 0.5))
        return Act(kind, seconds, pace, turn=side * angle)
    if kind in ("idle", *_ON_THE_SPOT, "die"):
        return Act(kind, seconds, pace)
    way = float(rng.random())
    gait = None
    if four and kind in ("walk", "run") and rng.random() < 0.15:
        gait = _FOUR_LEGS[int(rng.integers(1, 3))] if kind == "walk" else _FOUR_LEGS[int(rng.integers(1, 6))]
    if way < 0.45:
        return Act(kind, seconds, pace, gait=gait)
    if way < 0.75:
        return Act(kind, seconds, pace, curve=side * float(rng.uniform(0.25, 1.0)) * hold, gait=gait)
    return Act(kind, seconds, pace, turn=side * float(rng.uniform(0.4, 1.6)), gait=gait)


def creature_set(
    count: int,
    seed: int = 0,
    plans: Sequence[str] | None = None,
    rigs_per_plan: int = 40,
    seconds: tuple[float, float] = (3.0, 6.0),
    fps: float = 30.0,
    start: int = 0,
) -> Iterator[tuple[Creature, list[Act], Motion]]:
    """Clips of many creatures of all plans, in balance over plans, bodies and kinds of act.

    Every clip depends on the seed and its number alone, so that workers can share a set: each makes `count` clips from
    number `start` on.

    Args:
        count: number of clips.
        seed: of the set.
        plans: body plans or creatures to take turns; None takes all plans.
        rigs_per_plan: how many bodies of each plan there are; the presets of the plan are among them.
        seconds: shortest and longest clip.
        fps: frames per second.
        start: number of the first clip.

    Raises:
        ControlError: a plan is not known, or a number is out of range.
    """
    plans = PLANS if plans is None else tuple(plans)
    if not plans or rigs_per_plan < 1 or seed < 0 or start < 0 or not 0 < seconds[0] <= seconds[1]:
        raise ControlError(
            "a set needs plans, at least one rig each, positive seconds in order, and no negative numbers"
        )
    for number in range(start, start + count):
        yield _clip(number, seed, plans, rigs_per_plan, seconds, fps)


def _clip(
    number: int, seed: int, plans: Sequence[str], rigs: int, seconds: tuple[float, float], fps: float
) -> tuple[Creature, list[Act], Motion]:
    plan = plans[number % len(plans)]
    turn = number // len(plans)
    rng = np.random.default_rng((seed, number))
    creature = _rig(plan, turn % rigs, seed)
    allowed = allowed_actions(creature)
    # every body goes through all kinds of act before any comes again
    kind = allowed[(turn // rigs + turn) % len(allowed)]
    script = random_script(creature, rng, float(rng.uniform(*seconds)), kind)
    motion = perform(creature, script, fps, int(rng.integers(2**31)), f"{creature.name}-{number:05d}")
    return creature, script, motion


def _rig(plan: str, number: int, seed: int) -> Creature:
    """A body of a plan by number: its presets first, then random ones."""
    presets = [name for name, (base, _) in CREATURES.items() if plan in (base, name)] or [plan]
    if number < len(presets):
        return make_creature(presets[number])
    return make_creature(presets[number % len(presets)], 1000 * seed + number)


def _moves(kind_of: Kind, travel: Sequence[str]) -> list[tuple[Act, ...]]:
    """All manoeuvres of steering that a body can do, each of which can follow any other."""
    allowed = actions_of(kind_of)
    kinds = [kind for kind in travel if kind in allowed]
    pacing = kind_of.pacing
    rest, hold, steady = 4.0 * pacing.unit + 0.4, 0.55 / pacing.unit**0.5, 6.0 * pacing.unit + 0.6
    paces = [(kind, pace) for kind in kinds for pace in (-1.0, 0.0, 1.0)]
    moves: list[tuple[Act, ...]] = [(Act("idle", 5.0),)]
    for kind, pace in paces:
        go = Act(kind, steady, pace)
        moves.append((Act("idle", rest), go, Act("idle", rest)))
        moves += [
            (go, Act(other, steady, other_pace)) for other, other_pace in paces if (other, other_pace) != (kind, pace)
        ]
        for side in (1.0, -1.0):
            moves += [(go, Act(kind, steady, pace, turn=side * angle)) for angle in (0.4, 0.8, 1.57, 3.0)]
            moves += [(Act(kind, 1.5 * steady, pace, curve=side * share * hold),) for share in (0.35, 0.7, 1.1)]
            moves.append((Act("idle", rest), Act(kind, steady, pace, turn=side * 1.57)))
    if "turn" in allowed:
        moves += [
            (Act("idle", rest), Act("turn", rest + pacing.turn_seconds(angle, 0.0), turn=side * angle))
            for angle in (0.8, 1.57, 3.0)
            for side in (1.0, -1.0)
        ]
    if "back" in allowed:
        moves += [(Act("idle", rest), Act("back", steady, pace), Act("idle", rest)) for pace in (-1.0, 0.0, 1.0)]
    return moves


def steering_set(
    creature: Creature | Skeleton,
    minutes: float = 3.0,
    fps: float = 60.0,
    seed: int = 0,
    travel: Sequence[str] = TRAVEL,
    stance: Pose | None = None,
) -> list[Motion]:
    """Clips that cover what a player can command: starts, stops, speeds, turns, curves and going back.

    Every manoeuvre comes once before any comes again.

    Args:
        creature: who moves.
        minutes: duration of all motion together.
        fps: frames per second.
        seed: of the order and of the small irregularities.
        travel: kinds of act that lead somewhere, of which the creature does those that it can.
        stance: a pose of a skeleton in which it stands; see `perform`.

    Raises:
        SkeletonError: nothing in the skeleton was recognised that could move, or it does not stand on its legs.
        ControlError: the minutes are not positive or the seed is negative.
    """
    if not 0 < minutes < np.inf or seed < 0:
        raise ControlError(f"a set needs positive minutes, not {minutes}, and a seed that is not negative, not {seed}")
    rng = np.random.default_rng(seed)
    moves = _moves(kind_of_creature(creature, stance), travel)
    name = creature.name if isinstance(creature, Creature) else "steering"
    clips: list[Motion] = []
    order: list[int] = []
    done = 0.0
    while done < 60.0 * minutes:
        script: list[Act] = []
        length = 0.0
        while length < min(_CLIP_SECONDS, 60.0 * minutes - done):
            order = order or rng.permutation(len(moves)).tolist()
            move = moves[order.pop()]
            script += move
            length += sum(act.seconds for act in move)
        clips.append(perform(creature, script, fps, int(rng.integers(2**31)), f"{name}-{len(clips):03d}", stance))
        done += length
    return clips

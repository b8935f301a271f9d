"""Sets of clips that evenly cover what a player can command, for motion matching and for training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kinema.errors import ControlError
from kinema.mocap.procedural.bipeds import humanoid
from kinema.mocap.procedural.generate import generate
from kinema.mocap.procedural.script import REFERENCE_LEG, Segment
from kinema.mocap.procedural.stance import find_stance
from kinema.mocap.procedural.styles import Style
from kinema.motion import Motion
from kinema.skeleton import Skeleton

_CLIP_SECONDS = 40.0
_PACES = (("walk", 0.5), ("walk", 1.0), ("walk", 1.5), ("jog", 2.4), ("run", 3.5), ("sprint", 5.0))
_TURNS = (0.25, 0.5, 0.75, 1.0)  # of half a turn
_CURVES = (0.5, 1.0, 1.6)  # radians per second at a walk; faster gaits curve in proportion to what feet can hold


Move = tuple[Segment, ...]
"""A short manoeuvre, which can follow any other."""


def _moves(scale: float) -> list[Move]:
    """All manoeuvres; speeds in metres per second times `scale`."""
    at_pace = [move for kind, pace in _PACES for move in _moves_at_pace(kind, pace, scale)]
    on_the_spot = [
        (Segment("idle", 0.8), Segment("turn", 1.9, turn=sign * share * np.pi))
        for share in _TURNS
        for sign in (1.0, -1.0)
    ]
    # facing one way and travelling another: every eighth of a circle, from standing and out of a walk
    aside = [move for eighth in range(1, 8) for move in _moves_aside(eighth, scale)]
    aside += [_change_of_direction(eighth, quarters, scale) for eighth in range(8) for quarters in (1, 2)]
    standing: list[Move] = [(Segment("idle", seconds),) for seconds in (3.0, 6.0)]
    return at_pace + on_the_spot + aside + standing


def _moves_at_pace(kind: str, pace: float, scale: float) -> list[Move]:
    """Starting and stopping, changing pace, turning and curving of one gait."""
    speed = pace * scale
    steady = 1.3 if pace > 2 else 1.8
    moves: list[Move] = [(Segment("idle", 1.2), Segment(kind, steady + 0.6, speed), Segment("idle", 1.6))]
    moves += [
        (Segment(kind, steady, speed), Segment(other, steady, other_pace * scale))
        for other, other_pace in _PACES
        if other_pace != pace
    ]
    for share in _TURNS:
        for sign in (1.0, -1.0):
            turn = sign * share * np.pi
            moves.append((Segment(kind, 1.3, speed), Segment(kind, 1.7, speed, turn=turn)))
            if share != 0.25:
                moves.append((Segment("idle", 1.0), Segment(kind, 1.8, speed, turn=turn)))
    held = 1.0 if pace < 2 else 2.6 / pace
    moves += [(Segment(kind, 2.6, speed, curve=sign * curve * held),) for curve in _CURVES for sign in (1.0, -1.0)]
    return moves


def _moves_aside(eighth: int, scale: float) -> list[Move]:
    """Travelling some eighths of a circle away from the facing."""
    direction = float(np.pi / 4 * (eighth if eighth <= 4 else eighth - 8))
    kind = "backward" if eighth in (3, 4, 5) else "strafe"
    moves: list[Move] = []
    for pace in (0.8, 1.3):
        moves.append((Segment("idle", 0.9), Segment(kind, 2.2, pace * scale, direction=direction)))
        moves.append((Segment("walk", 1.2, 1.3 * scale), Segment(kind, 1.8, pace * scale, direction=direction)))
    walk = Segment("walk", 1.6, 1.3 * scale, turn=direction, direction=0.0)
    moves.append((Segment(kind, 1.5, 1.1 * scale, direction=direction), walk))
    moves.append((Segment("jog", 1.3, 2.1 * scale), Segment(kind, 1.6, 1.7 * scale, direction=direction)))
    return moves


def _change_of_direction(eighth: int, quarters: int, scale: float) -> Move:
    """Travelling some eighths of a circle away from the facing, then some quarters further, without turning."""
    first, second = (0.25 * np.pi * eighths for eighths in (eighth, eighth + 2 * quarters))
    return Segment("strafe", 1.3, scale, direction=first), Segment("strafe", 1.5, scale, direction=second)


def _extras(scale: float) -> list[Move]:
    return [
        (Segment("idle", 1.2), Segment("jump", 2.2), Segment("idle", 0.8)),
        (Segment("run", 2.0), Segment("jump", 1.6), Segment("run", 1.2)),
        (Segment("crouch", 1.8), Segment("crouch", 2.6, 0.9 * scale), Segment("walk", 1.6)),
        (Segment("crouch", 2.0, 1.0 * scale, turn=1.2), Segment("crouch", 2.0, 1.0 * scale, turn=-1.2)),
        (Segment("idle", 4.0),),
        (Segment("walk", 4.0),),
        (Segment("run", 3.0),),
    ]


def random_script(
    rng: np.random.Generator, seconds: float = _CLIP_SECONDS, leg: float = REFERENCE_LEG
) -> list[Segment]:
    """A script of about `seconds` that strings manoeuvres together at random; speeds fit a leg of `leg` metres.

    Raises:
        ControlError: the seconds or the leg are not finite, or the leg has no length.
    """
    if not (np.isfinite(seconds) and 0 < leg < np.inf):
        raise ControlError(f"a script needs finite seconds ({seconds}) and a leg of some length ({leg})")
    scale = float(np.sqrt(leg / REFERENCE_LEG))
    moves = _moves(scale) + _extras(scale)
    script: list[Segment] = []
    while sum(segment.seconds for segment in script) < seconds:
        script += moves[int(rng.integers(len(moves)))]
    return script


def locomotion_set(
    skeleton: Skeleton | None = None,
    minutes: float = 5.0,
    styles: Sequence[str | Style] = ("neutral",),
    fps: float = 60.0,
    seed: int = 0,
    extras: bool = False,
) -> list[Motion]:
    """Clips that cover starts, stops, turns on the spot and on the move, curves, changes of pace and side steps.

    Every manoeuvre comes once before any comes again (in about eleven minutes a style); a shorter set takes an even
    sample of them.

    Args:
        skeleton: any with two legs; None is the default person.
        minutes: duration of all motion together, shared evenly among the styles.
        styles: presets or styles.
        fps: frames per second.
        seed: seed of the order and of the small irregularities.
        extras: whether jumps and crouching are among the manoeuvres; a velocity command cannot ask for them.

    Raises:
        SkeletonError: the skeleton has no two legs.
        ControlError: the minutes are not positive, or there are no styles.
    """
    if not 0 < minutes < np.inf or not styles:
        raise ControlError(f"a set needs minutes ({minutes}) and at least one style ({len(styles)})")
    if seed < 0:
        raise ControlError(f"a seed must be a non-negative integer, not {seed}")
    skeleton = humanoid() if skeleton is None else skeleton
    scale = float(np.sqrt(find_stance(skeleton).leg / REFERENCE_LEG))
    moves = _moves(scale) + (_extras(scale) if extras else [])
    clips: list[Motion] = []
    for number, style in enumerate(styles):
        rng = np.random.default_rng((seed, number))
        name = style if isinstance(style, str) else style.name
        for script in _scripts(moves, 60.0 * minutes / len(styles), rng):
            clip = f"{name}-{len(clips):03d}"
            clips.append(generate(skeleton, script, style, fps, int(rng.integers(2**31)), clip))
    return clips


def _scripts(moves: Sequence[Move], seconds: float, rng: np.random.Generator) -> Iterator[list[Segment]]:
    """Scripts of a clip's length that together last for `seconds`; every move comes once before any comes again."""
    script: list[Segment] = []
    length, done = 0.0, 0.0
    order: list[int] = []
    while done + length < seconds:
        order = order or rng.permutation(len(moves)).tolist()
        move = moves[order.pop()]
        script += move
        length += sum(segment.seconds for segment in move)
        if length >= _CLIP_SECONDS or done + length >= seconds:
            yield script
            done, length, script = done + length, 0.0, []

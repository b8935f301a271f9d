"""What is asked of a motion: one wish after the other, in words or numbers, and a path on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinema.arrays import Floats, Ints, Singles
from kinema.errors import UsageError
from kinema.generation import conditions
from kinema.generation.acceptance import FASTEST
from kinema.generation.cadence import usual_cadence
from kinema.generation.channels import FPS, Start
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures.acts import ACTIONS
from kinema.mocap.creatures.words import concepts_of

MOST_TURN = float(4 * np.pi)
"""Radians a second: two whole turns."""


@dataclass(frozen=True)
class Wish:
    """What is to be done for a while. Everything may be left open.

    Attributes:
        text: in words.
        action: one of `kinema.mocap.creatures.ACTIONS`; without a text it is said, too.
        speed: metres a second. turn: radians a second, positive to the left; None leaves it to the words, see
            `said_turns`.
        cadence: strides, waves or wing beats a second; None takes what is usual for the body.
        seconds: how long; None shares what is left of the clip with other wishes.
    """

    text: str = ""
    action: str | None = None
    speed: float | None = None
    turn: float | None = None
    cadence: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.action is not None and self.action not in ACTIONS:
            raise UsageError(f"no action is named {self.action!r}; the actions are: {', '.join(ACTIONS)}")
        numbers = [value for value in (self.speed, self.turn, self.cadence, self.seconds) if value is not None]
        positive = [value for value in (self.cadence, self.seconds) if value is not None]
        if not np.isfinite(numbers).all() or (self.speed or 0) < 0 or any(value <= 0 for value in positive):
            raise UsageError(f"a wish needs finite numbers, no negative speed, positive seconds and cadence: {self}")
        if abs(self.turn or 0) > MOST_TURN:
            most = np.degrees(MOST_TURN)
            raise UsageError(f"turns are up to {most:.0f} degrees a second, not {np.degrees(self.turn or 0):.6g}")


@dataclass(frozen=True, eq=False)
class Asked:
    """Wishes as numbers for `P` patches.

    Attributes:
        asked: `[P, ASKED]`. texts: each wish's. wish: `[P]`, which of them. path: `[P, PATH]`.
    """

    asked: Singles
    texts: list[str]
    wish: Ints
    path: Singles


def ask(
    wishes: Sequence[Wish],
    rig: AnyRig,
    patches: int,
    patch: int,
    path: Singles | None = None,
    times: tuple[Floats, Floats] | None = None,
    rhythm: tuple[Floats, Floats] | None = None,
    whole: bool = False,
) -> Asked:
    """Wishes as numbers.

    Args:
        patches: number of patches. patch: frames of each.
        path: `[P, PATH]`, see `conditions.places`; None leaves it open.
        times: seconds `[P]` since each patch's wish began, and until it ends, see `times_of`; None leaves them open.
        rhythm: cadence, Hz, and strides, `[P]`; NaN leaves them open. None takes the cadences of the wishes, or what is
            usual for the body, and counts strides from the beginning.
        whole: whether strides that are counted have to be whole ones in all, as those of a loop.

    Raises:
        UsageError: a speed is more than a body of this size can have.
    """
    for each in wishes:
        _check_speed(each.speed or 0.0, rig, "")
    wish = divided([each.seconds for each in wishes], patches, conditions.patch_seconds(patch))
    actions = np.asarray([ACTIONS.index(each.action) if each.action else -1 for each in wishes])
    speeds = np.asarray([np.nan if each.speed is None else each.speed / rig.unit for each in wishes])
    turns = np.asarray([np.nan if each.turn is None else each.turn for each in wishes])
    unknown = np.full(patches, np.nan)
    if rhythm is None:
        cadence, seconds = np.asarray([cadence_of(each, rig) for each in wishes])[wish], conditions.patch_seconds(patch)
        if whole and (strides := np.nansum(cadence) * seconds) > 0:
            cadence = cadence * max(round(strides), 1) / strides
        rhythm = cadence, counted(cadence, seconds)
    open_path = np.zeros((patches, conditions.PATH), np.float32)
    return Asked(
        conditions.asked(actions[wish], speeds[wish], turns[wish], *rhythm, *(times or (unknown, unknown))),
        [each.text or each.action or "" for each in wishes],
        wish,
        open_path if path is None else path,
    )


def counted(cadence: Floats, seconds: float, start: float = 0.0) -> Floats:
    """Strides `[P]` at the middle of each patch of so many seconds; NaN where the cadence `[P]` is open."""
    steps = np.nan_to_num(cadence) * seconds
    return start + np.cumsum(steps) - 0.5 * steps + 0.0 * cadence


def cadence_of(wish: Wish, rig: AnyRig) -> float:
    """Hz: what is asked for, or what is usual for the body; NaN where there is none."""
    if wish.cadence is not None:
        return wish.cadence
    return usual_cadence(rig, wish.action, wish.speed, _pace(wish.text))


@lru_cache(maxsize=1024)
def _pace(text: str) -> float:
    """How fast words are, from -1 to 1."""
    concepts = concepts_of(text)
    return float("fast" in concepts) - float("slow" in concepts)


def _check_speed(speed: float, rig: AnyRig, where: str) -> None:
    if speed > FASTEST * rig.unit:
        raise UsageError(
            f"{speed:.4g} m/s{where} is too fast for a skeleton {2 * rig.unit:.4g} m large; up to "
            f"{FASTEST * rig.unit:.4g} m/s can be asked of it"
        )


def path_places(points: Sequence[Sequence[float]], rig: AnyRig, frames: int, patch: int) -> tuple[Singles, Start]:
    """A path through points on the ground `[N, 2]`, metres, x and z, at an even pace, facing ahead.

    Returns:
        Places `[P, PATH]`, seen from where the path begins, and where it begins.

    Raises:
        UsageError: there are fewer than two points, they are not pairs of finite numbers, or too far for the time.
    """
    try:
        given = np.asarray(points, np.float64)
    except ValueError:
        given = np.zeros(0)
    if given.ndim != 2 or len(given) < 2 or given.shape[-1] != 2 or not np.isfinite(given).all():
        raise UsageError("a path needs two points or more, each x and z in metres, such as 0,0 0,2 1,3")
    steps = np.diff(given, axis=0)
    lengths = np.linalg.norm(steps, axis=-1)
    steps = steps[lengths > 0] if lengths.any() else np.asarray([[0.0, 1.0]])
    given = np.concatenate([given[:1], given[1:][lengths > 0]])
    along = np.concatenate([[0.0], np.cumsum(lengths[lengths > 0])])
    _check_speed(float(along[-1]) * FPS / max(frames, 1), rig, f" along a path of {along[-1]:.4g} m in so short a time")
    whole = -(-frames // patch) * patch
    at = np.minimum(np.arange(whole) / max(frames - 1, 1), 1.0) * along[-1]
    path = np.stack([np.interp(at, along, column) for column in given.T], axis=-1) / rig.unit
    directions = np.arctan2(steps[:, 0], steps[:, 1])
    heading = directions[np.clip(np.searchsorted(along, at, "right") - 1, 0, len(steps) - 1)]
    places = conditions.places(path.astype(np.float32), heading.astype(np.float32), patch)
    return places, Start(float(given[0, 0]), float(given[0, 1]), float(heading[0]))


def divided(seconds: Sequence[float | None], patches: int, patch_seconds: float) -> Ints:
    """Which wish each patch `[P]` belongs to: those with a duration take it, the others share the rest equally."""
    middles = (np.arange(patches) + 0.5) * patch_seconds
    ends = np.cumsum(shared(seconds, patches * patch_seconds, patch_seconds))
    return np.minimum(np.searchsorted(ends, middles), len(seconds) - 1).astype(np.int64)


def times_of(
    seconds: Sequence[float | None], patches: int, patch_seconds: float, around: bool = False
) -> tuple[Floats, Floats]:
    """Seconds `[P]` since the wish of each patch began, and until it ends, at the middle of the patch; NaN where open.

    Args:
        seconds: durations of wishes, see `divided`.
        around: whether there may be motion before the first wish and after the last: that one may have begun earlier,
            and this one may go on.
    """
    wish = divided(seconds, patches, patch_seconds)
    ends = np.cumsum(shared(seconds, patches * patch_seconds, patch_seconds))
    begins = np.concatenate([[0.0], ends[:-1]])
    if around:
        begins[0] = ends[-1] = np.nan
    middles = np.asarray((np.arange(patches) + 0.5) * patch_seconds, np.float64)
    return middles - begins[wish], np.maximum(ends[wish] - middles, 0.0)


def shared(seconds: Sequence[float | None], total: float, least: float) -> list[float]:
    """How long each wish lasts: those without a duration share the rest of a total equally, but have the least."""
    taken = sum(each for each in seconds if each is not None)
    free = sum(each is None for each in seconds)
    rest = max(total - taken, free * least) / max(free, 1)
    return [rest if each is None else each for each in seconds]

"""What is asked of a motion: one wish after the other, in words or numbers, and a path on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Ints, Singles
from kinema.errors import UsageError
from kinema.generation import conditions, text
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures.acts import ACTIONS


@dataclass(frozen=True)
class Wish:
    """What is to be done for a while. Everything may be left open.

    Attributes:
        text: in words.
        action: one of `kinema.mocap.creatures.ACTIONS`.
        speed: metres a second. turn: radians a second, positive to the left.
        seconds: how long; None shares what is left of the clip with other wishes.
    """

    text: str = ""
    action: str | None = None
    speed: float | None = None
    turn: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.action is not None and self.action not in ACTIONS:
            raise UsageError(f"no action is named {self.action!r}; the actions are: {', '.join(ACTIONS)}")
        numbers = [value for value in (self.speed, self.turn, self.seconds) if value is not None]
        if not np.isfinite(numbers).all() or (self.speed or 0) < 0 or (self.seconds is not None and self.seconds <= 0):
            raise UsageError(f"a wish needs finite numbers, no negative speed and positive seconds: {self}")


@dataclass(frozen=True, eq=False)
class Asked:
    """Wishes as numbers for `P` patches.

    Attributes:
        asked: `[P, ASKED]`. texts: tokens of each wish. wish: `[P]`, which of them. path: `[P, PATH]`.
    """

    asked: Singles
    texts: list[list[int]]
    wish: Ints
    path: Singles


def ask(wishes: Sequence[Wish], rig: AnyRig, patches: int, patch: int, path: Singles | None = None) -> Asked:
    """Wishes as numbers.

    Args:
        patches: number of patches. patch: frames of each.
        path: `[P, PATH]`, see `conditions.places`; None leaves it open.
    """
    wishes = wishes or (Wish(),)
    wish = divided([each.seconds for each in wishes], patches, conditions.patch_seconds(patch))
    actions = np.asarray([ACTIONS.index(each.action) if each.action else -1 for each in wishes])
    speeds = np.asarray([np.nan if each.speed is None else each.speed / rig.unit for each in wishes])
    turns = np.asarray([np.nan if each.turn is None else each.turn for each in wishes])
    open_path = np.zeros((patches, conditions.PATH), np.float32)
    return Asked(
        conditions.asked(actions[wish], speeds[wish], turns[wish]),
        [text.tokens(each.text) for each in wishes],
        wish,
        open_path if path is None else path,
    )


def path_places(points: Sequence[Sequence[float]], rig: AnyRig, frames: int, patch: int) -> Singles:
    """Places `[P, PATH]` along points on the ground `[N, 2]`, metres, x and z, passed at an even pace, facing ahead.

    Raises:
        UsageError: there are fewer than two points, or they are not pairs of finite numbers.
    """
    try:
        given = np.asarray(points, np.float64)
    except ValueError:
        given = np.zeros(0)
    if given.ndim != 2 or len(given) < 2 or given.shape[-1] != 2 or not np.isfinite(given).all():
        raise UsageError("a path needs two points or more, each x and z in metres, such as 0,0 0,2 1,3")
    lengths = np.linalg.norm(np.diff(given, axis=0), axis=-1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    whole = -(-frames // patch) * patch
    at = np.minimum(np.arange(whole) / max(frames - 1, 1), 1.0) * along[-1]
    path = np.stack([np.interp(at, along, column) for column in given.T], axis=-1) / rig.unit
    steps = np.gradient(path, axis=0)
    heading = np.unwrap(np.arctan2(steps[:, 0], steps[:, 1]))
    return conditions.places(path.astype(np.float32), (heading - heading[0]).astype(np.float32), patch)


def divided(seconds: Sequence[float | None], patches: int, patch_seconds: float) -> Ints:
    """Which wish each patch `[P]` belongs to: those with a duration take it, the others share the rest equally."""
    total = patches * patch_seconds
    taken = sum(each for each in seconds if each is not None)
    free = sum(each is None for each in seconds)
    rest = max(total - taken, free * patch_seconds) / max(free, 1)
    ends: Floats = np.cumsum([rest if each is None else each for each in seconds])
    middles = (np.arange(patches) + 0.5) * patch_seconds
    return np.minimum(np.searchsorted(ends, middles), len(seconds) - 1).astype(np.int64)

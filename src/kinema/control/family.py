"""The protocol of a controller family.

A family (motion matching, an expert network, a codebook) makes the *plan*: a stretch of future poses. The shared
`kinema.control.controller.Controller` asks for a new plan when the old one is outdated, samples it at any rate, and
does everything after that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Singles
from kinema.control.query import Query
from kinema.features.spec import FeatureSpec
from kinema.mocap.database import MotionDatabase
from kinema.pose import Pose
from kinema.skeleton import Skeleton

Rows = slice | NDArray[np.integer]
"""Selects characters."""

ALL = slice(None)


@dataclass(frozen=True, eq=False)
class Moment:
    """One moment of the plans of `n` characters.

    Attributes:
        pose: poses `[n]` with contacts. Their root is not used.
        root_velocities: `[n, 3]`, m/s, in the root frames.
        root_turns: `[n]`, turn rates about +Y, rad/s.
    """

    pose: Pose
    root_velocities: NDArray[np.float32]
    root_turns: NDArray[np.float32]


class Family(Protocol):
    """A way to plan motion for `n` characters at once."""

    skeleton: Skeleton
    translated: NDArray[np.int32]
    """Joints `[T]` whose translations the plan animates."""
    contact_joints: NDArray[np.int32]
    """Joints `[C]`, one for each contact column."""

    def reset(self, count: int) -> None:
        """Restart with `count` characters at rest."""
        ...

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, unchanged. Add `added` new ones at rest after them."""
        ...

    def replan(self, query: Query) -> NDArray[np.bool_]:
        """Make new plans for the characters that are due. Returns which poses jump `[n]`."""
        ...

    def advance(self, query: Query, dt: float) -> None:
        """Advance along the plans by `dt` seconds."""
        ...

    def sample(self, offset: float = 0.0, rows: Rows = ALL) -> Moment:
        """The plans of some characters `offset` seconds from now (negative: past), clamped to the plans' lengths."""
        ...

    @property
    def diagnostics(self) -> Mapping[str, float | Singles]:
        """Values for display, such as search time, cost, transitions; arrays `[n, K]` such as gate weights."""
        ...


@runtime_checkable
class ShowsFeatures(Protocol):
    """Optional part of a family or controller: the features of the current frames, for display."""

    spec: FeatureSpec

    def features_now(self) -> dict[str, NDArray[np.float32]]:
        """Features `[n, dim]` by feature name, not normalised, in the root frames of the characters."""
        ...


@dataclass(frozen=True)
class Cost:
    """What a family takes; None where there is none.

    Attributes:
        megabytes: of data and weights that it needs at run time.
        parameters_m: numbers that were learned, in millions. training_cpu_min: minutes of one core to learn them.
    """

    megabytes: float | None = None
    parameters_m: float | None = None
    training_cpu_min: float | None = None


@runtime_checkable
class HasCost(Protocol):
    """Optional part of a family that knows what it takes."""

    @property
    def cost(self) -> Cost:
        """Bytes, parameters, training."""
        ...


@runtime_checkable
class LimitsSpeed(Protocol):
    """Optional part of a family that knows how fast its characters can go."""

    @property
    def fastest(self) -> Singles:
        """The highest speed to command of each character, `[n]`, m/s."""
        ...


@runtime_checkable
class FollowsGround(Protocol):
    """Optional part of a family that is told the ground: whether its plans already go up and down with it."""

    @property
    def follows_ground(self) -> bool:
        """True if feet of plans are at the height of the ground, False if they are as on level ground."""
        ...


@runtime_checkable
class MixesStyles(Protocol):
    """Optional part of a family whose characters can move in any mix of its styles."""

    styles: tuple[str, ...]
    """Names; the default style is the first."""

    @property
    def latents(self) -> Singles | None:
        """What the styles are to its network, `[S, D]`: those that look alike are near each other."""
        ...


@runtime_checkable
class PlaysFrames(Protocol):
    """Optional part of a family that plays back frames of a database: which frames."""

    database: MotionDatabase

    @property
    def frames(self) -> NDArray[np.int64]:
        """The database frame nearest to each character's place in its plan, `[n]`."""
        ...

"""What a controller family supplies.

A family (motion matching, an expert network, a codebook) owns the *plan*: a stretch of future poses. The shared
`kinema.control.controller.Controller` asks for a new plan when the old one is stale, samples it at any rate, and does
everything that comes after.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kinema.control.query import Query
from kinema.features.spec import FeatureSpec
from kinema.mocap.database import MotionDatabase
from kinema.pose import Pose
from kinema.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Moment:
    """One moment in the plans of `n` characters.

    Attributes:
        pose: of the characters, with contacts; its root is not used.
        root_velocities: `[n, 3]`, m/s, in the root frames.
        root_turns: `[n]`, rad/s about +Y.
    """

    pose: Pose
    root_velocities: NDArray[np.float32]
    root_turns: NDArray[np.float32]


class Family(Protocol):
    """One way to plan motion for `n` characters at once."""

    skeleton: Skeleton
    translated: NDArray[np.int32]
    """Joints `[T]` whose translations the plan moves."""
    contact_joints: NDArray[np.int32]
    """One joint `[C]` a contact column."""

    def reset(self, count: int) -> None:
        """Start over with `count` characters at rest."""
        ...

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Go on with the characters `keep`, in that order, as they are, and `added` new ones at rest after them."""
        ...

    def replan(self, query: Query) -> NDArray[np.bool_]:
        """Make new plans for the characters that are due; returns whose pose jumps `[n]`."""
        ...

    def advance(self, query: Query, dt: float) -> None:
        """Move on along the plans by `dt` seconds."""
        ...

    def sample(self, offset: float = 0.0) -> Moment:
        """The plans `offset` seconds from now (negative: before), clamped to what the plans hold."""
        ...

    @property
    def diagnostics(self) -> Mapping[str, float]:
        """Figures to show: search time, cost, transitions."""
        ...


@runtime_checkable
class ShowsFeatures(Protocol):
    """What a family (or a controller) may offer besides, to be drawn: what it sees of the frames it plays."""

    spec: FeatureSpec

    def features_now(self) -> dict[str, NDArray[np.float32]]:
        """Vectors `[n, dim of feature]` by feature name, not normalised, in the root frames of the characters."""
        ...


@runtime_checkable
class PlaysFrames(Protocol):
    """What a family that plays back frames of a database offers besides: which ones."""

    database: MotionDatabase

    @property
    def frames(self) -> NDArray[np.int64]:
        """The frame of the database nearest to each character's place in its plan, `[n]`."""
        ...

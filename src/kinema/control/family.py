"""What a controller family supplies, and the sample that all families speak.

A family (motion matching, an expert network, a codebook) owns the query and the *plan*: a stretch of future poses. The
shared `kinema.control.controller.Controller` asks for a new plan when the old one is stale, samples it at any
rate, and does everything that comes after.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kinema.features.spec import FeatureSpec
from kinema.mocap.database import MotionDatabase
from kinema.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class PlanSample:
    """Poses of `n` characters at one moment of their plans, free of where they stand.

    Attributes:
        local_rotations: `[n, J, 4]`, top joints relative to the root frame.
        local_translations: `[n, T, 3]` of the skeleton's translated joints, metres.
        root_velocity: `[n, 3]`, m/s, in the root frame.
        root_turn: `[n]`, rad/s about +Y.
        contacts: `[n, C]` in 0 to 1.
    """

    local_rotations: NDArray[np.float32]
    local_translations: NDArray[np.float32]
    root_velocity: NDArray[np.float32]
    root_turn: NDArray[np.float32]
    contacts: NDArray[np.float32]


class Family(Protocol):
    """One way to plan motion for `n` characters at once."""

    skeleton: Skeleton
    translated: NDArray[np.int32]
    """Joints `[T]` whose translations the plan moves."""
    contact_joints: NDArray[np.int32]
    """One joint `[C]` a contact column: left, right."""
    times: tuple[float, ...]
    """Seconds ahead at which `replan` wants the trajectory."""

    def reset(self, count: int) -> None:
        """Start over with `count` characters at rest."""
        ...

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Go on with the characters `keep`, in that order, as they are, and `added` new ones at rest after them."""
        ...

    def replan(
        self, positions: NDArray[np.float32], directions: NDArray[np.float32], due: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Make new plans where `due` `[n]`; returns where the pose jumps `[n]`.

        Args:
            positions: `[n, S, 3]`: the wanted trajectory at `times` in each character's root frame, metres.
            directions: `[n, S, 3]`: wanted facings there, unit.
        """
        ...

    def advance(self, dt: NDArray[np.float32]) -> None:
        """Move on along the plans by `dt` `[n]` seconds."""
        ...

    def sample(self, offset: float | NDArray[np.float32] = 0.0) -> PlanSample:
        """The plan `offset` (one or `[n]`) seconds from now (negative: before), clamped to what the plan holds."""
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

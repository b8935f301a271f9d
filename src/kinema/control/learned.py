"""The family of controllers whose plans come from a network.

A network reads the present pose and the path that is wanted, and answers with the poses of the next moments. Every
answer is made a pose of this body before it is used again: rotations are orthonormal and bones keep their lengths.
Without that, errors feed on themselves until the motion falls apart.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Bools, Indices, Singles
from kinema.control import plan_kernels
from kinema.control.family import ALL, Moment, Rows
from kinema.control.membership import carried
from kinema.control.plans import PlanFrames, Plans
from kinema.control.query import Query
from kinema.errors import ControlError, LearningError
from kinema.features import Feature, FeatureSpec, kernels
from kinema.features.kinds import CARRIED, within_reach
from kinema.pose import Pose
from kinema.skeleton import Skeleton

FINER = 2
"""Frames of a plan for each one that its network was trained with."""


@dataclass(frozen=True, eq=False)
class PlanModel:
    """A network that plans, with all that a controller needs to know of it.

    Attributes:
        predict: outputs `[n, D_y]` for inputs `[n, D_x]`, in the units of their features.
        given, wanted: what inputs and outputs mean. Inputs are features of the present and of the wanted path. Outputs
            have "root" (root_delta), "positions", "rotations" (rotation6d) and "contacts", all at the same times, which
            begin now. An input of a kind in `CARRIED` is an output of the same name as well.
        fps: of the plans.
        translated: joints `[T]` whose translations are not fixed.
        contact_joints: joints `[C]`, one for each contact column.
        start: one pose with contacts, of somebody at rest. carried: the numbers of carried features there.
        activations: how much each expert counts, `[n, K]`, for the same inputs; None for networks without experts.
        clearance: metres from the ground to the contact joints while they stand. nbytes: of its weights.
    """

    predict: Callable[[Singles], Singles]
    given: FeatureSpec
    wanted: FeatureSpec
    fps: float
    translated: Indices
    contact_joints: Indices
    start: Pose
    carried: Mapping[str, Sequence[float]] = field(default_factory=dict)
    activations: Callable[[Singles], Singles] | None = None
    clearance: float = 0.0
    nbytes: int = 0

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of its poses."""
        return self.given.skeleton


@dataclass(frozen=True, eq=False)
class LiveState:
    """What features of `n` characters are computed from while they are driven.

    Attributes:
        pose: `[n]`, relative to the root frames.
        velocities: of all joints, relative to the world, in the root frames, `[n, J, 3]`, m/s.
        query: the commands.
        rows: the characters among those of the query.
        carried: what the plans carry, by the name of the feature, `[n, D]`.
    """

    pose: Pose
    velocities: Singles
    query: Query
    rows: NDArray[np.integer]
    carried: Mapping[str, Singles] = field(default_factory=dict)

    def path(self, feature: Feature) -> tuple[Singles, Singles]:
        """Positions and directions (x, z) `[n, S, 2]` of the path that is wanted, at the times of a feature."""
        positions, directions = self.query.path(feature.times)
        return positions[self.rows][..., [0, 2]], directions[self.rows][..., [0, 2]]


def _axes(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    return kernels.axes(np.ascontiguousarray(state.pose.model_rotations, np.float32), joints, 0, 1)


def _goal_positions(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    return within_reach(np.nan_to_num(state.query.goals[state.rows][..., [0, 2]]))


def _goal_directions(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    return np.nan_to_num(state.query.goal_directions[state.rows][..., [0, 2]])


def _carried(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    return state.carried[feature.name]


LIVE: dict[str, Callable[[LiveState, Feature, Indices], Singles]] = {
    "position": lambda state, feature, joints: state.pose.model_positions[:, joints],
    "velocity": lambda state, feature, joints: state.velocities[:, joints],
    "rotation6d": _axes,
    "trajectory.position": lambda state, feature, joints: state.path(feature)[0],
    "trajectory.direction": lambda state, feature, joints: state.path(feature)[1],
    "goal.position": _goal_positions,
    "goal.direction": _goal_directions,
    "contact": lambda state, feature, joints: state.pose.contacts,
    **dict.fromkeys(CARRIED, _carried),
}
"""How features are computed while driving, by their kind: to add one, add a function here."""


class Learned:
    """The family of controllers whose plans come from a network. One instance serves one controller.

    Args:
        fade: seconds for which an old plan is mixed with the new one.

    Raises:
        ControlError: an input of the network cannot be computed while driving.
    """

    def __init__(self, model: PlanModel, fade: float = 0.15) -> None:
        self.model = model
        self.skeleton, self.translated, self.contact_joints = model.skeleton, model.translated, model.contact_joints
        for feature in model.given.features:
            if feature.kind not in LIVE:
                raise ControlError(f"a controller cannot compute feature {feature.name!r} of kind {feature.kind!r}")
        self._joints = {f.name: np.asarray(f.joint_indices(self.skeleton), np.int32) for f in model.given.features}
        by_name = {feature.name: feature for feature in model.wanted.features}
        known = by_name["positions"].joint_indices(self.skeleton)
        self._columns = np.full(self.skeleton.joint_count, -1, np.int64)
        self._columns[known] = np.arange(len(known))
        self._parents = np.asarray(self.skeleton.parents, np.int32)
        sizes = [len(values) for values in model.carried.values()]
        ends = np.cumsum(sizes).tolist()
        self._carried = {name: slice(b - a, b) for name, a, b in zip(model.carried, sizes, ends, strict=True)}
        self._frames = frames = by_name["contacts"].samples
        start = model.start[None, None][:, [0] * frames]
        numbers = np.asarray([number for values in model.carried.values() for number in values], np.float32)
        at_rest = PlanFrames.of(start, self.translated, model.fps, np.tile(numbers, (1, frames, 1)))
        self._plans = Plans(self.skeleton, self.translated, at_rest, model.fps, fade)
        self.reset(1)

    def reset(self, count: int) -> None:
        """Restart with `count` characters at rest."""
        self._plans.reset(count)
        self._active = np.zeros((count, 0), np.float32)

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, and add `added` new ones at rest."""
        self._plans.select(keep, added)
        self._active = carried(self._active, keep, added)

    def replan(self, query: Query) -> Bools:
        """New plans for the characters that are due. No pose jumps: plans are faded."""
        rows = np.flatnonzero(query.due)
        now = self._plans.at(0.0, rows)
        pose = self._plans.moment(now).pose
        said = {name: now.carried[:, place] for name, place in self._carried.items()}
        x = self.inputs(LiveState(pose, now.velocities, query, rows, said))
        self._plans.replace(rows, self.frames(self.model.predict(x)))
        if self.model.activations is not None:
            active = self.model.activations(x)
            if active.shape[1] != self._active.shape[1]:
                self._active = np.zeros((len(query.due), active.shape[1]), np.float32)
            self._active[rows] = active
        return np.zeros(len(query.due), np.bool_)

    def inputs(self, state: LiveState) -> Singles:
        """Inputs of the network `[n, D_x]`."""
        spec = self.model.given
        x = np.empty((len(state.rows), spec.dim), np.float32)
        for feature in spec.features:
            values = LIVE[feature.kind](state, feature, self._joints[feature.name])
            x[:, spec[feature.name]] = values.reshape(len(x), -1)
        return x

    def frames(self, y: Singles) -> PlanFrames:
        """Plans from outputs `[n, D_y]` of the network."""
        spec, count = self.model.wanted, len(y)

        def part(name: str) -> Singles:
            """The numbers of an output, by frame."""
            return y[:, spec[name]].reshape(count, self._frames, -1)

        joints = self.skeleton.joint_count
        turned, moved = plan_kernels.local_poses(
            np.ascontiguousarray(part("rotations"), np.float32).reshape(-1, joints, 6),
            self._parents,
            np.ascontiguousarray(part("positions"), np.float32).reshape(count * self._frames, -1, 3),
            self._columns,
            self.translated,
        )
        translations = self.skeleton.translations(self.translated, moved)
        root = next(feature for feature in spec.features if feature.name == "root")
        places, turns = root.decode(y[:, spec["root"]], self.skeleton)
        whole = Pose(
            self.skeleton,
            turned.reshape(count, self._frames, joints, 4),
            translations.reshape(count, self._frames, joints, 3),
            contacts=part("contacts").clip(0.0, 1.0),
            root_positions=places,
            root_rotations=turns,
        )
        more = np.concatenate([part("contacts")[..., :0], *(part(name) for name in self._carried)], axis=-1)
        return PlanFrames.of(whole, self.translated, self.model.fps, more)

    def advance(self, query: Query, dt: float) -> None:
        """Go on along the plans by `dt` seconds."""
        self._plans.advance(dt)

    def sample(self, offset: float = 0.0, rows: Rows = ALL) -> Moment:
        """The plans of some characters `offset` seconds from now; see `Family`."""
        return self._plans.moment(self._plans.at(offset, rows))

    @property
    def nbytes(self) -> int:
        """Bytes of the weights."""
        return self.model.nbytes

    @property
    def diagnostics(self) -> Mapping[str, float | Singles]:
        """How much each expert counts, and the phases, of each character."""
        now = self._plans.at()
        phases = {}
        for name, place in self._carried.items():
            vectors = now.carried[:, place].reshape(len(now.carried), -1, 2)
            phases[name.replace("_", " ")] = np.arctan2(vectors[..., 0], vectors[..., 1]) / math.tau % 1.0
        return ({"experts": self._active} if self._active.size else {}) | phases


def load_plan_model(folder: str | os.PathLike[str], skeleton: Skeleton | None = None, threads: int = 1) -> PlanModel:
    """The network of a folder that `kinema train` wrote with a task that plans, such as "perceptron" or "mann".

    Args:
        skeleton: the body that it is for, if that is to be checked.
        threads: of torch, for the whole program.

    Raises:
        LearningError: it is not there, damaged, of another task or made for another body; says what differs.
    """
    import torch

    from kinema.learn.folder import WEIGHTS, load_model
    from kinema.learn.setting import pose_from_json
    from kinema.learn.tasks.experts import ExpertsNetwork
    from kinema.learn.tasks.plan import PlanNetwork

    trained = load_model(folder, skeleton=skeleton)
    model, setting = trained.model, trained.setting
    if not isinstance(model, PlanNetwork):
        raise LearningError(
            f"{folder}: a model of the task {trained.document['task']!r} makes no plans; those of perceptron, mann, "
            "pfnn, local-phases, deep-phase, nsm, codebook and flow do"
        )
    torch.set_num_threads(threads)

    @torch.no_grad()
    def predict(x: Singles) -> Singles:
        return model(torch.from_numpy(x)).numpy()

    @torch.no_grad()
    def activations(x: Singles) -> Singles:
        assert isinstance(model, ExpertsNetwork)
        return model.activations(model.seen(torch.from_numpy(x))).numpy()

    given, wanted = setting.specs["x"], model.refine(FINER)
    start = pose_from_json(given.skeleton, setting.more["start"])
    contacts = next(feature for feature in wanted.features if feature.name == "contacts")
    return PlanModel(
        predict,
        given,
        wanted,
        setting.fps * FINER,
        setting.translated,
        np.asarray(contacts.joint_indices(given.skeleton), np.int32),
        start,
        setting.more["carried"],
        activations if isinstance(model, ExpertsNetwork) else None,
        float(setting.more["clearance"]),
        os.path.getsize(os.path.join(folder, WEIGHTS)),
    )

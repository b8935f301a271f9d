"""The family of controllers whose plans come from a network.

A network reads the present pose and the path that is wanted, and answers with the poses of the next moments. Every
answer is made a pose of this body before it is used again: rotations are orthonormal and bones keep their lengths.
Without that, errors feed on themselves until the motion falls apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import springs
from kinema.arrays import Bools, Indices, Singles
from kinema.control.family import ALL, Cost, Moment, Rows
from kinema.control.membership import carried
from kinema.control.plan_reader import PlanReader
from kinema.control.plans import PlanFrames, Plans
from kinema.control.query import Query
from kinema.control.trail import Trail
from kinema.errors import ControlError
from kinema.features import Feature, FeatureSpec, kernels
from kinema.features.kinds import CARRIED, within_reach
from kinema.mocap.styles import NORMAL, mean_pose, shares_of
from kinema.pose import Pose
from kinema.skeleton import Skeleton
from kinema.terrain import heights_across, heights_around

if TYPE_CHECKING:
    from kinema.learn.folder import TrainedModel

STYLE_HALFLIFE = 0.15
"""Seconds in which half of a change of style has happened."""

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
        clearance: metres from the ground to the contact joints while they stand. cost: what it takes.
        fastest: names of its styles, the default one first, and the speeds that they reach, m/s.
        latents: what these styles are to it, `[S, 4]`; None without styles.
        guidance: what they are to a network that is guided by poses, `[S, J, 3]`; None for other networks.
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
    cost: Cost = field(default_factory=Cost)
    fastest: Mapping[str, float] = field(default_factory=lambda: {NORMAL: math.inf})
    latents: Singles | None = None
    guidance: Singles | None = None

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
        styles: shares of the styles, `[n, S]`.
        trail: where the characters were, all of the query.
        guidance: the poses of the styles, `[S, J, 3]`, of a network that is guided by poses.
    """

    pose: Pose
    velocities: Singles
    query: Query
    rows: NDArray[np.integer]
    carried: Mapping[str, Singles] = field(default_factory=dict)
    styles: Singles = field(default_factory=lambda: np.ones((1, 1), np.float32))
    trail: Trail = field(default_factory=Trail)
    guidance: Singles = field(default_factory=lambda: np.zeros((1, 0, 3), np.float32))

    def path(self, feature: Feature) -> tuple[Singles, Singles]:
        """Positions and directions (x, z) `[n, S, 2]` of the path that is wanted, at the times of a feature."""
        positions, directions = self.query.path(feature.times)
        return positions[self.rows][..., [0, 2]], directions[self.rows][..., [0, 2]]

    def track(self, times: Sequence[float]) -> tuple[Singles, Singles]:
        """Positions `[n, S, 3]` and headings `[n, S]` in the world at times before now and after, at root height."""
        query, rows = self.query, self.rows
        past = [time for time in times if time < 0]
        places, before = self.trail.at(past, rows)
        ahead, after = query.trajectory.predict(query.commands, times[len(past) :])
        positions = np.repeat(query.root_positions[rows, None], len(times), axis=1)
        positions[..., [0, 2]] = np.concatenate([places, ahead[rows][..., [0, 2]]], axis=1)
        return positions, np.concatenate([before, after[rows]], axis=1)


def _heights(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    positions, headings = state.track(feature.times)
    return heights_across(state.query.ground, positions, headings) - positions[..., 1:2]


def _height_grid(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    query, rows = state.query, state.rows
    return heights_around(query.ground, query.root_positions[rows], query.root_headings[rows])


def _axes(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    return kernels.axes(np.ascontiguousarray(state.pose.model_rotations, np.float32), joints, 0, 1)


def _goal_positions(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    return within_reach(np.nan_to_num(state.query.goals[state.rows][..., [0, 2]]))


def _goal_directions(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    return np.nan_to_num(state.query.goal_directions[state.rows][..., [0, 2]])


def _guidance(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    return np.einsum("ns,sjk->njk", state.styles, state.guidance[:, joints])


def _carried(state: LiveState, feature: Feature, joints: Indices) -> Singles:
    return state.carried[feature.name]


GROUND: dict[str, Callable[[LiveState, Feature, Indices], Singles]] = {"height": _heights, "height_grid": _height_grid}
"""Those of the ground."""

LIVE: dict[str, Callable[[LiveState, Feature, Indices], Singles]] = {
    "position": lambda state, feature, joints: state.pose.model_positions[:, joints],
    "velocity": lambda state, feature, joints: state.velocities[:, joints],
    "level_velocity": lambda state, feature, joints: state.velocities[:, joints],
    "rotation6d": _axes,
    "trajectory.position": lambda state, feature, joints: state.path(feature)[0],
    "trajectory.direction": lambda state, feature, joints: state.path(feature)[1],
    "goal.position": _goal_positions,
    "goal.direction": _goal_directions,
    "contact": lambda state, feature, joints: state.pose.contacts,
    **GROUND,
    "style": lambda state, feature, joints: state.styles,
    "guidance": _guidance,
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
        self.clearance = model.clearance
        known = LIVE.keys() - ({"guidance"} if model.guidance is None else set())
        for feature in model.given.features:
            if feature.kind not in known:
                raise ControlError(f"a controller cannot compute feature {feature.name!r} of kind {feature.kind!r}")
        self._joints = {f.name: np.asarray(f.joint_indices(self.skeleton), np.int32) for f in model.given.features}
        self._reader = PlanReader(model.wanted, model.translated, model.fps)
        sizes = [len(values) for values in model.carried.values()]
        ends = np.cumsum(sizes).tolist()
        self._carried = {name: slice(b - a, b) for name, a, b in zip(model.carried, sizes, ends, strict=True)}
        numbers = np.asarray([number for values in model.carried.values() for number in values], np.float32)
        at_rest = self._reader.at_rest(model.start, numbers)
        self._plans = Plans(self.skeleton, self.translated, at_rest, model.fps, fade)
        self._looks_back = any(time < 0 for feature in model.given.features for time in feature.times)
        self._trail = Trail()
        self.styles = tuple(model.fastest)
        self._fastest = np.asarray(list(model.fastest.values()), np.float32)
        none = np.zeros((len(self.styles), 0, 3), np.float32)
        self._guidance = none if model.guidance is None else model.guidance
        self.reset(1)

    def reset(self, count: int) -> None:
        """Restart with `count` characters at rest."""
        self._plans.reset(count)
        self._trail.reset(count)
        self._asked = np.zeros((count, self.model.given.dim), np.float32)
        self._styles = shares_of([""] * count, self.styles)

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, and add `added` new ones at rest."""
        self._plans.select(keep, added)
        self._trail.select(keep, added)
        self._asked = carried(self._asked, keep, added)
        self._styles = carried(self._styles, keep, added, shares_of([""], self.styles))

    @property
    def latents(self) -> Singles | None:
        """See `MixesStyles`."""
        guided = self.model.guidance is not None
        return self._guidance.reshape(len(self.styles), -1) if guided else self.model.latents

    def guide(self, name: str, poses: Pose) -> None:
        """Add a style, or change one: from now on its pose is the mean of `poses` `[F]`.

        Only the positions of the joints in the root frame count. Poses may be of any skeleton with joints of the same
        names. The new style is as fast as the fastest one there is.

        Raises:
            ControlError: the network is not guided by poses (it was trained without `guided=true`), or joints are
                missing.
        """
        if self.model.guidance is None:
            raise ControlError("this network knows styles by name; one that is trained with guided=true takes poses")
        there = {joint: number for number, joint in enumerate(poses.skeleton.names)}
        if missing := [joint for joint in self.skeleton.names if joint not in there]:
            raise ControlError(f"a pose for style {name!r} lacks {len(missing)} joints, such as {missing[0]}")
        pose = mean_pose(poses)[[there[joint] for joint in self.skeleton.names]]
        if name not in self.styles:
            self.styles = *self.styles, name
            self._fastest = np.append(self._fastest, self._fastest.max())
            self._guidance = np.concatenate([self._guidance, pose[None]])
            self._styles = np.concatenate([self._styles, np.zeros((len(self._styles), 1), np.float32)], axis=1)
        self._guidance = np.where(np.array(self.styles)[:, None, None] == name, pose, self._guidance)

    @property
    def follows_ground(self) -> bool:
        """Whether the network is given heights of the ground; see `FollowsGround`."""
        return any(feature.kind in GROUND for feature in self.model.given.features)

    @property
    def fastest(self) -> Singles:
        """The speeds, m/s, that the styles reach which characters are in, `[n]`; see `LimitsSpeed`."""
        return self._styles @ self._fastest

    def replan(self, query: Query) -> Bools:
        """New plans for the characters that are due. No pose jumps: plans are faded."""
        rows = np.flatnonzero(query.due)
        now = self._plans.at(0.0, rows)
        pose = self._plans.moment(now).pose
        said = {name: now.carried[:, place] for name, place in self._carried.items()}
        self._trail.begin(query.root_positions, query.root_headings)
        known = said, self._styles[rows], self._trail, self._guidance
        x = self.inputs(LiveState(pose, now.velocities, query, rows, *known))
        self._plans.replace(rows, self.frames(self.model.predict(x)))
        self._asked[rows] = x
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
        none = np.zeros((len(y), self._reader.frames, 0), np.float32)
        return self._reader(y, np.concatenate([none, *(self._reader.part(y, name) for name in self._carried)], axis=-1))

    def advance(self, query: Query, dt: float) -> None:
        """Go on along the plans by `dt` seconds, and towards the styles that are commanded."""
        self._plans.advance(dt)
        if self._looks_back:
            self._trail.step(query.root_positions, query.root_headings, dt)
        if len(self.styles) > 1:
            wanted = shares_of(query.commands.styles, self.styles)
            self._styles = springs.approach(self._styles, wanted, STYLE_HALFLIFE, dt).astype(np.float32)

    def sample(self, offset: float = 0.0, rows: Rows = ALL) -> Moment:
        """The plans of some characters `offset` seconds from now; see `Family`."""
        return self._plans.moment(self._plans.at(offset, rows))

    @property
    def cost(self) -> Cost:
        """See `HasCost`."""
        return self.model.cost

    @property
    def diagnostics(self) -> Mapping[str, float | Singles]:
        """How much each expert counted in the last plan, phases and styles of each character."""
        now = self._plans.at()
        phases = {}
        for name, place in self._carried.items():
            vectors = now.carried[:, place].reshape(len(now.carried), -1, 2)
            phases[name.replace("_", " ")] = np.arctan2(vectors[..., 0], vectors[..., 1]) / math.tau % 1.0
        styles = {"styles": self._styles} if len(self.styles) > 1 else {}
        active = self.model.activations  # asked here, since nobody looks at most steps
        return ({} if active is None else {"experts": active(self._asked)}) | phases | styles


def cost_of(trained: TrainedModel) -> Cost:
    """What a network takes: the weights that are used, as they are stored, and the training."""
    minutes = trained.document["training"].get("cpu_minutes")
    return Cost(trained.nbytes / 1e6, trained.parameters / 1e6, minutes)


def plan_model(trained: TrainedModel) -> PlanModel:
    """The network of a model of a task that plans, such as "perceptron" or "mann"."""
    import torch

    from kinema.learn.setting import pose_from_json
    from kinema.learn.tasks.experts import ExpertsNetwork
    from kinema.learn.tasks.plan import PlanNetwork

    model, setting = trained.model, trained.setting
    assert isinstance(model, PlanNetwork)

    @torch.inference_mode()
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
        cost_of(trained),
        setting.more["fastest"],
        None if model.latents is None else model.latents.detach().numpy(),
        np.asarray([*setting.more["guidance"].values()], np.float32) if "guidance" in setting.more else None,
    )

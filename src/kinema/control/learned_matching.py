"""Learned motion matching: networks search, go on along clips and say poses, in place of a database.

After D. Holden et al., "Learned Motion Matching", SIGGRAPH 2020. A character has a *state*: the features that motion
matching compares, and latent numbers. When a plan is due, the projector is asked for the state that a search would
find. It is taken if it is better than to go on, by the margin of motion matching; if it were always taken, a body that
stands would be drawn back to standing for a while. The stepper leads the state on over the frames of the plan, and the
decompressor says their poses, all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Bools, Indices, Singles
from kinema.control.family import ALL, Cost, Moment, Rows
from kinema.control.learned import cost_of
from kinema.control.motion_matching import MatchSettings
from kinema.control.plan_reader import PlanReader
from kinema.control.plans import Plans
from kinema.control.query import Query
from kinema.features import FeatureSpec, Normalizer
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.learn.folder import TrainedModel


@dataclass(frozen=True, eq=False)
class MatchingModel:
    """The networks of learned motion matching, with all that a controller needs to know of them.

    Attributes:
        search: states `[n, S]` for queries `[n, D]`: normalised features, and what else a state has after them.
        plan: for states `[n, S]`, the states `[n, F, S]` of the frames from now on, and their plans `[n, D_y]`.
        given: the features. normalizer: of them.
        wanted: what plans mean; see `kinema.control.plan_reader.PlanReader`. fps: of the plans.
        translated: joints `[T]` whose translations are not fixed.
        contact_joints: joints `[C]`, one for each contact column.
        start: one pose with contacts, of somebody at rest. features: those of that pose `[D]`, not normalised.
        clearance: metres from the ground to the contact joints while they stand.
        cost: what it takes.
    """

    search: Callable[[Singles], Singles]
    plan: Callable[[Singles], tuple[Singles, Singles]]
    given: FeatureSpec
    normalizer: Normalizer
    wanted: FeatureSpec
    fps: float
    translated: Indices
    contact_joints: Indices
    start: Pose
    features: Singles
    clearance: float = 0.0
    cost: Cost = field(default_factory=Cost)

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of its poses."""
        return self.given.skeleton


class LearnedMatching:
    """The family of learned motion matching. One instance serves one controller.

    Args:
        settings: by which margin another state must be better than to go on: `stay` and `gain`.
        fade: seconds for which an old plan is mixed with the new one.
    """

    def __init__(self, model: MatchingModel, settings: MatchSettings | None = None, fade: float = 0.15) -> None:
        self.model, self.settings = model, settings or MatchSettings()
        self.skeleton, self.translated, self.contact_joints = model.skeleton, model.translated, model.contact_joints
        self.clearance, self.spec = model.clearance, model.given
        self._path = [self.spec["trajectory.position"], self.spec["trajectory.direction"]]
        self._times = next(f.times for f in self.spec.features if f.name == "trajectory.position")
        self._reader = PlanReader(model.wanted, model.translated, model.fps)
        state = model.search(model.normalizer.normalize(model.features)[None])[0]
        at_rest = self._reader.at_rest(model.start, state)
        self._plans = Plans(self.skeleton, self.translated, at_rest, model.fps, fade)
        self.reset(1)

    def reset(self, count: int) -> None:
        """Restart with `count` characters at rest."""
        self._plans.reset(count)
        self._cost = 0.0

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, and add `added` new ones at rest."""
        self._plans.select(keep, added)

    def replan(self, query: Query) -> Bools:
        """Search for the characters that are due, and plan from what is found or go on. No pose jumps: plans fade."""
        rows = np.flatnonzero(query.due)
        state = self._plans.at(0.0, rows, faded=False).carried
        present = state[:, : self.spec.dim]
        wanted = present.copy()
        normalizer = self.model.normalizer
        for place, path in zip(self._path, query.path(self._times), strict=True):
            flat = path[rows][..., [0, 2]].reshape(len(rows), -1)
            wanted[:, place] = (flat - normalizer.offset[place]) / normalizer.scale[place]
        found = self.model.search(wanted)
        going, cost = (((each - wanted) ** 2).sum(-1) for each in (present, found[:, : self.spec.dim]))
        better = cost < going - np.maximum(going * self.settings.stay, self.settings.gain)
        states, y = self.model.plan(np.where(better[:, None], found, state))
        self._plans.replace(rows, self._reader(y, states))
        self._cost = float(cost.mean())
        return np.zeros(len(query.due), np.bool_)

    def advance(self, query: Query, dt: float) -> None:
        """Go on along the plans by `dt` seconds."""
        self._plans.advance(dt)

    def sample(self, offset: float = 0.0, rows: Rows = ALL) -> Moment:
        """The plans of some characters `offset` seconds from now; see `Family`."""
        return self._plans.moment(self._plans.at(offset, rows))

    def features_now(self) -> dict[str, Singles]:
        """The features of the present states; see `ShowsFeatures`."""
        state = self._plans.at().carried
        return self.spec.split(self.model.normalizer.denormalize(state[:, : self.spec.dim]))

    @property
    def cost(self) -> Cost:
        """See `HasCost`."""
        return self.model.cost

    @property
    def diagnostics(self) -> Mapping[str, float | Singles]:
        """The cost of what was found last, on average."""
        return {"cost": self._cost}


def matching_model(trained: TrainedModel) -> MatchingModel:
    """The networks of a model of the task "learned-matching"."""
    import torch

    from kinema.learn.setting import pose_from_json
    from kinema.learn.tasks.learned_matching import FINER, Network

    model, setting = trained.model, trained.setting
    assert isinstance(model, Network)

    @torch.no_grad()
    def search(query: Singles) -> Singles:
        return model.search(torch.from_numpy(query)).numpy()

    @torch.no_grad()
    def plan(states: Singles) -> tuple[Singles, Singles]:
        ahead, y = model.plan(torch.from_numpy(states))
        return ahead.numpy(), y.numpy()

    given, scaling = setting.specs["x"], model.x_scaling
    contacts = next(feature for feature in model.planned.features if feature.name == "contacts")
    return MatchingModel(
        search,
        plan,
        given,
        Normalizer(scaling.offset.numpy(), scaling.scale.numpy()),
        model.planned,
        FINER * setting.fps,
        setting.translated,
        np.asarray(contacts.joint_indices(given.skeleton), np.int32),
        pose_from_json(given.skeleton, setting.more["start"]),
        np.asarray(setting.more["features"], np.float32),
        float(setting.more["clearance"]),
        cost_of(trained),
    )

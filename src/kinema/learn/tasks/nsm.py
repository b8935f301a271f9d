"""Plans by Neural State Machines (Starke et al., 2019), for going and for reaching a place.

Experts are blended by the products of the phase of the gait with what is wanted: the path, and a goal, which is a place
and a facing there. Body and wishes are encoded apart, so that the few numbers of the wishes are not drowned. Objects,
and the volumes by which the paper senses them, are left out.

Goals in the training data come from `kinema label --with gait goals`: places where the body stood later.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kinema.errors import DatabaseError
from kinema.features import Feature
from kinema.learn.networks.gates import PhaseGoalGate
from kinema.learn.networks.groups import GroupEncoders
from kinema.learn.setting import Setting
from kinema.learn.tasks.experts import ExpertsNetwork, ExpertsOptions
from kinema.learn.tasks.plan import PlanTask
from kinema.mocap import MotionDatabase
from kinema.mocap.labels import GOAL


@dataclass(frozen=True)
class Options(ExpertsOptions):
    """Options of Neural State Machines.

    Attributes:
        body, wishes: numbers as which each is encoded. gate: width of the gate.
    """

    body: int = 256
    wishes: int = 64
    gate: int = 64


class Network(ExpertsNetwork):
    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting, options, options.body + options.wishes)
        self.wishes = slice(self.given["trajectory.position"].start, self.inputs)
        sizes = (self.wishes.start, self.inputs - self.wishes.start)
        self.encoders = GroupEncoders(sizes, (options.body, options.wishes), options.dropout)
        self.gate = PhaseGoalGate(2, 1 + sizes[1], options.experts, options.gate, options.dropout)

    def activations(self, seen: Tensor) -> Tensor:
        one = torch.ones_like(seen[:, :1])  # so that the phase counts by itself, too
        return self.gate(seen[:, self.given["phase"]], torch.cat([one, seen[:, self.wishes]], dim=-1))

    def encoded(self, seen: Tensor) -> Tensor:
        return self.encoders(seen)


class NsmTask(PlanTask):
    Options = Options

    def carried(self, source: MotionDatabase) -> tuple[Feature, ...]:
        return (Feature("phase", "phase"),)

    def around(self, source: MotionDatabase) -> tuple[Feature, ...]:
        if GOAL not in source.labels:
            raise DatabaseError("the database has no goals; make them with `kinema label DB --with gait goals`")
        return (Feature("goal.position", "goal.position"), Feature("goal.direction", "goal.direction"))

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

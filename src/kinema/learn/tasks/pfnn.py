"""Plans by Phase-Functioned Neural Networks (Holden et al., 2017): experts blended along a spline by the gait's phase.

The phase comes from `kinema label`, not from a hand. The network says how it goes on, like all else of a plan.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from kinema.features import Feature
from kinema.learn.networks.gates import PhaseGate
from kinema.learn.setting import Setting
from kinema.learn.tasks.experts import ExpertsNetwork, ExpertsOptions
from kinema.learn.tasks.plan import PlanTask
from kinema.mocap import MotionDatabase


class Network(ExpertsNetwork):
    def __init__(self, setting: Setting, options: ExpertsOptions) -> None:
        super().__init__(setting, options)
        self.gate = PhaseGate(options.experts)

    def activations(self, seen: Tensor) -> Tensor:
        place = self.given["phase"]
        sine, cosine = (self.x_scaling.scale[place] * seen[:, place] + self.x_scaling.offset[place]).unbind(-1)
        return self.gate(torch.remainder(torch.atan2(sine, cosine), math.tau))


class PfnnTask(PlanTask):
    Options = ExpertsOptions

    def carried(self, source: MotionDatabase) -> tuple[Feature, ...]:
        return (Feature("phase", "phase"),)

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

"""Plans by Mode-Adaptive Neural Networks (Zhang et al., 2018): experts blended by a gate on feet, path and style."""

from __future__ import annotations

from torch import Tensor

from kinema.learn.networks.gates import SoftmaxGate
from kinema.learn.setting import Setting
from kinema.learn.tasks.experts import ExpertsNetwork, ExpertsOptions
from kinema.learn.tasks.plan import PlanTask
from kinema.mocap.contacts import contact_joints


class Network(ExpertsNetwork):
    def __init__(self, setting: Setting, options: ExpertsOptions) -> None:
        super().__init__(setting, options)
        first = self.given["velocities"].start
        feet = [first + 3 * joint + axis for joint in contact_joints(self.given.skeleton) for axis in range(3)]
        named = ("contacts", "trajectory.position", "trajectory.direction")
        rest = [column for name in named for column in range(self.given[name].start, self.given[name].stop)]
        self.gate = SoftmaxGate([*feet, *rest, *self.styles], options.experts, dropout=options.dropout)

    def activations(self, seen: Tensor) -> Tensor:
        return self.gate(seen)


class MannTask(PlanTask):
    Options = ExpertsOptions

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

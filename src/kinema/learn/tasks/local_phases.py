"""Plans by Local Motion Phases (Starke et al., 2020): experts blended by a phase of each leg.

The phases come from `kinema label`, not from a hand. The network says how they go on, like all else of a plan.
"""

from __future__ import annotations

from torch import Tensor

from kinema.features import Feature
from kinema.learn.networks.gates import SoftmaxGate
from kinema.learn.setting import Setting
from kinema.learn.tasks.experts import ExpertsNetwork, ExpertsOptions
from kinema.learn.tasks.plan import PlanTask
from kinema.mocap import MotionDatabase
from kinema.mocap.contacts import contact_joints


class Network(ExpertsNetwork):
    def __init__(self, setting: Setting, options: ExpertsOptions) -> None:
        super().__init__(setting, options)
        place = self.given["local_phases"]
        self.gate = SoftmaxGate(range(place.start, place.stop), options.experts, hidden=64, dropout=options.dropout)

    def activations(self, seen: Tensor) -> Tensor:
        return self.gate(seen)


class LocalPhasesTask(PlanTask):
    Options = ExpertsOptions

    def carried(self, source: MotionDatabase) -> tuple[Feature, ...]:
        skeleton = source.skeleton
        feet = tuple(skeleton.names[joint] for joint in contact_joints(skeleton))
        return (Feature("local_phases", "local_phase", feet),)

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

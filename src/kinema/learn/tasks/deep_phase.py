"""Plans by learned phases (Starke et al., DeepPhase, 2022): experts blended by the phases of a periodic autoencoder.

The phases come from `kinema label --learned`. They need no gait, and so no feet: dance has them as well. The network
says how they go on, like all else of a plan.
"""

from __future__ import annotations

from torch import Tensor

from kinema.errors import DatabaseError
from kinema.features import Feature
from kinema.features.kinds import LEARNED_PHASES
from kinema.learn.networks.gates import SoftmaxGate
from kinema.learn.setting import Setting
from kinema.learn.tasks.experts import ExpertsNetwork, ExpertsOptions
from kinema.learn.tasks.plan import PlanTask
from kinema.mocap import MotionDatabase


class Network(ExpertsNetwork):
    def __init__(self, setting: Setting, options: ExpertsOptions) -> None:
        super().__init__(setting, options)
        place = self.given["learned_phases"]
        self.gate = SoftmaxGate(range(place.start, place.stop), options.experts, hidden=64, dropout=options.dropout)

    def activations(self, seen: Tensor) -> Tensor:
        return self.gate(seen)


class DeepPhaseTask(PlanTask):
    Options = ExpertsOptions

    def carried(self, source: MotionDatabase) -> tuple[Feature, ...]:
        if LEARNED_PHASES not in source.labels:
            raise DatabaseError("the database has no learned phases; make them with `kinema label DB --learned RUN`")
        waves = tuple(str(wave) for wave in range(source.labels[LEARNED_PHASES].shape[1]))
        return (Feature("learned_phases", "learned_phase", labels=waves),)

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

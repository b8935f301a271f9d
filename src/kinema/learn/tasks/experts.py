"""Plans by blended experts: what the tasks of MANN, PFNN and Local Motion Phases share.

The networks plan half a second instead of one frame, and the experts end in `readout` numbers, of which one matrix
makes the plan: blended matrices of that size would be most of the weights.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from torch import Tensor, nn

from kinema.learn.networks.experts import BlendedExperts
from kinema.learn.setting import Setting
from kinema.learn.tasks.plan import PlanNetwork, PlanOptions


@dataclass(frozen=True)
class ExpertsOptions(PlanOptions):
    """Options of plans by experts.

    Attributes:
        experts: how many. readout: numbers that they end in.
    """

    hidden: int = 384
    experts: int = 4
    readout: int = 256


class ExpertsNetwork(PlanNetwork):
    """Base of networks of blended experts."""

    def __init__(self, setting: Setting, options: ExpertsOptions, more: int = 0) -> None:
        """`more`: how many numbers more the experts are given than the network; negative for fewer."""
        super().__init__(setting, options)
        seen = self.inputs + more
        self.experts = BlendedExperts(seen, options.readout, options.experts, options.hidden, options.dropout)
        self.readout = nn.Linear(options.readout, self.outputs)

    @abstractmethod
    def activations(self, seen: Tensor) -> Tensor:
        """How much each expert counts, `[B, K]`, for normalised inputs `[B, inputs]`."""

    def numbers(self, seen: Tensor) -> Tensor:
        return self.readout(self.experts(seen, self.activations(seen)))

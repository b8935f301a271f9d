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
    """Base of networks of blended experts.

    Args:
        width: how many numbers the experts are given, see `encoded`; default the inputs.
        more: how many numbers more they are given than that; negative for fewer.
    """

    def __init__(self, setting: Setting, options: ExpertsOptions, width: int | None = None, more: int = 0) -> None:
        super().__init__(setting, options)
        given = (self.inputs if width is None else width) + more
        self.experts = BlendedExperts(given, options.readout, options.experts, options.hidden, options.dropout)
        self.readout = nn.Linear(options.readout, self.outputs)

    @abstractmethod
    def activations(self, seen: Tensor) -> Tensor:
        """How much each expert counts, `[B, K]`, for normalised inputs `[B, inputs]`."""

    def encoded(self, seen: Tensor) -> Tensor:
        """What the experts are given of normalised inputs `[B, inputs]`: by default these."""
        return seen

    def numbers(self, seen: Tensor) -> Tensor:
        return self.readout(self.experts(self.encoded(seen), self.activations(seen)))

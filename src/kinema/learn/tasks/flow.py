"""Plans by flow matching: a plan flows from noise, given the present pose and what is wanted.

In the line of A-MDM and CAMDM (2024); see `kinema.learn.networks.flow`. At run time all plans flow from the middle of
the noise: with new noise for every plan, a body would change its mind ten times a second.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kinema.learn.networks.flow import FlowMatching
from kinema.learn.setting import Setting
from kinema.learn.tasks.plan import PlanNetwork, PlanOptions, PlanTask

PATH = ("trajectory.position", "trajectory.direction")


@dataclass(frozen=True)
class Options(PlanOptions):
    """Attributes:
    layers: blocks of the network. steps: of the flow, at run time.
    """

    hidden: int = 384
    layers: int = 6
    steps: int = 4


class Network(PlanNetwork):
    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting, options)
        self.flow_steps = options.steps
        self.path = [column for name in PATH for column in range(self.given[name].start, self.given[name].stop)]
        self.net = FlowMatching(
            self.outputs, len(self.path), self.inputs, coming=1, hidden=options.hidden, layers=options.layers
        )

    def numbers(self, seen: Tensor) -> Tensor:
        middle = seen.new_zeros(len(seen), 1, self.outputs)
        return self.net.sample(middle, seen, seen[:, self.path], self.flow_steps)[:, 0]

    def taught(self, seen: Tensor, wanted: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        off, likely = self.net.guess(wanted[:, None], seen, seen[:, self.path])
        return likely[:, 0], {"flow": off}

    @torch.no_grad()
    def again(self, seen: Tensor, numbers: Tensor) -> Tensor:
        return self.numbers(seen)


class FlowTask(PlanTask):
    Options = Options

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

"""Plans by a plain perceptron: the baseline of all networks, and the smallest of them."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from kinema.learn.layers import Perceptron
from kinema.learn.setting import Setting
from kinema.learn.tasks.plan import PlanNetwork, PlanOptions, PlanTask


@dataclass(frozen=True)
class Options(PlanOptions):
    """Attributes:
    layers: hidden layers.
    """

    layers: int = 3


class Network(PlanNetwork):
    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting, options)
        self.net = Perceptron(self.inputs, options.hidden, options.layers, self.outputs, options.dropout)

    def numbers(self, seen: Tensor) -> Tensor:
        return self.net(seen)


class PerceptronTask(PlanTask):
    Options = Options

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

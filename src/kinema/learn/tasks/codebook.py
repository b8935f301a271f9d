"""Plans by codebook matching (Starke et al., 2024): a few choices among categories, guessed from the present."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kinema.learn.networks.codebook import CodebookMatching, gumbel_noise, hard_codes
from kinema.learn.setting import Setting
from kinema.learn.tasks.plan import PlanNetwork, PlanOptions, PlanTask


@dataclass(frozen=True)
class Options(PlanOptions):
    """Attributes:
    channels, classes: size of the codebook. refinements: how often a guess is refined.
    """

    hidden: int = 384
    channels: int = 64
    classes: int = 8
    refinements: int = 3


class Network(PlanNetwork):
    """The coefficients of a plan's curves take the place of the paper's frames."""

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting, options)
        frames, width = self.shape
        book = (options.channels, options.classes, options.hidden)
        self.net = CodebookMatching(
            self.inputs, width, frames, *book, refinements=options.refinements, dropout=options.dropout
        )

    def numbers(self, seen: Tensor) -> Tensor:
        return self.net(seen).flatten(1)

    def taught(self, seen: Tensor, wanted: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        target = self.net.encode(wanted.unflatten(1, self.shape))
        decoded = self.net.decode(hard_codes(target, noise=gumbel_noise(target)))
        return decoded.flatten(1), self.net.guesses(seen, target)

    @torch.no_grad()
    def again(self, seen: Tensor, numbers: Tensor) -> Tensor:
        return self.numbers(seen)


class CodebookTask(PlanTask):
    Options = Options

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

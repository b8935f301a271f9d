"""Models: one or several networks that are trained together, with their loss and their optimisers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

from kinema.features import Normalizer
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting


@dataclass(frozen=True)
class TrainingStep:
    """What a loss may know of the training, for scheduled sampling and the like.

    In validation `number` is `total`: losses at different times can be compared.

    Attributes:
        number: steps made before this one. total: steps in all.
        turn: name of the optimiser that this loss is for.
    """

    number: int
    total: int
    turn: str

    @property
    def progress(self) -> float:
        """Share of the training that is over, from 0 to 1."""
        return self.number / self.total


class Model(nn.Module):
    """Base of all models.

    Args:
        setting: what the numbers of the model mean.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting

    def loss(self, batch: Any, step: TrainingStep) -> dict[str, Tensor]:
        """Terms by name, each a number; their sum is minimised.

        Args:
            batch: as the data of the task make it, on the device of the model.
        """
        raise NotImplementedError

    def optimizers(self, recipe: Recipe) -> dict[str, Optimizer]:
        """Optimisers by name. The rate that each has here follows the schedule of the recipe.

        Several take turns within a step, in this order: each time the loss is computed for the turn of that name, and
        only the parameters of that optimiser are changed. By default one for all parameters that are trained.
        """
        return {"": adamw(self.parameters(), recipe)}

    def upgraded(self, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        """Weights by name, as a trained model of this kind has them, from those of an earlier version."""
        return tensors

    def train(self, mode: bool = True) -> Self:
        """As in torch, but frozen modules stay in evaluation mode."""
        super().train(mode)
        for part in _frozen(self):
            part.training = False
        return self


def adamw(parameters: Iterable[nn.Parameter], recipe: Recipe, rate: float = 1.0) -> AdamW:
    """AdamW with the rate and the decay of a recipe, for those parameters that are trained.

    Args:
        rate: multiplies the rate of the recipe.
    """
    trained = [weights for weights in parameters if weights.requires_grad]
    return AdamW(trained, lr=rate * recipe.rate, weight_decay=recipe.decay, fused=True)


def freeze(module: nn.Module) -> nn.Module:
    """Keep a module as it is: it is neither trained nor saved with the models that use it.

    A model on a frozen base loads the base whenever it is made. Modules that are put into the base afterwards, such as
    adapters, are trained and saved.
    """
    for part in module.modules():
        part.kinema_frozen = True  # type: ignore[assignment]
        part.training = False
    return module.requires_grad_(False)


def only_to_train(module: nn.Module) -> nn.Module:
    """Mark a module, such as an encoder, without which a trained model can be used: packed weights leave it out."""
    for part in module.modules():
        part.kinema_teaches = True  # type: ignore[assignment]
    return module


def own_state(model: nn.Module) -> dict[str, Tensor]:
    """The state of a model without what is frozen in it: parameters and buffers by name."""
    return _state_without(model, "kinema_frozen")


def used_state(model: nn.Module) -> dict[str, Tensor]:
    """What `own_state` gives, without what only training needs."""
    needed = _state_without(model, "kinema_teaches")
    return {name: tensor for name, tensor in own_state(model).items() if name in needed}


def _state_without(model: nn.Module, mark: str) -> dict[str, Tensor]:
    marked: set[str] = set()
    for name, part in model.named_modules():
        if hasattr(part, mark):
            own = [*part.named_parameters(name, recurse=False), *part.named_buffers(name, recurse=False)]
            marked |= {each for each, _ in own}
    return {name: tensor for name, tensor in model.state_dict().items() if name not in marked}


def _frozen(model: nn.Module) -> Iterator[nn.Module]:
    return (part for part in model.modules() if hasattr(part, "kinema_frozen"))


class Scaling(nn.Module):
    """Offset and scale of vectors `[..., D]`, kept with the weights of a model; none until `take`."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.register_buffer("offset", torch.zeros(size))
        self.register_buffer("scale", torch.ones(size))
        self.offset: Tensor
        self.scale: Tensor

    @staticmethod
    def of(normalizer: Normalizer) -> Scaling:
        """The scaling of a normalizer."""
        scaling = Scaling(len(normalizer.offset))
        scaling.take(normalizer)
        return scaling

    def take(self, normalizer: Normalizer) -> None:
        """Take over the offset and scale of a normalizer."""
        self.offset.copy_(torch.tensor(normalizer.offset))
        self.scale.copy_(torch.tensor(normalizer.scale))

    def normalize(self, x: Tensor) -> Tensor:
        """Vectors in the units of their features as numbers around zero."""
        return (x - self.offset) / self.scale

    def denormalize(self, z: Tensor) -> Tensor:
        """The inverse of `normalize`."""
        return z * self.scale + self.offset


@contextmanager
def kept_random_state() -> Iterator[None]:
    """Restore torch's global generator after the block; a new network draws from it even when its weights are read."""
    with torch.random.fork_rng(devices=[]):
        yield

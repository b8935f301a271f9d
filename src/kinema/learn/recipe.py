"""How a model is trained: everything that decides what the weights become, besides data and task."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from kinema.errors import LearningError

SCHEDULES = ("cosine", "restarts")
KEEPS = ("best", "last")
PRECISIONS = ("no", "bf16", "fp16")


@dataclass(frozen=True)
class Recipe:
    """The same recipe, data and task give the same weights on a CPU, bit for bit.

    Attributes:
        steps: optimiser steps in all.
        batch: samples that a process takes at once. accumulate: batches whose gradients make one step.
        processes: number of processes, which share the samples of a step; set by the launcher.
        rate: highest learning rate. decay: weight decay of AdamW.
        schedule: "cosine" falls once over all steps; "restarts" starts again after `period` steps, each period twice
            as long as the one before (Loshchilov and Hutter, "SGDR", ICLR 2017).
        period: steps of the first period. warmup: steps over which the rate rises from zero at the start.
        clip: largest norm of the gradient. ema: decay of the running mean of the weights which is kept, reached step by
            step; 0 keeps the weights themselves.
        seed: seed of weights, order of samples, dropout and the split.
        held_out: share of the frames whose takes are kept for validation.
        validate_every: steps from one validation to the next. patience: validations without a new best after which
            training ends early; 0 never.
        keep: which weights are kept, the "best" on the held-out takes or the "last": those are right where a training
            starts from weights that have seen what is held out now.
        threads: number of threads of torch. device: kind of device: "cpu", "cuda" or another of torch.
        precision: "no" for float32 throughout, or "bf16" or "fp16" for mixed precision.
    """

    steps: int = 10_000
    batch: int = 256
    rate: float = 1e-3
    decay: float = 1e-4
    schedule: str = "cosine"
    period: int = 1000
    warmup: int = 100
    clip: float = 1.0
    ema: float = 0.0
    seed: int = 0
    held_out: float = 0.1
    validate_every: int = 250
    patience: int = 0
    keep: str = "best"
    threads: int = 1
    device: str = "cpu"
    precision: str = "no"
    accumulate: int = 1
    processes: int = 1

    @property
    def samples(self) -> int:
        """Samples a step, in all processes."""
        return self.batch * self.accumulate * self.processes

    def __post_init__(self) -> None:
        positive = ("steps", "batch", "rate", "period", "clip", "validate_every", "threads")
        positive += ("accumulate", "processes")
        bad = [name for name in positive if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0)]
        bad += [name for name in ("decay", "warmup", "patience", "seed") if not 0 <= getattr(self, name) < math.inf]
        bad += ["seed"] if self.seed >= 2**32 else []
        bad += [name for name in ("ema", "held_out") if not 0 <= getattr(self, name) < 1]
        if bad:
            raise LearningError(f"{bad[0]} is {getattr(self, bad[0])}, which is out of range")
        for name, value, known in (
            ("schedule", self.schedule, SCHEDULES),
            ("precision", self.precision, PRECISIONS),
            ("keep", self.keep, KEEPS),
        ):
            if value not in known:
                raise LearningError(f"no {name} is named {value!r}; the {name}s are: {', '.join(known)}")

    def rate_at(self, step: int, highest: float | None = None) -> float:
        """Learning rate of a step (from 0), a function of the step alone, so that a resumed run is not changed.

        Args:
            highest: highest rate of an optimiser; None is `rate`.
        """
        rise = min((step + 1) / (self.warmup + 1), 1.0)
        begin, length = 0, self.steps
        if self.schedule == "restarts":
            length = self.period
            while step >= begin + length:
                begin, length = begin + length, 2 * length
        share = (step - begin) / length
        # A hundredth remains at the end: the last steps still move.
        return (
            (self.rate if highest is None else highest)
            * rise
            * (0.01 + 0.99 * 0.5 * (1.0 + math.cos(math.pi * min(share, 1.0))))
        )

    def ema_at(self, step: int) -> float:
        """Decay of the running mean at a step (from 0): it begins low, so that the first weights are soon forgotten."""
        return min(self.ema, (1.0 + step) / (10.0 + step))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> Recipe:
        """The inverse of `to_dict`; LearningError when a value makes no sense."""
        known = {field.name for field in fields(Recipe)}
        if set(values) - known:
            raise LearningError(f"a recipe has no {', '.join(sorted(set(values) - known))}")
        return Recipe(**values)

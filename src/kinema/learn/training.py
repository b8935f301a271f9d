"""The one training loop: every task is trained here.

A step depends on the recipe and the number of the step alone (order of samples, chance, learning rate), and a
checkpoint holds everything else. A run that was interrupted and resumed therefore ends with the same bits as one that
was not.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from kinema.arrays import Ints
from kinema.errors import LearningError
from kinema.interruption import asked_to_stop
from kinema.learn import journal
from kinema.learn.checkpoint import load_checkpoint, save_checkpoint
from kinema.learn.evaluate import evaluate
from kinema.learn.folder import SPEC, load_model, save_model, write_json
from kinema.learn.model import Samples, Setting, find_device, kept_random_state
from kinema.learn.run import Run, describe_data

CHECKPOINT_SECONDS = 60.0
JOURNAL_STEPS = 50
VALIDATION_SAMPLES = 4096
CHUNK = 1024

Progress = Callable[[int, int, dict[str, float]], None]
"""Called with steps made, steps in all, and the latest figures."""


@dataclass(frozen=True)
class TrainingReport:
    """How a training ended.

    Attributes:
        steps: number of steps. best_step, best: the step of the kept weights, and their loss on held-out clips.
        finished: False when it was interrupted. seconds, steps_per_second: of this session alone, without validation.
        rows: errors on held-out clips, baselines beside them (`kinema.learn.evaluate`); empty unless finished.
        signal: the number of the one that ended it; 0 for none.
    """

    steps: int
    best_step: int
    best: float
    finished: bool
    seconds: float
    steps_per_second: float
    rows: list[dict[str, Any]]
    signal: int = 0


class Training:
    """A run in memory: network, optimiser, counters. It takes up the run's checkpoint where there is one.

    Attributes:
        step: steps made. best, best_step: lowest loss on held-out clips, and when. stale: validations since.
        latest: figures to display: loss, validation, steps_per_second.

    Raises:
        LearningError: the device is not there, or the checkpoint is damaged or of another network.
        DatabaseError: a feature never changes in this data.
    """

    def __init__(self, run: Run) -> None:
        recipe = run.recipe
        self.run, self.recipe, self.dataset = run, recipe, run.dataset
        self.setting = Setting.of(run.dataset, run.database.translated)
        self.device = find_device(recipe.device)
        with kept_random_state():
            torch.manual_seed(recipe.seed)
            self.network = run.task.Network(self.setting, run.options)
        self.network.to(self.device)
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=recipe.rate, weight_decay=recipe.decay, fused=self.device.type == "cpu"
        )
        self.mean: dict[str, Tensor] = {}
        if recipe.ema:
            self.mean = {name: weights.detach().clone() for name, weights in self.network.named_parameters()}
        self.step, self.best, self.best_step, self.stale = 0, math.inf, 0, 0
        self.latest: dict[str, float] = {}
        self._sums: dict[str, float] = {}
        self._busy, self._made = 0.0, 0
        self._train = run.dataset.samples("train")
        held = run.dataset.samples("validation")
        self._held = held[np.unique(np.linspace(0, len(held) - 1, VALIDATION_SAMPLES).astype(np.int64))]
        self._order: tuple[int, Ints] = (-1, self._train)
        if run.checkpoint.is_file():
            self._restore()

    def go(
        self, after_step: Callable[[Training], None] | None = None, progress: Progress | None = None
    ) -> TrainingReport:
        """Train to the end, or until Ctrl-C, which saves a checkpoint first.

        Args:
            after_step: called after every step; it must be quick.
            progress: called with steps made, steps in all, and `latest`.

        Raises:
            LearningError: a term of the loss or the gradient is not finite; the message names step and term.
            WriteError: the disk is full; the checkpoint before it stays.
        """
        began, threads = time.monotonic(), torch.get_num_threads()
        torch.set_num_threads(self.recipe.threads)
        try:
            with kept_random_state(), asked_to_stop() as stop:
                self._loop(stop, after_step, progress)
        finally:
            torch.set_num_threads(threads)
        rows = self._finish() if self._over else []
        return TrainingReport(
            self.step,
            self.best_step,
            self.best,
            self._over,
            time.monotonic() - began,
            self._made / self._busy if self._busy else 0.0,
            rows,
            stop.number,
        )

    def save(self) -> None:
        """Write a checkpoint."""
        state = {
            "step": self.step,
            "best": self.best if math.isfinite(self.best) else None,
            "best_step": self.best_step,
            "stale": self.stale,
            "sums": self._sums,
            "latest": self.latest,
        }
        save_checkpoint(self.run.checkpoint, self.network, self.mean, self.optimizer, state)

    @contextmanager
    def kept_weights(self) -> Iterator[None]:
        """Within the block the network has the weights that are kept: their running mean, if the recipe has one."""
        parameters = {name: p for name, p in self.network.named_parameters() if name in self.mean}
        own = {name: parameter.detach().clone() for name, parameter in parameters.items()}
        with torch.no_grad():
            for name, parameter in parameters.items():
                parameter.copy_(self.mean[name])
        try:
            yield
        finally:
            with torch.no_grad():
                for name, parameter in parameters.items():
                    parameter.copy_(own[name])

    @property
    def _over(self) -> bool:
        gave_up = self.recipe.patience > 0 and self.stale >= self.recipe.patience
        return self.step >= self.recipe.steps or gave_up

    def _loop(
        self, stop: Callable[[], bool], after_step: Callable[[Training], None] | None, progress: Progress | None
    ) -> None:
        saved = time.monotonic()
        if self.step == 0:
            self._validate()  # where it starts from; and a model is there from the first moment on
        while not self._over:
            began = time.perf_counter()
            self._make_step()
            if after_step is not None:
                after_step(self)
            self._busy, self._made = self._busy + time.perf_counter() - began, self._made + 1
            if self.step % JOURNAL_STEPS == 0:
                self._note(progress)
            if self.step % self.recipe.validate_every == 0 or self.step == self.recipe.steps:
                self._validate()
            if stop():
                break
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
        self.save()

    def _make_step(self) -> None:
        torch.manual_seed(self.recipe.seed * 2**32 + self.step)
        self.network.train()
        terms = self.network.loss(self._samples(self._batch()))
        loss = torch.stack(list(terms.values())).sum()
        values = dict(zip(terms, torch.stack([term.detach() for term in terms.values()]).tolist(), strict=True))
        self.optimizer.zero_grad()
        loss.backward()
        values["gradient"] = float(torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.clip))
        bad = next((name for name, value in values.items() if not math.isfinite(value)), None)
        if bad is not None:
            raise LearningError(
                f"{self.run.folder}: step {self.step + 1}: {bad} is {values[bad]}; try a lower rate than "
                f"{self.recipe.rate:g} (no weights of this step were kept)"
            )
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate_at(self.step)
        self.optimizer.step()
        with torch.no_grad():
            for name, weights in self.network.named_parameters():
                if name in self.mean:
                    self.mean[name].lerp_(weights, 1.0 - self.recipe.ema)
        self.step += 1
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, 0.0) + value

    def _batch(self) -> Ints:
        """Samples of the current step: each pass over the data has an order of its own."""
        size = self.recipe.batch
        epoch, place = divmod(self.step, len(self._train) // size)
        if self._order[0] != epoch:
            rng = np.random.default_rng([self.recipe.seed, epoch])
            self._order = (epoch, rng.permutation(self._train))
        return self._order[1][place * size : (place + 1) * size]

    def _samples(self, chosen: Ints) -> Samples:
        batch = self.dataset[chosen]
        return Samples(torch.from_numpy(batch.x).to(self.device), torch.from_numpy(batch.y).to(self.device))

    def _note(self, progress: Progress | None) -> None:
        means = {name: total / JOURNAL_STEPS for name, total in self._sums.items()}
        gradient = means.pop("gradient")
        self._sums = {}
        rate = self._made / self._busy
        self.latest |= {"loss": sum(means.values()), "steps_per_second": rate}
        journal.append(
            self.run.folder,
            {
                "step": self.step,
                "loss": sum(means.values()),
                "terms": means,
                "gradient": gradient,
                "rate": self.recipe.rate_at(self.step - 1),
                "steps_per_second": round(rate, 2),
            },
        )
        if progress is not None:
            progress(self.step, self.recipe.steps, self.latest)

    def _validate(self) -> None:
        with self.kept_weights():
            self.network.eval()
            sums: dict[str, float] = {}
            with torch.no_grad():
                for begin in range(0, len(self._held), CHUNK):
                    chosen = self._held[begin : begin + CHUNK]
                    for name, term in self.network.loss(self._samples(chosen)).items():
                        sums[name] = sums.get(name, 0.0) + float(term) * len(chosen) / len(self._held)
            bad = next((name for name, value in sums.items() if not math.isfinite(value)), None)
            if bad is not None:
                raise LearningError(f"{self.run.folder}: step {self.step}: {bad} is {sums[bad]} on the held-out clips")
            value = sum(sums.values())
            better = value < self.best
            if better:
                self.best, self.best_step = value, self.step
                self._keep(sums)
        self.stale = 0 if better else self.stale + 1
        self.latest["validation"] = value
        journal.append(self.run.folder, {"step": self.step, "validation": value, "terms": sums, "best": better})

    def _keep(self, terms: dict[str, float]) -> None:
        about = {
            "training": {"step": self.step, **self.recipe.to_dict()},
            "validation": {"loss": self.best, "terms": terms},
            "data": describe_data(self.run),
            "command": self.run.command,
        }
        save_model(self.run.folder, self.network, self.run.name, self.run.options, self.setting, about)

    def _finish(self) -> list[dict[str, Any]]:
        """Measure the kept weights and write what they do into their spec."""
        model = load_model(self.run.folder)
        rows = evaluate(model.task, model.network, self.dataset, self.run.database, self.setting, model.options)
        write_json(self.run.folder / SPEC, {**model.document, "metrics": rows})
        return rows

    def _restore(self) -> None:
        state = load_checkpoint(self.run.checkpoint, self.network, self.mean, self.optimizer)
        try:
            self.step, self.best_step, self.stale = (int(state[key]) for key in ("step", "best_step", "stale"))
            self.best = math.inf if state["best"] is None else float(state["best"])
            self._sums = {str(name): float(value) for name, value in state["sums"].items()}
            self.latest = {str(name): float(value) for name, value in state["latest"].items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise LearningError(f"{self.run.checkpoint}: damaged ({error!r}); start over with --force") from None
        journal.cut(self.run.folder, self.step)
        if math.isfinite(self.best):
            try:
                load_model(self.run.folder)
            except LearningError:
                # Killed between weights and spec: what the checkpoint has is kept instead.
                self.best = math.inf
                self._validate()

"""The one training loop: every task is trained here.

A step depends on the recipe and the number of the step alone (samples, chance, learning rate), and a checkpoint holds
everything else. A run that was interrupted and resumed therefore ends with the same bits as one that was not. In
several processes, all make the same steps on their shares of the samples, and the main one writes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from accelerate.utils import broadcast_object_list, gather_object, send_to_device
from torch import Tensor, nn

from kinema.errors import LearningError
from kinema.interruption import asked_to_stop
from kinema.learn import journal
from kinema.learn.checkpoint import load_checkpoint, save_checkpoint
from kinema.learn.devices import open_accelerator
from kinema.learn.folder import SPEC, load_model, save_model, write_json
from kinema.learn.model import Model, TrainingStep, kept_random_state
from kinema.learn.run import Run, describe_data
from kinema.learn.tensorboard import Board

CHECKPOINT_SECONDS = 60.0
JOURNAL_STEPS = 50

Progress = Callable[[int, int, dict[str, float]], None]
"""Called with steps made, steps in all, and the latest figures."""


@dataclass(frozen=True)
class TrainingReport:
    """How a training ended.

    Attributes:
        steps: number of steps. best_step, best: the step of the kept weights, and the figure they were chosen by: their
            loss on held-out samples, or the score of the task.
        finished: False when it was interrupted. seconds, steps_per_second: of this session alone, without validation.
        rows: figures of the kept weights by the task; empty unless finished, and in all processes but the main one.
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


class _Loss(nn.Module):
    """The loss of a model as a forward pass, which is what several processes synchronise."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Any, step: TrainingStep) -> dict[str, Tensor]:
        return self.model.loss(batch, step)


class Training:
    """A run in memory: model, optimisers, counters. It takes up the run's checkpoint where there is one.

    Attributes:
        step: steps made. best, best_step: lowest figure that weights are chosen by, and when. stale: validations since.
        latest: figures to display: loss, validation, steps_per_second, and the score if the task has one.

    Raises:
        LearningError: the device is not there, the checkpoint is damaged or of another model, or the weights to start
            from are gone.
    """

    def __init__(self, run: Run) -> None:
        recipe = run.recipe
        self.run, self.recipe, self.data = run, recipe, run.data
        self.accelerator = open_accelerator(recipe)
        with kept_random_state():
            torch.manual_seed(recipe.seed)
            self.model = run.task.model(run.data.setting)
        if run.initial is None:
            run.task.start(self.model, run.data)
        elif not run.checkpoint.is_file():
            run.initial.fill(self.model, run.task)
        self.model.to(self.accelerator.device)
        own = self.model.optimizers(recipe)
        self._loss: nn.Module = self.accelerator.prepare(_Loss(self.model))
        self.optimizers = {turn: self.accelerator.prepare(optimizer) for turn, optimizer in own.items()}
        self._rates = {turn: [group["lr"] for group in optimizer.param_groups] for turn, optimizer in own.items()}
        self.mean: dict[str, Tensor] = {}
        if recipe.ema:
            named = self.model.named_parameters()
            self.mean = {name: weights.detach().clone() for name, weights in named if weights.requires_grad}
        self.step, self.best, self.best_step, self.stale = 0, math.inf, 0, 0
        self.latest: dict[str, float] = {}
        self._sums: dict[str, float] = {}
        self._busy, self._made = 0.0, 0
        self._spent, self._began = 0.0, time.process_time()
        self._board: Board | None = None
        if run.checkpoint.is_file():
            self._restore()

    def go(
        self,
        after_step: Callable[[Training], None] | None = None,
        progress: Progress | None = None,
        tensorboard: bool = False,
    ) -> TrainingReport:
        """Train to the end, or until Ctrl-C, which saves a checkpoint first.

        Args:
            after_step: called after every step; it must be quick.
            progress: called with steps made, steps in all, and `latest`.
            tensorboard: write the log for TensorBoard, too.

        Raises:
            LearningError: a term of the loss or the gradient is not finite; the message names step and term.
            MissingError: tensorboard is not installed.
            WriteError: the disk is full; the checkpoint before it stays.
        """
        began, threads = time.monotonic(), torch.get_num_threads()
        torch.set_num_threads(self.recipe.threads)
        if tensorboard and self.accelerator.is_main_process:
            self._board = Board(self.run.folder, self.step)
        try:
            with kept_random_state(), asked_to_stop() as stop:
                self._loop(stop, after_step, progress)
        finally:
            torch.set_num_threads(threads)
            if self._board is not None:
                self._board.close()
        rows = self._finish() if self._over and self.accelerator.is_main_process else []
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
        if not self.accelerator.is_main_process:
            return
        scaler = self.accelerator.scaler
        state = {
            "step": self.step,
            "best": self.best if math.isfinite(self.best) else None,
            "best_step": self.best_step,
            "stale": self.stale,
            "sums": self._sums,
            "latest": self.latest,
            "cpu_seconds": self._cpu_seconds,
            "scaler": scaler.state_dict() if scaler is not None else {},
        }
        save_checkpoint(self.run.checkpoint, self.model, self.mean, self.optimizers, state)

    @contextmanager
    def kept_weights(self) -> Iterator[None]:
        """Within the block the model has the weights that are kept: their running mean, if the recipe has one."""
        parameters = {name: p for name, p in self.model.named_parameters() if name in self.mean}
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
    def _cpu_seconds(self) -> float:
        """Seconds that this process has worked, in earlier sessions too; the threads of torch add up."""
        return self._spent + time.process_time() - self._began

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
                self.accelerator.set_trigger()
            if self.accelerator.check_trigger():  # of any process
                break
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
        self.save()

    def _make_step(self) -> None:
        self._seed(self.step, self.accelerator.process_index)
        self.model.train()
        batches = [self.data.batch(positions) for positions in self._positions()]
        values: dict[str, float] = {}
        for turn in self.optimizers:
            for name, value in self._take_turn(turn, batches).items():
                values[name] = values.get(name, 0.0) + value
        with torch.no_grad():
            for name, weights in self.model.named_parameters():
                if name in self.mean:
                    self.mean[name].lerp_(weights, 1.0 - self.recipe.ema_at(self.step))
        self.step += 1
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, 0.0) + value

    def _take_turn(self, turn: str, batches: list[Any]) -> dict[str, float]:
        """Change the parameters of one optimiser; returns the terms of the loss and the norm of the gradient."""
        optimizer, accelerator = self.optimizers[turn], self.accelerator
        parameters = [weights for group in optimizer.param_groups for weights in group["params"]]
        for group, highest in zip(optimizer.param_groups, self._rates[turn], strict=True):
            group["lr"] = self.recipe.rate_at(self.step, highest)
        self.model.zero_grad()  # of other turns, too
        seen: list[Tensor] = []
        names: list[str] = []
        norm = 0.0
        for batch in batches:
            with accelerator.accumulate(self._loss):
                moved = send_to_device(batch, accelerator.device)
                terms = self._loss(moved, TrainingStep(self.step, self.recipe.steps, turn))
                names = list(terms)
                seen.append(torch.stack([term.detach() for term in terms.values()]))
                accelerator.backward(torch.stack(list(terms.values())).sum())
                if accelerator.sync_gradients:
                    accelerator.unscale_gradients(optimizer)
                    norm = float(nn.utils.clip_grad_norm_(parameters, self.recipe.clip))
        mean: Tensor = accelerator.reduce(torch.stack(seen).mean(dim=0), "mean")  # type: ignore[assignment]
        values = dict(zip(names, mean.tolist(), strict=True))
        # Scaled gradients of half precision may overflow: accelerate then leaves the step out and scales them less.
        self._check({**values, "gradient": norm} if accelerator.scaler is None else values)
        optimizer.step()
        return {**values, "gradient": norm}

    def _positions(self) -> Iterator[range]:
        """Positions in the stream of samples that this process takes in this step, a range for each batch."""
        size, processes = self.recipe.batch, self.accelerator.num_processes
        for part in range(self.recipe.accumulate):
            place = (self.step * self.recipe.accumulate + part) * processes + self.accelerator.process_index
            yield range(place * size, (place + 1) * size)

    def _seed(self, *numbers: int) -> None:
        """Seed torch with numbers and the recipe."""
        torch.manual_seed(int(np.random.SeedSequence([self.recipe.seed, *numbers]).generate_state(1, np.uint64)[0]))

    def _check(self, values: Mapping[str, float]) -> None:
        bad = next((name for name, value in values.items() if not math.isfinite(value)), None)
        if bad is not None:
            raise LearningError(
                f"{self.run.folder}: step {self.step + 1}: {bad} is {values[bad]}; try a lower rate than "
                f"{self.recipe.rate:g} (no weights of this step were kept)"
            )

    def _note(self, progress: Progress | None) -> None:
        means = {name: total / JOURNAL_STEPS for name, total in self._sums.items()}
        gradient = means.pop("gradient")
        self._sums = {}
        rate = self._made / self._busy
        self.latest |= {"loss": sum(means.values()), "steps_per_second": rate}
        self._log(
            {
                "step": self.step,
                "loss": sum(means.values()),
                "terms": means,
                "gradient": gradient,
                "rate": self.recipe.rate_at(self.step - 1),
                "steps_per_second": round(rate, 2),
            }
        )
        if progress is not None:
            progress(self.step, self.recipe.steps, self.latest)

    def _log(self, entry: dict[str, Any]) -> None:
        if self.accelerator.is_main_process:
            journal.append(self.run.folder, entry)
        if self._board is not None:
            self._board.write(entry)

    def _validate(self) -> None:
        with self.kept_weights(), torch.no_grad():
            self.model.eval()
            terms = self._held_terms()
            bad = next((name for name, value in terms.items() if not math.isfinite(value)), None)
            if bad is not None:
                raise LearningError(
                    f"{self.run.folder}: step {self.step}: {bad} is {terms[bad]} on the held-out samples"
                )
            loss, score = sum(terms.values()), self._score()
            figure = loss if score is None else score
            better = figure < self.best or self.recipe.keep == "last"
            if better:
                self.best, self.best_step = figure, self.step
                self._keep({"loss": loss, "terms": terms} | ({} if score is None else {"score": score}))
        self.stale = 0 if better else self.stale + 1
        self.latest |= {"validation": loss} | ({} if score is None else {"score": score})
        scored = {} if score is None else {"score": score}
        self._log({"step": self.step, "validation": loss, "terms": terms, **scored, "best": better})

    def _held_terms(self) -> dict[str, float]:
        """Mean terms of the loss on the held-out samples, as at the end of the training."""
        accelerator, held, size = self.accelerator, self.data.held, self.recipe.batch
        sums: dict[str, float] = {}
        for number, begin in enumerate(range(0, held, size)):
            if number % accelerator.num_processes != accelerator.process_index:
                continue
            self._seed(begin)  # models that draw numbers are validated with the same ones each time
            chosen = range(begin, min(begin + size, held))
            batch = send_to_device(self.data.held_batch(chosen), accelerator.device)
            for turn in self.optimizers:
                with accelerator.autocast():
                    terms = self.model.loss(batch, TrainingStep(self.recipe.steps, self.recipe.steps, turn))
                for name, term in terms.items():
                    sums[name] = sums.get(name, 0.0) + float(term) * len(chosen) / held
        parts = gather_object([sums])
        names = dict.fromkeys(name for part in parts for name in part)
        return {name: sum(part.get(name, 0.0) for part in parts) for name in names}

    def _score(self) -> float | None:
        """The score of the task, which the main process works out for all."""
        score = [None]
        if self.accelerator.is_main_process:
            self._seed(0)
            score = [self.run.task.score(self.model, self.data, self.run.source)]
        return broadcast_object_list(score)[0]

    def _keep(self, validation: dict[str, Any]) -> None:
        if not self.accelerator.is_main_process:
            return
        about = {
            "training": {
                "step": self.step,
                "cpu_minutes": round(self._cpu_seconds / 60.0, 3),
                **self.recipe.to_dict(),
            },
            "validation": validation,
            "data": describe_data(self.run),
            "command": self.run.command,
            **({} if self.run.initial is None else {"initial": self.run.initial.describe()}),
        }
        save_model(self.run.folder, self.run.name, self.run.task, self.model, about)

    def _finish(self) -> list[dict[str, Any]]:
        """Measure the kept weights and write the figures into their spec."""
        trained = load_model(self.run.folder, task=type(self.run.task))
        rows = trained.task.evaluate(trained.model, self.data, self.run.source)
        write_json(self.run.folder / SPEC, {**trained.document, "metrics": rows})
        return rows

    def _restore(self) -> None:
        state = load_checkpoint(self.run.checkpoint, self.model, self.mean, self.optimizers)
        try:
            self.step, self.best_step, self.stale = (int(state[key]) for key in ("step", "best_step", "stale"))
            self.best = math.inf if state["best"] is None else float(state["best"])
            self._spent = float(state["cpu_seconds"])
            self._sums = {str(name): float(value) for name, value in state["sums"].items()}
            self.latest = {str(name): float(value) for name, value in state["latest"].items()}
            if self.accelerator.scaler is not None:
                self.accelerator.scaler.load_state_dict(state["scaler"])
        except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
            raise LearningError(f"{self.run.checkpoint}: damaged ({error!r}); start over with --force") from None
        if self.accelerator.is_main_process:
            journal.cut(self.run.folder, self.step)
        if math.isfinite(self.best):
            try:
                load_model(self.run.folder, task=type(self.run.task))
            except LearningError:
                # Killed between weights and spec: what the checkpoint has is kept instead.
                self.best = math.inf
                self._validate()

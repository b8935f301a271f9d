"""Tasks of every kind go through the one loop: roll-outs, several optimisers, frozen bases, scores of their own."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

import kinema
from kinema.errors import LearningError
from kinema.learn import journal
from kinema.learn.folder import load_model, read_json
from kinema.learn.model import Model, TrainingStep, adamw, freeze
from kinema.learn.recipe import Recipe
from kinema.learn.run import resume_run, start_run
from kinema.learn.setting import Setting
from kinema.learn.stream import Shuffled
from kinema.learn.task import Task, TrainingData, describe_clips
from kinema.learn.training import Training

QUICK = Recipe(steps=30, batch=8, validate_every=10, warmup=0, rate=1e-2)


class Spirals:
    """A source that is no database: states of damped pendulums over time, `[N, T, 2]`."""

    def __init__(self, seed: int = 0) -> None:
        turn = torch.tensor([[0.9, 0.2], [-0.2, 0.9]])
        state = torch.randn(64, 2, generator=torch.Generator().manual_seed(seed))
        states = [state]
        for _ in range(7):
            states.append(states[-1] @ turn)
        self.paths, self.path = torch.stack(states, dim=1), None


class Windows(TrainingData):
    """Batches that are nested: a start, and what follows at two rates."""

    def __init__(self, source: Spirals, recipe: Recipe, more: dict[str, Any]) -> None:
        self.setting, self.held, self.paths = Setting(more=more), 14, source.paths
        self.order = Shuffled(torch.arange(50).numpy(), recipe.seed)

    def batch(self, positions: range) -> dict[str, Any]:
        return self.windows(self.paths[torch.from_numpy(self.order(positions))])

    def held_batch(self, positions: range) -> dict[str, Any]:
        return self.windows(self.paths[50:][list(positions)])

    def windows(self, paths: Tensor) -> dict[str, Any]:
        return {"start": paths[:, 0], "coming": (paths[:, 1:], paths[:, 2::2])}

    def origin(self) -> dict[str, Any]:
        return {"spirals": 64}


@dataclass(frozen=True)
class Options:
    width: int = 8
    sampled: bool = True
    base: str = ""


class SpiralTask(Task):
    """What the toys below share."""

    Options = Options
    Network: Callable[[Setting, Options], Model]

    def data(self, source: Spirals, folder: Path, recipe: Recipe) -> Windows:
        return Windows(source, recipe, self.more())

    def more(self) -> dict[str, Any]:
        return {}

    def model(self, setting: Setting) -> Model:
        return type(self).Network(setting, self.options)

    def evaluate(self, model: Model, data: TrainingData, source: Spirals) -> list[dict[str, Any]]:
        with torch.no_grad():
            return [{"name": "model", "loss": float(sum(model.loss(data.held_batch(range(14)), END).values()))}]

    def fingerprint(self, source: Spirals) -> str:
        return str(float(source.paths.sum()))


END = TrainingStep(1, 1, "")


class Stepper(Model):
    """A roll-out with scheduled sampling: more and more of the steps start from the model's own."""

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        self.step = nn.Linear(2, 2)
        self.sampled = options.sampled
        self.seen: list[TrainingStep] = []

    def loss(self, batch: dict[str, Any], step: TrainingStep) -> dict[str, Tensor]:
        self.seen.append(step)
        state, (coming, every_second) = batch["start"], batch["coming"]
        chance = torch.rand(coming.shape[1]) if self.sampled else torch.zeros(coming.shape[1])
        own, made = chance < step.progress, []
        for at in range(coming.shape[1]):
            made.append(self.step(state))
            state = made[-1] if own[at] else coming[:, at]
        path = torch.stack(made, dim=1)
        return {"path": (path - coming).square().mean(), "half": (path[:, 1::2] - every_second).abs().mean()}


class StepperTask(SpiralTask):
    Network = Stepper


class Rivals(Model):
    """A generator of states and a critic that tells them from true ones, with optimisers of their own."""

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        self.generator = nn.Linear(2, 2)
        self.critic = nn.Sequential(nn.Linear(2, options.width), nn.Tanh(), nn.Linear(options.width, 1))

    def optimizers(self, recipe: Recipe) -> dict[str, torch.optim.Optimizer]:
        critic = torch.optim.SGD(self.critic.parameters(), lr=2 * recipe.rate, momentum=0.5)
        return {"critic": critic, "generator": adamw(self.generator.parameters(), recipe)}

    def loss(self, batch: dict[str, Any], step: TrainingStep) -> dict[str, Tensor]:
        made = self.generator(torch.randn(len(batch["start"]), 2))
        if step.turn == "critic":
            true, false = self.critic(batch["start"]), self.critic(made.detach())
            return {"told apart": nn.functional.softplus(false).mean() + nn.functional.softplus(-true).mean()}
        return {"taken for true": nn.functional.softplus(-self.critic(made)).mean()}


class RivalsTask(SpiralTask):
    Network = Rivals


class Adapted(Model):
    """An adapter on a trained model that stays as it is."""

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        base = load_model(options.base, task=StepperTask)
        if base.document["hash"] != setting.more["base"]:
            raise LearningError(f"{options.base}: not the base that this model was trained on")
        self.base, self.adapter = freeze(base.model), nn.Linear(2, 2, bias=False)
        nn.init.zeros_(self.adapter.weight)

    def loss(self, batch: dict[str, Any], step: TrainingStep) -> dict[str, Tensor]:
        start = batch["start"]
        return {"back": (self.base.step(start) + self.adapter(start) - start).square().mean()}


class AdaptedTask(SpiralTask):
    Network = Adapted

    def more(self) -> dict[str, Any]:
        return {"base": read_json(Path(self.options.base) / "spec.json", "no base")["hash"]}


def ctrl_c_at(step: int) -> Callable[[Training], None]:
    def press(training: Training) -> None:
        if training.step == step:
            os.kill(os.getpid(), signal.SIGINT)

    return press


def train(folder: Path, task: type[Task], options: dict[str, Any] | None = None, **changes: Any) -> Training:
    recipe = Recipe.from_dict({**QUICK.to_dict(), **changes})
    training = Training(start_run(folder, task, Spirals(), options or {}, recipe))
    assert training.go().finished
    return training


def test_roll_outs_of_nested_batches_learn_and_know_how_far_the_training_is(tmp_path):
    trained = train(tmp_path / "run", StepperTask, steps=100, rate=0.05)
    entries = [entry for entry in journal.read(tmp_path / "run") if "validation" in entry]
    assert entries[-1]["validation"] < 0.3 * entries[0]["validation"]
    seen = trained.model.seen
    training = [step.progress for step in seen if step.number < step.total]
    assert training == sorted(training) and training[0] == 0 and training[-1] == 0.99
    assert sum(step.number == step.total for step in seen) == 2 * len(entries), "two batches are held out"
    document = load_model(tmp_path / "run", task=StepperTask).document
    assert document["data"] == {"spirals": 64, "licence": "unknown"} and document["metrics"][0]["name"] == "model"


def test_each_optimizer_changes_its_own_parameters_alone(tmp_path):
    training = Training(start_run(tmp_path / "run", RivalsTask, Spirals(), {}, QUICK))
    changed: list[set[str]] = []
    for turn, optimizer in training.optimizers.items():
        before = {name: p.detach().clone() for name, p in training.model.named_parameters()}
        terms = training._take_turn(turn, [training.data.batch(range(8))])
        after = dict(training.model.named_parameters())
        changed.append({name.split(".")[0] for name in after if not torch.equal(before[name], after[name])})
        assert set(terms) == {"gradient", "told apart" if turn == "critic" else "taken for true"}
        highest = 2 * QUICK.rate if turn == "critic" else QUICK.rate
        assert optimizer.param_groups[0]["lr"] == QUICK.rate_at(0, highest)
    assert changed == [{"critic"}, {"generator"}]


@pytest.mark.parametrize("task", [StepperTask, RivalsTask])
def test_interrupted_and_resumed_is_bit_for_bit_uninterrupted(task, tmp_path):
    train(tmp_path / "whole", task, ema=0.9)
    recipe = Recipe.from_dict({**QUICK.to_dict(), "ema": 0.9})
    started = Training(start_run(tmp_path / "broken", task, Spirals(), {}, recipe))
    assert not started.go(ctrl_c_at(13)).finished
    assert Training(resume_run(tmp_path / "broken", task, Spirals(), {}, {})).go().finished
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "broken")]
    whole, broken = (load_file(tmp_path / name / "checkpoint.safetensors") for name in ("whole", "broken"))
    assert weights[0] == weights[1]
    assert whole.keys() == broken.keys() and all(torch.equal(whole[name], broken[name]) for name in whole)
    with pytest.raises(LearningError, match="a run on other data"):
        resume_run(tmp_path / "broken", task, Spirals(seed=1), {}, {})


def test_accumulated_batches_make_the_steps_of_one_large_batch(tmp_path):
    for name, changes in (("large", {"batch": 24}), ("small", {"batch": 8, "accumulate": 3})):
        train(tmp_path / name, StepperTask, {"sampled": False}, **changes, steps=12, validate_every=3)
    curves = [
        [entry["validation"] for entry in journal.read(tmp_path / name) if "validation" in entry]
        for name in ("large", "small")
    ]
    assert len(curves[0]) == 5 and curves[0] == pytest.approx(curves[1], rel=1e-4)


def test_only_the_adapter_of_a_frozen_base_is_trained_and_saved(tmp_path):
    base = train(tmp_path / "base", StepperTask)
    trained = train(tmp_path / "run", AdaptedTask, {"base": str(tmp_path / "base")}, ema=0.5)
    kept = load_model(tmp_path / "base", task=StepperTask).model
    assert torch.equal(trained.model.base.step.weight, kept.step.weight)
    assert list(trained.mean) == ["adapter.weight"]
    document = json.loads((tmp_path / "run" / "spec.json").read_text())
    assert document["parameters"] == 4 and (tmp_path / "run" / "model.safetensors").stat().st_size < 200
    back = load_model(tmp_path / "run", task=AdaptedTask).model
    assert back.adapter.weight.abs().max() > 0.01 and torch.equal(back.base.step.weight, kept.step.weight)
    base.recipe = Recipe(steps=40, batch=8)
    (tmp_path / "base" / "spec.json").unlink()
    train(tmp_path / "other", StepperTask, seed=1)
    for name in ("spec.json", "model.safetensors"):
        (tmp_path / "base" / name).write_bytes((tmp_path / "other" / name).read_bytes())
    with pytest.raises(LearningError, match="not the base that this model was trained on"):
        load_model(tmp_path / "run", task=AdaptedTask)


def test_a_task_may_choose_the_weights_by_a_score_of_its_own(tmp_path):
    class Scored(StepperTask):
        def score(self, model: Model, data: TrainingData, source: Spirals) -> float:
            assert not model.training and not torch.is_grad_enabled()
            scores.append({0: 4.0, 1: 2.0, 2: 1.0, 3: 3.0}[len(scores)])
            return scores[-1]

    scores: list[float] = []
    trained = train(tmp_path / "run", Scored)
    assert trained.best == 1.0 and trained.best_step == 20 and trained.stale == 1 and trained.latest["score"] == 3.0
    document = load_model(tmp_path / "run", task=Scored).document
    assert document["training"]["step"] == 20 and document["validation"]["score"] == 1.0
    entries = [entry for entry in journal.read(tmp_path / "run") if "validation" in entry]
    assert [entry["score"] for entry in entries] == scores and [e["best"] for e in entries] == [True] * 3 + [False]
    losses = [entry["validation"] for entry in entries]
    assert min(losses) == losses[-1], "the loss alone would have kept the last weights"


def test_models_that_draw_numbers_are_validated_with_the_same_ones(tmp_path):
    training = Training(start_run(tmp_path / "run", RivalsTask, Spirals(), {}, QUICK))
    with torch.no_grad():
        first = training._held_terms()
        torch.manual_seed(7)
        assert first == training._held_terms()
    assert set(first) == {"told apart", "taken for true"}


def test_a_task_that_shows_nothing_says_so(database):
    with pytest.raises(LearningError, match="nothing to watch"):
        StepperTask(Options()).show(Stepper(Setting(), Options()), database, 0)


def test_a_task_reads_databases_unless_it_says_otherwise(database):
    task = StepperTask(Options())
    assert task.open(str(database.path)).frames == database.frames
    assert Task.fingerprint(task, database) == Task.fingerprint(task, task.open(str(database.path)))
    about = describe_clips(database, [1])
    assert about["clips"] == 5 and about["held_out"] == [database.clips[1].name]


def test_the_task_of_the_guide_learns(database, tmp_path):
    guide = (Path(__file__).parents[2] / "docs" / "training.md").read_text()
    code = next(block for block in re.findall(r"```python\n(.*?)```", guide, re.DOTALL) if "class MyTask" in block)
    (tmp_path / "my_task.py").write_text(code)
    report = kinema.train(f"{tmp_path}/my_task.py:MyTask", database, tmp_path / "run", steps=300, batch=32)
    model, still = report.rows
    assert (model["name"], still["name"]) == ("model", "standing still") and model["error_m"] < still["error_m"]

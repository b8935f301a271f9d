"""`kinema train`: train a model on a motion database."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from kinema.cli import common, screens
from kinema.errors import UsageError
from kinema.learn.tasks import TASKS

if TYPE_CHECKING:
    from kinema.learn.training import Training, TrainingReport
    from kinema.session.training import Watch

_TASKS = "\n".join(f"  {name:<13} {listed.about}" for name, listed in TASKS.items())

HELP = f"""
Train a model on a motion database. A run is a folder with weights, their specification, a log and the curve of the
loss. Ctrl-C saves; --resume continues and ends with the same weights as a run without an interruption.

tasks:
{_TASKS}

examples:
  kinema train autoencoder --data walk.db -o runs/walk
  kinema train autoencoder --data walk.db -o runs/walk --resume
  kinema train autoencoder --data walk.db -o runs/small --set latent=8 --steps 3000 --watch
  kinema train any-skeleton --data my_creature -o runs/mine --from default --rate 2e-4 --steps 500
  kinema train my_task.py:MyTask --data walk.db -o runs/mine
  accelerate launch --multi_gpu --num_processes 2 -m kinema.cli.main train autoencoder --data walk.db -o runs/two
"""

RECIPE = (
    *("steps", "batch", "accumulate", "rate", "schedule", "ema", "seed", "validate_every", "patience"),
    *("keep", "threads", "device", "precision"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help="one of the tasks above, or your own: FILE.py:NAME")
    parser.add_argument("--data", required=True, metavar="DB", help="a motion database (kinema build)")
    parser.add_argument("-o", "--output", required=True, metavar="RUN", help="folder of the run")
    parser.add_argument(
        "--from",
        dest="start_from",
        metavar="RUN",
        help="start from the weights of another run of the task, or from those that come with Kinema: default",
    )
    parser.add_argument("--resume", action="store_true", help="continue an interrupted run")
    common.add_force(parser)
    group = parser.add_argument_group("recipe (a resumed run keeps its recipe)")
    group.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="option of the task")
    group.add_argument("--steps", type=common.positive_int, metavar="N", help="steps in all (default 10000)")
    group.add_argument("--batch", type=common.positive_int, metavar="N", help="samples a process takes (default 256)")
    group.add_argument("--accumulate", type=common.positive_int, metavar="N", help="batches a step (default 1)")
    group.add_argument("--rate", type=common.positive_float, metavar="R", help="highest learning rate (default 0.001)")
    group.add_argument("--schedule", metavar="NAME", help="cosine (default) or restarts")
    group.add_argument("--ema", type=float, metavar="D", help="keep a running mean of the weights, such as 0.999")
    group.add_argument("--seed", type=int, metavar="N", help="seed of weights, order and split (default 0)")
    group.add_argument("--validate-every", type=common.positive_int, metavar="N", help="steps (default 250)")
    group.add_argument("--patience", type=int, metavar="N", help="stop after N validations without a new best")
    group.add_argument(
        "--keep", metavar="WHICH", help="weights to keep: the best on held-out data (default) or the last"
    )
    group.add_argument("--threads", type=common.positive_int, metavar="N", help="threads of torch (default 1)")
    group.add_argument("--device", metavar="NAME", help="cpu (default) or cuda")
    group.add_argument("--precision", metavar="NAME", help="no (default), bf16 or fp16 for mixed precision")
    parser.add_argument("--licence", default="", metavar="TEXT", help="licence of the data; kept in the model's spec")
    watch = parser.add_argument_group("watching")
    watch.add_argument("--tensorboard", action="store_true", help="write the log for TensorBoard, too")
    watch.add_argument("--watch", action="store_true", help="show model and truth in the browser while it trains")
    watch.add_argument("--window", action="store_true", help="the same in a window on this machine")
    screens.add_page_arguments(watch)
    watch.add_argument(
        "--stay",
        type=common.positive_float,
        metavar="S",
        help="close the page S seconds after the training (default: when Ctrl+C is pressed)",
    )


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    screen = screens.packages(args.window) if args.watch or args.window else ()
    return ("torch", "safetensors", "accelerate", *(("tensorboard",) if args.tensorboard else ()), *screen)


def run(args: argparse.Namespace) -> int:
    from kinema.learn.devices import is_main
    from kinema.rendering.sheet.curves import save_losses

    if not is_main():  # another process of a training reports
        _start(args).go()
        return 0
    if args.watch and not args.window:
        from kinema.viewer.front import listen

        listen(args.host, args.port).close()  # so that a port in use is reported before the run begins
    with common.progress_of("preparing"):
        training = _start(args)
    with _watching(args, training) if args.watch or args.window else nullcontext() as watch:
        with _progress() as progress:
            report = training.go(watch.after_step if watch else None, progress, args.tensorboard)
        save_losses(training.run.folder)
        _print(args, report)
        if watch and report.finished:
            watch.finish(training)
            _stay(args, watch)
    if not report.finished:
        common.note(f"stopped and saved at step {report.steps}; the same command with --resume continues")
        return 128 + report.signal
    return 0


def _start(args: argparse.Namespace) -> Training:
    from kinema.face.models import start_training

    own = common.options(args, start_training) | {"options": _pairs(args.set), "command": _command(args)}
    return start_training(**own, **_recipe(args))


def _recipe(args: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(args, name) for name in RECIPE if getattr(args, name) is not None}


def _command(args: argparse.Namespace) -> str:
    """The command that reproduces the weights, without options that only concern this machine."""
    words = ["kinema", "train", args.task, "--data", args.data, "-o", args.output]
    for setting in args.set:
        words += ["--set", setting]
    if args.start_from is not None:
        words += ["--from", args.start_from]
    for name, value in _recipe(args).items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)


def _pairs(settings: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not (name and equals):
            raise UsageError(f"--set {setting!r} is not NAME=VALUE, such as --set latent=16")
        pairs[name] = value
    return pairs


@contextmanager
def _progress() -> Iterator[Callable[[int, int, dict[str, float]], None]]:
    with common.progress_of("training", detailed=True) as report:

        def tell(done: int, total: int, latest: dict[str, float]) -> None:
            words = [f"loss {latest['loss']:.4f}"]
            if "validation" in latest:
                words.append(f"held-out {latest['validation']:.4f}")
            report(done, total, "  ".join([*words, f"{latest['steps_per_second']:.0f} steps/s"]))

        yield tell


def _print(args: argparse.Namespace, report: TrainingReport) -> None:
    if args.json:
        common.print_json({"run": args.output, **vars(report)})
        return
    if report.rows:
        common.print_metrics(report.rows, [key for key in report.rows[0] if key != "name"])
    print(
        f"{args.output}: {report.steps:,} steps, the best on held-out clips at {report.best_step:,} "
        f"(loss {report.best:.4f}); {report.steps_per_second:.0f} steps/s"
    )


@contextmanager
def _watching(args: argparse.Namespace, training: Training) -> Iterator[Watch]:
    from kinema.session.training import open_watch

    if args.window:
        from kinema.window.shell import serve_window

        with open_watch(training, serve_window) as watch:
            yield watch
        return
    from kinema.face.screens import Screen, announce
    from kinema.viewer.browser import serve_page

    with open_watch(training, serve_page, host=args.host, port=args.port) as watch:
        announce(watch.url, Screen(open=args.open, note=screens.note))
        yield watch


def _stay(args: argparse.Namespace, watch: Watch) -> None:
    common.note("trained; the view stays open" + (f" for {args.stay:g} s" if args.stay else " until Ctrl+C"))
    try:
        watch.wait(args.stay)
    except KeyboardInterrupt:
        common.note("stopped")

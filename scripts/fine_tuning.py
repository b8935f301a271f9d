"""What a few clips of one creature are worth: a trained model before and after it learns from them, and a new one.

    .venv/bin/python scripts/fine_tuning.py FILES ... [--from RUN] [--folder FOLDER] [--steps N] [--batch N] [--rate R]

FILES become a collection in FOLDER. The same recipe trains from the weights and from new ones; what is there already is
not made again. Prints the loss on held-out clips, and figures of the benchmark beside those of the ground truth and of
a frozen pose.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kinema.face.generation import WEIGHTS, benchmark
from kinema.face.models import train
from kinema.generation.benchmark import FROZEN, HALVES, MODEL, TRUTH
from kinema.generation.gathering import gather
from kinema.learn import journal
from kinema.learn.folder import load_model
from kinema.learn.run import FILE

FIGURES = (
    *("coverage", "nearest_ratio", "skate_ratio", "jerk_ratio", "agreement_percent"),
    *("speed_error_percent", "turn_obeyed_percent", "bridge_15_ratio", "bridge_30_ratio", "bridge_60_ratio"),
)
BASE, TUNED, NEW = "before", "fine-tuned", "from scratch"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--from", dest="base", type=Path, default=WEIGHTS)
    parser.add_argument("--folder", type=Path, default=Path("fine_tuning"))
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=3e-4, help="of fine-tuning; new weights learn at 1e-3")
    parser.add_argument("--samples", type=int, default=8)
    options = parser.parse_args()
    data = options.folder / "collection"
    if not data.exists():
        options.folder.mkdir(parents=True, exist_ok=True)
        report = gather(options.files, data, workers=1)
        print(f"{report.clips} clips, {report.seconds / 60:.1f} minutes; {len(report.skipped)} left out")
    size = load_model(options.base).document["options"]["size"]
    recipe = {"steps": options.steps, "batch": options.batch, "warmup": 20, "ema": 0.98, "options": {"size": size}}
    recipe |= {"validate_every": max(options.steps // 4, 1)}
    runs = {TUNED: options.folder / "tuned", NEW: options.folder / "new"}
    for name, start in ((TUNED, {"start_from": options.base, "rate": options.rate}), (NEW, {"rate": 1e-3})):
        if not (runs[name] / FILE).exists() or "metrics" not in load_model(runs[name]).document:
            begun = (runs[name] / FILE).exists()
            report = train("any-skeleton", data, runs[name], resume=begun, **start, **recipe)
            if not report.finished:
                raise SystemExit(f"{runs[name]}: stopped and saved; the same command continues")
    losses = {
        name: [entry["validation"] for entry in journal.read(run) if "validation" in entry]
        for name, run in runs.items()
    }
    print(f"{'':18} {'held-out loss':>14}", *(f"{name:>20}" for name in FIGURES))
    rows: dict[str, Mapping[str, Any]] = {}
    for name, model, loss in (
        (BASE, options.base, losses[TUNED][0]),
        (TUNED, runs[TUNED], min(losses[TUNED])),
        (NEW, runs[NEW], min(losses[NEW])),
    ):
        for row in benchmark(model, data, samples=options.samples, seeds=(0,))[0]:
            rows.setdefault(row["name"], row)
            if row["name"] == MODEL:
                show(name, loss, row)
    for name in (TRUTH, HALVES, FROZEN):
        show(name, None, rows[name])


def show(name: str, loss: float | None, row: Mapping[str, Any]) -> None:
    values = [loss, *(row.get(figure) for figure in FIGURES)]
    words = ["-" if value is None else f"{value:.3f}" for value in values]
    print(f"{name:18} {words[0]:>14}", *(f"{word:>20}" for word in words[1:]), flush=True)


if __name__ == "__main__":
    main()

"""How well characters are steered with more and more captured motion: one curve for a network, one for motion matching.

    .venv/bin/python scripts/minutes_curve.py DB OUT.png [--folder FOLDER] [--minutes N ...] [--task TASK] [--steps N]

DB is a motion database (kinema build). Takes are drawn from it at random, each choice holding those of the smaller
ones, until there are as many minutes. Each choice becomes a database, drives and a network in FOLDER; what is there
already is not made again. All are measured against the ground truth of the whole database, along the same drives.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import kinema
from kinema.control.presets import controller_maker
from kinema.control.tracks import COMMANDED
from kinema.evaluation import evaluate_controllers
from kinema.metrics.evaluate import MetricsRow
from kinema.rendering.sheet.charts import INK, MUTED, RULE, legend
from kinema.rendering.sheet.curves import HELD_OUT, TRAINING
from kinema.rendering.sheet.page import Page

SHOWN = {
    "glides_per_min": "glides a minute",
    "skate_weighted_cm_s": "weighted skate, cm/s",
    "floating_percent": "floating, %",
    "tracking_cm": "tracking, cm",
    "jerk_m_s3": "jerk, m/s/s/s",
    "response_s": "response, s",
}
"""What is drawn, a panel each."""

DRIVES, SECONDS = (31, 32, 33), 30.0
PANEL, ACROSS = (330, 230), 3  # pixels, panels in a row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("minutes"))
    parser.add_argument("--minutes", nargs="+", type=float, default=[5.0, 15.0, 30.0, 60.0])
    parser.add_argument("--task", default="perceptron")
    parser.add_argument("--steps", type=int, default=4000)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    whole = kinema.MotionDatabase.open(options.database)
    found: dict[str, dict[float, MetricsRow]] = {}
    for minutes in options.minutes:
        path = options.folder / f"{minutes:g}.json"
        if not path.exists():
            rows = measured(whole, minutes, options.folder, options.task, options.steps)
            path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        for name, row in json.loads(path.read_text(encoding="utf-8")).items():
            found.setdefault(name, {})[minutes] = row
            print(
                f"{minutes:g} min {name}", *(f"{key} {value:.3g}" for key in SHOWN if (value := row[key]) is not None)
            )
    draw(found, options.output)


def measured(
    whole: kinema.MotionDatabase, minutes: float, folder: Path, task: str, steps: int
) -> dict[str, MetricsRow]:
    """Rows of the ground truth, of motion matching and of a network that know so many minutes; a mean over tracks."""
    takes, drives, run = (folder / f"{minutes:g}{suffix}" for suffix in (".db", "_driven.db", f"_{task}"))
    if not takes.exists():
        choice(whole, minutes).save(takes)
    database = kinema.MotionDatabase.open(takes)
    if not drives.exists():
        kinema.augment(takes, drives, minutes=180, seed=7)
    if not (run / "loss.png").exists():
        recipe = {"steps": steps, "batch": 128, "ema": 0.99, "validate_every": 500, "precision": "bf16"}
        kinema.train(task, drives, run, options={"chain": 3}, seed=1, **recipe)
    made = {name: controller_maker(name)(database) for name in ("motion-matching", str(run))}
    tracks = {name: [track(SECONDS, seed) for seed in DRIVES] for name, track in COMMANDED.items()}
    truth, *rows, _ = evaluate_controllers(list(made.items()), whole, tracks).rows
    each = np.array_split(np.arange(len(rows)), len(made))
    names = ("motion matching", task)
    return {"ground truth": truth} | {
        name: mean([rows[at] for at in which]) for name, which in zip(names, each, strict=True)
    }


def choice(whole: kinema.MotionDatabase, minutes: float) -> kinema.MotionDatabase:
    """Takes of a database, and their mirror images, that last so many minutes without these."""
    clips = [at for at, clip in enumerate(whole.clips) if not clip.mirrored]
    order = np.random.default_rng(5).permutation(clips)
    lengths = np.cumsum([whole.clips[at].frames for at in order]) / (60.0 * whole.fps)
    kept = order[: 1 + int(np.searchsorted(lengths, minutes))]
    return kinema.MotionDatabase.from_motions([whole.clip_motion(int(at)) for at in sorted(kept)], fps=whole.fps)


def mean(rows: Sequence[MetricsRow]) -> MetricsRow:
    """Means over the rows of a table of what is drawn."""
    return {key: float(np.mean([float(value) for row in rows if (value := row[key]) is not None])) for key in SHOWN}


def draw(found: dict[str, dict[float, MetricsRow]], output: Path) -> None:
    """A panel for each figure, with minutes to the right on a logarithmic axis."""
    down = -(-len(SHOWN) // ACROSS)
    page = Page(PANEL[0] * ACROSS, PANEL[1] * down + 50, (249, 249, 247), 1.0)
    colors = dict(zip(found, (MUTED, TRAINING, HELD_OUT), strict=True))
    legend(page, 24, 26, [(name, color, False) for name, color in colors.items()])
    for panel, (key, title) in enumerate(SHOWN.items()):
        left, top = PANEL[0] * (panel % ACROSS) + 52, PANEL[1] * (panel // ACROSS) + 90
        width, height = PANEL[0] - 80, PANEL[1] - 90
        values = {
            name: {at: float(value) for at, row in rows.items() if (value := row[key]) is not None}
            for name, rows in found.items()
        }
        highest = 1.1 * max(value for each in values.values() for value in each.values()) or 1.0
        minutes = list(next(iter(found.values())))
        places = np.log(minutes) - np.log(minutes[0])
        across = dict(zip(minutes, left + width * places / max(places[-1], 1e-9), strict=True))
        page.text(left, top - 24, title, 14, INK)
        for share in (0.0, 0.5, 1.0):
            y = top + height * (1 - share)
            page.line([(left, y), (left + width, y)], RULE, 1)
            page.text(left - 6, y, f"{share * highest:.3g}", 11, MUTED, "rm")
        for at, x in across.items():
            page.text(x, top + height + 8, f"{at:g}", 11, MUTED, "ma")
        for name, each in values.items():
            points = [(float(across[at]), top + height * (1 - value / highest)) for at, value in each.items()]
            if len(points) > 1:
                page.line(points, colors[name], 2.5)
            for x, y in points:
                page.dot(x, y, 3.5, colors[name])
    page.text(page.width - 24, page.height - 14, "minutes of takes", 13, MUTED, "rs")
    page.image().save(output)


if __name__ == "__main__":
    main()

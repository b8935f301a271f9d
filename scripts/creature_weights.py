"""Makes the weights that come with Kinema for a creature, from generated motion alone.

    .venv/bin/python scripts/creature_weights.py [CREATURE] [--folder FOLDER] [--tasks TASK ...] [--seeds N ...]

What is generated for the body of CREATURE (default: horse) becomes a database, drives and one training for each task
and seed in FOLDER; what is there already is not made again. Of each task, the training that drives best along `CHOOSE`
is packed into src/kinema/weights/CREATURE, with its card. Some ten minutes of one core a training.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from weights import OPTIONS, RECIPE, pack, penalty

import kinema
from kinema.control.presets import WEIGHTS
from kinema.control.subject import generated
from kinema.mocap.creatures import make_creature

MINUTES = 15.0
"""Minutes of generated motion. Mirror images double them."""

CHOOSE: dict[str, Any] = {"tracks": ["harsh", "reversals", "slow"], "seconds": 20.0, "seeds": [11, 21]}
"""Drives by which a training is chosen; tables in the documentation use other seeds."""


def card(creature: str) -> dict[str, Any]:
    """What the weights of a creature are and may be used for."""
    return {
        "licence": "Apache-2.0 OR MIT",
        "credit": "The authors of Kinema; all motion is generated",
        "use": f"Locomotion of a {creature}: standing, starts, stops, walking, running and turning, on level ground.",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("creature", nargs="?", default="horse")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--tasks", nargs="+", default=["perceptron"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    folder = options.folder or Path(f"weights-{options.creature}")
    os.makedirs(folder, exist_ok=True)
    takes, driven = folder / "takes.db", folder / "driven.db"
    if not takes.exists():
        generated(make_creature(options.creature), minutes=MINUTES).save(takes)
    if not driven.exists():
        kinema.augment(takes, driven, minutes=240, seed=7)
    command = f"python scripts/creature_weights.py {options.creature}"
    for task in options.tasks:
        runs = {seed: folder / f"{task}_{seed}" for seed in options.seeds}
        for seed, run in runs.items():
            if not (run / "loss.png").exists():
                kinema.train(task, driven, run, options=OPTIONS, seed=seed, resume=run.exists(), **RECIPE)
        scores = {seed: penalty(takes, run, CHOOSE) for seed, run in runs.items()}
        print(f"{task}: {scores}")
        best = runs[min(scores, key=scores.__getitem__)]
        about = {**card(options.creature), "data": "generated", "chosen_by": CHOOSE, "penalties": scores}
        pack(best, options.output / options.creature / task, about, command)


if __name__ == "__main__":
    main()

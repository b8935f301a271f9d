"""Makes the model of any skeleton that comes with Kinema, from generated creatures alone.

    .venv/bin/python scripts/any_skeleton_weights.py [--folder FOLDER] [--steps N] [--clips N] [--device cuda --size M]
        [--precision no]

A collection of creatures, the model, and a classifier of actions that only measuring needs are made in FOLDER; what is
there already is not made again, and a training that was interrupted goes on. The model is packed into
src/kinema/weights, with its card. On two cores: five minutes for the creatures, two hours for size S. The weights that
come with Kinema were trained in thirteen parts, each of which went on from the weights of the one before (`kinema
train --from`); the spec has the recipe of each. In the first, travel was not compressed; scales were measured anew for
the second. What is drawn, and feet that slide, count for more since the fourth; short acts are drawn more often since
the sixth, patches are told of times since the seventh and of a cadence since the eighth. Since the
eleventh each joint is told the phase of strides: first in samples that know all that is asked (`--set told=1`), of
locomotion alone, then in a quarter of all.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import kinema
from kinema.face.generation import WEIGHTS
from kinema.generation.gathering import gather
from kinema.learn.folder import SPEC, pack_model, read_json

LICENCE = "Apache-2.0 OR MIT"

RECIPE: dict[str, Any] = {"batch": 16, "ema": 0.999, "validate_every": 400, "licence": LICENCE}

CLASSIFIER: dict[str, Any] = {"steps": 4000, "batch": 32, "validate_every": 500, "licence": LICENCE}

CARD = {
    "licence": LICENCE,
    "data": "generated creatures of fifteen body plans (kinema build --creatures); no captured motion",
    "use": "Motion of any skeleton from its rest pose: idle, walk, run, turn, back, jump, look, attack, eat, die, fly, "
    "glide and swim, by words, numbers or a path; gaps, joints and endings of given motion; endless motion.",
    "limits": "Learned from generated motion of bodies of these plans: gaits are regular, people move plainly, and "
    "hands, faces and props do not act.",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("any-skeleton"))
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--clips", type=int, default=10_000)
    parser.add_argument("--size", default="S")
    parser.add_argument("--device", default="cpu")
    parser.add_argument(
        "--precision", default="bf16", help="bf16 (default), or no on a processor that does not compute in bf16"
    )
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    zoo, run, actions = (options.folder / name for name in ("zoo", "model", "actions"))
    if not zoo.exists():
        gather((), zoo, creatures=options.clips)
    for task, folder, recipe in (
        (
            "any-skeleton",
            run,
            RECIPE | {"steps": options.steps, "device": options.device, "precision": options.precision},
        ),
        ("action-classifier", actions, CLASSIFIER),
    ):
        own = {"size": options.size} if task == "any-skeleton" else {}
        if not (folder / "loss.png").exists():
            kinema.train(task, zoo, folder, options=own, resume=folder.exists(), **recipe)
    pack(run, options.output)


def pack(run: Path, out: Path) -> None:
    """Put a model among those that come with Kinema, in half precision."""
    minutes = round(cpu_minutes(read_json(run / SPEC, "no model")), 1)
    about = {"card": {**CARD, "cpu_minutes": minutes}, "command": "scripts/any_skeleton_weights.py"}
    out.mkdir(parents=True, exist_ok=True)
    pack_model(run, out, about)
    print(json.dumps(about["card"]))


def cpu_minutes(document: dict[str, Any]) -> float:
    """Minutes of a processor that a model took, in all processes, and those of the weights that it started from."""
    training, earlier = document["training"], document.get("initial")
    own = float(training["cpu_minutes"]) * training.get("processes", 1)
    return own + (cpu_minutes(earlier) if earlier else 0.0)


if __name__ == "__main__":
    main()

"""Makes the weights that come with Kinema for reading instructions.

    .venv/bin/python scripts/instruction_weights.py [--folder FOLDER]

The sentences of `scripts/sentences/instructions.jsonl` were written for programmes drawn at random, by writers who saw
nothing but the programmes; for programmes that writers invented themselves; as all the ways in which one act is said;
and, by others, as texts that have to be refused. To them come those by which the grammar was improved. A training in
parts, each of which starts from the one before: four and a half hours of one core. Of the weights that come with
Kinema, the first part knew 25,090 of the sentences, and those after it 34,562, 50,447, 59,814, 69,930, 75,146, 79,344,
79,704, 81,857, 84,279 and all 85,179. Openings and endings that ask for nothing are added since the last part.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import kinema
from kinema.instructions.learned.asking import WEIGHTS
from kinema.learn.folder import pack_model

SENTENCES = Path(__file__).parent / "sentences" / "instructions.jsonl"
LICENCE = "Apache-2.0 OR MIT"
RECIPE: dict[str, Any] = {"batch": 32, "ema": 0.998, "held_out": 0.02, "licence": LICENCE}
PARTS: tuple[dict[str, Any], ...] = (
    {"steps": 8000, "rate": 2e-3, "warmup": 200, "validate_every": 1000},
    {"steps": 2200, "rate": 1e-3, "warmup": 100, "validate_every": 1100, "seed": 1},
    {"steps": 6000, "rate": 1.5e-3, "warmup": 100, "validate_every": 2000, "seed": 2},
    {"steps": 4000, "rate": 1e-3, "warmup": 50, "validate_every": 2000, "seed": 3},
    {"steps": 3500, "rate": 1.5e-3, "warmup": 50, "validate_every": 1000, "seed": 4},
    {"steps": 2500, "rate": 1.5e-3, "warmup": 50, "validate_every": 1000, "seed": 5},
    {"steps": 4500, "rate": 1.5e-3, "warmup": 50, "validate_every": 1000, "seed": 6, "keep": "last"},
    {"steps": 3000, "rate": 1e-3, "warmup": 50, "validate_every": 1000, "seed": 7, "keep": "last"},
    {"steps": 6000, "rate": 1.5e-3, "warmup": 50, "validate_every": 1000, "seed": 8, "keep": "last"},
    {"steps": 6000, "rate": 1.2e-3, "warmup": 50, "validate_every": 1000, "seed": 9, "keep": "last"},
    {"steps": 4000, "rate": 1.2e-3, "warmup": 50, "validate_every": 1000, "seed": 10, "keep": "last"},
)
CARD = {
    "licence": LICENCE,
    "credit": "The authors of Kinema; the sentences were written for this purpose, by language models",
    "data": "scripts/sentences/instructions.jsonl",
    "use": "Instructions in English for a character and a camera, of up to 80 words, as programmes.",
    "limits": "It knows the acts of the programmes it was trained with, and holds what it does not know for one of "
    "them now and then: what the grammar reads otherwise is believed where the network is not sure.",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("instructions"))
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    more: dict[str, Any] = {}
    for number, part in enumerate(PARTS):
        run = options.folder / f"part{number}"
        if not (run / "loss.png").exists():
            kinema.train("instruction-reader", SENTENCES, run, resume=run.exists(), **RECIPE, **part, **more)
        more = {"start_from": run}
    run = options.folder / f"part{len(PARTS) - 1}"
    options.output.mkdir(parents=True, exist_ok=True)
    pack_model(run, options.output, {"card": CARD, "command": "scripts/instruction_weights.py"})
    print(json.dumps(CARD))


if __name__ == "__main__":
    main()

"""Makes the weights that come with Kinema for reading captions of creatures.

    .venv/bin/python scripts/caption_weights.py [--folder FOLDER]

The captions of `scripts/sentences/captions.jsonl` were written for this purpose: most by writers who were told which
acts there are and how lines differ, and saw neither the grammar nor captions that are tested with; others by one who
knew a first list of captions that were misread, which are no test since; and lines that say no movement. To them come
captions that the grammar writes itself. Six minutes of one core.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import kinema
from kinema.generation.captions.asking import WEIGHTS
from kinema.learn.folder import pack_model

CAPTIONS = Path(__file__).parent / "sentences" / "captions.jsonl"
LICENCE = "Apache-2.0 OR MIT"
RECIPE: dict[str, Any] = {
    "steps": 3000, "batch": 32, "rate": 2e-3, "warmup": 100, "ema": 0.995, "validate_every": 300, "held_out": 0.05,
    "threads": 1, "licence": LICENCE,
}  # fmt: skip
CARD = {
    "licence": LICENCE,
    "credit": "The authors of Kinema; the captions were written for this purpose, by language models",
    "data": "scripts/sentences/captions.jsonl",
    "use": "Captions in English of what a creature does, of up to 80 words, as acts in order of time.",
    "limits": "It knows the thirteen acts of the creatures. Where it is not sure, the grammar is believed.",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("captions"))
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    if not (options.folder / "loss.png").exists():
        kinema.train("caption-reader", CAPTIONS, options.folder, resume=options.folder.exists(), **RECIPE)
    options.output.mkdir(parents=True, exist_ok=True)
    pack_model(options.folder, options.output, {"card": CARD, "command": "scripts/caption_weights.py"})
    print(json.dumps(CARD))


if __name__ == "__main__":
    main()

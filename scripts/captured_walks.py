"""How captured motion conducts itself beside what is usual for its body: ground truth of `scripts/unseen_rigs.py`.

    .venv/bin/python scripts/captured_walks.py WALK.bvh ... [--action run] [--json]

Each file is cut into pieces of six seconds. Those that travel at half to twice the usual speed of the action are
measured; duty and cadence are medians over them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

import kinema
from kinema.cli.tables import print_table
from kinema.errors import KinemaError
from kinema.generation.channels import FPS
from kinema.generation.soundness import Subject

SECONDS = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--action", default="walk", choices=("walk", "run"))
    parser.add_argument("--json", action="store_true", help="print rows instead of a table")
    options = parser.parse_args()
    rows = []
    for path in options.paths:
        try:
            rows.append(row(path, options.action))
        except KinemaError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
    if options.json:
        print(json.dumps(rows))
        return
    print_table(list(rows[0]) if rows else [], [list(each.values()) for each in rows])


def row(path: Path, action: str) -> dict[str, Any]:
    """Figures of a file: how many pieces there are, and how many are usual in duty and in cadence."""
    asset = kinema.load(path)
    assert asset.skeleton is not None
    subject = Subject.of(asset.skeleton, asset.motions)
    trial = next(each for each in subject.trials(SECONDS) if each.name == action)
    length, found = round(SECONDS * FPS), []
    for motion in asset.motions:
        whole = motion.resample(FPS)
        for start in range(0, whole.frames - 2 * round(FPS) + 1, length):
            seen = subject.conduct(trial, whole.cut(start, min(start + length, whole.frames)))
            if 0.5 * trial.speed <= seen.speed <= 2.0 * trial.speed:
                found.append((seen, subject.judge(trial, seen)))
    duties = [seen.duty for seen, _ in found if seen.duty is not None]
    cadences = [seen.cadence for seen, _ in found if seen.cadence is not None]
    return {
        "file": path.name,
        "pieces": len(found),
        "m/s": round(median(seen.speed for seen, _ in found), 2) if found else None,
        "duty": round(median(duties), 3) if duties else None,
        "usual": None if trial.duty is None else " to ".join(f"{share:.2f}" for share in trial.duty),
        "usual duty": sum(bool(judged.duty) for _, judged in found),
        "no stance seen": sum(seen.duty is None for seen, _ in found),
        "cadence": round(median(cadences), 2) if cadences else None,
        "usual cadence": sum(bool(judged.cadence) for _, judged in found),
    }


if __name__ == "__main__":
    main()

"""Gaps in captured motion that gets on: the error over that of interpolation, as the benchmark has it on collections.

    .venv/bin/python scripts/captured_gaps.py WALK.bvh ... [--model RUN] [--json]

Each file is cut into pieces of four seconds, eight seconds apart; up to four that go at least half a metre a second are
taken. Beside the model stand known strides that are carried on without one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import kinema
from kinema.arrays import Singles
from kinema.cli.tables import print_table
from kinema.errors import KinemaError
from kinema.face.generation import WEIGHTS
from kinema.generation.bridging import GAPS, bridge, gap_error, interpolated
from kinema.generation.channels import FPS, encode, ground_path
from kinema.generation.edits import standing_joints
from kinema.generation.generator import Generator
from kinema.generation.request import carried_on, sampler
from kinema.generation.rig import AnyRig
from kinema.generation.soundness import Subject
from kinema.generation.takes import Takes

FRAMES, APART, MOST = 120, 240, 4
SLOWEST = 0.5  # m/s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--model", help="a model of your own (default: the one that comes with Kinema)")
    parser.add_argument("--json", action="store_true", help="print rows instead of a table")
    options = parser.parse_args()
    sample = sampler(Generator.load(options.model or WEIGHTS))
    errors: dict[int, list[list[float]]] = {gap: [] for gap in GAPS}
    for path in options.paths:
        try:
            found = list(pieces(path))
        except KinemaError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        for rig, channels in found:
            for gap in GAPS:
                request, truth, missing = bridge(rig, channels, "walk", gap, seed=3)
                made = [interpolated(truth, missing)]
                made += [Takes(rig, each(request)).global_positions[:, missing] for each in (sample, carried_on)]
                errors[gap].append([gap_error(each, truth, missing) for each in made])
    if not all(errors.values()):
        sys.exit(f"no piece of {FRAMES / FPS:g} seconds goes {SLOWEST} m/s or more")
    rows = []
    for gap, each in errors.items():
        plain, model, strides = np.sum(each, axis=0).tolist()
        figures = {"model": round(model / plain, 3), "strides alone": round(strides / plain, 3)}
        rows.append({"gap": gap, "pieces": len(each), **figures})
    if options.json:
        print(json.dumps(rows))
        return
    print_table(list(rows[0]), [list(row.values()) for row in rows])


def pieces(path: Path) -> Iterator[tuple[AnyRig, Singles]]:
    """Rigs and channels `[FRAMES, K, CHANNELS]`."""
    asset = kinema.load(path)
    if asset.skeleton is None:
        return
    rig, taken = Subject.of(asset.skeleton, asset.motions).rig, 0
    for motion in asset.motions:
        channels, _ = encode(rig, motion, standing_joints(rig, motion))
        for start in range(round(FPS), len(channels) - FRAMES, APART):
            piece = channels[start : start + FRAMES]
            way, _ = ground_path(piece, rig)
            if taken < MOST and np.linalg.norm(way[-1] - way[0]) * rig.unit > SLOWEST * FRAMES / FPS:
                taken += 1
                yield rig, piece


if __name__ == "__main__":
    main()

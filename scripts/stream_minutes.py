"""Ten minutes of streaming: jerk, skate, limbs and frequency by the block, their trends, and frames a processor second.

    .venv/bin/python scripts/stream_minutes.py [--rig horse] [--model RUN] [--minutes 10] [--seed 0]

Beside the stream stand motion that is made by rules for the same rig, as it goes into training, and a frozen pose.
"""

from __future__ import annotations

import argparse
import math
import sys

import numpy as np
import torch

from kinema.face.generation import load_generator
from kinema.generation.channels import FPS, encode
from kinema.generation.endurance import Endurance, endure
from kinema.generation.feet import RigFeet
from kinema.generation.planted_stream import PlantedStream
from kinema.generation.rig import AnyRig
from kinema.generation.stream import Stream
from kinema.generation.takes import Takes, mean_pose
from kinema.generation.trends import Trend, trends
from kinema.generation.wishes import Wish
from kinema.mocap.creatures import Act, make_creature, perform

TRUTH_SECONDS = 60.0

ROUNDING = 1e-3
"""Figures below are errors of rounding, and have no trend."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rig", default="horse", help="a built-in creature")
    parser.add_argument("--model", help="the folder of a trained model; the one that comes with Kinema without")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(1)
    creature = make_creature(args.rig)
    rig, generator = AnyRig.of(creature.skeleton), load_generator(args.model)
    acts = [Act("walk", 10.0), Act("walk", 10.0, curve=0.4), Act("idle", 5.0), Act("walk", 10.0, curve=-0.4)]
    acts = acts * math.ceil(TRUTH_SECONDS / sum(act.seconds for act in acts))
    truth, _ = encode(rig, perform(creature, acts))
    truth = truth[: round(TRUTH_SECONDS * FPS)]
    takes = Takes(rig, truth[None])
    feet = RigFeet.of(rig, [takes])
    wishes = [
        Wish(action="walk", turn=0.0, seconds=20.0),
        Wish(action="walk", turn=0.4, seconds=20.0),
        Wish(action="idle", speed=0.0, turn=0.0, seconds=10.0),
        Wish(action="walk", turn=-0.4, seconds=20.0),
    ]
    frozen = mean_pose([truth], len(truth))
    show("made by rules", trends(takes, feet))
    show("frozen pose", trends(Takes(rig, frozen[None]), feet))
    stream = Stream(generator, rig, seed=args.seed)
    for name, source in (("stream", stream.fork()), ("stream, planted", PlantedStream(stream))):
        found = endure(source.next, rig, wishes, 60.0 * args.minutes, feet, progress)
        print(file=sys.stderr)
        show(name, found.trends)
        print(costs(found, rig), flush=True)
    return 0


def show(name: str, found: dict[str, Trend]) -> None:
    """Print figures by the block and their trends."""
    print(name)
    for figure, trend in found.items():
        parts = "  ".join(f"{part.mean():9.3f}" for part in np.array_split(trend.blocks, min(5, len(trend.blocks))))
        verdict = "none" if trend.blocks.max() < ROUNDING else "DRIFTS" if trend.drifts else "steady"
        print(f"  {figure:10} {parts}   slope {trend.slope:+.3f} +- {trend.spread:.3f} a minute  {verdict}")


def costs(found: Endurance, rig: AnyRig) -> str:
    """The line of lengths and costs."""
    rate = found.frames_per_second
    return (
        f"  {found.frames / FPS:.0f} s, {rig.count} joints: limbs off by {100 * found.limb_error:.5f} % at most, "
        f"{rate:.0f} frames a processor second ({rate / FPS:.2f} x real time)"
    )


def progress(made: int, frames: int) -> None:
    print(f"\r  {made / FPS:.0f} of {frames / FPS:.0f} s", end="", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())

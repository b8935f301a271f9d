"""Makes the weights that come with Kinema, from captured motion whose licence allows it, and generated styles.

    .venv/bin/python scripts/weights.py DATA [--folder FOLDER] [--tasks TASK ...] [--seeds N ...]

DATA are the takes, such as an archive of FBX files. They and what is generated for their skeleton, in the styles that
they lack, become a database, drives and one training for each task and seed in FOLDER; what is there already is not
made again. Of each task, the training that drives best along `CHOOSE` is
packed into src/kinema/weights, with its card. Some ten minutes of one core a training.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

import kinema
from kinema.control.presets import WEIGHTS
from kinema.learn.folder import SPEC, pack_model, read_json
from kinema.mocap.procedural import locomotion_set
from kinema.mocap.styles import style_of

CAPTURED = ("", "crouching")
"""Styles of the takes that are used; the others are no way to get along."""

GENERATED = ("stealth", "injured", "old", "proud", "tired")
MINUTES = 3.0
"""Styles that are generated, and minutes of each."""

LOW = 0.9
"""Height of hips that crouch, at most, relative to those of the rest pose."""

RECIPE: dict[str, Any] = {"steps": 4000, "batch": 128, "ema": 0.99, "validate_every": 1000}
OPTIONS = {"chain": 3}
CHOOSE: dict[str, Any] = {"tracks": ["harsh", "reversals", "strafes", "slow"], "seconds": 20.0, "seeds": [11, 21]}
"""Drives by which a training is chosen; tables in the documentation use other seeds."""

PENALTIES = {
    "glides_per_min": 1.0,
    "low_steps_percent": 0.5,
    "skate_weighted_cm_s": 1.0,
    "tracking_cm": 1.0,
    "jerk_m_s3": 0.01,
}
"""What one unit of a figure counts."""

CARD = {
    "licence": "Apache-2.0 OR MIT",
    "credit": "Contributors to the Open 3D Engine Project",
    "use": "Locomotion of an adult on two legs: standing, walking, running, turning and side steps, in seven styles "
    "and their mixes. The plain style and crouching are captured; the others are generated.",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("weights"))
    parser.add_argument("--tasks", nargs="+", default=["perceptron", "mann", "pfnn"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    captured, takes, driven = (options.folder / f"{name}.db" for name in ("captured", "takes", "driven"))
    if not captured.exists():
        kinema.build(options.data, captured, joints="body")
    if not takes.exists():
        with_styles(kinema.MotionDatabase.open(captured)).save(takes)
    if not driven.exists():
        kinema.augment(takes, driven, minutes=240, seed=7)
    for task in options.tasks:
        runs = {seed: options.folder / f"{task}_{seed}" for seed in options.seeds}
        for seed, run in runs.items():
            if not (run / "loss.png").exists():
                kinema.train(task, driven, run, options=OPTIONS, seed=seed, resume=run.exists(), **RECIPE)
        scores = {seed: penalty(takes, run, CHOOSE) for seed, run in runs.items()}
        print(f"{task}: {scores}")
        best = runs[min(scores, key=scores.__getitem__)]
        card = {**CARD, "data": options.data.name, "chosen_by": CHOOSE, "penalties": scores}
        pack(best, options.output / task, card, f"python scripts/weights.py {options.data.name}")


def with_styles(captured: kinema.MotionDatabase) -> kinema.MotionDatabase:
    """The takes in the styles of `CAPTURED`, generated motion in those of `GENERATED`, and mirror images of all."""
    clips = [at for at, clip in enumerate(captured.clips) if not clip.mirrored and style_of(clip) in CAPTURED]
    taken = [piece for clip in clips for piece in _in_style(captured.clip_motion(clip), style_of(captured.clips[clip]))]
    minutes = MINUTES * len(GENERATED)
    generated = locomotion_set(captured.skeleton, minutes, GENERATED, fps=captured.fps, seed=3)
    # The skeleton's toes are on the ground at rest; in the takes a sole is below them. Only the hips are translated.
    lift = np.float32([0, captured.clearance, 0])
    lifted = [one.replace(local_translations=one.local_translations + lift) for one in generated]
    return kinema.MotionDatabase.from_motions([*taken, *lifted], fps=captured.fps)


def _in_style(motion: kinema.Motion, style: str) -> list[kinema.Motion]:
    """The stretches of a take that are in its style: a take of crouching begins, ends and rests upright."""
    if style != "crouching":
        return [motion]
    skeleton = motion.skeleton
    upright = skeleton.rest_pose.global_positions[skeleton.roles.hips, 1]
    low = motion[:].global_positions[:, skeleton.roles.hips, 1] < LOW * upright
    ends = np.flatnonzero(np.diff(np.concatenate([[False], low, [False]])))
    return [motion.cut(start, stop) for start, stop in ends.reshape(-1, 2) if stop - start >= motion.fps]


def penalty(takes: Path, run: Path, drives: dict[str, Any]) -> float:
    """How badly a network drives: the mean over tracks of figures times `PENALTIES`."""
    rows = kinema.evaluate(takes, str(run), **drives)[1:-1]
    return round(sum(row[key] * weight for row in rows for key, weight in PENALTIES.items()) / len(rows), 3)


def pack(run: Path, out: Path, card: dict[str, Any], command: str) -> None:
    """Put the weights of a run among those that come with Kinema.

    Args:
        card: what they are; the seed of the training is added.
        command: makes them again.
    """
    training = read_json(run / SPEC, "no weights")["training"]
    about = {"card": {**card, "seed": training["seed"]}, "command": command}
    out.mkdir(parents=True, exist_ok=True)
    pack_model(run, out, about)
    print(json.dumps(about["card"]))


if __name__ == "__main__":
    main()

"""How often a model does what captions ask for: read, and seen in the motion.

    .venv/bin/python scripts/caption_score.py CAPTIONS [--classifier RUN] [--model RUN] [--seconds S] [--wrong]

CAPTIONS is a JSON list of `{"body": "horse", "text": "trots, then eats", "acts": ["walk|run", "eat"]}`: a built-in
creature and what is asked of it, in order, with a bar between readings that are equally right. A caption is read right
if its wishes are those acts, and done right if, besides, a classifier, which has seen only the ground truth, finds each
act in its part of the motion. Beside it stand what the classifier finds in generated ground truth of the same acts and
bodies, which bounds what can be seen, and what it finds if every caption were answered with a walk. The line "turns" is
of turns that words say, on the spot or on the way: the share that leads to its side by half to one and a half times
what is said. Without a classifier only the reading is scored.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from kinema.arrays import Singles
from kinema.errors import ControlError, UsageError
from kinema.face.generation import WEIGHTS, abilities_of, wishes_of
from kinema.generation.channels import FPS, encode
from kinema.generation.classifier import FRAMES, ActionModel, judged
from kinema.generation.classifier_task import load_classifier
from kinema.generation.generator import Generator
from kinema.generation.measures import turns_obeyed
from kinema.generation.rig import AnyRig
from kinema.generation.said_turns import said_angle
from kinema.generation.takes import Takes
from kinema.generation.wishes import Wish
from kinema.mocap.creatures import ACTIONS, Act, make_creature, perform

COLUMNS = ("read", "done", "truth", "walk")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captions", type=Path)
    parser.add_argument("--classifier", help="folder of a run of action-classifier")
    parser.add_argument("--model", default=str(WEIGHTS))
    parser.add_argument("--seconds", type=float, default=4.0, help="of each act")
    parser.add_argument("--wrong", action="store_true", help="print captions that are read wrong")
    options = parser.parse_args()
    generator = Generator.load(options.model)
    classifier = load_classifier(options.classifier) if options.classifier else None
    rows: list[dict[str, Any]] = json.loads(options.captions.read_text(encoding="utf-8"))
    scores: dict[str, Counter[str]] = {name: Counter() for name in COLUMNS}
    asked: Counter[str] = Counter()
    for number, row in enumerate(rows):
        kind = "one act" if len(row["acts"]) == 1 else "more acts"
        kinds = (kind, "all", *({row["acts"][0]} if kind == "one act" else ()))
        asked.update(kinds)
        right, turns = score(row, number, generator, classifier, options)
        for name, good in right.items():
            for each in kinds:
                scores[name][each] += good
        asked["turns"] += max(map(len, turns.values()), default=0)
        for name, obeyed in turns.items():
            scores[name]["turns"] += sum(obeyed)
    columns = COLUMNS if classifier else COLUMNS[:1]
    print(f"{'':14}{'asked':>7}" + "".join(f"{name:>8}" for name in columns))
    order = ("one act", "more acts", "all", "turns")
    for kind in sorted(filter(asked.get, asked), key=lambda each: (order.index(each) if each in order else -1, each)):
        shares = [f"{100 * scores[name][kind] / asked[kind]:7.1f}%" for name in columns]
        if kind == "turns":  # only of captions that are read right
            shares[0] = f"{'':8}"
        print(f"{kind:14}{asked[kind]:7}" + "".join(shares))


def score(
    row: dict[str, Any], number: int, generator: Generator, classifier: ActionModel | None, options: argparse.Namespace
) -> tuple[dict[str, bool], dict[str, list[bool]]]:
    """Which of `COLUMNS` hold for a caption, and which of the turns that it says are made."""
    creature = make_creature(row["body"])
    rig, acts = AnyRig.of(creature.skeleton), [each.split("|") for each in row["acts"]]
    try:
        wishes = wishes_of(row["text"], body=abilities_of(row["body"], row["text"]))
    except UsageError:
        wishes = []
    found = [action for action, _ in groupby(wish.action for wish in wishes)]
    read = len(found) == len(acts) and all(each in allowed for each, allowed in zip(found, acts, strict=True))
    if not read and options.wrong:
        print(f"{row['body']}: {row['text']!r} is {row['acts']}, not {found}")
    if classifier is None:
        return {"read": read}, {}
    right = {"read": read, "truth": False}
    said = [said_angle(wish) for wish in wishes] if read and len(wishes) == len(acts) else [None] * len(acts)
    turns: dict[str, list[bool]] = {"truth": [False for angle in said if angle is not None]}
    with suppress(ControlError):  # what the body cannot do counts as wrong
        script = [
            Act(allowed[0], options.seconds, turn=angle or 0.0) for allowed, angle in zip(acts, said, strict=True)
        ]
        truth = encode(rig, perform(creature, script, seed=number))[0]
        right["truth"], turns["truth"] = seen(classifier, rig, truth, acts), turned(rig, truth, said)
    frames = round(options.seconds * len(acts) * FPS)
    for name, wanted in (("done", [replace(wish, seconds=None) for wish in wishes]), ("walk", [Wish(action="walk")])):
        made = generator.sample(rig, frames, wanted, seed=number)[0]
        right[name] = (read or name != "done") and seen(classifier, rig, made, acts)
        turns[name] = turned(rig, made, said)
    return right, turns


def turned(rig: AnyRig, channels: Singles, said: Sequence[float | None]) -> list[bool]:
    """Whether each angle that is said is turned by in its equal part of a motion `[F, K, CHANNELS]`."""
    return [
        bool(turns_obeyed(Takes(rig, part[None]), np.asarray([angle * FPS / len(part)]))[0])
        for part, angle in zip(np.array_split(channels, len(said)), said, strict=True)
        if angle is not None
    ]


def seen(classifier: ActionModel, rig: AnyRig, channels: Singles, acts: Sequence[Sequence[str]]) -> bool:
    """Whether each act is seen in its equal part of a motion `[F, K, CHANNELS]`, over windows that overlap."""
    return all(
        action_of(classifier, rig, part) in allowed
        for part, allowed in zip(np.array_split(channels, len(acts)), acts, strict=True)
    )


def action_of(classifier: ActionModel, rig: AnyRig, channels: Singles) -> str:
    """The action that is seen in a motion, over all windows that overlap by three quarters."""
    begins = range(0, len(channels) - FRAMES + 1, FRAMES // 4)
    windows = np.stack([channels[begin : begin + FRAMES] for begin in begins])
    return ACTIONS[int(judged(classifier, Takes(rig, windows)).mean(axis=0).argmax())]


if __name__ == "__main__":
    main()

"""How often a model does what captions ask for: read, and seen in the motion.

    .venv/bin/python scripts/caption_score.py CAPTIONS --classifier RUN [--model RUN] [--seconds S]

CAPTIONS is a JSON list of `{"text": ..., "body": ..., "action": ...}`, of one movement each. A caption is read right if
every wish of it is for that action, and done right if a classifier, which has seen only the ground truth, finds the
action in the motion of the built-in creature. Beside it stand the classifier's own accuracy on generated ground truth
of the same actions and bodies, which bounds what can be seen, and the share of the commonest action.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import kinema
from kinema.errors import UsageError
from kinema.face.generation import WEIGHTS, wishes_of
from kinema.generation.channels import encode
from kinema.generation.classifier import FRAMES, ActionModel, judged
from kinema.generation.classifier_task import load_classifier
from kinema.generation.generator import Generator
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes
from kinema.mocap.creatures import ACTIONS, Act, make_creature, perform


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captions", type=Path)
    parser.add_argument("--classifier", required=True)
    parser.add_argument("--model", default=str(WEIGHTS))
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    generator, classifier = Generator.load(options.model), load_classifier(options.classifier)
    rows: list[dict[str, Any]] = json.loads(options.captions.read_text(encoding="utf-8"))
    scores: dict[str, Counter[str]] = {name: Counter() for name in ("read", "done", "truth")}
    for number, row in enumerate(rows):
        creature = make_creature(row["body"])
        rig, action = AnyRig.of(creature.skeleton), row["action"]
        try:
            read = {wish.action for wish in wishes_of(row["text"], body=creature.skeleton)} == {action}
            motions = kinema.generate(
                row["body"], row["text"], seconds=options.seconds, seed=number, model=generator, plant=False
            )
            done = action_of(classifier, rig, motions[0]) == action
        except UsageError:
            read = done = False
        truth = perform(creature, [Act(action, options.seconds)], seed=number)
        for name, right in (("read", read), ("done", done), ("truth", action_of(classifier, rig, truth) == action)):
            scores[name][action] += right
    asked = Counter(row["action"] for row in rows)
    commonest = asked.most_common(1)[0][1]
    print(f"{'':8}{'asked':>7}{'read':>7}{'done':>7}{'truth':>7}")
    for action in (*asked, "all"):
        count = len(rows) if action == "all" else asked[action]
        found = [sum(score.values()) if action == "all" else score[action] for score in scores.values()]
        print(f"{action:8}{count:7}" + "".join(f"{100 * each / count:6.0f}%" for each in found))
    print(f"the commonest action for every caption: {100 * commonest / len(rows):.0f}%")


def action_of(classifier: ActionModel, rig: AnyRig, motion: kinema.Motion) -> str:
    """The action that is seen in a motion, over all windows that overlap by three quarters."""
    channels = encode(rig, motion)[0]
    begins = range(0, len(channels) - FRAMES + 1, FRAMES // 4)
    windows = np.stack([channels[begin : begin + FRAMES] for begin in begins])
    return ACTIONS[int(judged(classifier, Takes(rig, windows)).mean(axis=0).argmax())]


if __name__ == "__main__":
    main()

"""How well body parts are found in rigs that the recogniser's rules were not written with.

    .venv/bin/python scripts/score_roles.py [--wrong] [--write-floor] [--data FOLDER]

The rigs are those of `tests/roles/unseen_*.py`: generated bodies, Rigify's metarigs where Blender is installed, and
changed people where the data folder is there. --wrong lists every joint that is wrong. --write-floor keeps what is
right today in `tests/roles/unseen_floor.json`, which the tests hold the recogniser to.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.roles.unseen_changed import changed  # noqa: E402
from tests.roles.unseen_measure import (  # noqa: E402
    FLOOR,
    KINDS,
    QUESTIONS,
    Answer,
    answers,
    floor,
    floors,
    joints,
    summary,
    wilson,
)
from tests.roles.unseen_rigify import blender, metarigs  # noqa: E402
from tests.roles.unseen_rigs import Rig, generated  # noqa: E402


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wrong", action="store_true", help="list every joint that is wrong")
    options.add_argument("--write-floor", action="store_true", help="keep what is right today for the tests")
    options.add_argument("--data", type=Path, default=os.environ.get("KINEMA_DATA", ROOT / "shared" / "data"))
    chosen = options.parse_args()
    rigs = everything(Path(chosen.data))
    found = {"names": answers(rigs, names=True), "nameless": answers(rigs, names=False)}
    for way, rows in found.items():
        print(f"\n{way}\n")
        print(rows_of(rows, wrong=chosen.wrong))
    print("\nright of rigs, with the 95 % interval of Wilson\n")
    print(shares({way: summary(rows) for way, rows in found.items()}))
    print("\nright of joints\n")
    print(shares({way: of_joints(rows) for way, rows in found.items()}, interval=False))
    if chosen.write_floor:
        kept = floors() if FLOOR.is_file() else {}
        for way, rows in found.items():  # rigs that cannot be had here keep their floor
            kept[way] = kept.get(way, {}) | {one.rig: floor(one) for one in rows}
        FLOOR.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def of_joints(found: Sequence[Answer]) -> dict[str, tuple[int, int]]:
    """Right joints and joints: all, those of each group of rigs, and those of each kind."""
    groups = {one.group: [other for other in found if other.group == one.group] for one in found}
    return {
        "all": joints(found, "all"),
        **{f"all, {group}": joints(rows, "all") for group, rows in groups.items()},
        **{kind: joints(found, kind) for kind in KINDS},
    }


def everything(data: Path) -> list[Rig]:
    """All rigs that can be had here."""
    rigs = generated()
    if blender():
        with tempfile.TemporaryDirectory() as folder:
            rigs += metarigs(Path(folder))
    else:
        print("no Blender here: without Rigify's metarigs (sudo apt-get install blender, or set KINEMA_BLENDER=/path)")
    if data.is_dir():
        rigs += changed(data)
    else:
        print(f"no data folder at {data}: without the changed people")
    return rigs


def rows_of(found: Sequence[Answer], *, wrong: bool) -> str:
    """A line for each rig: right joints, and what was wrong."""
    lines = []
    for one in found:
        right, count = one.joints["all"]
        failed = ", ".join(question for question in QUESTIONS if question in one.failures)
        lines.append(f"{one.group:<11}{one.rig:<26}{right:>4} of {count:<5}{one.error or failed or 'all right'}")
        if one.failures:
            lines.append(f"{'':<48}said {one.said}")
        if wrong:
            lines += [f"{'':<48}{label}: said {said}, is {truth}" for label, said, truth in one.wrong]
    return "\n".join(lines)


def shares(columns: dict[str, dict[str, tuple[int, int]]], *, interval: bool = True) -> str:
    """A table of shares as Markdown."""
    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    for row in next(iter(columns.values())):
        cells = []
        for column in columns.values():
            right, count = column[row]
            low, high = wilson(right, count)
            share = f"{right / count:.1%}" if count else "-"
            cells.append(f"{right} of {count} ({low:.0%} to {high:.0%})" if interval else f"{share} of {count}")
        lines.append(f"| {row} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

"""How well body parts are found in rigs that the recogniser's rules were not written with.

    .venv/bin/python scripts/score_roles.py [--wrong] [--data FOLDER]

The rigs are those of `tests/roles/unseen_*.py`: generated bodies, Rigify's metarigs where Blender is installed, and
changed people where the data folder is there. --wrong lists every joint that is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.roles.unseen_changed import changed  # noqa: E402
from tests.roles.unseen_measure import KINDS, QUESTIONS, Answer, answers, joints, summary, wilson  # noqa: E402
from tests.roles.unseen_rigify import blender, metarigs  # noqa: E402
from tests.roles.unseen_rigs import Rig, generated  # noqa: E402


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wrong", action="store_true", help="list every joint that is wrong")
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
    kinds = ["all", *KINDS]
    print(shares({way: {kind: joints(rows, kind) for kind in kinds} for way, rows in found.items()}, interval=False))


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

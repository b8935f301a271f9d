"""Motion for files never seen, from their rest pose alone: a table of how it conducts itself, films and a sheet.

    .venv/bin/python scripts/unseen_rigs.py FOLDER_OR_FILE ... -o OUT [--model RUN] [--json] [--films]
        [--seeds 3] [--trials walk fly swim] [--unshown PART ...]

For each skeleton in the files: `model` is what `kinema.generate` makes of it, `creatures` is `kinema.perform` on the
same body, and `frozen` is the rest pose, carried along at the speed that is asked, which has to fail. Files with the
skeleton of another one are measured once, those without one are listed with the reason. OUT gets `rows.json`, a sheet,
and with --films a film of each file. Without --model, creatures are shown. Files whose licence does not allow pictures
are kept off the sheet by a part of their name.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import kinema
from kinema.cli.tables import print_table
from kinema.errors import KinemaError
from kinema.formats import FORMATS, Asset
from kinema.generation.conduct import Conduct
from kinema.generation.generator import Generator
from kinema.generation.soundness import Subject, Trial
from kinema.motion import Motion

SECONDS = 6.0
TILE, COLUMNS, LABEL = (116, 92), 6, 150  # pixels of a picture, pictures of a file, and pixels of its name
FILM = (360, 270)
SHOWN = ("walk", "fly", "swim")  # trials; a film and a row of pictures show the last one of a file


@dataclass(frozen=True, eq=False)
class Rig:
    """A file with a skeleton that can be put to the test."""

    name: str
    asset: Asset
    subject: Subject
    trials: list[Trial]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--trials", nargs="+", default=["walk", "turn", "run", "fly", "swim"])
    parser.add_argument("--films", action="store_true")
    parser.add_argument("--unshown", nargs="+", default=(), metavar="PART", help="parts of names that the sheet lacks")
    parser.add_argument("--json", action="store_true", help="print rows instead of tables")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    generator = None if options.model is None else Generator.load(options.model)
    rigs, left_out = read(list(files(options.paths)))
    rows: list[dict[str, Any]] = []
    strips: list[tuple[str, Image.Image]] = []
    for rig in rigs:
        shown: Motion | None = None
        for trial in (each for each in rig.trials if each.name in options.trials):
            made = motions(rig, trial, generator, options.seeds)
            rows += [row(rig, trial, name, clips) for name, clips in made.items()]
            if trial.name in SHOWN:
                shown = made["model" if generator else "creatures"][0]
        if shown is not None and not any(part in rig.name for part in options.unshown):
            strips.append((rig.name, strip(rig.asset, shown)))
        if shown is not None and options.films:
            film(rig.asset, shown, options.output / f"{rig.name.replace('/', '-')}.mp4")
        (options.output / "rows.json").write_text(json.dumps({"rows": rows, "left_out": left_out}, indent=1))
        if strips:
            sheet(strips).save(options.output / "sheet.jpg", quality=82, optimize=True)
        print(rig.name, file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps({"rows": rows, "left_out": left_out}))
    else:
        report(rows, left_out)


def files(paths: Sequence[Path]) -> Iterator[Path]:
    """Files at and below paths that some format may read."""
    for path in paths:
        for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if each.is_file() and each.suffix.lower() in FORMATS:
                yield each


def read(paths: Sequence[Path]) -> tuple[list[Rig], dict[str, str]]:
    """The rigs of files, one of each skeleton, with meshes if a file has them; and why others are left out."""
    found: dict[bytes, tuple[str, Asset]] = {}
    left_out: dict[str, str] = {}
    for path in paths:
        name = f"{path.parent.name}/{path.name}"
        try:
            asset = kinema.load(path)
        except KinemaError as error:
            left_out[name] = str(error)
            continue
        skeleton = asset.skeleton
        if skeleton is None or skeleton.joint_count < 2:
            left_out[name] = "no skeleton"
            continue
        key = repr((skeleton.names, skeleton.rest_translations.round(3).tolist())).encode()
        other = found.get(key)
        if other is None or (has_mesh(asset) and not has_mesh(other[1])):
            found[key] = name, asset
            if other is not None:
                left_out[other[0]] = f"the skeleton of {name}"
        else:
            left_out[name] = f"the skeleton of {other[0]}"
    rigs = []
    for name, asset in found.values():
        assert asset.skeleton is not None
        try:
            subject = Subject.of(asset.skeleton, asset.motions)
            rigs.append(Rig(name, asset, subject, subject.trials(SECONDS)))
        except KinemaError as error:
            left_out[name] = str(error)
    return rigs, left_out


def has_mesh(asset: Asset) -> bool:
    return asset.character is not None and bool(asset.character.meshes)


def motions(rig: Rig, trial: Trial, generator: Generator | None, seeds: int) -> dict[str, list[Motion]]:
    """Clips of a trial by what makes them."""
    made = {
        "creatures": [rig.subject.performed(trial, SECONDS, seed) for seed in range(2, 2 + seeds)],
        "frozen": [rig.subject.carried(trial, SECONDS)],
    }
    if generator is not None:
        made["model"] = kinema.generate(
            rig.asset,
            action=trial.action,
            speed=trial.speed,
            turn=trial.turn,
            seconds=SECONDS,
            count=seeds,
            model=generator,
        )
    return made


def row(rig: Rig, trial: Trial, name: str, clips: Sequence[Motion]) -> dict[str, Any]:
    """Mean figures of clips, and in how many of them each is as it should be."""
    found = [rig.subject.conduct(trial, clip) for clip in clips]
    judged = [rig.subject.judge(trial, each) for each in found]
    return {
        "file": rig.name,
        "plan": rig.subject.kind.plan,
        "joints": rig.subject.rig.count,
        "trial": trial.name,
        "name": name,
        "asked": trial.speed,
        "asked_turn": trial.turn,
        "usual_duty": trial.duty,
        "usual_cadence": trial.cadence,
        "clips": len(clips),
        "passed": sum(not each.failed for each in judged),
        "failed": {figure: sum(figure in each.failed for each in judged) for figure in vars(judged[0])},
        "figures": means(found),
    }


def means(found: Sequence[Conduct]) -> dict[str, float | None]:
    """Mean of each figure, over the clips to which it applies."""
    columns = {key: [asdict(each)[key] for each in found] for key in asdict(found[0])}
    known = {key: [float(value) for value in values if value is not None] for key, values in columns.items()}
    return {key: float(np.mean(values)) if values else None for key, values in known.items()}


def report(rows: Sequence[dict[str, Any]], left_out: dict[str, str]) -> None:
    """Prints a table of lines, a table of sums, and what was left out."""
    table = []
    for each in rows:
        figures = each["figures"]
        wrong = (
            ", ".join(key for key, count in each["failed"].items() if count) if each["passed"] < each["clips"] else ""
        )
        table.append(
            [
                each["file"], each["trial"], each["name"], f"{each['passed']}/{each['clips']}",
                figures["speed"] / each["asked"], figures["ground"], figures["skate"], figures["duty"],
                span(each["usual_duty"]), figures["cadence"], span(each["usual_cadence"]), wrong,
            ]
        )  # fmt: skip
    columns = ["file", "trial", "motion", "sound", "speed/asked", "ground", "skate", "duty", "usual", "cadence",
               "usual", "not as it should be"]  # fmt: skip
    print_table(columns, table)
    names = list(dict.fromkeys(each["name"] for each in rows))
    sums = [[name, *tally([each for each in rows if each["name"] == name])] for name in names]
    print_table(["motion", "sound", *[figure for figure in rows[0]["failed"]]], sums, "Clips that are sound, percent")
    print_table(["left out", "why"], [[name, why] for name, why in sorted(left_out.items())])


def tally(rows: Sequence[dict[str, Any]]) -> list[float]:
    """Percent of clips in which everything, and each figure, is as it should be."""
    clips = sum(each["clips"] for each in rows)
    good = [sum(each["passed"] for each in rows)]
    good += [clips - sum(each["failed"][figure] for each in rows) for figure in rows[0]["failed"]]
    return [100.0 * count / clips for count in good]


def span(values: Sequence[float] | None) -> str:
    return "" if values is None else f"{values[0]:.2f} to {values[1]:.2f}"


def shown_on(asset: Asset, motion: Motion) -> Asset:
    return replace(asset, motions=(motion,), warnings=())


def strip(asset: Asset, motion: Motion) -> Image.Image:
    """A row of pictures of a motion on the file's own mesh."""
    whole = Image.new("RGB", (TILE[0] * COLUMNS, TILE[1]), (249, 249, 247))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(COLUMNS):
            path, moment = Path(folder) / f"{number}.png", 2.0 + 0.25 * number * stride(motion)
            kinema.render(
                shown_on(asset, motion), path, size=TILE, still=moment, camera="follow", quality="draft", azimuth=1.1
            )
            with Image.open(path) as picture:
                whole.paste(picture.convert("RGB"), (TILE[0] * number, 0))
    return whole


def stride(motion: Motion) -> float:
    """A stretch of time, seconds, four of which show how a body of this size moves."""
    return float(np.clip(np.sqrt(motion.skeleton.height / 2.0), 0.5, 2.0))


def film(asset: Asset, motion: Motion, path: Path) -> None:
    kinema.render(shown_on(asset, motion), path, size=FILM, fps=15, seconds=4.0, camera="follow", quality="draft")


def sheet(strips: Sequence[tuple[str, Image.Image]]) -> Image.Image:
    """Rows of pictures in two columns, each with the name of its file."""
    rows = -(-len(strips) // 2)
    width = LABEL + TILE[0] * COLUMNS
    page = Image.new("RGB", (2 * width + 12, rows * TILE[1]), (249, 249, 247))
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(12)
    for number, (name, pictures) in enumerate(strips):
        left, top = number // rows * (width + 12), number % rows * TILE[1]
        page.paste(pictures, (left + LABEL, top))
        draw.multiline_text(
            (left + 6, top + 26), "\n".join(textwrap.wrap(name.replace("/", "/ "), 22)), (60, 66, 75), font
        )
    return page


if __name__ == "__main__":
    main()

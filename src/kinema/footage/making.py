"""Makes a folder of training clips, on several processors, and goes on where it was.

```
clips/clips.json          what was asked for        clips/manifest.jsonl   one line for each clip
clips/clips/000/000000.npz ...  the clips           clips/failures.jsonl   clips that could not be made, and why
```
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from kinema import unfinished
from kinema.errors import FormatError, KinemaError, UsageError, one_line
from kinema.footage.clip import film_clip
from kinema.footage.plan import ClipPlan
from kinema.footage.store import clip_name, read_facts, write_clip
from kinema.formats.atomic import atomic_write
from kinema.rendering.film.output import writing
from kinema.rendering.frame import Renders
from kinema.workers import available_cores, open_pool

INDEX, MANIFEST, FAILURES = "clips.json", "manifest.jsonl", "failures.jsonl"
FORMAT = "kinema clips 1"

_SHARD = 8  # clips that a process makes at a time
_SMALL = 128  # pixels up to which pictures have small shadows


@dataclass(frozen=True)
class ClipsReport:
    """What became of a folder of clips.

    Attributes:
        folder: of the clips. clips: in it. made: those that were made now; the others were there already.
        failed: number of each clip that could not be made, and why.
        skipped: motions that could not be used, and why.
        wall_seconds: time taken. megabytes: of all clips.
    """

    folder: str
    clips: int
    made: int
    failed: tuple[tuple[int, str], ...]
    skipped: tuple[tuple[str, str], ...]
    wall_seconds: float
    megabytes: float


def make_clips(
    plan: ClipPlan,
    folder: str | os.PathLike[str],
    count: int,
    workers: int | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> ClipsReport:
    """Make the clips of a plan that are not in a folder yet.

    Args:
        count: clips in all. workers: processes; None is one a core. force: begin again, in place of what is there.
        progress: called with the number of clips that are done and of all clips.

    Raises:
        UsageError: there is no clip to make, or the folder has more clips than that.
        KinemaError: the folder holds something else.
        WriteError: the folder cannot be written to.
    """
    began, place = time.perf_counter(), Path(folder)
    if count < 1:
        raise UsageError(f"at least one clip can be made, not {count}")
    open_folder(place, plan.facts, count, force)
    missing = [number for number in range(count) if not (place / clip_name(number)).is_file()]
    failed: dict[int, str] = {}
    done = count - len(missing)
    for number, reason in _made(plan, place, missing, available_cores() if workers is None else workers):
        done += 1
        if reason is not None:
            failed[number] = reason
        if progress is not None:
            progress(done, count)
    size = finish_folder(place, count, failed)
    wall, made = time.perf_counter() - began, len(missing) - len(failed)
    return ClipsReport(
        str(place), count - len(failed), made, tuple(sorted(failed.items())), plan.skipped, wall, size / 1e6
    )


def open_folder(folder: Path, facts: dict[str, Any], count: int, force: bool = False) -> None:
    """Begin a folder of clips, or go on with one that was made of the same.

    Raises:
        KinemaError, UsageError, WriteError: see `make_clips`.
    """
    stated = {"format": FORMAT, "clips": count, **json.loads(json.dumps(facts))}
    if os.path.lexists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
        there = _index(folder)
        if not force:
            differs = [key for key in stated if key != "clips" and stated[key] != there.get(key)]
            if differs:
                key = differs[0]
                raise KinemaError(
                    f"{folder} holds clips with {key} {there.get(key)!r}, not {stated[key]!r}; give --force to replace "
                    "them, or another folder"
                )
            if int(there.get("clips", 0)) > count:
                raise UsageError(f"{folder} holds {there['clips']} clips; ask for that many or more, or give --force")
            for part in folder.rglob("*.part"):  # of a process that was killed
                unfinished.remove(part)
        else:
            unfinished.remove(folder)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    atomic_write(folder / INDEX, (json.dumps(stated, indent=2) + "\n").encode())


def finish_folder(folder: Path, count: int, failed: dict[int, str]) -> int:
    """Write the manifest of all clips, and what failed. Returns the bytes of all clips."""
    rows, size = [], 0
    for number in range(count):
        if number in failed:
            continue
        path = folder / clip_name(number)
        rows.append(json.dumps({"path": clip_name(number), **read_facts(path)}, allow_nan=False))
        size += path.stat().st_size
    atomic_write(folder / MANIFEST, "".join(f"{row}\n" for row in rows).encode())
    if failed:
        lines = [json.dumps({"id": f"{number:06d}", "error": reason}) for number, reason in sorted(failed.items())]
        atomic_write(folder / FAILURES, "".join(f"{line}\n" for line in lines).encode())
    else:
        unfinished.remove(folder / FAILURES)
    return size


def _index(folder: Path) -> dict[str, Any]:
    """What a folder of clips states. KinemaError for any other folder."""
    try:
        index = json.loads((folder / INDEX).read_bytes())
    except (OSError, ValueError):
        index = None
    if not isinstance(index, dict) or index.get("format") != FORMAT:
        raise KinemaError(f"{folder} exists and holds no clips of Kinema; name another folder")
    return index


def _made(plan: ClipPlan, folder: Path, numbers: Sequence[int], workers: int) -> Iterator[tuple[int, str | None]]:
    """Make clips; each comes with what went wrong, or None."""
    shards = [tuple(numbers[first : first + _SHARD]) for first in range(0, len(numbers), _SHARD)]
    if workers == 1 or len(shards) < 2:
        for shard in shards:
            yield from _make_shard(plan, folder, shard)
        return
    with open_pool(min(workers, len(shards))) as pool:
        for future in as_completed([pool.submit(_make_shard, plan, folder, shard) for shard in shards]):
            yield from future.result()


def _make_shard(plan: ClipPlan, folder: Path, numbers: Sequence[int]) -> list[tuple[int, str | None]]:
    """Make some clips in this process, one after the other."""
    renderer, made = _renderer(plan.size), []
    for number in numbers:
        try:
            footage, reason = film_clip(plan, number, renderer), None
        except (KinemaError, ArithmeticError, ValueError) as error:  # one damaged file must not end all the others
            footage, reason = None, one_line(str(error) or type(error).__name__)
        if footage is not None:
            write_clip(folder / clip_name(number), footage)
        made.append((number, reason))
    return made


@lru_cache(maxsize=1)
def _renderer(size: int) -> Renders:
    """The renderer of this process. Each process draws with one thread: others draw beside it."""
    os.environ.setdefault("LP_NUM_THREADS", "1")  # of the driver that draws without a graphics card
    from kinema.rendering.renderer import Renderer

    return Renderer(size, size, "small" if size <= _SMALL else "draft", threads=1)


def check_index(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """What a folder of clips states.

    Raises:
        FormatError: it is no folder of clips, or its clips are not all made.
    """
    place = Path(folder)
    try:
        index = _index(place)
    except KinemaError as error:
        raise FormatError("is no folder of clips, as kinema clips makes them", path=str(place)) from error
    if not (place / MANIFEST).is_file():
        raise FormatError(
            f"has no {MANIFEST}: making its clips was interrupted; the same command goes on", path=str(place)
        )
    return index

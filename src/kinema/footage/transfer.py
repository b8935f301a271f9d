"""Clips in the forms of others: WebDataset's archives, and Meta-Animator's lists of prompts, which are read, too.

Meta-Animator has a list for each task, `json_files/prompt_<task>.json`, whose lines are `{"source": condition,
"target": picture, "prompt": sentence}` with paths of single pictures. Its tasks are maps of ours under other names.
"""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from kinema import unfinished
from kinema.errors import FormatError, KinemaError, UsageError
from kinema.footage.clip import Footage
from kinema.footage.licences import UNKNOWN, provenance
from kinema.footage.making import finish_folder, open_folder
from kinema.footage.reading import ClipFolder, StoredClip
from kinema.footage.store import clip_name, write_clip
from kinema.formats.atomic import atomic_write
from kinema.rendering.film.output import Pixels, writing
from kinema.rendering.film.stills import png

Report = Callable[[int, int], None]

TASKS = {
    "DWPose": "pose",
    "depth": "depth",
    "normal": "normals",
    "sapiens_seg": "parts",
    "canny": "edges",
    "blurred": "blurred",
    "bg_outpainting": "body",
    "fg_inpainting": "background",
}
"""Meta-Animator's tasks and our maps. The person of `fg_inpainting` is painted black; `pose_HaMeR` has no map."""

LISTS = "json_files"
_SHARD = 256  # clips of an archive
_LARGEST = 1 << 30  # bytes of a list
_LONGEST = 64  # pictures of a clip that is read from prompts
_HIDDEN = "fg_inpainting"


@dataclass(frozen=True)
class TransferReport:
    """What was written.

    Attributes:
        folder: of it. clips: in it. files: written.
    """

    folder: str
    clips: int
    files: int


def to_webdataset(
    source: str | os.PathLike[str], output: str | os.PathLike[str], force: bool = False, progress: Report | None = None
) -> TransferReport:
    """Archives of 256 clips, `clips-000000.tar`, whose samples are `<id>.npz`, `<id>.json` and `<id>.txt`, the caption.

    Raises:
        FormatError: the source is no folder of clips. KinemaError: the output exists. WriteError: it cannot be written.
    """
    clips, place = ClipFolder(source), _new_folder(output, force)
    firsts = range(0, len(clips), _SHARD)
    for shard, first in enumerate(firsts):
        some = clips[first : first + _SHARD]
        atomic_write(place / f"clips-{shard:06d}.tar", _archive(some))
        if progress is not None:
            progress(min(first + _SHARD, len(clips)), len(clips))
    return TransferReport(str(place), len(clips), len(firsts))


def _archive(clips: Sequence[StoredClip]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for clip in clips:
            name = str(clip.facts["id"])
            facts = json.dumps(dict(clip.facts)).encode()
            for suffix, data in (("npz", clip.path.read_bytes()), ("json", facts), ("txt", clip.caption.encode())):
                info = tarfile.TarInfo(f"{name}.{suffix}")
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def to_prompts(
    source: str | os.PathLike[str], output: str | os.PathLike[str], force: bool = False, progress: Report | None = None
) -> TransferReport:
    """Meta-Animator's layout: pictures of every task and the lists of them, with absolute paths, as it wants them.

    Raises:
        FormatError: the source is no folder of clips. KinemaError: the output exists. WriteError: it cannot be written.
    """
    clips, place = ClipFolder(source), _new_folder(output, force)
    lines: dict[str, list[str]] = {task: [] for task in TASKS}
    files = 0
    for number, clip in enumerate(clips):
        pictures = _pictures(clip)
        for task, shown in pictures.items():
            for frame in range(len(shown)):
                atomic_write(_made(place, task, clip, frame), png(np.ascontiguousarray(shown[frame])))
                files += 1
                if task in lines:
                    row = {"source": _named(place, task, clip, frame), "target": _named(place, "target", clip, frame)}
                    lines[task].append(json.dumps({**row, "prompt": clip.caption}))
        if progress is not None:
            progress(number + 1, len(clips))
    with writing(place):
        (place / LISTS).mkdir(exist_ok=True)
    for task, rows in lines.items():
        if rows:
            atomic_write(place / LISTS / f"prompt_{task}.json", "".join(f"{row}\n" for row in rows).encode())
            files += 1
    return TransferReport(str(place), len(clips), files)


def _pictures(clip: StoredClip) -> dict[str, Pixels]:
    """The pictures of each task `[F, H, W, 3]`, and the targets."""
    arrays = {name: _in_colour(values) for name, values in clip.read(*TASKS.values(), "picture", "mask").items()}
    if "picture" not in arrays:
        raise KinemaError(f"clip {clip.facts.get('id')} has no pictures, which are what prompts are about")
    found = {task: arrays[name] for task, name in TASKS.items() if name in arrays and task != _HIDDEN}
    if "mask" in arrays:
        found[_HIDDEN] = np.where(arrays["mask"] > 0, 0, arrays["picture"]).astype(np.uint8)
    return {"target": arrays["picture"], **found}


def from_prompts(
    source: str | os.PathLike[str],
    output: str | os.PathLike[str],
    force: bool = False,
    progress: Report | None = None,
    licence: str = "",
) -> TransferReport:
    """Clips of Meta-Animator's lists: pictures of one folder with one prompt, in the order of their names, are a clip.

    Args:
        licence: class of pictures that no list of licences names.

    Raises:
        FormatError: there are no lists, or a picture is missing or of another size. KinemaError: the output exists.
    """
    place = Path(source)
    targets = _targets(place)
    clips = [
        rows[first : first + _LONGEST]
        for _, group in groupby(sorted(targets.items()), key=lambda row: (os.path.dirname(row[0]), row[1]["prompt"]))
        for rows in [list(group)]
        for first in range(0, len(rows), _LONGEST)
    ]
    folder = Path(output)
    open_folder(folder, {"source": str(place), "made_of": "prompts"}, len(clips), force)
    for number, rows in enumerate(clips):
        write_clip(folder / clip_name(number), _footage(number, rows, licence))
        if progress is not None:
            progress(number + 1, len(clips))
    finish_folder(folder, len(clips), {})
    return TransferReport(str(folder), len(clips), len(clips))


def _targets(folder: Path) -> dict[str, dict[str, Any]]:
    """By the path of each picture: its prompt, and the pictures of each task."""
    lists = sorted((folder / LISTS).glob("prompt_*.json")) or sorted(folder.glob("prompt_*.json"))
    if not lists:
        raise FormatError(f"has no {LISTS}/prompt_<task>.json", path=str(folder))
    found: dict[str, dict[str, Any]] = {}
    for path in lists:
        task = path.stem.removeprefix("prompt_")
        if task not in TASKS:
            raise FormatError(f"is of an unknown task; there are {', '.join(TASKS)}", path=str(path))
        for row in _rows(path):
            entry = found.setdefault(row["target"], {"prompt": row["prompt"], "maps": {}})
            entry["maps"][TASKS[task]] = row["source"]
    if not found:
        raise FormatError("its lists are empty", path=str(folder))
    return found


def _rows(path: Path) -> Iterator[dict[str, str]]:
    if path.stat().st_size > _LARGEST:
        raise FormatError(f"is larger than {_LARGEST >> 20} MB", path=str(path))
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise FormatError("is not UTF-8 text", path=str(path)) from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError("is not JSON", path=str(path), line=number) from None
        names = ("source", "target", "prompt")
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in names):
            raise FormatError(f"a line has {', '.join(names)}, which are texts", path=str(path), line=number)
        yield {name: row[name] for name in names} | {
            name: os.path.join(path.parent.parent, row[name]) for name in ("source", "target")
        }


def _footage(number: int, rows: Sequence[tuple[str, Mapping[str, Any]]], licence: str) -> Footage:
    """A clip of pictures that belong together. Maps that not all of its pictures have are left out."""
    names = set.intersection(*(set(entry["maps"]) for _, entry in rows))
    maps = {"picture": _loaded([path for path, _ in rows])}
    for name in (name for name in TASKS.values() if name in names):
        maps[name] = _loaded([entry["maps"][name] for _, entry in rows], maps["picture"].shape)
    origin = provenance(rows[0][0], licence)
    facts = {
        "id": f"{number:06d}",
        "caption": rows[0][1]["prompt"],
        "frames": len(rows),
        "size": maps["picture"].shape[1],
        "maps": list(maps),
        "licence_class": origin.licence_class or UNKNOWN,
        "sources": {"pictures": origin.row},
    }
    return Footage(maps, None, None, None, facts)


def _loaded(paths: Sequence[str], like: tuple[int, ...] | None = None) -> Pixels:
    pictures = []
    for path in paths:
        try:
            with Image.open(path) as picture:
                pictures.append(np.asarray(picture.convert("RGB")))
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            raise FormatError(f"cannot be read as a picture: {error}", path=path) from None
        expected = like[1:] if like is not None else pictures[0].shape
        if pictures[-1].shape != expected:
            size, other = pictures[-1].shape[1::-1], tuple(expected)[1::-1]
            raise FormatError(f"is {size[0]}x{size[1]}, and the clip is {other[0]}x{other[1]}", path=path)
    return np.stack(pictures)


def _in_colour(values: Pixels) -> Pixels:
    return np.repeat(values[..., None], 3, axis=-1) if values.ndim == 3 else values


def _named(folder: Path, task: str, clip: StoredClip, frame: int) -> str:
    return str(folder.resolve() / task / str(clip.facts["id"]) / f"{frame:05d}.png")


def _made(folder: Path, task: str, clip: StoredClip, frame: int) -> Path:
    path = Path(_named(folder, task, clip, frame))
    with writing(folder):
        path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _new_folder(output: str | os.PathLike[str], force: bool) -> Path:
    """An empty folder; with force, in place of what is there."""
    place = Path(output)
    if os.path.lexists(place) and not (place.is_dir() and not any(place.iterdir())):
        if not force:
            raise KinemaError(f"{place} exists; give --force to replace it")
        unfinished.remove(place)
    with writing(place):
        place.mkdir(parents=True, exist_ok=True)
    return place


FORMS: Mapping[str, Callable[..., TransferReport]] = {
    "webdataset": to_webdataset,
    "prompts": to_prompts,
    "clips": from_prompts,
}
"""Forms in which clips are written: WebDataset's, Meta-Animator's, and ours, from Meta-Animator's."""


def transfer(
    source: str | os.PathLike[str],
    output: str | os.PathLike[str],
    form: str,
    force: bool = False,
    progress: Report | None = None,
) -> TransferReport:
    """Clips in another form of `FORMS`.

    Raises:
        UsageError: there is no such form. FormatError, KinemaError, WriteError: as for each of them.
    """
    if form not in FORMS:
        raise UsageError(f"clips are not written as {form!r}; there are {', '.join(FORMS)}")
    return FORMS[form](source, output, force, progress)

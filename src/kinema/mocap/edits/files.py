"""Edits on disk: a small JSON file beside the motion file, which is never changed.

`walk.bvh` has `walk.bvh.edits.json`. A file in an archive, `takes.zip/a/walk.bvh`, has
`takes.zip.edits/a/walk.bvh.edits.json` beside the archive. With a folder of the user's choice they are
`FOLDER/<name of the motion's folder>/walk.bvh.edits.json` and `FOLDER/takes.zip/a/walk.bvh.edits.json`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from kinema.errors import KinemaError
from kinema.formats.atomic import WriteError, atomic_write
from kinema.formats.sources import Source, open_source
from kinema.mocap.edits.model import Contacts, EditError, Edits, Label, Piece
from kinema.motion import Motion

SUFFIX = ".edits.json"
VERSION = 1
LARGEST = 16 * 1024**2
"""Bytes of a file of edits; an hour of contacts at 120 frames per second is half a megabyte."""


@dataclass(frozen=True)
class Stamp:
    """Identifies the version of the source file that edits were made for."""

    name: str
    size: int
    sha256: str

    @staticmethod
    def of(source: Source, data: bytes | None = None) -> Stamp:
        """The stamp of a source; FormatError when it cannot be read."""
        data = source.read() if data is None else data
        return Stamp(source.name, len(data), hashlib.sha256(data).hexdigest())


@dataclass(frozen=True)
class FileEdits:
    """The edits of all clips of one source file.

    Attributes:
        source: the file as it was when they were made.
        clips: edits by the keys of `clip_keys`, of those clips that have edits.
    """

    source: Stamp
    clips: Mapping[str, Edits] = field(default_factory=dict)

    def matched(self, keys: Sequence[str]) -> tuple[dict[str, Edits], dict[str, Edits]]:
        """The edits of the clips `keys` that have some, and those that are of no such clip.

        The only clip of a file takes the only edits: a BVH clip is called like its file, which may be renamed.
        """
        if len(keys) == 1 and len(self.clips) == 1:
            return dict(zip(keys, self.clips.values(), strict=True)), {}
        found = {key: self.clips[key] for key in keys if key in self.clips}
        return found, {key: edits for key, edits in self.clips.items() if key not in found}


def clip_keys(motions: Sequence[Motion]) -> list[str]:
    """A unique name for each clip of a file: its own, `clip 2` for a nameless one, else with a number added."""
    return unique_names([motion.name or f"clip {number}" for number, motion in enumerate(motions, start=1)])


def unique_names(names: Sequence[str]) -> list[str]:
    """The names, with a number added to each that was there before."""
    keys: dict[str, None] = {}
    for name in names:
        key, again = name, 1
        while key in keys:
            again += 1
            key = f"{name} ({again})"
        keys[key] = None
    return list(keys)


def edits_path(source: Source, folder: str | os.PathLike[str] | None = None) -> Path | None:
    """Where the edits of a source are or would be; None for bytes in memory without a folder."""
    if source.member is not None:
        parts = [part for part in PurePosixPath(source.member.replace("\\", "/")).parts if part not in ("..", "/")]
        inside = Path(*parts[:-1], parts[-1] + SUFFIX)
        archive = Path(source.file)
        base = archive.with_name(f"{archive.name}.edits") if folder is None else Path(folder, archive.name)
        return base / inside
    if not source.file:
        return None if folder is None else Path(folder, source.name + SUFFIX)
    file = Path(source.file)
    base = file.parent if folder is None else Path(folder, file.absolute().parent.name)
    return base / (file.name + SUFFIX)


def read_edits(source: Source, folder: str | os.PathLike[str] | None = None) -> FileEdits | None:
    """The edits of a source; None where there are none.

    Raises:
        EditError: there is a file of edits that cannot be used; the message says where and why.
    """
    path = edits_path(source, folder)
    if path is None or not os.path.lexists(path):
        return None
    try:
        return parse(open_source(path, LARGEST).read())
    except KinemaError as error:
        reason = str(error).removeprefix(f"{path}: ")
        raise EditError(f"{path}: {reason}; repair it, or remove it to drop the edits") from None


def write_edits(edits: FileEdits, path: str | os.PathLike[str]) -> None:
    """Write a file of edits atomically; missing folders are created.

    Raises:
        WriteError: the place cannot be written to.
    """
    final = Path(path)
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(final, render(edits).encode())
    except OSError as error:
        raise WriteError(
            f"{final}: cannot be written: {error.strerror or error}; name a folder with --edits-folder"
        ) from None
    except WriteError as error:
        raise WriteError(f"{error}; name a folder with --edits-folder") from None


def render(edits: FileEdits) -> str:
    """Edits as JSON text that people can read and compare: one line a piece and a label, contacts in lines."""
    lines = ["{", f'  "kinema_edits": {VERSION},', f'  "source": {_json(vars(edits.source))},', '  "clips": {']
    clips = [(key, value) for key, value in edits.clips.items() if not value.empty]
    for number, (key, value) in enumerate(clips):
        lines += [f"    {_json(key)}: {{", *_clip_lines(value), "    }" + "," * (number + 1 < len(clips))]
    return "\n".join([*lines, "  }", "}", ""])


def _clip_lines(edits: Edits) -> list[str]:
    entries = [f'"frames": {edits.frames}, "fps": {_json(edits.fps)}']
    if not edits.whole:
        entries.append(f'"pieces": {_listed(edits.pieces)}')
    if edits.labels:
        entries.append(f'"labels": {_listed(edits.labels)}')
    if edits.contacts is not None:
        rows = [f"        {_json(track.point)}: {_spans(track)}" for track in edits.contacts]
        entries.append('"contacts": {\n' + ",\n".join(rows) + "\n      }")
    if not edits.mirror:
        entries.append('"mirror": false')
    if edits.partners:
        entries.append(f'"mirror_partners": {_json([list(pair) for pair in edits.partners])}')
    return [f"      {entry}{',' * (number + 1 < len(entries))}" for number, entry in enumerate(entries)]


def _listed(marks: Sequence[Piece | Label]) -> str:
    rows = [{key: value for key, value in vars(mark).items() if value != ""} for mark in marks]
    return "[]" if not rows else "[\n" + ",\n".join(f"        {_json(row)}" for row in rows) + "\n      ]"


def _spans(track: Contacts, a_line: int = 8) -> str:
    texts = [f"[{start}, {stop}]" for start, stop in track.spans]
    lines = [", ".join(texts[at : at + a_line]) for at in range(0, len(texts), a_line)]
    return "[" + ",\n          ".join(lines) + "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def parse(data: bytes) -> FileEdits:
    """Edits from the bytes of a file.

    Raises:
        EditError: it is not a file of edits, of a later version, or has unknown entries.
    """
    try:
        top = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise EditError(f"is not JSON ({' '.join(str(error).split())[:80]})") from None
    values = _object(top, "the file", {"kinema_edits", "source", "clips"})
    version = values["kinema_edits"]
    if version != VERSION or isinstance(version, bool):
        raise EditError(f"is of version {version!r:.40}; this program reads version {VERSION}")
    stamp = _object(values["source"], "source", {"name", "size", "sha256"})
    for key, kind in (("name", str), ("size", int), ("sha256", str)):
        _of(stamp[key], kind, f"source.{key}")
    clips = values["clips"]
    if not isinstance(clips, dict):
        raise EditError("clips must be an object of clips by name")
    return FileEdits(Stamp(**stamp), {key: _clip(clip, f"clips.{key:.60}") for key, clip in clips.items()})


def _no_constant(text: str) -> float:
    raise ValueError(f"{text} is not a number")


def _clip(value: Any, where: str) -> Edits:
    optional = {"pieces", "labels", "contacts", "mirror", "mirror_partners"}
    clip = _object(value, where, {"frames", "fps"}, optional)
    frames, fps = _of(clip["frames"], int, f"{where}.frames"), _of(clip["fps"], (int, float), f"{where}.fps")
    try:
        edits = Edits.none(frames, fps)
        pieces, labels, contacts = edits.pieces, [], None
        if "pieces" in clip:
            rows = _list(clip["pieces"], f"{where}.pieces")
            pieces = tuple(Piece(*_mark(row, f"{where}.pieces[{n}]", set(), {"name"})) for n, row in enumerate(rows))
        if "labels" in clip:
            rows = _list(clip["labels"], f"{where}.labels")
            labels = [Label(*_mark(row, f"{where}.labels[{n}]", {"tag"}, {"text"})) for n, row in enumerate(rows)]
        if "contacts" in clip:
            contacts = _contacts(clip["contacts"], f"{where}.contacts")
        rows = _list(clip.get("mirror_partners", []), f"{where}.mirror_partners")
        partners = tuple(_pair(row, f"{where}.mirror_partners", str) for row in rows)
        mirror = _of(clip.get("mirror", True), bool, f"{where}.mirror")
        return Edits(frames, float(fps), pieces, tuple(labels), contacts, mirror, partners)
    except (EditError, OverflowError) as error:
        reason = str(error)
        raise EditError(reason if reason.startswith(where) else f"{where}: {reason}") from None


def _contacts(value: Any, where: str) -> tuple[Contacts, ...]:
    tracks = _of(value, dict, where)
    return tuple(
        Contacts(
            point, tuple(_pair(span, f"{where}.{point:.60}", int) for span in _list(spans, f"{where}.{point:.60}"))
        )
        for point, spans in sorted(tracks.items())
    )


def _mark(value: Any, where: str, required: set[str], optional: set[str]) -> tuple[Any, ...]:
    mark = _object(value, where, {"start", "stop", *required}, optional)
    ends = (_of(mark["start"], int, f"{where}.start"), _of(mark["stop"], int, f"{where}.stop"))
    words = [_of(mark.get(key, ""), str, f"{where}.{key}") for key in (*required, *optional)]
    return (*ends, *words)


def _object(value: Any, where: str, required: set[str], optional: frozenset[str] | set[str] = frozenset()) -> dict:
    if not isinstance(value, dict):
        raise EditError(f"{where} must be an object")
    if missing := required - value.keys():
        raise EditError(f"{where} has no {sorted(missing)[0]!r}")
    if unknown := value.keys() - required - optional:
        known = ", ".join(sorted(required | optional))
        raise EditError(f"{where} has an unknown key {sorted(unknown)[0][:60]!r}; known are {known}")
    return value


def _list(value: Any, where: str) -> list[Any]:
    return _of(value, list, where)


def _pair(value: Any, where: str, kind: type) -> Any:
    if not (isinstance(value, list) and len(value) == 2):
        raise EditError(f"{where} must hold pairs")
    return _of(value[0], kind, where), _of(value[1], kind, where)


def _of(value: Any, kind: type | tuple[type, ...], where: str) -> Any:
    wrong = not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
    if wrong or (isinstance(value, int) and abs(value) > 2**53):
        raise EditError(f"{where} is {value!r:.60}, which is not a valid value")
    return value

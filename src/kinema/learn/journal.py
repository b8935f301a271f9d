"""The log of a training: one JSON object a line, appended as it runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kinema.formats.atomic import WriteError, atomic_write

FILE = "log.jsonl"


def append(folder: Path, entry: Mapping[str, Any]) -> None:
    """Add a line.

    Raises:
        WriteError: the disk is full or the folder is gone.
    """
    path = folder / FILE
    try:
        with open(path, "a", encoding="utf-8") as stream:
            stream.write(json.dumps(dict(entry), allow_nan=False) + "\n")
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from None


def read(folder: Path) -> list[dict[str, Any]]:
    """All complete lines, in order; none where there is no log yet."""
    try:
        text = (folder / FILE).read_text(encoding="utf-8")
    except OSError:
        return []
    entries: list[dict[str, Any]] = []
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue  # cut short by a crash
        if isinstance(entry, dict) and isinstance(entry.get("step"), int):
            entries.append(entry)
    return entries


def cut(folder: Path, step: int) -> None:
    """Drop the entries after a step: a run that resumes from there writes them again."""
    kept = [entry for entry in read(folder) if entry["step"] <= step]
    atomic_write(folder / FILE, "".join(json.dumps(entry) + "\n" for entry in kept).encode())

"""Matches of chains and joints that the user states, in a mapping or a JSON file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kinema.errors import FormatError

_MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Overrides:
    """Matches stated by the user.

    Attributes:
        chains: target chain name (`left_front_leg`) to source chain name, or None to leave it at rest.
        joints: target joint name to source joint name, or None to leave it at rest.
    """

    chains: Mapping[str, str | None]
    joints: Mapping[str, str | None]

    @staticmethod
    def create(given: Overrides | Mapping[str, Any] | str | os.PathLike[str] | None) -> Overrides:
        """From a mapping `{"chains": {...}, "joints": {...}}` or a JSON file of it.

        Raises:
            FormatError: the file cannot be read, or holds something else.
        """
        if isinstance(given, Overrides):
            return given
        if given is None:
            return Overrides({}, {})
        path = None if isinstance(given, Mapping) else os.fspath(given)
        value: Any = given if path is None else _read(path)
        if not isinstance(value, Mapping) or not all(_fits(*item) for item in value.items()):
            wanted = '{"chains": {target: source}, "joints": {target: source}}, where a source may be null'
            raise FormatError(f"a mapping must be {wanted}", path=path)
        return Overrides(dict(value.get("chains", {})), dict(value.get("joints", {})))


def _fits(name: Any, table: Any) -> bool:
    if name not in ("chains", "joints") or not isinstance(table, Mapping):
        return False
    return all(isinstance(target, str) and isinstance(source, str | None) for target, source in table.items())


def _read(path: str) -> Any:
    try:
        if Path(path).stat().st_size > _MOST_BYTES:
            raise FormatError(f"is larger than a mapping can be ({_MOST_BYTES:,} bytes)", path=path)
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(error.strerror or str(error), path=path) from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not JSON: {error}", path=path) from None

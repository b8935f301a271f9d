"""The user's word on what moves what, from a mapping or a file of JSON."""

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
    """What the user says about the matching.

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
        tables: dict[str, Any] = dict(value) if isinstance(value, Mapping) else {"": None}
        for name, table in tables.items():
            fits = name in ("chains", "joints") and isinstance(table, Mapping)
            if not fits or not all(isinstance(k, str) and isinstance(v, str | None) for k, v in table.items()):
                wanted = '{"chains": {target: source}, "joints": {target: source}}, where a source may be null'
                raise FormatError(f"a mapping must be {wanted}", path=path)
        return Overrides(dict(tables.get("chains", {})), dict(tables.get("joints", {})))


def _read(path: str) -> Any:
    try:
        if Path(path).stat().st_size > _MOST_BYTES:
            raise FormatError(f"is larger than a mapping can be ({_MOST_BYTES:,} bytes)", path=path)
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(error.strerror or str(error), path=path) from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not JSON: {error}", path=path) from None

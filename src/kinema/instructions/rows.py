"""Programmes as plain values, for files: steps as dictionaries, without what is not said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kinema.errors import UsageError
from kinema.instructions.programme import CameraMove, Gesture, Handling, Locomotion, Place, Programme, Step, Thing

_KINDS: Mapping[str, type[Step]] = {each.kind: each for each in (Locomotion, Gesture, Handling, CameraMove)}


def to_rows(programme: Programme) -> list[dict[str, Any]]:
    """The steps of a programme as JSON values."""
    return [{"kind": step.kind, **_plain(asdict(step))} for step in programme.steps]


def from_rows(rows: Sequence[Mapping[str, Any]]) -> Programme:
    """The inverse of `to_rows`.

    Raises:
        UsageError: they are no programme.
    """
    return Programme(tuple(_step(row) for row in rows))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _plain(each) for key, each in value.items() if each not in (None, "", (), False)}
        return {key: each for key, each in kept.items() if (key, each) != ("times", 1)}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


def _step(row: Mapping[str, Any]) -> Step:
    kind = _KINDS.get(row.get("kind", ""))
    if kind is None:
        raise UsageError(f"no step is of kind {row.get('kind')!r}; there are: {', '.join(_KINDS)}")
    known: dict[str, Any] = {key: value for key, value in row.items() if key != "kind"}
    if "manner" in known:
        known["manner"] = tuple(known["manner"])
    if "place" in known:
        known["place"] = _place(known["place"])
    if "thing" in known:
        known["thing"] = _thing(known["thing"])
    try:
        return kind(**known)
    except TypeError:
        raise UsageError(f"a step of kind {row['kind']!r} has no {sorted(known)}") from None


def _place(row: Mapping[str, Any]) -> Place:
    things = {key: _thing(row[key]) for key in ("thing", "second") if key in row}
    return Place(**{**row, **things})


def _thing(row: Mapping[str, Any]) -> Thing:
    known: dict[str, Any] = dict(row)
    if "qualities" in known:
        known["qualities"] = tuple(known["qualities"])
    if "where" in known:
        known["where"] = _place(known["where"])
    return Thing(**known)

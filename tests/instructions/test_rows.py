from __future__ import annotations

import json
from pathlib import Path

import pytest

from kinema.errors import UsageError
from kinema.instructions.rows import from_rows, to_rows

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize("name", ["first", "fresh", "strangers", "strangers_second", "strangers_third", "styles"])
def test_programmes_of_files_come_back_as_they_were(name: str) -> None:
    for entry in json.loads((DATA / f"{name}.json").read_text(encoding="utf-8")):
        assert to_rows(from_rows(entry["steps"])) == entry["steps"]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"kind": "flight"}],
        [{"kind": "gesture", "action": "wave", "colour": "red"}],
        [{"kind": "locomotion", "place": {"relation": "inside", "thing": {"name": "tree"}}}],
        [{"kind": "gesture", "action": "wave", "together": True}],
    ],
)
def test_what_is_no_programme_is_refused(rows: list[dict[str, object]]) -> None:
    with pytest.raises(UsageError):
        from_rows(rows)

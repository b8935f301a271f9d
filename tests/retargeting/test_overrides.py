"""The user's word on the matching, from mappings and files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kinema.errors import FormatError
from kinema.retargeting.overrides import Overrides


def test_mappings_and_files_say_the_same(tmp_path: Path) -> None:
    said = {"chains": {"head": None, "left_leg": "right_leg"}, "joints": {"Jaw": "Head"}}
    path = tmp_path / "map.json"
    path.write_text(json.dumps(said))
    for overrides in (Overrides.create(said), Overrides.create(path), Overrides.create(str(path))):
        assert (overrides.chains, overrides.joints) == (said["chains"], said["joints"])
    assert Overrides.create(overrides) is overrides
    assert not Overrides.create(None).chains


@pytest.mark.parametrize("text", ["[1]", '{"chains": {"head": 3}}', '{"bones": {}}', "{", "[" * 100_000])
def test_what_is_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "map.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"map\.json"):
        Overrides.create(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no\.json"):
        Overrides.create(tmp_path / "no.json")

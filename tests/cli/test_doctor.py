"""`kinema doctor`."""

from __future__ import annotations

import json

from kinema import machine
from kinema.cli.main import main


def test_json_is_one_document_of_checks(capsys) -> None:
    assert main(["doctor", "--json"]) == 0
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["numpy"]["found"] and checks["numpy"]["costs"] == ""
    assert set(checks) >= {"python", "numba", "numba cache", "torch", "viser", "gpu", "chromium", "graphics", "disk"}


def test_missing_optional_part_is_told_with_its_remedy(monkeypatch, capsys) -> None:
    part = machine.Check("torch", False, "not installed", costs="no learning", install="pip install 'kinema[learn]'")
    monkeypatch.setattr(machine, "check_machine", lambda: [part])
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "costs you: no learning" in out and "pip install 'kinema[learn]'" in out


def test_missing_needed_part_fails(monkeypatch) -> None:
    monkeypatch.setattr(machine, "check_machine", lambda: [machine.Check("numpy", False, "not installed", needed=True)])
    assert main(["doctor"]) == 1

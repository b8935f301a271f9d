"""`kinema edit` without a model; with one it is tested beside `kinema generate`."""

from __future__ import annotations

from pathlib import Path

from kinema.cli.main import main


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys) -> None:
    assert main(["edit", str(tmp_path / "no.bvh"), "--more", "1", "-o", str(tmp_path / "o.bvh")]) == 1
    assert "no.bvh" in capsys.readouterr().err


def test_help_has_examples(capsys) -> None:
    try:
        main(["edit", "--help"])
    except SystemExit as ended:
        assert ended.code == 0
    assert "--between 1.5 3.0" in capsys.readouterr().out

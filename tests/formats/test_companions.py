"""Files beside a file."""

from __future__ import annotations

from pathlib import Path

from kinema.formats import Source, companions, open_source


def test_only_the_same_folder_and_only_those_suffixes(tmp_path: Path):
    for name in ("a.amc", "b.ASF", "a.asf", "c.txt", "below/d.asf"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(name.encode())
    (tmp_path / "folder.asf").mkdir()
    found = companions.beside(open_source(tmp_path / "a.amc"), (".asf",))
    assert [source.name for source in found] == ["a.asf", "b.ASF"] and found[0].read() == b"a.asf"


def test_bytes_and_lost_folders_have_nothing_beside_them(tmp_path: Path):
    assert companions.beside(Source.from_bytes(b"", "a.amc"), (".asf",)) == []
    assert companions.beside(Source("x", str(tmp_path / "gone" / "x")), (".asf",)) == []


def test_named_outright(tmp_path: Path):
    given = Source.from_bytes(b"1", "a.asf")
    assert companions.companion(given) is given
    assert companions.companion(tmp_path / "gone.asf").problem == "no such file"


def test_huge_folders_are_not_searched_to_the_end(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(companions, "MOST_ENTRIES", 3)
    for index in range(8):
        (tmp_path / f"{index}.asf").write_bytes(b"")
    assert len(companions.beside(open_source(tmp_path / "0.asf"), (".asf",))) == 3

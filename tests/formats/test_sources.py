"""Files, folders and archives look the same, and nothing hostile gets through."""

from __future__ import annotations

import os
import pickle
import struct
import tracemalloc
import zipfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema.errors import FormatError
from kinema.formats import sources
from kinema.formats.sources import Source, iterate, open_source


def archive(path: Path, members: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as opened:
        for name, data in members.items():
            opened.writestr(name, data)
    return path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.bvh").write_bytes(b"2")
    (tmp_path / "a.BVH").write_bytes(b"1")
    (tmp_path / "._a.bvh").write_bytes(b"resource fork")
    (tmp_path / "notes.txt").write_bytes(b"n")
    archive(tmp_path / "c.zip", {"z/3.bvh": b"3", "x.txt": b"t", "__MACOSX/z/._3.bvh": b"fork", "z/sub/4.bin": b"4"})
    return tmp_path


def test_folder_archive_and_files_yield_the_same_kind_of_thing(tree: Path) -> None:
    found = list(iterate(tree, (".bvh",)))
    assert [(source.name, source.read()) for source in found] == [("a.BVH", b"1"), ("3.bvh", b"3"), ("two.bvh", b"2")]
    member = next(source for source in found if source.member)
    assert (member.path, member.suffix, member.stem, member.size) == (f"{tree}/c.zip/z/3.bvh", ".bvh", "3", 1)
    assert [source.read() for source in iterate(tree / "c.zip", [".bvh"])] == [b"3"]


def test_order_does_not_depend_on_the_file_system(tree: Path) -> None:
    assert [source.path for source in iterate(tree)] == [source.path for source in iterate([tree])]
    names = [source.name for source in iterate(tree / "c.zip")]
    assert names == ["x.txt", "3.bvh", "4.bin"]


def test_a_named_file_of_another_kind_is_not_skipped_silently(tree: Path) -> None:
    assert [source.name for source in iterate(tree / "notes.txt", (".bvh",))] == ["notes.txt"]


def test_paths_reach_into_archives(tree: Path) -> None:
    assert open_source(tree / "c.zip" / "z" / "3.bvh").read() == b"3"
    with pytest.raises(FormatError, match=r"c\.zip/z/no\.bvh: no such file in the archive"):
        open_source(tree / "c.zip" / "z" / "no.bvh").read()


@pytest.mark.parametrize("path", ["nowhere.bvh", "nowhere.zip/a.bvh", "a\0b", ""])
def test_a_missing_file_is_one_clear_line(tmp_path: Path, path: str) -> None:
    (source,) = iterate(os.path.join(tmp_path, path) if path else path)
    with pytest.raises(FormatError, match="no such file") as caught:
        source.read()
    assert "\n" not in str(caught.value)


def test_folders_and_devices_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="is a folder"):
        open_source(tmp_path).read()
    os.mkfifo(tmp_path / "pipe.bvh")  # reading it would block for ever
    with pytest.raises(FormatError, match="not a regular file"):
        open_source(tmp_path / "pipe.bvh").read()


def test_the_limit_holds_for_files_and_members(tree: Path) -> None:
    (tree / "big.bvh").write_bytes(b"x" * 100)
    archive(tree / "big.zip", {"big.bvh": b"x" * 100})
    for path in (tree / "big.bvh", tree / "big.zip" / "big.bvh"):
        assert len(open_source(path, limit=100).read()) == 100
        with pytest.raises(FormatError, match="has 100 bytes, more than the limit of 99"):
            open_source(path, limit=99).read()


def test_an_archive_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "SUSPICIOUS_SIZE", 1 << 16)
    bomb = archive(tmp_path / "bomb.zip", {"a.bvh": bytes(1 << 20)})
    (source,) = iterate(bomb)
    with pytest.raises(FormatError, match=r"bomb\.zip/a\.bvh: unpacks to \d+ times its packed size"):
        source.read()


def test_a_member_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "liar.zip", {"a.bvh": os.urandom(5000)})
    data = bytearray(path.read_bytes())
    for marker, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        struct.pack_into("<I", data, data.index(marker) + offset, 10)
    path.write_bytes(data)
    with pytest.raises(FormatError, match="damaged"):
        next(iterate(path)).read()


def test_an_encrypted_member_says_so(tmp_path: Path) -> None:
    path = archive(tmp_path / "secret.zip", {"a.bvh": b"data"})
    data = bytearray(path.read_bytes())
    for marker, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.index(marker) + offset] |= 1
    path.write_bytes(data)
    with pytest.raises(FormatError, match="encrypted"):
        next(iterate(path)).read()


def test_a_broken_archive_is_one_item_of_a_batch(tree: Path) -> None:
    (tree / "d.zip").write_bytes(b"PK\x03\x04 not really")
    found = list(iterate(tree, (".bvh",)))
    broken = [source for source in found if source.problem]
    assert [source.name for source in broken] == ["d.zip"] and len(found) == 4
    with pytest.raises(FormatError, match=r"d\.zip: not a readable zip archive"):
        broken[0].read()
    with pytest.raises(FormatError, match=r"d\.zip: not a readable zip archive"):
        open_source(tree / "d.zip" / "a.bvh").read()


def test_siblings_come_from_the_same_folder_or_archive(tree: Path) -> None:
    assert open_source(tree / "a.BVH").sibling("b/two.bvh") == b"2"
    assert open_source(tree / "a.BVH").sibling("./b//two.bvh") == b"2"
    assert open_source(tree / "c.zip/z/3.bvh").sibling("sub/4.bin") == b"4"
    with pytest.raises(FormatError, match="no such file in the archive"):
        open_source(tree / "c.zip/z/3.bvh").sibling("x.txt")


@pytest.mark.parametrize(
    "reference",
    [
        "../notes.txt",
        "sub/../../notes.txt",
        "..\\notes.txt",
        "/etc/passwd",
        "C:\\x",
        "http://x/y",
        "file:///etc/passwd",
        "data:,x",
        "",
        ".",
        "a\0b",
    ],
)
def test_references_cannot_leave(tree: Path, reference: str) -> None:
    for path in (tree / "b" / "two.bvh", tree / "c.zip" / "z" / "3.bvh"):
        with pytest.raises(FormatError, match="refers to"):
            open_source(path).sibling(reference)


def test_links_cannot_leave_either(tree: Path) -> None:
    (tree / "b" / "link.bin").symlink_to(tree / "notes.txt")
    (tree / "b" / "up").symlink_to(tree)
    (tree / "b" / "inside.bin").symlink_to(tree / "b" / "two.bvh")
    source = open_source(tree / "b" / "two.bvh")
    assert source.sibling("inside.bin") == b"2"
    for reference in ("link.bin", "up/notes.txt"):
        with pytest.raises(FormatError, match="leads out of its folder"):
            source.sibling(reference)


def test_bytes_in_memory_are_a_source_without_siblings() -> None:
    source = Source.from_bytes(b"abc", "upload.BVH")
    assert (source.read(), source.suffix, source.size) == (b"abc", ".bvh", 3)
    with pytest.raises(FormatError, match="without a folder"):
        source.sibling("a.bin")


def _read(source: Source) -> bytes:
    return source.read()


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_sources_travel_to_worker_processes(tmp_path: Path, method: str) -> None:
    members = {f"{i:03}.bvh": os.urandom(2000) + bytes([i]) for i in range(40)}
    found = list(iterate(archive(tmp_path / "many.zip", members)))
    found[0].read()  # so that a forked worker inherits an open archive
    assert pickle.loads(pickle.dumps(found)) == found
    with ProcessPoolExecutor(2, mp_context=get_context(method)) as pool:
        assert list(pool.map(_read, found)) == list(members.values())


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.data())
def test_damaged_archives_raise_nothing_else(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    raw = bytearray(archive(folder / "a.zip", {"a.bvh": b"HIERARCHY" * 30, "b/c.bvh": b"x"}).read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    (folder / "b.zip").write_bytes(raw[: data.draw(st.integers(0, len(raw)))])
    for source in iterate(folder / "b.zip"):
        try:
            source.read()
        except FormatError as error:
            assert "\n" not in str(error)


def test_a_small_file_takes_little_memory_to_read(tmp_path: Path) -> None:
    (tmp_path / "a.bvh").write_bytes(b"x" * 1000)
    tracemalloc.start()
    try:
        open_source(tmp_path / "a.bvh").read()
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_stems_can_be_written_as_text(tmp_path: Path) -> None:
    assert open_source(os.fsdecode(b"caf\xe9.bvh")).stem == "caf?"


def test_a_link_to_nothing_is_called_one(tmp_path: Path) -> None:
    (tmp_path / "a.bvh").symlink_to("b.bvh")
    with pytest.raises(FormatError, match="a link that leads to no file"):
        open_source(tmp_path / "a.bvh").read()


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_without_a_bound_are_refused(tmp_path: Path, packing: int) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", packing) as archive:
        archive.writestr("walk.bvh", bytes(50 * 2**20))  # in a few hundred bytes
    tracemalloc.start()
    with pytest.raises(FormatError, match="pack it again"):
        open_source(tmp_path / "a.zip" / "walk.bvh").read()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


def test_a_name_no_file_system_takes_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such file"):
        open_source(tmp_path / f"{'a' * 300}.zip" / "walk.bvh").read()


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.bvh").write_bytes(b"HIERARCHY")
    listed = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = list(iterate(tmp_path, (".bvh",)))
    assert [source.name for source in found] == ["a.bvh", "closed"]
    with pytest.raises(FormatError, match="closed: is a folder that cannot be listed: Permission denied"):
        found[1].read()


def test_an_archive_within_an_archive_is_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr("a.bvh", "HIERARCHY")
        archive.writestr("sub/inner.zip", "PK")
    found = list(iterate(tmp_path / "outer.zip", (".bvh",)))
    assert [source.name for source in found] == ["a.bvh", "inner.zip"]
    with pytest.raises(FormatError, match=r"outer\.zip/sub/inner\.zip: is an archive within an archive"):
        found[1].read()

"""What every writer of pictures promises."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.formats.atomic import WriteError
from kinema.rendering.film import gif, stills, writers
from kinema.rendering.film.writers import WRITERS, check_name, is_moving, open_writer

SIZE = (48, 36)
NAMES = ("a.mp4", "a.webm", "a.gif", "a.png", "a_%03d.png", "folder")


def picture(number: int = 0) -> np.ndarray:
    """A red square on the way to the right, opaque on nothing."""
    pixels = np.zeros((SIZE[1], SIZE[0], 4), np.uint8)
    pixels[8:24, 4 + number : 20 + number] = (200, 40, 30, 255)
    return pixels


@pytest.fixture(autouse=True)
def needs_av(request) -> None:
    name = request.node.callspec.params.get("name", "") if hasattr(request.node, "callspec") else ""
    if name.endswith((".mp4", ".webm", ".gif")):
        pytest.importorskip("av")


@pytest.mark.parametrize("name", NAMES)
def test_complete_or_not_there(name: str, tmp_path: Path):
    for trouble in (None, RuntimeError, KeyboardInterrupt):
        target = tmp_path / (trouble.__name__ if trouble else "fine") / name
        target.parent.mkdir()
        if trouble is None:
            with open_writer(target, *SIZE) as writer:
                writer.write(picture())
                assert not target.exists()
            assert writer.frames == 1 and all(Path(path).stat().st_size for path in writer.outputs)
            kept = {path.name for path in target.parent.iterdir()}
            assert kept == {target.name if name != "a_%03d.png" else "a_000.png"}
        else:
            with pytest.raises(trouble), open_writer(target, *SIZE) as writer:
                writer.write(picture())
                raise trouble
            assert not list(target.parent.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_what_was_there_stays_when_something_fails(name: str, tmp_path: Path):
    target = tmp_path / name
    if name == "folder":
        target.mkdir()
        target /= "frame_00000.png"
    elif "%" in name:
        target = tmp_path / "a_000.png"
    target.write_bytes(b"mine")
    with pytest.raises(RuntimeError), open_writer(tmp_path / name, *SIZE) as writer:
        writer.write(picture())
        raise RuntimeError
    assert target.read_bytes() == b"mine"


@pytest.mark.parametrize("name", NAMES)
def test_same_pictures_same_bytes(name: str, tmp_path: Path):
    made = []
    for run in ("one", "two"):
        (tmp_path / run).mkdir()
        with open_writer(tmp_path / run / name, *SIZE) as writer:
            for number in range(1 if name == "a.png" else 12):
                writer.write(picture(number))
        made.append([Path(path).read_bytes() for path in writer.outputs])
    assert made[0] == made[1]


@pytest.mark.parametrize("name", NAMES)
def test_no_picture_is_an_error(name: str, tmp_path: Path):
    with pytest.raises(KinemaError, match="no picture was written"), open_writer(tmp_path / name, *SIZE):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_pictures_of_another_size_are_refused(name: str, tmp_path: Path):
    with pytest.raises(KinemaError, match=r"uint8 \[36, 48, 3 or 4\]"), open_writer(tmp_path / name, *SIZE) as writer:
        writer.write(picture()[:-2])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_is_one_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if name.endswith((".mp4", ".webm")):
        monkeypatch.setattr("kinema.rendering.film.video.beside", lambda path: Path("/dev/full"))
        monkeypatch.setattr("kinema.rendering.film.video.discard", lambda path: None)
        if not Path("/dev/full").exists():
            pytest.skip("no /dev/full here")
    elif name == "a.gif":
        monkeypatch.setattr(gif.zlib, "compress", full)
    elif name == "a.png":
        monkeypatch.setattr(stills, "atomic_write", full)
    else:
        monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(WriteError, match="No space left") as caught, open_writer(tmp_path / name, *SIZE) as writer:
        for _ in range(1 if name == "a.png" else 300):
            writer.write(picture())
    assert str(tmp_path / name) in str(caught.value) and "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_that_is_not_there_is_one_line(name: str, tmp_path: Path):
    target = tmp_path / "gone" / "too" / name
    with pytest.raises(WriteError, match="cannot be written"), open_writer(target, *SIZE) as writer:
        writer.write(picture())


def test_names():
    check_name("walk.mp4")
    check_name("WALK.PNG", alpha=True)
    for name, said in (("walk.avi", r"\.mp4 \.mov \.webm \.gif \.png"), ("walk.mp3", "unknown kind")):
        with pytest.raises(KinemaError, match=said):
            check_name(name)
    with pytest.raises(KinemaError, match=r"\.mp4 keeps no transparency; \.webm \.gif \.png"):
        check_name("walk.mp4", alpha=True)
    moving = {name: is_moving(name) for name in ("a.mp4", "a.GIF", "a.png", "a_%d.png", "folder")}
    assert moving == {"a.mp4": True, "a.GIF": True, "a.png": False, "a_%d.png": True, "folder": True}
    assert set(writers.TRANSPARENT) < set(WRITERS) and set(writers.MOVING) < set(WRITERS)


@pytest.mark.parametrize(("size", "fps"), [((0, 32), 30.0), ((48, 32), 0.0), ((48, 32), float("nan"))])
def test_nonsense_is_refused(size: tuple[int, int], fps: float, tmp_path: Path):
    with pytest.raises(KinemaError):
        open_writer(tmp_path / "a.png", *size, fps=fps)

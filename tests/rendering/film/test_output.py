"""Names for what is not complete yet."""

from pathlib import Path

from kinema.rendering.film.output import beside, discard


def test_what_is_beside_can_be_discarded(tmp_path: Path):
    file, folder = beside(tmp_path / "x"), beside(tmp_path / "x")
    assert file != folder and file.parent == tmp_path
    file.touch()
    folder.mkdir()
    (folder / "y").touch()
    for path in (file, folder, tmp_path / "gone"):
        discard(path)
    assert not list(tmp_path.iterdir())

"""Motion as a page that stands alone."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema import Motion
from kinema.formats.atomic import WriteError
from kinema.session.library import LibraryClip
from kinema.viewer.export import write_html


def clip_of(skeleton, frames: int) -> LibraryClip:
    motion = Motion.create(skeleton, np.tile(skeleton.rest_rotations, (frames, 1, 1)), fps=60.0)
    return LibraryClip("clip", skeleton, None, lambda: motion)


def test_a_page_holds_everything(tmp_path, biped):
    size = write_html(clip_of(biped, 30), tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text()
    assert size == (tmp_path / "a.html").stat().st_size < 4_000_000
    assert "__VISER_EMBED_DATA__" in text and 'src="http' not in text


def test_nothing_is_left_where_it_cannot_be_written(tmp_path, biped):
    with pytest.raises(WriteError):
        write_html(clip_of(biped, 2), tmp_path / "no" / "a.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.browser
def test_a_page_plays_in_a_real_browser_from_disk(tmp_path, biped, browser):
    write_html(clip_of(biped, 30), tmp_path / "a.html")
    page = browser.new_page(viewport={"width": 480, "height": 320})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "a.html").as_uri())
    page.locator("canvas").first.wait_for()
    page.wait_for_timeout(1500)
    image = Image.open(io.BytesIO(page.screenshot(clip={"x": 200, "y": 100, "width": 80, "height": 180})))
    page.close()
    colours = image.convert("RGB").getcolors(1 << 20) or []
    blue = sum(count for count, (r, _, b) in colours if b > r + 40)
    orange = sum(count for count, (r, _, b) in colours if r > b + 40)
    assert blue > 30 and orange > 30, "the coloured sides of the body must be seen"
    assert errors == []

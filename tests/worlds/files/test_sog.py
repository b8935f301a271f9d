from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema.errors import FormatError
from kinema.worlds import read_scene
from kinema.worlds.files import sog


def test_levels_of_detail_of_sog_are_the_same_thing_and_their_list_says_what_to_give(
    tmp_path: Path, data_dir: Path
) -> None:
    folder = data_dir / "gaussian_splats" / "playbot_sog"
    fine, coarse = (read_scene(folder / level / "meta.json") for level in ("5_0", "6_0"))
    assert (len(fine), len(coarse), fine.degree) == (3000, 1873, 2)
    np.testing.assert_allclose(fine.means.mean(axis=0), coarse.means.mean(axis=0), atol=0.05)
    with pytest.raises(FormatError, match=r"meta\.json of one of them"):
        read_scene(folder / "lod-meta.json")
    bundle = tmp_path / "robot.sog"
    with zipfile.ZipFile(bundle, "w") as archive:
        for path in (folder / "6_0").iterdir():
            archive.write(path, path.name)
    np.testing.assert_array_equal(read_scene(bundle).means, coarse.means)


def picture(pixels: list[list[int]]) -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.asarray([pixels], np.uint8)).save(out, "WEBP", lossless=True)
    return out.getvalue()


FILES = {
    "l.webp": picture([[0, 255, 0, 255], [0, 0, 0, 255]]),
    "u.webp": picture([[0, 255, 128, 255], [0, 0, 0, 255]]),
    "s.webp": picture([[10, 20, 30, 255], [0, 0, 0, 255]]),
    "q.webp": picture([[128, 128, 128, 252], [128, 128, 255, 255]]),
    "c.webp": picture([[0, 255, 7, 255], [0, 0, 0, 128]]),
}
BOOK = [number / 10 for number in range(256)]
META = {
    "version": 2,
    "count": 2,
    "means": {"mins": [-1.0, -1.0, -1.0], "maxs": [1.0, 2.0, 1.0], "files": ["l.webp", "u.webp"]},
    "scales": {"codebook": BOOK, "files": ["s.webp"]},
    "quats": {"files": ["q.webp"]},
    "sh0": {"codebook": BOOK, "files": ["c.webp"]},
}


def test_numbers_are_looked_up_and_unpacked() -> None:
    scene = sog.read(json.dumps(META).encode(), FILES.__getitem__)
    np.testing.assert_allclose(scene.means[0, :2], [-np.expm1(1), np.expm1(2)], rtol=1e-5)
    np.testing.assert_allclose(scene.log_scales[0], [1.0, 2.0, 3.0], rtol=1e-6)
    np.testing.assert_allclose(scene.rotations[0], [1, 0, 0, 0], atol=0.01)
    np.testing.assert_allclose(np.abs(scene.rotations[1]), [0, 0, 0.7071, 0.7071], atol=0.01)
    np.testing.assert_allclose(scene.harmonics[0, 0], [0.0, 25.5, 0.7], rtol=1e-5)
    np.testing.assert_allclose(scene.opacities, [1.0, 128 / 255], atol=1e-3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"count": 9}, "9 Gaussians and 2 pixels"),
        ({"version": 7}, "version 7"),
        ({"count": 10**12}, "can be read"),
        ({"scales": {"codebook": [1.0], "files": ["s.webp"]}}, "codebook of scales with 1 numbers"),
        ({"quats": {"files": ["../q.webp"]}}, "not beside it"),
        ({"quats": {}}, "KeyError"),
    ],
)
def test_what_is_damaged_is_refused_in_a_line(change: dict, said: str) -> None:
    with pytest.raises(FormatError, match=said) as error:
        sog.read(json.dumps({**META, **change}).encode(), FILES.__getitem__)
    assert "\n" not in str(error.value)


def test_pictures_that_are_none_are_named() -> None:
    with pytest.raises(FormatError, match=r"'q\.webp' that is damaged"):
        sog.read(json.dumps(META).encode(), {**FILES, "q.webp": b"nothing"}.__getitem__)


def flat(side: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGBA", (side, side), (1, 2, 3, 255)).save(out, "WEBP", lossless=True, method=0)
    return out.getvalue()


def test_bombs_are_refused_before_pictures_are_unpacked(tmp_path: Path) -> None:
    large = dict.fromkeys(FILES, flat(1600))
    with pytest.raises(FormatError, match="more than 200 times"):
        sog.read(json.dumps({**META, "count": 1600**2}).encode(), large.__getitem__)
    with pytest.raises(FormatError, match="picture of 1600 by 1600 for 2 Gaussians"):
        sog.read(json.dumps(META).encode(), {**FILES, "q.webp": flat(1600)}.__getitem__)
    bundle = tmp_path / "bomb.sog"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("meta.json", bytes(65 * 1024**2))
    with pytest.raises(FormatError, match="archive bomb"):
        read_scene(bundle)

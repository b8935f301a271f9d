"""Files of scenes: written and read again, of other programs, damaged."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError, KinemaError, UsageError
from kinema.formats.atomic import WriteError
from kinema.worlds import GaussianScene, read_scene, write_scene
from kinema.worlds.files import FORMATS, check_written, is_scene_file
from kinema.worlds.obstacles import Obstacle

from ..conftest import drawn

WRITTEN = [form.suffix for form in FORMATS if form.write]


def nearest(scene: GaussianScene, other: GaussianScene) -> GaussianScene:
    """The Gaussians of another scene in the order of this one."""
    from scipy.spatial import cKDTree

    away, which = cKDTree(other.means).query(scene.means)
    assert away.max() < 0.05
    return other.taken(which)


@pytest.mark.parametrize(
    ("suffix", "place", "size", "colour"),
    [(".compressed.ply", 0.02, 0.01, 0.04), (".splat", 1e-6, 1e-5, 0.01), (".spz", 2e-4, 0.04, 0.02)],
)
def test_other_formats_keep_what_they_can(
    tmp_path: Path, scene: GaussianScene, suffix: str, place: float, size: float, colour: float
) -> None:
    write_scene(scene, tmp_path / f"scene{suffix}")
    found = nearest(scene, read_scene(tmp_path / f"scene{suffix}"))
    np.testing.assert_allclose(found.means, scene.means, atol=place)
    np.testing.assert_allclose(found.log_scales, scene.log_scales, atol=size)
    np.testing.assert_allclose(found.harmonics[:, 0], scene.harmonics[:, 0], atol=colour)
    np.testing.assert_allclose(found.opacities, scene.opacities, atol=0.005)
    ratio = np.linalg.norm(found.covariances() - scene.covariances(), axis=(1, 2)) / np.linalg.norm(
        scene.covariances(), axis=(1, 2)
    )
    assert ratio.max() < 0.15
    if suffix != ".splat":
        assert found.degree == 3
        most = 1.0 if suffix == ".spz" else 4.0  # which is all that there is room for
        np.testing.assert_allclose(found.harmonics[:, 1:], np.clip(scene.harmonics[:, 1:], -most, most), atol=0.04)


def test_formats_that_cannot_be_written_or_are_not_known_are_refused(tmp_path: Path, scene: GaussianScene) -> None:
    with pytest.raises(UsageError, match=r"written as .*\.ply"):
        write_scene(scene, tmp_path / "scene.sog")
    (tmp_path / "scene.obj").write_text("v 0 0 0")
    with pytest.raises(FormatError, match="no known format of scenes"):
        read_scene(tmp_path / "scene.obj")
    with pytest.raises(FormatError, match=r"crop the scene, or write \.ply"):
        write_scene(scene.moved(translation=(5000.0, 0, 0)), tmp_path / "far.spz")
    things = (Obstacle(0.0, 1.0, 0.5, 0.5, names=("lamp",)),)
    with pytest.raises(FormatError):
        write_scene(replace(scene.moved(translation=(5000.0, 0, 0)), things=things), tmp_path / "far.spz")
    (tmp_path / "folder.ply").mkdir()
    with pytest.raises(WriteError, match="cannot be written"):
        write_scene(replace(scene, things=things), tmp_path / "folder.ply")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.ply", "scene.obj"]


def test_numbers_that_are_not_finite_are_left_out_and_said(tmp_path: Path) -> None:
    scene = drawn(10, 1)
    means, turns = scene.means.copy(), scene.quaternions.copy()
    means[2, 1], turns[5] = np.nan, 0.0
    write_scene(replace(scene, means=means, quaternions=turns), tmp_path / "scene.ply")
    found = read_scene(tmp_path / "scene.ply")
    assert len(found) == 8
    assert found.notes == ("2 of 10 Gaussians left out: their numbers are not finite",)
    write_scene(replace(scene, means=np.full_like(means, np.inf)), tmp_path / "none.ply")
    with pytest.raises(FormatError, match="no Gaussian"):
        read_scene(tmp_path / "none.ply")


def test_sizes_and_rotations_that_are_too_large_to_square_are_left_out_without_a_warning(tmp_path: Path) -> None:
    scene = drawn(10, 1)
    sizes, turns = scene.log_scales.copy(), scene.quaternions.copy()
    sizes[2, 1], turns[5, 0] = 400.0, 1e30
    write_scene(replace(scene, log_scales=sizes, quaternions=turns), tmp_path / "scene.ply")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read_scene(tmp_path / "scene.ply")
    assert len(found) == 8 and np.isfinite(found.covariances()).all()


def test_which_names_are_those_of_scenes() -> None:
    assert all(is_scene_file(name) for name in ("A.PLY", "a.compressed.ply", "a.sog", "x/meta.json", Path("b.spz")))
    assert not any(is_scene_file(name) for name in ("a.glb", "ply", "meta", "data.json"))
    check_written("a.SPLAT")
    with pytest.raises(UsageError, match="scenes are written as"):
        check_written("a.sog")


@pytest.mark.parametrize("suffix", WRITTEN)
def test_cut_files_are_refused_in_a_line(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"scene{suffix}"
    write_scene(drawn(300, 4), path)
    data = path.read_bytes()
    for length in (0, 3, 17, 100, len(data) // 2 + 5, len(data) - 9):
        path.write_bytes(data[:length])
        with pytest.raises(FormatError) as error:
            read_scene(path)
        assert "\n" not in str(error.value) and str(path) in str(error.value)


@pytest.mark.parametrize("suffix", WRITTEN)
def test_mutated_files_are_read_or_refused(tmp_path: Path, suffix: str) -> None:
    rng, path = np.random.default_rng(3), tmp_path / f"scene{suffix}"
    write_scene(drawn(40, 4), path)
    data = np.frombuffer(path.read_bytes(), np.uint8)
    for _ in range(150):
        changed = data.copy()
        where = rng.integers(0, min(len(data), 900), rng.integers(1, 6))
        changed[where] = rng.integers(0, 256, len(where))
        path.write_bytes(changed.tobytes())
        try:
            found = read_scene(path)
        except KinemaError as error:
            assert "\n" not in str(error)
        else:
            assert np.isfinite(found.means).all()


def test_the_same_splats_of_other_programs_are_the_same(data_dir: Path) -> None:
    base = data_dir / "gaussian_splats" / "metalsplatter" / "test-splat.3-points-from-train"
    ply, splat, spz = (read_scene(f"{base}{suffix}") for suffix in (".ply", ".splat", ".spz"))
    for other, close in ((splat, 0.03), (spz, 0.03)):
        np.testing.assert_allclose(other.means, ply.means, atol=2e-4)
        np.testing.assert_allclose(other.opacities, ply.opacities, atol=0.004)
        np.testing.assert_allclose(other.harmonics[:, 0], ply.harmonics[:, 0], atol=0.03)
        scale = np.linalg.norm(ply.covariances(), axis=(1, 2), keepdims=True)
        np.testing.assert_allclose(other.covariances() / scale, ply.covariances() / scale, atol=2 * close)
    assert (ply.degree, spz.degree) == (3, 3)


def test_a_whole_scene_is_the_same_in_three_formats(data_dir: Path) -> None:
    folder = data_dir / "gaussian_splats"
    pytest.importorskip("zstandard")
    compressed = read_scene(folder / "playcanvas" / "biker.compressed.ply")
    spz = nearest(compressed, read_scene(folder / "playcanvas" / "biker.spz"))
    part = read_scene(folder / "derived" / "biker_every25th.ply")
    assert len(compressed) == 152_746
    scale = np.linalg.norm(compressed.covariances(), axis=(1, 2), keepdims=True)
    assert np.quantile(np.abs(spz.covariances() - compressed.covariances()) / scale, 0.99) < 0.1
    whole = nearest(part, compressed)
    np.testing.assert_allclose(whole.covariances(), part.covariances(), rtol=1e-3, atol=1e-9)
    assert 1.0 < np.median(compressed.means[:, 1]) < 2.0  # the rider is above the ground: y is up

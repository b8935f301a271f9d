from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import kinema
from kinema.errors import FormatError, KinemaError, SceneError, UsageError
from kinema.worlds import GaussianScene, read_scene, write_scene
from kinema.worlds.made import make_world


@pytest.fixture(scope="module")
def room() -> GaussianScene:
    return kinema.scene("room", seed=1, spacing=0.3)


def test_worlds_are_made_by_name(room: GaussianScene) -> None:
    np.testing.assert_array_equal(room.means, make_world("room", 1).scene(0.3, 1).means)
    assert kinema.scene(room) is room
    assert len(kinema.scene("room", seed=1, spacing=0.15)) == pytest.approx(4 * len(room), rel=0.05)


def test_meshes_are_covered_where_they_are(data_dir: Path) -> None:
    file = data_dir / "characters" / "threejs" / "CesiumMan" / "CesiumMan.glb"
    character = kinema.load_character(file)
    vertices = np.concatenate(character.skin(character.skeleton.rest_pose))
    for source in (file, str(file), character):
        found = kinema.scene(source, spacing=0.03)
        np.testing.assert_allclose(found.means.min(axis=0), vertices.min(axis=0), atol=0.05)
        np.testing.assert_allclose(found.means.max(axis=0), vertices.max(axis=0), atol=0.05)
    assert np.ptp(found.colours, axis=0).min() > 0.3  # of its texture


def test_what_is_no_scene_is_refused_with_what_would_be_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'moon' is no scene: give a world \(room, street.*\.spz.*\.glb"):
        kinema.scene("moon")
    with pytest.raises(FormatError, match="no such file"):
        kinema.scene("gone.ply")
    kinema.save(kinema.perform(script=[kinema.Segment("idle", 0.2)]), tmp_path / "idle.bvh")
    with pytest.raises(SceneError, match=r"idle\.bvh has no meshes"):
        kinema.scene(tmp_path / "idle.bvh")


def test_facts_of_a_file(tmp_path: Path, room: GaussianScene) -> None:
    stray = room.taken(np.arange(1)).moved(translation=(90.0, 0.0, 0.0))
    write_scene(room.joined(stray), tmp_path / "room.ply")
    facts = kinema.scene_facts(tmp_path / "room.ply")
    assert (facts.splats, facts.degree, facts.notes) == (len(room) + 1, 0, ())
    assert facts.high_m[0] > 80 and 5 < facts.core_m[0] < 12  # one splat is far away
    assert facts.opacity == pytest.approx(0.97, abs=1e-3)
    assert facts.scale_m == pytest.approx(0.75 * 0.3, rel=1e-4)
    assert facts.megabytes == round((tmp_path / "room.ply").stat().st_size / 1e6, 3)


def test_pictures_beside_a_list_count_as_its_file(data_dir: Path) -> None:
    folder = data_dir / "gaussian_splats" / "playbot_sog" / "5_0"
    whole = sum(file.stat().st_size for file in folder.iterdir() if file.suffix in (".json", ".webp"))
    assert kinema.scene_facts(folder / "meta.json").megabytes == round(whole / 1e6, 3)


def test_changes_are_made_in_their_order(room: GaussianScene) -> None:
    said: list[str] = []
    found = kinema.changed_scene(
        room, crop=(-2, -1, -2, 2, 1, 2), scale=2.0, turn=np.pi / 2, move=(10.0, 0.0, 0.0), note=said.append
    )
    inside = (np.abs(room.means) <= [2, 1, 2]).all(axis=1)
    expected = 2.0 * room.means[inside][:, [2, 1, 0]] * [1, 1, -1] + [10, 0, 0]  # +Z comes to +X
    np.testing.assert_allclose(found.means, expected, atol=1e-5)
    np.testing.assert_allclose(found.scales, 2.0 * room.scales[inside], rtol=1e-5)
    gone = len(room) - int(inside.sum())
    assert said == [
        f"cropped: {gone:,} of {len(room):,} splats left out",
        "scaled by 2",
        "turned by 90 degrees",
        "moved by 10, 0, 0 m",
    ]


def test_a_tilted_scene_is_cleaned_and_levelled(room: GaussianScene) -> None:
    tilted = room.moved([np.cos(0.1), np.sin(0.1), 0, 0], (0, 3, 0))
    faint = room.taken(np.arange(40))
    faint.logits[:] = -6.0
    said: list[str] = []
    found = kinema.changed_scene(tilted.joined(faint), clean=True, level=True, note=said.append)
    floor = room.means[:, 1] < 0.01
    assert len(found) == len(room)
    np.testing.assert_allclose(found.means[floor, 1], 0.0, atol=0.05)
    assert said[0].startswith("cleaned: ") and "40 faint" in said[0]
    assert "tilted by 11." in said[1] and "above the origin" in said[1]


def test_degrees_are_lowered_and_never_raised(data_dir: Path) -> None:
    file = data_dir / "gaussian_splats" / "playbot_sog" / "6_0" / "meta.json"
    assert [kinema.changed_scene(file, degree=degree).degree for degree in (0, 1, 2, 3)] == [0, 1, 2, 2]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"crop": (1, 2, 3)}, "six numbers"),
        ({"crop": (50, 50, 50, 51, 51, 51)}, "nothing of the scene is in the box"),
        ({"degree": 4}, "degree 0, 1, 2 or 3"),
        ({"move": (1, 2)}, "three numbers"),
        ({"turn": np.inf}, "finite angle"),
        ({"scale": -1.0}, "positive number"),
    ],
)
def test_changes_that_make_no_sense_are_refused(changes: dict, said: str, room: GaussianScene) -> None:
    with pytest.raises(KinemaError, match=said):
        kinema.changed_scene(room, **changes)


def test_conversion_writes_what_it_returns(tmp_path: Path, room: GaussianScene) -> None:
    found = kinema.convert_scene("room", tmp_path / "room.ply", seed=1, spacing=0.3, move=(0, 1, 0))
    again = read_scene(tmp_path / "room.ply")
    np.testing.assert_array_equal(again.means, found.means)
    np.testing.assert_allclose(again.means - room.means, np.tile([0, 1, 0], (len(room), 1)), atol=1e-6)
    with pytest.raises(UsageError, match="scenes are written as"):
        kinema.convert_scene(room, tmp_path / "room.sog")


def test_a_picture_shows_the_scene_and_a_film_turns_around_it(tmp_path: Path, room: GaussianScene) -> None:
    pytest.importorskip("av", reason="av is not installed: pip install 'kinema[render]'")
    report = kinema.render_scene(room, tmp_path / "room.png", size=(96, 64), background=(0, 0, 0))
    pixels = np.asarray(Image.open(tmp_path / "room.png"))
    assert report.frames == 1 and pixels.shape == (64, 96, 3)
    assert 0.2 < (pixels.max(axis=-1) > 30).mean() < 0.95
    done: list[tuple[int, int]] = []
    film = kinema.render_scene(
        room, tmp_path / "%02d.png", size=(48, 32), seconds=0.4, fps=10, progress=lambda *count: done.append(count)
    )
    frames = [np.asarray(Image.open(tmp_path / f"{number:02d}.png"), np.float64) for number in range(4)]
    assert film.frames == 4 and done == [(number, 4) for number in (1, 2, 3, 4)]
    assert min(np.abs(one - other).mean() for one, other in pairwise(frames)) > 2.0


def test_a_given_camera_sees_what_is_before_it(tmp_path: Path) -> None:
    street = kinema.scene("street", spacing=0.3)
    options = {"size": (64, 48), "background": (1, 0, 1)}
    kinema.render_scene(street, tmp_path / "down.png", eye=(0, 8, 0), target=(0, 0, 0.01), **options)  # type: ignore
    kinema.render_scene(street, tmp_path / "up.png", eye=(0, 8, 0), target=(0, 16, 0.01), **options)  # type: ignore
    down, up = (np.asarray(Image.open(tmp_path / f"{name}.png"), int) for name in ("down", "up"))
    empty = [(np.abs(each - [255, 0, 255]).sum(axis=-1) < 10).mean() for each in (down, up)]
    assert empty[0] < 0.1 and empty[1] > 0.9


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("a.png", {"seconds": 2.0}, "those of a film"),
        ("a.jpg", {}, "unknown kind of picture"),
        ("a.png", {"eye": (1, 2, 3)}, "both a place and a target"),
        ("a.png", {"fov": 4.0}, "between 0 and 180 degrees"),
    ],
)
def test_pictures_that_cannot_be_made_are_refused(
    name: str, options: dict, said: str, tmp_path: Path, room: GaussianScene
) -> None:
    with pytest.raises(KinemaError, match=said):
        kinema.render_scene(room, tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []

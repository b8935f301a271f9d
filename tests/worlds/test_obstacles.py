from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import FormatError
from kinema.worlds.files import read_scene, write_scene
from kinema.worlds.made import make_world
from kinema.worlds.obstacles import (
    MOST,
    Obstacle,
    colour_word,
    read_things,
    things_of,
    things_path,
    write_things,
)

BENCH = Obstacle(1.0, 2.0, 4.0, 1.0, np.pi / 2, names=("bench", "seat"), colour="red", height=0.5)
TRUNK = Obstacle(0.0, 0.0, 1.0, 1.0, round=True, names=("tree",))


def test_distances_are_those_to_the_outline() -> None:
    points = np.asarray([[1.0, 2.0], [1.0, 4.0], [1.0, 5.0], [2.5, 2.0], [4.5, 7.0]])
    np.testing.assert_allclose(BENCH.distances(points), [-0.5, 0.0, 1.0, 1.0, np.hypot(3.0, 3.0)], atol=1e-12)
    np.testing.assert_allclose(TRUNK.distances(np.asarray([[0.0, 0.0], [0.0, 2.0]])), [-0.5, 1.5])


def test_places_around_are_as_far_away_as_asked() -> None:
    for thing in (BENCH, TRUNK):
        ring = thing.around(0.6, 24)
        np.testing.assert_allclose(thing.distances(ring), 0.6, atol=1e-4)
        assert len(np.unique(ring.round(3), axis=0)) == 24


def test_things_move_with_their_scene() -> None:
    turn = rotations.from_yaw(np.asarray(0.7))
    moved = BENCH.moved(turn, (3.0, 1.0, -2.0), 2.0)
    points = np.random.default_rng(0).normal(size=(50, 2)) * 4.0
    lifted = np.stack([points[:, 0], np.zeros(50), points[:, 1]], axis=-1)
    after = (rotations.rotate(turn, 2.0 * lifted) + np.asarray([3.0, 1.0, -2.0]))[:, [0, 2]]
    np.testing.assert_allclose(moved.distances(after), 2.0 * BENCH.distances(points), atol=1e-9)
    assert moved.height == pytest.approx(1.0)
    scene = make_world("park", 1).scene(spacing=0.4).moved(turn, (1.0, 0.0, 0.0))
    assert len(scene.things) and scene.things[0].heading != make_world("park", 1).obstacles[0].heading


def test_they_are_kept_beside_a_scene(tmp_path: Path) -> None:
    scene = make_world("room", 2).scene(spacing=0.4)
    for name in ("room.ply", "other.compressed.ply"):
        write_scene(scene, tmp_path / name)
        assert read_scene(tmp_path / name).things == scene.things
    assert things_path("a/b.compressed.ply").name == "b.things.json"
    (tmp_path / "room.things.json").unlink()
    assert read_scene(tmp_path / "room.ply").things == ()
    write_things([BENCH, TRUNK], tmp_path / "x.things.json")
    assert read_things(tmp_path / "x.things.json") == (BENCH, TRUNK)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("{}", "no list"),
        ("[" * 100_000, "is not JSON"),
        ("[3]", "thing 1 is no object"),
        ('[{"x": 1}]', "thing 1 has no list of names"),
        ('[{"names": ["a"], "x": 1, "z": 2, "width": 1}]', "no number 'depth'"),
        ('[{"names": ["a"], "x": 1e999, "z": 2, "width": 1, "depth": 1}]', "no number 'x'"),
        ('[{"names": ["a"], "x": NaN, "z": 2, "width": 1, "depth": 1}]', "no number 'x'"),
        ('[{"names": ["a"], "x": 0, "z": 2, "width": 0, "depth": 1}]', "size that is not positive"),
        ('[{"names": ["a"], "x": 0, "z": 2, "width": 1, "depth": 1, "mass": 3}]', "has 'mass'; there are"),
        ('[{"names": ["a"], "x": 0, "z": 2, "width": 1, "depth": 1, "colour": 3}]', "'colour' is a word"),
        (json.dumps([{}] * (MOST + 1)), "no list of up to"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said) as caught:
        things_of(text, "x.things.json")
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        read_things(tmp_path / "none.things.json")
    (tmp_path / "b.things.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="not UTF-8"):
        read_things(tmp_path / "b.things.json")


def test_colours_have_their_usual_names() -> None:
    colours = {
        "red": (0.8, 0.1, 0.1), "green": (0.2, 0.5, 0.2), "blue": (0.1, 0.2, 0.8), "yellow": (0.9, 0.85, 0.1),
        "grey": (0.5, 0.5, 0.52), "white": (0.95, 0.95, 0.95), "black": (0.05, 0.05, 0.05), "brown": (0.4, 0.25, 0.12),
        "orange": (0.95, 0.5, 0.1), "purple": (0.5, 0.1, 0.6), "pink": (0.95, 0.4, 0.7),
    }  # fmt: skip
    assert {word: colour_word(colour) for word, colour in colours.items()} == {word: word for word in colours}

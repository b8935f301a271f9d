from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.rendering.film.sightlines import Blocks, clear_directions
from kinema.worlds.shapes import box
from kinema.worlds.surfels import surfels

DISTANCE, SIZE = 4.0, 1.8


def walking(times: Floats) -> Floats:
    """Somebody who walks along +X, at chest height."""
    return np.stack([times - 4.0, np.full(len(times), 1.0), np.zeros(len(times))], axis=-1)


def blocked(scene, direction, seconds: float = 8.0) -> Floats:
    """For moments of a film, the share of the line of sight that is blocked, without what is next to the body."""
    blocks, times = Blocks.of(scene), np.linspace(0.0, seconds, 33)
    targets, found = walking(times), []
    for time, target in zip(times.tolist(), targets, strict=True):
        azimuth, elevation = direction(time)
        way = np.asarray([np.sin(azimuth) * np.cos(elevation), np.sin(elevation), np.cos(azimuth) * np.cos(elevation)])
        found.append(blocks.hold(target + DISTANCE * np.linspace(0.15, 1.0, 60)[:, None] * way).mean())
    return np.asarray(found)


def test_blocks_hold_what_is_opaque() -> None:
    blocks = Blocks.of(surfels(box((0, 1, 0), (1, 2, 1), (0.5, 0.5, 0.5)), 0.05))
    assert blocks.hold(np.asarray([[0.49, 1.0, 0.0], [0.0, 1.99, 0.0]])).all()
    assert not blocks.hold(np.asarray([[0.0, 1.0, 0.0], [2.0, 1.0, 0.0], [0.0, 9.0, 0.0]])).any()


def test_the_camera_goes_to_the_side_that_is_free() -> None:
    """A long wall stands between the body and where the camera is wanted."""
    wall = surfels(box((0, 1.5, 2), (14, 3, 0.3), (0.5, 0.5, 0.5)), 0.05)
    straight = blocked(wall, lambda time: (0.0, 0.1))
    assert straight.min() > 0.02
    chosen = clear_directions(wall, walking, walking, 8.0, lambda time: 0.0, 0.1, DISTANCE, SIZE)
    assert blocked(wall, chosen).max() == 0.0


def test_it_swings_round_in_time_and_smoothly() -> None:
    """A wall begins where the body is after half of its way."""
    wall = surfels(box((7, 1.5, 2), (14, 3, 0.3), (0.5, 0.5, 0.5)), 0.05)
    assert (blocked(wall, lambda time: (0.0, 0.1)) > 0).mean() > 0.4
    chosen = clear_directions(wall, walking, walking, 8.0, lambda time: 0.0, 0.1, DISTANCE, SIZE)
    assert (blocked(wall, chosen) > 0).mean() < 0.1
    angles = np.asarray([chosen(time) for time in np.linspace(0, 8, 241).tolist()])
    assert np.abs(np.diff(angles, axis=0)).max() * 30 < 2.0, "radians a second"


def standing(times: Floats) -> Floats:
    return np.broadcast_to(np.asarray([0.0, 1.0, 0.0]), (len(times), 3))


def test_legs_are_to_be_seen_too() -> None:
    """A wall that is almost as high as the hips stands before the body."""
    low = surfels(box((0, 0.42, 1.2), (14, 0.84, 0.3), (0.5, 0.5, 0.5)), 0.05)
    _, elevation = clear_directions(low, standing, standing, 8.0, lambda time: 0.0, 0.1, DISTANCE, SIZE)(4.0)
    assert elevation > 0.25
    assert np.abs(clear_directions(low, standing, standing, 8.0, lambda _: 0.0, 0.1, DISTANCE, 0.1)(4.0)).max() < 0.2


def test_a_camera_that_looks_at_one_place_sees_the_body_elsewhere() -> None:
    """The body walks behind a block to the right of what the camera looks at."""
    block = surfels(box((3, 1.5, 2), (2.5, 3, 0.3), (0.5, 0.5, 0.5)), 0.05)
    chosen = clear_directions(block, standing, walking, 8.0, lambda time: 0.0, 0.1, DISTANCE, SIZE)
    blocks = Blocks.of(block)
    for time in np.linspace(0.0, 8.0, 17).tolist():
        azimuth, high = chosen(time)
        way = np.asarray([np.sin(azimuth) * np.cos(high), np.sin(high), np.cos(azimuth) * np.cos(high)])
        eye, body = np.asarray([0.0, 1.0, 0.0]) + DISTANCE * way, walking(np.asarray([time]))[0]
        assert not blocks.hold(body + np.linspace(0.15, 1.0, 60)[:, None] * (eye - body)).any()


def test_where_nothing_is_in_the_way_it_is_where_it_is_wanted() -> None:
    far = surfels(box((0, 0.2, -20), (1, 0.4, 1), (0.5, 0.5, 0.5)), 0.05)
    chosen = clear_directions(far, walking, walking, 8.0, lambda time: 0.5 + 0.1 * time, 0.2, DISTANCE, SIZE)
    for time in (0.0, 4.0, 8.0):
        np.testing.assert_allclose(chosen(time), (0.5 + 0.1 * time, 0.2), atol=0.1)

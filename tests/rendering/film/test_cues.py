from __future__ import annotations

import numpy as np

from kinema.rendering.camera import Camera
from kinema.rendering.film.cues import Cue, Track, directed

BODY = np.asarray([1.0, 1.0, 0.0])
SIDES = {"follow": [0.0, 0.5, 4.0], "third": [0.0, 0.5, -4.0]}


def usual(cue: Cue) -> Track:
    return lambda time: Camera.look_at(BODY + SIDES.get(cue.kind, SIDES["follow"]), BODY)


def body(time: float) -> np.ndarray:
    return BODY


def test_one_task_follows_the_other_without_a_jump_and_around_the_body() -> None:
    camera = directed(usual, [Cue(0.0), Cue(2.0, "third")], body)
    np.testing.assert_allclose(camera(1.0).position, BODY + SIDES["follow"])
    np.testing.assert_allclose(camera(5.0).position, BODY + SIDES["third"], atol=1e-9)
    places = np.asarray([camera(time).position for time in np.linspace(1.9, 3.5, 400)])
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 0.1
    level = np.hypot(*(places - BODY)[:, [0, 2]].T)
    assert level.min() > 3.9, "the camera does not go through the body"


def test_zooms_framings_and_aims() -> None:
    near = directed(usual, [Cue(0.0, distance=0.5)], body)(0.0)
    np.testing.assert_allclose(near.position, BODY + 0.5 * np.asarray(SIDES["follow"]))
    zoom = directed(usual, [Cue(0.0, zoom=0.5)], body)
    far = [np.linalg.norm(zoom(time).position - BODY) for time in (0.0, 1.5, 3.0, 9.0)]
    assert far[0] > far[1] > far[2] and far[2] == far[3]
    aim = np.asarray([5.0, 0.0, 0.0])
    seen = directed(usual, [Cue(0.0, aim=aim)], body)(0.0)
    ahead = (aim - seen.position) / np.linalg.norm(aim - seen.position)
    np.testing.assert_allclose(seen.ahead, ahead, atol=1e-9)


def test_a_camera_that_stays_is_where_it_was_and_looks_after_the_body() -> None:
    def moving(time: float) -> np.ndarray:
        return BODY + np.asarray([time, 0.0, 0.0])

    camera = directed(
        lambda cue: lambda time: Camera.look_at(moving(time) + SIDES["follow"], moving(time)),
        [Cue(0.0), Cue(1.0, "")],
        moving,
    )
    np.testing.assert_allclose(camera(4.0).position, camera(9.0).position)
    assert camera(9.0).ahead[0] > camera(4.0).ahead[0]

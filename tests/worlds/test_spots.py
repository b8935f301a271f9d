from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import SceneError, UsageError
from kinema.instructions.programme import Place, Thing
from kinema.worlds.obstacles import Obstacle
from kinema.worlds.spots import STRIDE, Walker, stops_of

CAR = Obstacle(0.0, 5.0, 2.0, 4.0, names=("car",))
TREE = Obstacle(4.0, 5.0, 0.5, 0.5, round=True, names=("tree",))
WALKER = Walker(np.zeros(2), 0.0)


def found(thing: Thing) -> Obstacle:
    return {"car": CAR, "tree": TREE}[thing.name]


def stops(place: Place, walker: Walker = WALKER, far: float | None = None) -> np.ndarray:
    return stops_of(place, walker, found, None, far)


def at(relation: str, name: str = "car", **more: object) -> np.ndarray:
    return stops(Place(relation, Thing(name), **more))  # type: ignore[arg-type]


def test_who_comes_to_a_thing_stands_on_the_near_side_of_it() -> None:
    to, behind = at("to")[-1], at("behind")[-1]
    assert abs(to[0]) < 0.3 and 2.2 < to[1] < 2.7
    assert abs(behind[0]) < 0.3 and 7.3 < behind[1] < 7.8
    np.testing.assert_allclose(at("in front of"), at("to"))


def test_left_and_right_are_those_of_who_goes_there() -> None:
    assert at("left of")[-1][0] > 1.0, "whoever faces +Z has +X to the left"
    assert at("right of")[-1][0] < -1.0
    back = Walker(np.asarray([0.0, 12.0]), np.pi)
    assert stops(Place("left of", Thing("car")), back)[-1][0] < -1.0


def test_ways_around_along_and_past_things() -> None:
    ring = at("around")
    assert len(ring) >= 8
    np.testing.assert_allclose(ring[0], ring[-1])
    angles = np.unwrap(np.arctan2(*(ring - CAR.place).T))
    assert abs(angles[-1] - angles[0]) == pytest.approx(2 * np.pi, abs=1e-6)
    assert np.sign(np.diff(np.unwrap(np.arctan2(*(at("around", direction="right") - CAR.place).T))).sum()) == -np.sign(
        angles[-1] - angles[0]
    )
    along = at("along")
    assert np.linalg.norm(along[1] - along[0]) == pytest.approx(4.0)
    assert np.ptp(along[:, 0]) < 1e-6 and along[0, 1] < along[1, 1], "from the near end to the far one"
    past = at("past")
    assert past[-1, 1] > past[0, 1] + 2.0
    assert CAR.distances(past).min() > 0.4
    assert at("through")[-1][1] > 7.0


def test_distances_and_directions() -> None:
    np.testing.assert_allclose(stops(Place("direction", direction="forward", metres=2.0)), [[0.0, 2.0]], atol=1e-9)
    np.testing.assert_allclose(stops(Place("direction", direction="left", steps=3)), [[3 * STRIDE, 0.0]], atol=1e-9)
    np.testing.assert_allclose(stops(Place("direction", direction="backward"), far=1.5), [[0.0, -1.5]], atol=1e-9)
    circle = stops(Place("direction", direction="in a circle"))
    np.testing.assert_allclose(circle[-1], [0.0, 0.0], atol=1e-9)
    assert circle[0, 1] > 0.3, "it begins straight ahead"
    away = at("away from")[-1]
    assert away[1] < -4.0
    assert 0 < at("towards")[-1][1] < at("to")[-1][1]
    moved = WALKER.moved(np.asarray([3.0, 3.0]), 1.0)
    np.testing.assert_allclose(stops(Place("start"), moved), [[0.0, 0.0]])
    assert len(stops(Place("about"))) == 3


def test_between_needs_two_things() -> None:
    both = stops(Place("between", Thing("car"), second=Thing("tree")))
    np.testing.assert_allclose(both, [[2.0, 5.0]])
    with pytest.raises(SceneError, match="between the car and what"):
        at("between")


def test_places_without_a_meaning_are_refused() -> None:
    with pytest.raises(UsageError, match="nobody can go"):
        stops(Place("direction", direction="on the spot"))

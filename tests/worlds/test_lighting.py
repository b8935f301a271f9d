from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.errors import SceneError
from kinema.worlds import GaussianScene
from kinema.worlds.lighting import SceneLight, estimate_light
from kinema.worlds.made import WORLDS, lit, make_world
from kinema.worlds.shapes import relief
from kinema.worlds.surfels import surfels

from .captured import captured
from .conftest import drawn

SUN, ABOVE, BELOW = np.asarray([0.75, 0.72, 0.65]), np.asarray([0.42, 0.46, 0.52]), np.asarray([0.2, 0.19, 0.18])
SUNS = [(0.45, 0.8, 0.4), (-0.8, 0.5, 0.3), (0.1, 0.35, -0.9)]


def unit(way: tuple[float, float, float]) -> np.ndarray:
    return np.asarray(way) / np.linalg.norm(way)


def lit_by(
    monkeypatch: pytest.MonkeyPatch, kind: str, way: tuple[float, float, float], strength: float = 1.0, seed: int = 0
) -> GaussianScene:
    """What is captured of a world in the light of a sun from a direction."""
    monkeypatch.setattr("kinema.worlds.made._SUN", unit(way))
    monkeypatch.setattr("kinema.worlds.made._SUNLIGHT", strength * SUN)
    monkeypatch.setattr("kinema.worlds.made._SKY", ABOVE)
    monkeypatch.setattr("kinema.worlds.made._BELOW", BELOW)
    return captured(make_world(kind, seed), 0.16 if kind == "street" else 0.1, seed)


def degrees(light: SceneLight, way: tuple[float, float, float]) -> float:
    return float(np.degrees(np.arccos(np.clip(light.toward @ unit(way), -1.0, 1.0))))


@pytest.mark.parametrize(
    ("kind", "way"),
    [
        pytest.param("room", SUNS[0], marks=pytest.mark.slow),
        pytest.param("street", SUNS[1], marks=pytest.mark.slow),
        ("hills", SUNS[2]),
    ],
)
def test_the_sun_and_its_share_come_back(
    monkeypatch: pytest.MonkeyPatch, kind: str, way: tuple[float, float, float]
) -> None:
    light = estimate_light(lit_by(monkeypatch, kind, way))
    up = 0.5 + 0.5 * unit(way)[1]
    share = float((SUN / (SUN + up * ABOVE + (1 - up) * BELOW)).mean())
    assert degrees(light, way) < 5.0
    assert light.sun_share == pytest.approx(share, abs=0.08)
    assert light.confidence > 0.5
    assert light.above.mean() / light.below.mean() == pytest.approx(ABOVE.mean() / BELOW.mean(), rel=0.25)
    np.testing.assert_allclose(light.side, 0.5 * (light.above + light.below))
    assert light.sun[0] / light.sun[2] > 1.05 > 0.97 > light.above[0] / light.above[2]  # a warm sun, a cold sky


@pytest.mark.slow
@pytest.mark.parametrize("kind", WORLDS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("way", SUNS)
def test_the_sun_comes_back_in_every_world(
    monkeypatch: pytest.MonkeyPatch, kind: str, seed: int, way: tuple[float, float, float]
) -> None:
    assert degrees(estimate_light(lit_by(monkeypatch, kind, way, seed=seed)), way) < 10.0


@pytest.mark.slow
def test_there_is_no_sun_under_clouds(monkeypatch: pytest.MonkeyPatch) -> None:
    light = estimate_light(lit_by(monkeypatch, "park", SUNS[0], 0.0))
    assert light.sun_share == 0.0 == light.confidence
    assert not light.sun.any()
    np.testing.assert_array_equal(light.toward, [0.0, 1.0, 0.0])
    assert light.above.mean() > 1.5 * light.below.mean()


@pytest.mark.slow
def test_shadows_on_half_of_the_scene_do_not_turn_the_sun(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, shade = (lit_by(monkeypatch, "park", SUNS[1], strength) for strength in (1.0, 0.0))
    x, z = scene.means[:, 0], scene.means[:, 2]
    dark = np.sin(1.3 * x) + np.sin(1.7 * z + 0.5 * x) > 0.0
    assert 0.4 < dark.mean() < 0.6
    colours = np.where(dark[:, None, None], shade.harmonics, scene.harmonics)
    assert degrees(estimate_light(replace(scene, harmonics=colours)), SUNS[1]) < 2.0


def test_the_light_is_white_on_level_ground_and_turns_with_the_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = lit_by(monkeypatch, "hills", SUNS[1])
    light = estimate_light(scene)
    level = light.irradiance(np.asarray([0.0, 1.0, 0.0]))
    np.testing.assert_allclose(level, level.mean(), rtol=1e-6)
    quarter = scene.moved((np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0))
    x, y, z = SUNS[1]
    assert degrees(estimate_light(quarter), (z, y, -x)) < 5.0


def test_bare_ground_shows_the_sun_on_its_slopes(monkeypatch: pytest.MonkeyPatch) -> None:
    def height(x: np.ndarray, z: np.ndarray) -> np.ndarray:
        return 0.8 * np.sin(x) * np.cos(0.9 * z)

    def colour(x: np.ndarray, z: np.ndarray) -> np.ndarray:
        return np.tile([0.5, 0.45, 0.4], (len(x), 1))

    monkeypatch.setattr("kinema.worlds.made._SUN", unit(SUNS[1]))
    scene = surfels(lit(relief(height, colour, (-9, -9), (9, 9), 0.1)), 0.12)
    assert degrees(estimate_light(scene), SUNS[1]) < 10.0


def test_where_light_cannot_be_told_is_said() -> None:
    with pytest.raises(SceneError, match="too few"):
        estimate_light(drawn(3))
    thick = drawn(500)
    with pytest.raises(SceneError, match="are flat"):
        estimate_light(replace(thick, log_scales=np.full((500, 3), -3.0, np.float32)))

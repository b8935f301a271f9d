"""Textures of a picture: only those that are asked for."""

import pytest

from kinema.errors import KinemaError
from kinema.rendering.targets import BLOOM_LEVELS, Targets


def test_extras_exist_only_when_wanted(renderer):
    with renderer.context:
        plain = Targets(renderer.context, (64, 48), (64, 48), frozenset(), False)
        rich = Targets(renderer.context, (64, 48), (32, 24), frozenset({"glow", "masks", "motion"}), True)
        assert plain.glow is plain.ids is plain.motion is None
        assert rich.glow is not None and rich.ids is not None and rich.motion is not None
        assert rich.color.size == (32, 24) and plain.open.size == (32, 24) and len(plain.bloom) <= BLOOM_LEVELS
        plain.release()
        rich.release()


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (5, 7)])
def test_odd_sizes(renderer, size):
    with renderer.context:
        made = Targets(renderer.context, size, size, frozenset(), False)
        assert all(min(texture.size) >= 1 for texture, _ in made.bloom)
        made.release()


def test_pictures_larger_than_the_driver_are_one_line(renderer):
    with renderer.context, pytest.raises(KinemaError, match="make the picture smaller"):
        Targets(renderer.context, (400_000, 64), (200_000, 32), frozenset(), False)

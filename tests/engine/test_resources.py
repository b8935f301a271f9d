"""Things there is one of."""

import pytest

from kinema.engine import Groups, Poses, World
from kinema.engine.resources import Resources
from kinema.errors import WorldError


class Terrain:
    pass


class Hills(Terrain):
    pass


def test_things_are_found_by_class():
    resources = Resources()
    with pytest.raises(WorldError, match="has no Terrain"):
        resources[Terrain]
    first = resources.add(Terrain())
    assert resources[Terrain] is first and Terrain in resources and list(resources) == [Terrain]
    second = resources.add(Hills(), Terrain)
    assert resources[Terrain] is second and resources.find(Hills) is None
    with pytest.raises(WorldError, match="is not a Hills"):
        resources.add(first, Hills)


def test_every_world_has_its_own():
    a, b = World(), World()
    assert a.resources[Poses] is a.poses is not b.poses
    assert a.resources[Groups] is a.groups is not b.groups

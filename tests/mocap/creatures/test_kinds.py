import pytest

from kinema.mocap.creatures import make_creature
from kinema.mocap.creatures.perform import kind_of_creature


@pytest.mark.parametrize(
    ("name", "medium", "build"),
    [
        ("person", "legs", "two"),
        ("sparrow", "legs", "hopper"),
        ("crane", "legs", "two"),
        ("dog", "legs", "four"),
        ("crocodile", "legs", "sprawled"),
        ("spider", "legs", "many"),
        ("centipede", "train", "train"),
        ("snake", "crawl", "crawl"),
        ("shark", "swim", "swim"),
    ],
)
def test_bodies_have_their_medium_and_gaits(name, medium, build):
    kind = kind_of_creature(make_creature(name))
    assert (kind.medium, kind.build) == (medium, build)


def test_wings_fly_and_whales_beat_up_and_down():
    assert kind_of_creature(make_creature("eagle")).flies and not kind_of_creature(make_creature("dog")).flies
    level = {name: kind_of_creature(make_creature(name)).level for name in ("whale", "dolphin", "shark", "fish", "eel")}
    assert level == {"whale": True, "dolphin": True, "shark": False, "fish": False, "eel": False}
    assert all(kind_of_creature(make_creature("dolphin", seed)).level for seed in range(6))

import pytest

from kinema.mocap.creatures.animals import ANIMALS, creature_of
from kinema.mocap.creatures.lexicon import PLANS


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("A grey pony walks.", "unguligrade"),
        ("THE WOLVES HOWL", "digitigrade"),
        ("tarantula, attack", "spider"),
        ("sea horse", "fish"),
        ("a horse", "unguligrade"),
        ("the komodo dragon", "lizard"),
        ("a dragon", "winged"),
        ("T-Rex charges", "theropod"),
        ("an old man walks his dog", "biped"),
        ("a duck waddles", "bird"),
        ("a fly walks", "hexapod"),
        ("the horse's head", "unguligrade"),
        ("octopuses", "tentacled"),
        ("a bird flies", "bird"),
        ("the dog must duck", "digitigrade"),
        ("you are a bear and eat a fish", "plantigrade"),
        ("centipede", "centipede"),
        ("unguligrade", "unguligrade"),
    ],
)
def test_animals_have_plans(text, plan):
    assert creature_of(text) == plan


@pytest.mark.parametrize(
    "text", ["", "it walks", "the creature does a flip", "moves at a snail's pace", "walks like a duck", "can you fly"]
)
def test_texts_without_animals_have_none(text):
    assert creature_of(text) is None


def test_every_plan_has_animals_and_no_animal_has_two():
    assert set(ANIMALS) == set(PLANS)
    names = [name.strip() for listed in ANIMALS.values() for name in listed.split(",")]
    assert len(names) > 500
    assert len(names) == len(set(names))

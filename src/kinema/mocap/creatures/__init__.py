"""Creatures: procedural bodies of many plans, and labelled motion for them and for any skeleton."""

from kinema.mocap.creatures.abilities import Abilities
from kinema.mocap.creatures.acts import ACTIONS, Act
from kinema.mocap.creatures.anatomy import CreatureAnatomy, CreatureLimb, anatomy_of
from kinema.mocap.creatures.coverage import creature_set, random_script, steering_set
from kinema.mocap.creatures.creature import CREATURES, PLANS, Creature, make_creature
from kinema.mocap.creatures.perform import allowed_actions, perform

__all__ = [
    "ACTIONS",
    "CREATURES",
    "PLANS",
    "Abilities",
    "Act",
    "Creature",
    "CreatureAnatomy",
    "CreatureLimb",
    "allowed_actions",
    "anatomy_of",
    "creature_set",
    "make_creature",
    "perform",
    "random_script",
    "steering_set",
]

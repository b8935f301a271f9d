import numpy as np
import pytest

from kinema.face.generation import wishes_of
from kinema.mocap.creatures import Abilities, allowed_actions, make_creature
from kinema.skeleton import Skeleton

CAPTIONS = [
    ("My aunt wanders through the market as though time meant nothing.", "person", "walk"),
    ("A ladybird toddles over the leaf, wobbling slightly", "beetle", "walk"),
    ("the toddler totters across the kitchen toward mum", "person", "walk"),
    ("She limps down the corridor on crutches", "person", "walk"),
    ("He legs it down the alley before the police arrive.", "person", "run"),
    ("The raptor barrels through the ferns in pursuit of a small lizard", "raptor", "run"),
    ("Late for school, she rushes down the stairs.", "person", "run"),
    ("An enraged rex pounds after the jeep", "trex", "run"),
    ("the dog is fast asleep on the rug", "dog", "idle"),
    ("Snake basking lazily on a flat stone", "snake", "idle"),
    ("my cat is curled up asleep on the sofa", "cat", "idle"),
    ("wolf lying down beside its mate, calm and relaxed", "wolf", "idle"),
    ("Great dragon heaving itself into the clouds with thunderous wingbeats", "dragon", "fly"),
    ("A swallow zips through the air after a gnat", "sparrow", "fly"),
    ("the cranes are on their way to Africa, high above the desert", "crane", "fly"),
    ("A flock of cranes passes overhead, wings whooshing", "crane", "fly"),
    ("The drake slides across the sky without a beat of its wings", "dragon", "glide"),
    ("The stork drifts lower and lower on motionless wings", "crane", "glide"),
    ("The hawk hangs motionless on the wind with spread wings", "eagle", "glide"),
    ("crane gliding in over the reeds", "crane", "glide"),
    ("The shark patrols the reef, fins barely moving", "shark", "swim"),
    ("the sperm whale plunges into the depths", "whale", "swim"),
    ("The shark circles the raft", "shark", "swim"),
    ("the whale comes up to breathe and swims on", "whale", "swim"),
    ("The gymnast springs high into the air and sticks the landing", "person", "jump"),
    ("The dinosaur catapults itself across the chasm", "raptor", "jump"),
    ("jumping spider springs from leaf to leaf", "spider", "jump"),
    ("The bear leaps from rock to rock across the river", "bear", "jump"),
    ("the cat watches a fly on the ceiling", "cat", "look"),
    ("A nosy fish examining the diver's mask", "fish", "look"),
    ("A wolf listens for the howl of its pack", "wolf", "look"),
    ("Sherlock studies the footprints closely", "person", "look"),
    ("The cobra spits venom at the mongoose", "snake", "attack"),
    ("The tyrannosaur clamps its jaws on the neck of its victim", "trex", "attack"),
    ("the bear rears up and strikes with its paw", "bear", "attack"),
    ("dragon belching flames over the town", "dragon", "attack"),
    ("A cat licks up the last of the cream", "cat", "eat"),
    ("An ant sampling a drop of honey", "ant", "eat"),
    ("A boy slurps noodles noisily", "person", "eat"),
    ("the horse crunches an apple", "horse", "eat"),
    ("A spider shrivels up and dies", "spider", "die"),
    ("the bear succumbs at last to its injuries", "bear", "die"),
    ("the cow drops to its knees and dies", "cow", "die"),
    ("The octopus is dead", "octopus", "die"),
    ("The pony reverses a few steps", "horse", "back"),
    ("The lion gives way, stepping back from the elephants", "lion", "back"),
    ("T-Rex recoiling from the flames", "trex", "back"),
    ("A stag takes a few paces backward", "deer", "back"),
    ("A shark swings round to the right", "shark", "turn"),
    ("A bear swivels about, startled by a noise", "bear", "turn"),
    ("eagle banks left", "eagle", "turn"),
    ("a beetle turning on the spot like a clock hand", "beetle", "turn"),
]
"""Ways of saying it, the body that is spoken of, and what it is to do."""


def test_most_captions_are_understood():
    wrong = []
    for text, body, action in CAPTIONS:
        asked = {wish.action for wish in wishes_of(text, body=Abilities.of(make_creature(body)))}
        wrong += [text] if asked != {action} else []
    assert len(wrong) <= 0.1 * len(CAPTIONS), wrong


@pytest.mark.parametrize("name", ["fish", "dragon", "snake", "octopus", "person"])
def test_abilities_are_those_of_the_body(name):
    creature = make_creature(name)
    body = Abilities.of(creature)
    assert body is not None and body.actions == allowed_actions(creature) and body.plan == creature.plan
    assert body.flies == (name == "dragon") and body.swims == (name in ("fish", "octopus"))


def test_a_stated_plan_counts_where_it_fits_the_limbs():
    octopus = make_creature("octopus").skeleton
    stated, seen, wrong = (Abilities.of(octopus, plan) for plan in ("tentacled", None, "fish"))
    assert stated is not None and stated.swims
    assert seen is not None and seen == wrong


def test_what_is_not_recognised_has_none():
    point = Skeleton.create(["thing"], [-1], np.zeros((1, 3)))
    assert Abilities.of(point) is None

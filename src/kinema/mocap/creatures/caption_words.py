"""Words of captions beside those of movement: frames of sentences, adjectives, objects and details."""

from __future__ import annotations

from kinema.mocap.creatures.lexicon import OTHERS


def listed(table: str) -> tuple[str, ...]:
    """The items of a comma-separated table."""
    return tuple(" ".join(table.split()).split(", "))


_NO_ADVERBS = frozenset(
    listed(
        """slow, leisurely, unhurried, sluggish, lazy, languid, cautious, careful, lethargic, weary, slower, slow down,
        step by step, slow paced, low speed, slowest, slo mo, take its time, fast paced, fastest, quick, rapid, swift,
        speedy, hasty, brisk, hurried, vigorous, frantic, high speed, faster, quicker, full speed, top speed, full
        throttle, speed up, not fast, not quickly, not hurry, not slow, not slowly, not very fast, left hand, lft,
        ccw, left side, right hand, rgt, cw, right side, port, starboard, fwd, lateral, crab like, dead straight,
        higher, ascending, ascend, descending, descend, in the left direction, in the right direction, sideway, one
        eighty, three sixty, pacing gait, hopping gait, stealthy, stealth, sneaky, furtive, 180 degrees, 360 degrees"""
    )
)

ADVERBS: dict[str, tuple[str, ...]] = {
    name: tuple(phrase for phrase in listed(OTHERS[name]) if phrase not in _NO_ADVERBS)
    for name in ("slow", "fast", "left", "right", "forward", "sideways", "sneak", "trot", "pace", "bound", "hop")
}
"""What follows a verb, by concept."""

ADJECTIVES: dict[str, tuple[str, ...]] = {
    "slow": listed(
        "slow, leisurely, unhurried, sluggish, lazy, languid, careful, cautious, slow paced, gentle and slow"
    ),
    "fast": listed(
        "fast, quick, rapid, swift, speedy, hasty, brisk, hurried, frantic, high speed, fast paced, vigorous"
    ),
    "left": listed("left, leftward"),
    "right": listed("right, rightward"),
    "forward": ("forward", "straight"),
    "sideways": listed("sideways, lateral"),
    "sneak": listed("stealthy, sneaky, furtive"),
    "trot": ("trot", "trotting"),
    "gallop": ("galloping",),
    "hop": ("hopping",),
    "bound": ("bounding",),
}
"""What stands before a noun, by concept."""

NOUN_FITS: dict[str, str] = {
    "graz": "hoofs", "grass": "hoofs", "claw": "claws", "kick": "large", "stomp": "large", "step": "legs",
    "strid": "legs", "stroll": "legs", "flap": "wings", "wing": "wings", "paddling": "legs", "standing": "legs",
    "sneak": "legs", "stealth": "legs", "crouch": "legs", "prowl": "legs", "jog": "biped", "sprint": "legs",
    "tail": "large", "gallop": "four legs", "canter": "four legs", "trot": "four legs", "bounding": "four legs",
    "strafe": "legs", "charge": "large", "head": "neck", "bite": "jaws", "knockout": "biped", "breakfast": "biped",
    "fall": "legs", "swipe": "claws", "crawl": "low", "hover": "wings", "punch": "biped", "pounce": "four legs",
}  # fmt: skip
"""The group of body plans of which nouns with a part of a word are said; other nouns are said of all."""

TURNING: dict[str, tuple[str, ...]] = {
    side: tuple(phrase.format(side) for phrase in listed(
    """turning {0}, turning to the {0}, curving to the {0}, curving {0}, veering {0}, while turning {0}, in a curve
        to the {0}, in an arc to the {0}, bearing {0}, with a turn to the {0}, along a curve to the {0}, and turns
        {0}, veering off to the {0}, bending to the {0}"""
    ))
    for side in ("left", "right")
}  # fmt: skip
"""How travel along a curve is said."""

OBJECTS: dict[str, tuple[str, ...]] = {
    "attack": listed(
        """something, its prey, the enemy, its foe, its opponent, an intruder, its rival, its target, the hero, its
        victim, the player, another one, a stranger, an unseen foe"""
    ),
    "look": listed(
        "something, the sky, the ground, the horizon, a noise, the camera, its friend, the moon, a stranger, us"
    ),
    "jump": listed(
        "something, a rock, a log, an obstacle, a ditch, a puddle, a wall, the fence, a box, a stone, a hurdle, a gap"
    ),
    "eat": listed(
        "something, its food, a leaf, some meat, plants, some food, an apple, a carrot, its meal, insects, berries"
    ),
    "run": listed("something, a ball, its prey, another one"),
}
"""What "something" in a verb phrase may be, by action."""

LOOKS = listed(
    """big, small, large, little, old, young, brown, black, white, grey, green, red, wild, tame, huge, tiny, giant,
        strong, cute, ugly, scary, fierce, friendly, beautiful, hungry, angry, fat, thin, lonely, strange, majestic,
        cartoon, realistic, stylized, low poly, magnificent, spotted, striped, hairy, muscular, elegant, clumsy"""
)
"""Adjectives of creatures."""

DETAILS = listed(
    """in the tall grass, in the forest, in the meadow, on a sunny day, at night, in the rain, on the beach, by the
        river, near the house, in a field, in the desert, among the trees, under the stars, in an empty room, on a
        hill, in the garden, in front of the camera, like a king, like a champion, with grace, with style, in the
        snow, in the mist, in the morning, at dawn, at dusk, all alone, without a sound, with great care, because it
        is hungry, because it is bored, for no reason, for a while, for a few seconds, for some time, again, once
        more, as always, with its friends, in silence, gracefully, happily, proudly, sadly, nervously, confidently,
        calmly, elegantly, clumsily, peacefully, with confidence, in the jungle, in the arena, on the plain, on soft
        sand, on a rock, behind the barn, next to a tree, through the undergrowth, as if in a dream, between the
        stones, in the moonlight, as the sun sets"""
)
"""Circumstances that say nothing about the movement."""

SCENES = listed(
    """an animation of {}, animation of {}, a clip of {}, a video of {}, footage of {}, a picture of {}, a scene
        with {}, we see {}, you see {}, there is {}, here is {}, a shot of {}, show me {}, i want {}, please animate
        {}, give me {}, generate {}, make an animation of {}, a 3d animation of {}, motion of {}, imagine {},
        picture {}, create {}, a sequence with {}, a motion capture of {}"""
)
"""Frames around a creature that is doing something: "an animation of {a horse walking}"."""

ORDERS = listed(
    "make {} {}, let {} {}, have {} {}, i want to see {} {}, we see {} {}, you can see {} {}, please make {} {}"
)
"""Frames around a creature and a verb in its base form: "make {the horse} {walk}"."""

SEEN = listed(
    """{} can be seen {}, {} is shown {}, {} is seen {}, {} was caught {}, {} is busy {}, {} {}, {} keeps {}, {} is
        captured {}, {} is filmed {}"""
)
"""Frames around a creature and a participle: "{the horse} is shown {walking}"."""

EVENTS = listed(
    """{0} of {1}, {1}: {0}, {1} - {0}, {1} {0}, {1}'s {0}, {0}, {0} by {1}, {0} ({1}), {1} performs {0}, {1} does
        {0}, {0} performed by {1}"""
)
"""Frames around a noun and a creature: "{death} of {a spider}"."""

LINKS = (
    ", then ", " then ", " and then ", "; then ", ", and then ", "; ", ". Then ", ". After that, ", ", after that ",
    ", next ", " and afterwards ", ", finally ", " and finally ", ", before ", " before ", ", followed by ",
    " until finally ", ", ", " and ", ", and ", ". ", " to ", " -> ", ", and after that ", ", later ", ". Next, ",
    " and eventually ", "\n",
)  # fmt: skip
"""What stands between two movements that follow one another."""

"""The verbs of instructions, in all their forms, and what they mean.

To add a verb, add it to one of the tables: its other forms follow from it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


def word_set(text: str) -> set[str]:
    """The words of a text as a set, for tables."""
    return set(text.split())


GAITS: Mapping[str, str] = {
    "walk": "walk; stroll slowly; amble slowly; saunter slowly; wander; hike; pace; trot; step; shuffle; slide; "
    "hurry quickly; "
    "rush quickly; stride",
    "run": "run; jog; sprint quickly; dash quickly; race quickly; charge quickly",
    "sneak": "sneak; creep; tiptoe; prowl; steal away",
    "crawl": "crawl", "limp": "limp; hobble", "march": "march", "skip": "skip", "stagger": "stagger; stumble; lurch",
    "swim": "swim", "sidestep": "sidestep; side step; strafe; walk sideways; step sideways; shuffle sideways; "
    "move sideways; go sideways; slide sideways", "climb": "climb",
}  # fmt: skip
"""Ways to go somewhere, and the verbs that say them, some with a manner."""

GESTURES: Mapping[str, str] = {
    "wave": "wave", "bow": "bow; curtsy", "jump": "jump; leap; hop; hop back-and-forth; jump back-and-forth; jump up",
    "sit": "sit; sit down; have seat; take seat; be seated", "stand": "stand",
    "stand up": "stand up; get up; rise; rise up; get to feet; rise to feet; get on feet; stand on feet",
    "lie down": "lie down; lie; lay down", "kneel": "kneel; kneel down; get on knees; go down on knees; drop to knees; "
    "get down on knees; fall to knees; go to knees", "crouch": "crouch; get in crouch; get into crouch; get "
    "down in crouch; get down into crouch; go into crouch; crouch down; squat; squat down; duck; duck down; get down",
    "nod": "nod", "bend": "bend; bend down; bend over; lean forward", "shake head": "shake head",
    "clap": "clap; applaud", "dance": "dance",
    "cheer": "cheer; celebrate", "salute": "salute", "stretch": "stretch", "shrug": "shrug", "yawn": "yawn",
    "laugh": "laugh", "cry": "cry; weep", "cough": "cough", "sneeze": "sneeze", "punch": "punch", "kick": "kick",
    "raise arm": "raise arm; raise arms; raise hand; raise hands; lift arm; lift arms; put hand up; put hands up",
    "turn": "turn; turn round; turn around; rotate; pivot; spin; spin around; spin round; twirl; twirl around; "
    "swivel; face",
    "look": "look; glance", "look around": "look around; look round; look about; look all around; glance around; "
    "look around you; glance about; glance round", "point": "point",
    "wait": "wait; pause; rest; stop; halt; stay; stand still; hold still; stay still; keep still; remain "
    "still; hang on; "
    "do nothing; hold that; freeze; stand motionless; wait around; remain; hold on; hold it; take break; have "
    "break; take rest",
    "fall": "fall; fall down; fall over; collapse; fall to ground; drop to ground; fall on ground", "sleep": "sleep",
    "sing": "sing", "talk": "talk; speak; chat", "pray": "pray", "roll": "roll", "blow a kiss": "blow kiss",
    "think": "think", "shiver": "shiver; tremble", "stamp": "stamp; stomp", "pose": "pose; strike pose",
}  # fmt: skip
"""What is done on the spot, and the verbs that say it."""

OBJECT_ACTIONS: Mapping[str, str] = {
    "pick up": "pick up; pick; grab; take; lift; lift up; fetch; get; pick off ground; grab hold of",
    "put down": "put down; set down; place; lay; put; put back; set; leave",
    "drop": "drop", "push": "push; shove", "pull": "pull; pull back; drag; tug", "carry": "carry; bring",
    "look at": "look at; watch; stare at; gaze at; examine; inspect; check out; glance at; observe; look "
    "towards; look toward; "
    "study; admire; look over at; peer at",
    "touch": "touch; tap; put hand on; lay hand on; pat", "throw": "throw; toss; hurl; chuck; fling", "open": "open",
    "close": "close; shut", "hold": "hold", "hit": "hit; strike; knock on", "kick": "kick", "catch": "catch",
    "hug": "hug; embrace", "lean on": "lean on; lean against", "knock over": "knock over",
}  # fmt: skip
"""What is done to a thing, and the verbs that say it."""

TRANSITIVE: Mapping[str, tuple[str, str]] = {
    "approach": ("", "to"), "reach": ("", "to"), "circle": ("", "around"), "pass": ("", "past"),
    "visit": ("", "to"), "cross": ("", "across"), "enter": ("", "into"), "leave": ("", "away from"),
    "circumnavigate": ("", "around"), "arrive at": ("", "to"), "climb": ("climb", "on"),
    "follow": ("", "along"), "find": ("", "to"), "exit": ("", "out of"),
}  # fmt: skip
"""Verbs that name a place without a preposition: gait and relation."""

GENERAL = (
    "go",
    "move",
    "head",
    "come",
    "get",
    "make way",
    "proceed",
    "travel",
    "return",
    "navigate",
    "advance",
    "back up",
    "back away",
)
"""Verbs that go somewhere in no particular gait."""

LIGHT = ("take", "do", "give", "make", "have", "perform", "get", "spend", "strike", "go")
"""Verbs that leave what is done to a noun: "take a bow"."""

_IRREGULAR: Mapping[str, Sequence[str]] = {
    "lie": ("lying", "lay", "lain"), "run": ("ran",), "sit": ("sat",), "get": ("got", "gotten"), "stand": ("stood",),
    "go": ("went", "gone"), "throw": ("threw", "thrown"), "take": ("took", "taken"), "rise": ("rose", "risen"),
    "shake": ("shook", "shaken"), "fall": ("fell", "fallen"), "sneak": ("snuck",), "creep": ("crept",),
    "make": ("made",),
    "kneel": ("knelt",), "sing": ("sang", "sung"), "come": ("came",), "do": ("did", "done"), "give": ("gave", "given"),
    "have": ("had",), "sleep": ("slept",), "swim": ("swam", "swum"), "hold": ("held",), "spin": ("spun",),
    "leave": ("left!",), "bring": ("brought",), "catch": ("caught",), "strike": ("struck",), "set": (),
    "put": (), "hit": (),
    "shut": (), "steal": ("stole",), "fling": ("flung",), "lay": ("laid",), "weep": ("wept",), "stay": (),
}  # fmt: skip
_DOUBLED = word_set("run sit get put jog hop skip spin nod hug clap step shrug drag squat stop shut hit set "
"grab tug pat trot "
               "drop chat tap swim chat knit")  # fmt: skip


@dataclass(frozen=True)
class VerbMeaning:
    """What a verb says: a kind of step, its name there, and what comes along with it.

    Attributes:
        kind: "locomotion", "gesture" or "object".
        name: gait or action; empty is a gait that is left open.
        particles: the words that follow the verb, such as "up" in "pick up".
        manner: such as "slowly" in "stroll". relation: how a bare noun is meant, of verbs such as "circle".
    """

    kind: str
    name: str
    particles: tuple[str, ...] = ()
    manner: str = ""
    relation: str = ""


def meanings(lemma: str) -> Sequence[VerbMeaning]:
    """What a verb can mean, longest phrases first; none if it is unknown."""
    return _MEANINGS.get(lemma, ())


def form_of(word: str) -> tuple[str, str] | None:
    """The verb that a word is a form of, and which: "base", "s", "ing" or "past"; None if it is no known verb."""
    return _FORMS.get(word)


def corrected(word: str) -> str | None:
    """The one form of a verb that differs from a word in one letter, or two that are swapped; None if there is none."""
    if len(word) < 4 or not word.isascii():
        return None
    near = {form for form in _FORMS if len(form) > 3 and form[0] == word[0] and _one_letter_apart(word, form)}
    if len({_FORMS[form] for form in near}) != 1:
        return None
    return near.pop()


def participle(lemma: str) -> str:
    """The "-ing" of a verb."""
    return next(form for form, (base, name) in _FORMS.items() if base == lemma and name == "ing")


def nearest_verbs(word: str) -> list[str]:
    """A few known verbs that look like a word, for messages."""
    known = sorted(lemma for lemma in _MEANINGS if lemma.isalpha())
    return difflib.get_close_matches(word, known, 3, 0.5) or ["walk", "run", "wave", "sit", "look at"]


def _one_letter_apart(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1:
        return False
    at = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    first, second = one[at:], other[at:]
    swapped = first[:2] == second[:2][::-1] and first[2:] == second[2:]
    return swapped or first[1:] == second[1:] or first[1:] == second or first == second[1:]


def _inflected(lemma: str) -> Iterator[tuple[str, str]]:
    yield lemma, "base"
    yield (lemma[:-1] + "ies" if lemma[-1] == "y" and lemma[-2] not in "aeiou" else lemma + "es"
           if lemma.endswith(("s", "sh", "ch", "x", "o")) else lemma + "s"), "s"  # fmt: skip
    stem = lemma + lemma[-1] if lemma in _DOUBLED else lemma
    drops = lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye"))
    if lemma != "lie":
        yield (lemma[:-1] if drops else stem) + "ing", "ing"
    past = stem + "d" if lemma.endswith("e") else stem + "ed"
    yield (lemma[:-1] + "ied" if lemma[-1] == "y" and lemma[-2] not in "aeiou" else past), "past"
    for form in _IRREGULAR.get(lemma, ()):
        if not form.endswith("!"):
            yield form, "ing" if form.endswith("ying") else "past"


def _tables() -> Iterator[tuple[str, VerbMeaning]]:
    for gait, verbs in GAITS.items():
        for verb in verbs.split("; "):
            words = verb.split()
            manner = words.pop() if words[-1].endswith("ly") else ""
            yield words[0], VerbMeaning("locomotion", gait, tuple(words[1:]), manner)
    for kind, table in (("gesture", GESTURES), ("object", OBJECT_ACTIONS)):
        for name, verbs in table.items():
            for verb in verbs.split("; "):
                head, *particles = verb.split()
                yield head, VerbMeaning(kind, name, tuple(particles))
    for verb, (gait, relation) in TRANSITIVE.items():
        head, *particles = verb.split()
        yield head, VerbMeaning("locomotion", gait, tuple(particles), relation=relation)
    for verb in GENERAL:
        head, *particles = verb.split()
        yield head, VerbMeaning("locomotion", "", tuple(particles))


def _by_lemma() -> dict[str, list[VerbMeaning]]:
    found: dict[str, list[VerbMeaning]] = {}
    for lemma, meaning in _tables():
        found.setdefault(lemma, []).append(meaning)
    for listed in found.values():
        listed.sort(key=lambda meaning: -len(meaning.particles))
    return found


def _all_forms() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for lemma in (*_MEANINGS, *LIGHT):
        for form, name in _inflected(lemma):
            if name == "base":
                found[form] = (lemma, name)
            else:
                found.setdefault(form, (lemma, name))
    return found


_MEANINGS = _by_lemma()
_FORMS = _all_forms()

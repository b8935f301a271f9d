"""The verbs of instructions, in all their forms, and what they mean.

To add a verb, add it to one of the tables: its other forms follow from it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kinema.instructions.grammar.spelling import COMMON_THINGS, OTHER_VERBS, one_letter_apart, word_set

GAITS: Mapping[str, str] = {
    "walk": "walk; stroll; wander; amble slowly; saunter slowly; plod slowly; trudge slowly; hike; pace; trot; step; "
    "shuffle; slide; hurry quickly; rush quickly; hasten quickly; scurry quickly; stride; tread; toddle; mosey",
    "run": "run; jog; sprint; dash; race quickly; charge quickly; bolt quickly; gallop",
    "sneak": "sneak; creep; tiptoe; prowl; steal away; tip toe; sneak up; slink; skulk; slip",
    "crawl": "crawl", "limp": "limp; hobble", "march": "march; parade", "skip": "skip; prance", "swim": "swim",
    "stagger": "stagger; stumble; lurch; totter; reel",
    "sidestep": "sidestep; side step; strafe; walk sideways; step sideways; shuffle sideways; "
    "move sideways; go sideways; slide sideways", "climb": "climb; clamber",
}  # fmt: skip
"""Ways to go somewhere, and the verbs that say them, some with a manner."""


def _products(heads: str, tails: str) -> str:
    return "; ".join(f"{head} {tail}" for head in heads.split("; ") for tail in tails.split("; "))


_LOWERING = "get; drop; go; sink; fall; bend; move; come; get down; go down; drop down; sink down; lower"
_KEEPING = "stay; keep; remain; hold; be"

GESTURES: Mapping[str, str] = {
    "wave": "wave; wave hello; wave goodbye; wave hi; wave bye", "bow": "bow; curtsy; bow down; bow head; bow low; "
    "take bow; bow "
    "deeply", "jump": "jump; leap; hop; hop back-and-forth; jump back-and-forth; jump up; leap up; hop up; "
    "bounce; jump up in air; jump in air; leap in air; jump into air; leap into air",
    "sit": "sit; sit down; have seat; take seat; be seated; take place; sit up; plop down; be sitting; have sit; "
    "have sit down; take load off; settle down; stay seated; remain seated; perch",
    "stand": "stand",
    "stand up": "stand up; get up; rise; rise up; get to feet; rise to feet; get on feet; stand on feet; get up on "
                "feet; "
    "come to feet; jump to feet; stand upright; straighten up; arise; get to standing; go to standing; "
    "return to standing; rise to standing; get up to standing; get up off ground; get up from ground; "
    "stand up straight; get up to feet; get back-up; straighten; get upright; leap to feet; rise upright",
    "lie down": "lie down; lie; lay down; lie flat; stretch out on ground; "
    f"{_products('stay; keep; remain; be', 'lying')}",
    "kneel": "kneel; kneel down; "
    + _products(_LOWERING, "on knees; to knees; on 1 knee; on one knee; to one knee; on knee; into kneel; in kneel; "
                "into kneeling; to kneeling")
    + "; take knee; " + _products(_KEEPING, "kneeling; on knees"),
    "crouch": "crouch; crouch down; squat; squat down; duck; duck down; get down; get low; hunker down; hunch down; "
    + _products(_LOWERING, "in crouch; into crouch; to crouch; in squat; into squat; to squat; into crouching")
    + "; " + _products(_KEEPING, "crouching; in crouch; crouched; squatting; ducked; squatted; in squat"),
    "nod": "nod; nod head; nod yes; make nod with head", "bend": "bend; bend down; bend over; lean forward",
    "shake head": "shake head",
    "clap": "clap; applaud; clap hands", "dance": "dance; do dance; perform dance; boogie",
    "cheer": "cheer; celebrate", "salute": "salute; give salute", "stretch": "stretch", "shrug": "shrug",
    "yawn": "yawn",
    "laugh": "laugh; giggle; chuckle", "cry": "cry; weep; sob", "cough": "cough", "sneeze": "sneeze",
    "punch": "punch", "kick": "kick",
    "raise arm": "raise arm; raise arms; raise hand; raise hands; lift arm; lift arms; lift hand; lift hands; "
    "put hand up; put hands up; put arms up; put arm up; hold hand up; hold arm up; throw arms up; stick hand up",
    "turn": "turn; turn round; turn around; rotate; pivot; spin; spin around; spin round; twirl; twirl around; "
    "swivel; face; whirl; whirl around; whirl round; turn about; swing around; swing round",
    "look": "look; glance", "look around": "look around; look round; look about; look all around; glance around; "
    "look around you; glance about; glance round; look around her; look around him; look about her; look about him; "
    "gaze around; peer around; scan around; "
    + _products("scan; survey; check; check out; take in; inspect; scope out; scout; look over",
                "surroundings; area; scene; place; environment; horizon")
    + "; look in all directions; look in every direction; look all around; look all about; take look around; "
    "take look round; have look around; have look round; have look about; take look about; look at surroundings; "
    "take good look around; have quick look around; gaze about; peer about; look every direction",
    "point": "point; point finger; point hand; point arm",
    "wait": "wait; pause; rest; stop; halt; stay; stand still; hold still; stay still; keep still; remain "
    "still; hang on; "
    "do nothing; hold that; freeze; stand motionless; stand static; stand waiting; stay static; wait around; "
    "remain; hold on; hold it; "
    "take break; have break; take rest; have rest; hold pose; hold position; stay put; remain put; stay like that; "
    "stay that way; stand around; hang around; idle; stand idle; take pause; make pause; relax; "
    "stay where; linger; hold this; stay in position; stay in pose; keep position; keep pose; keep that; nothing",
    "fall": "fall; fall down; fall over; collapse; fall to ground; drop to ground; fall on ground; topple; topple "
            "over; "
    "tumble; fall flat; tumble down; tumble over", "sleep": "sleep; nap; fall asleep; go to sleep; take nap; have nap",
    "sing": "sing", "talk": "talk; speak; chat", "pray": "pray", "roll": "roll", "blow a kiss": "blow kiss",
    "think": "think", "shiver": "shiver; tremble", "stamp": "stamp; stomp; stamp feet; stamp foot",
    "pose": "pose; strike pose",
}  # fmt: skip
"""What is done on the spot, and the verbs that say it."""

OBJECT_ACTIONS: Mapping[str, str] = {
    "pick up": "pick up; pick; grab; take; lift; lift up; fetch; get; pick off ground; grab hold of; take hold of; "
    "take up; scoop up; collect; snatch; get hold of; seize; gather up; gather; pluck",
    "put down": "put down; set down; place; lay; put; put back; set; leave; lay down; place down; drop off; "
    "deposit; lower; release; let go of; set back down; put back down",
    "drop": "drop", "push": "push; shove; push on; push "
                            "against", "pull": "pull; pull back; pull on; pull at; tug at; tug on; drag; tug; haul",
    "carry": "carry; bring; transport; carry over; bring over; lug; deliver; move; haul over",
    "look at": "watch; examine; inspect; check out; observe; study; admire; regard; contemplate; behold; take look at; "
    "have look at; take look to; look in direction of; take peek at; have peek at; look upon; "
    + _products("look; gaze; stare; glance; peer; peek", "at; towards; toward; on")
    + "; " + _products("look; gaze; stare; glance; peer", "up at; up to; up towards; "
                       "down at; down to; over at; over to; "
                       "over towards; across at; across to; out at; out over; out to; out towards; back at")
    + "; " + _products("turn; cast; fix; direct; shift; move; lift; raise; set; lay; point; throw",
                       "eyes to; eyes towards; eyes on; eyes at; gaze to; gaze towards; gaze on; gaze at; look at; "
                       "glance at; glance to; attention to; attention towards; head to; head towards; face to; "
                       "face towards"),
    "touch": "touch; tap; put hand on; lay hand on; pat; place hand on; rest hand on; feel; "
    "make contact with; reach out and touch; reach out to touch; put palm on; place palm on; stroke",
    "throw": "throw; toss; hurl; chuck; fling; lob",
    "open": "open; open up; " + _products("pull; push; swing; throw; slide; draw", "open"),
    "close": "close; shut; " + _products("pull; push; swing; slide", "shut; closed; close") + "; slam; slam shut",
    "hold": "hold; hold on to; grip; grasp", "hit": "hit; strike; knock on; knock; punch; smack; slap; whack; bang on",
    "kick": "kick", "catch": "catch",
    "hug": "hug; embrace", "lean on": "lean on; lean against", "knock over": "knock over; tip over",
}  # fmt: skip
"""What is done to a thing, and the verbs that say it."""

TRANSITIVE: Mapping[str, tuple[str, str]] = {
    "approach": ("", "to"), "reach": ("", "to"), "circle": ("", "around"), "pass": ("", "past"),
    "visit": ("", "to"), "cross": ("", "across"), "enter": ("", "into"), "leave": ("", "away from"),
    "circumnavigate": ("", "around"), "arrive at": ("", "to"), "climb": ("climb", "on"), "climb up": ("climb",
    "on"), "climb onto": ("climb", "on"),
    "follow": ("", "along"), "find": ("", "to"), "exit": ("", "out of"), "get to": ("", "to"), 
    "skirt": ("", "around"), "go to": ("", "to"), "get behind": ("", "behind"),
    "bypass": ("", "past"), "traverse": ("", "across"), "go past": ("", "past"),
    "make it to": ("", "to"), "end up at": ("", "to"),
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
    "back off",
    "reverse",
    "keep going",
    "continue",
    "journey",
    "retrace steps",
)
"""Verbs that go somewhere in no particular gait."""

LIGHT = ("take", "do", "give", "make", "have", "perform", "get", "spend", "strike", "go", "hold")
"""Verbs that leave what is done to a noun: "take a bow"."""

_IRREGULAR: Mapping[str, Sequence[str]] = {
    "lie": ("lying", "lay", "lain"), "run": ("ran",), "sit": ("sat",), "get": ("got", "gotten"),
    "stand": ("stood",), "go": ("went", "gone"), "throw": ("threw", "thrown"), "take": ("took", "taken"),
    "rise": ("rose", "risen"), "shake": ("shook", "shaken"), "fall": ("fell", "fallen"), "sneak": ("snuck",),
    "creep": ("crept",), "make": ("made",), "tread": ("trod",), "slide": ("slid",), "seat": ("seated",),
    "swing": ("swung",), "slink": ("slunk",), "bend": ("bent",), "draw": ("drew", "drawn"), "let": (),
    "feel": ("felt",), "keep": ("kept",), "behold": ("beheld",), "stick": ("stuck",), "hang": ("hung",),
    "tip": ("tipped",), "kneel": ("knelt",), "sing": ("sang", "sung"), "come": ("came",), "do": ("did", "done"),
    "give": ("gave", "given"), "have": ("had", "has"), "be": (), "sleep": ("slept",), "swim": ("swam", "swum"),
    "hold": ("held",), "spin": ("spun",), "leave": ("left!",), "bring": ("brought",), "catch": ("caught",),
    "strike": ("struck",), "set": (), "put": (), "hit": (), "shut": (), "steal": ("stole",), "fling": ("flung",),
    "lay": ("laid",), "weep": ("wept",),
}  # fmt: skip
_DOUBLED = word_set("run sit get put jog hop skip spin nod hug clap step shrug drag squat stop shut hit set "
"grab tug pat trot "
               "drop chat tap swim chat knit slip plop lug scan tip grip slap slam let nap bob sob")  # fmt: skip


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
    if len(word) < 4 or not word.isascii() or word in OTHER_VERBS | COMMON_THINGS:
        return None
    near = {form for form in _FORMS if len(form) > 3 and form[0] == word[0] and one_letter_apart(word, form)}
    if len({_FORMS[form][0] for form in near}) > 1:  # a letter that was doubled or not is the likeliest
        near = {form for form in near if _undoubled(form) == _undoubled(word)}
    if len({_FORMS[form][0] for form in near}) != 1:
        return None
    return min(near, key=lambda form: (form[-1] != word[-1], form))


def _undoubled(word: str) -> str:
    return "".join(letter for at, letter in enumerate(word) if letter != word[at - 1 : at])


def participle(lemma: str) -> str:
    """The "-ing" of a verb."""
    return next(form for form, (base, name) in _FORMS.items() if base == lemma and name == "ing")


def nearest_verbs(word: str) -> list[str]:
    """A few known verbs that look like a word, for messages."""
    known = sorted(lemma for lemma in _MEANINGS if lemma.isalpha())
    return difflib.get_close_matches(word, known, 3, 0.5) or ["walk", "run", "wave", "sit", "look at"]


def _inflected(lemma: str) -> Iterator[tuple[str, str]]:
    yield lemma, "base"
    yield (lemma[:-1] + "ies" if lemma[-1] == "y" and lemma[-2] not in "aeiou" else lemma + "es"
           if lemma.endswith(("s", "sh", "ch", "x", "o")) else lemma + "s"), "s"  # fmt: skip
    stem = lemma + lemma[-1] if lemma in _DOUBLED else lemma
    drops = lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye"))
    if lemma != "lie":
        yield (lemma[:-1] if drops else stem) + "ing", "ing"
    if _IRREGULAR.get(lemma) == ():
        return
    past = stem + "d" if lemma.endswith("e") else stem + "ed"
    yield (lemma[:-1] + "ied" if lemma[-1] == "y" and lemma[-2] not in "aeiou" else past), "past"
    for form in _IRREGULAR.get(lemma, ()):
        if not form.endswith("!"):
            yield form, "ing" if form.endswith("ying") else "s" if form == "has" else "past"


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

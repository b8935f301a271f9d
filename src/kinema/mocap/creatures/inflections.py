"""Inflected forms of English words: "run", "runs", "running", "ran"."""

from __future__ import annotations

# Base: third person, present participle where it is irregular ("" = regular), then past forms.
_IRREGULAR = {
    "be": "is being was were are am been",
    "beat": "beats beating beaten",
    "begin": "begins beginning began begun",
    "bite": "bites biting bitten",  # not "bit", which is mostly "a bit"
    "break": "breaks breaking broke broken",
    "breathe": "breathes breathing breathed",
    "bring": "brings bringing brought",
    "catch": "catches catching caught",
    "come": "comes coming came",
    "creep": "creeps creeping crept",
    "die": "dies dying died",
    "do": "does doing did done",
    "draw": "draws drawing drew drawn",
    "drink": "drinks drinking drank drunk",
    "dye": "dyes dyeing dyed",
    "eat": "eats eating ate eaten",
    "fall": "falls falling fell",
    "feed": "feeds feeding fed",
    "fight": "fights fighting fought",
    "flee": "flees fleeing fled",
    "fling": "flings flinging flung",
    "fly": "flies flying flew flown",
    "freeze": "freezes freezing froze frozen",
    "get": "gets getting got gotten",
    "give": "gives giving gave given",
    "go": "goes going went gone",
    "have": "has having had",
    "hit": "hits hitting",
    "hold": "holds holding held",
    "keep": "keeps keeping kept",
    "leap": "leaps leaping leaped leapt",
    "leave": "leaves leaving",  # not "left", which is a direction
    "lie": "lies lying lain",
    "lose": "loses losing lost",
    "make": "makes making made",
    "meet": "meets meeting met",
    "move": "moves moving moved movin",
    "offer": "offers offering offered",
    "put": "puts putting",
    "ride": "rides riding rode ridden",
    "rise": "rises rising risen",
    "run": "runs running ran runnin",
    "set": "sets setting",
    "shake": "shakes shaking shook shaken",
    "shrink": "shrinks shrinking shrank shrunk",
    "sink": "sinks sinking sank sunk",
    "sit": "sits sitting sat",
    "sleep": "sleeps sleeping slept",
    "slide": "slides sliding slid",
    "sling": "slings slinging slung",
    "slink": "slinks slinking slunk",
    "speed": "speeds speeding sped speeded",
    "spin": "spins spinning spun",
    "spit": "spits spitting spat",
    "spring": "springs springing sprang sprung",
    "stand": "stands standing stood",
    "sting": "stings stinging stung",
    "stride": "strides striding strode",
    "strike": "strikes striking struck",
    "swell": "swells swelling swelled swollen",
    "swim": "swims swimming swam swum",
    "swing": "swings swinging swung",
    "take": "takes taking took taken",
    "tear": "tears tearing tore torn",
    "throw": "throws throwing threw thrown",
    "tread": "treads treading trod trodden",
    "tie": "ties tying tied",
    "vie": "vies vying vied",
    "wind": "winds winding wound",
}  # fmt: skip

WRITTEN_PAST = {"bite": "bit", "hit": "hit", "leave": "left", "lie": "lay", "put": "put", "rise": "rose", "set": "set"}
"""Past forms that are also other words: alone they are not read as the verb."""

_VOWELS = "aeiou"
# Verbs of several syllables that double their last letter all the same.
_DOUBLED = frozenset({"backstep", "leapfrog", "outrun", "sidestep", "zigzag"})


def third_person(verb: str) -> str:
    """The form after "it": "run" gives "runs"; the same for the plural of a noun."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb].split()[0]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if _ends_in_consonant_y(verb) else verb + "s"


def participle(verb: str) -> str:
    """The form in "-ing": "run" gives "running"."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb].split()[1]
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return _doubled(verb) + "ing"


def past(verb: str) -> str:
    """The simple past: "run" gives "ran"."""
    irregular = WRITTEN_PAST.get(verb) or next(iter(_IRREGULAR.get(verb, "").split()[2:]), None)
    if irregular:
        return irregular
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if _ends_in_consonant_y(verb) else _doubled(verb) + "ed"


def forms(word: str) -> tuple[str, ...]:
    """All inflected forms of a word, itself first; words of one or two letters have only irregular ones."""
    if word in _IRREGULAR:
        return (word, *_IRREGULAR[word].split())
    if len(word) < 3:
        return (word,)
    return word, third_person(word), participle(word), past(word)


def _ends_in_consonant_y(word: str) -> bool:
    return word.endswith("y") and word[-2:-1] not in _VOWELS


def _doubled(verb: str) -> str:
    return verb + verb[-1] if verb in _DOUBLED or _is_short(verb) else verb


def _is_short(verb: str) -> bool:
    """Whether a verb is one syllable of one vowel between consonants, such as "hop"; "qu" counts as a consonant."""
    letters = verb.replace("qu", "qq")
    vowels = [index for index, letter in enumerate(letters) if letter in _VOWELS]
    return vowels == [len(letters) - 2] and letters[-1] not in "wxy"

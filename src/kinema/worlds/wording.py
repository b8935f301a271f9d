"""Sentences as plain words: lower case, without courtesies, with numbers as digits and one spelling for set phrases."""

from __future__ import annotations

import re

from kinema.errors import UsageError, one_line
from kinema.worlds.verbs import word_set

MOST_CHARACTERS = 2000
"""Characters of a text that are read."""

STOP = "."
"""The token of the end of a sentence; "," is that of a pause."""

POSSESSIVES = ("her", "his", "its", "their", "your", "my", "our")

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
_NUMBERS = {word: value for value, word in enumerate(f"{_UNITS} eighteen nineteen".split())}
_TENS_SAID = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TENS = dict(zip(_TENS_SAID, range(20, 100, 10), strict=True))

_PRONOUN = "(?:she|he|it|they|you|we|i|one|her|him|them)"
_OWN = rf"(?:{'|'.join(POSSESSIVES)}|the)"
_CAN = rf"(?:possible|{_PRONOUN} (?:possibly )?can|ever)"

_CONTRACTIONS = (
    (r"(\w)n't\b", r"\1 not"),
    (r"\b(can)not\b", r"\1 not"),
    (r"\blet's\b", "let us"),
    (r"\b(she|he|it|that|who|there|what|camera|character)'s\b", r"\1 is"),
    (r"'re\b", " are"),
    (r"'ll\b", " will"),
    (r"'d\b", " would"),
    (r"'ve\b", " have"),
    (r"'m\b", " am"),
    (r"'s\b", " s"),
)

_PHRASES: tuple[tuple[str, str], ...] = (
    # what comes after what
    (r"(?:being )?(?:followed|tracked|trailed) by (?:the|a) camera", "with the camera following"),
    (r"after (?:that|this|which)|afterwards?|thereafter|and then|subsequently|later(?: on)?|next up", "then"),
    (r"(?:and )?follow(?:s|ed)? (?:it |this |that )?(?:up )?(?:with|by)", "then"),
    (r"(?:and )?(?:end|finish|conclude)(?:s|ing)?(?: off| up)? (?:by|with)", "then"),
    (r"(?:in|at) the (?:very )?end|to finish(?: off)?|to end|last of all|at last|lastly|finally|eventually", "then"),
    (r"(?:start|begin|kick)(?:s|ing)?(?: off| out)? (?:by|with)|first of all|firstly|to start(?: with| off)?", "first"),
    (r"to begin(?: with)?|at first", "first"),
    (r"secondly|thirdly|(?<!the )next(?! to)", "then"),
    (rf"(?:once|when|as soon as|upon|on|after) (?:{_PRONOUN} )?(?:have |has |had )?(?:get|gets|got|getting"
    rf"|arrives?|arrived|arriving|is|are|"
     r"reach|reached|reaching) there|(?:once|when|as soon as|upon|on|after) (?:arriv(?:al|ing)|there)", "then"),
    (rf"(?:once|when|as soon as|after) {_PRONOUN} (?:(?:have |has |had )?arrives?d?|(?:is|are) (?:done|finished"
    rf"|ready))", "then"),
    (r"as soon as|the moment|upon|whenever", "once"),
    (r"at the same time as|whilst|all the while|during which|at the same time that", "while"),
    (rf"as {_PRONOUN} (?:goes|go|does|do|moves)(?: so| it| that| this| along)?(?= [.,]| and|$)", "meanwhile"),
    (r"at the same time|simultaneously|in the process|at once", "meanwhile"),
    (r"(?:the whole|all the|the entire) (?:time|way through)|throughout|from start to finish", "throughout"),
    # how
    (rf"as (\w+) as {_CAN}", r"\1"),
    (r"(?:as )?(quiet|silent|quick|fast|swift|slow|proud|happy|careful|gentle|calm) as an? \w+", r"\1"),
    (r"(?:at|with) (?:a |an )?(?:high|top|full|great|maximum)(?:er)? (?:speed|pace|tilt|power)", "quickly"),
    (r"at (?:a |an )?(\w+)(?: and (\w+))? (?:pace|speed|tempo)", r"\1"),
    (r"in (?:a |an )(\w+) (?:way|manner|fashion|mood|style)", r"\1"),
    (r"in slow motion|in slow mo|at a stroll|without (?:any )?(?:hurry|haste)", "slowly"),
    (r"in (?:a hurry|haste|a rush)", "quickly"),
    (r"in silence|without (?:making )?(?:a|any) (?:sound|noise)", "quietly"),
    (r"nice and|good and", ""),
    (r"on (?:all fours|hands and knees)|on (?:foot)", ""),
    (r"at a (run|jog|walk|sprint|crawl|march)", r"with a \1"),
    (r"(?:on|at) (?:a )?tip ?toes?", "with a sneak"),
    # how much
    (r"thrice", "3 times"),
    (r"twice", "2 times"),
    (r"(?:one|1) time", "1 times"),
    (r"(?:a )?couple(?: of)?", "2"),
    (r"a few|several", "3"),
    (r"half (?:a|an)(?= (?:metre|meter|minute|second|step|kilometre|mile))", "0.5"),
    (r"(?:about|around|roughly|approximately|some|exactly|nearly)(?= (?:\d|an? (?:metre|meter|second|minute)))", ""),
    (r"(?:for )?a (?:little )?(?:bit|while)|a little(?= [.,]| and| then|$)", ""),
    (r"(?:in a row|in succession|one after (?:the other|another)|consecutively)", ""),
    (r"do an? (180|360)(?: degrees?)?(?: (?:turn|spin))?", r"turn \1 degrees"),
    (rf"(?:do|make|perform)?(?: an?)? (?:about face|u turn)|turn {_OWN} back(?= [.,]| and| 180|$)", " turn around"),
    # where
    (r"straight (?:ahead|on|forwards?|in front)|dead ahead|onwards?", "forward"),
    (r"straight|directly|immediately", ""),
    (r"(?<!the )(?<!turn )(?<!turns )right(?= (?:over|up|behind|next|past|through|in front|beside|across|onto"
    r"|on top) )", ""),
    (r"all the way", ""),
    (r"in the direction of|in direction of", "towards"),
    (r"toward", "towards"),
    (r"as far as|until", "until"),
    (r"(head|heads|heading|headed|make|makes|making|set off|sets off|set out|sets out|aim|bound) for(?= (?:the"
    r"|a|her|his) )", "go to"),
    (r"in (?:the|a) (?:row|line)", ""),
    (r"till", "until"),
    (r"out of|from out of", "out-of"),
    (r"away from", "away-from"),
    (r"in front of|ahead of", "in-front-of"),
    (r"next to|close to|near to|alongside|adjacent to|by the side of|near", "beside"),
    (r"(?:on|onto) top of|onto|upon", "on"),
    (r"to the (left|right) of|(left|right) of", r"\1\2-of"),
    (r"(?:to|at|on) the (?:far|other|opposite) side of", "across"),
    (r"back and forth|up and down|to and fro", "back-and-forth"),
    (r"in (?:a )?circles?", "in-a-circle"),
    (r"in place|on the spot", "on-the-spot"),
    (r"together", ""),
    (r"counter ?clockwise|anti ?clockwise", "to the left"),
    (r"clockwise", "to the right"),
    (rf"(?:to )?(?:{_OWN} |where )(?:the )?(?:start(?:ing)?|original|initial|first|old)(?: (?:place|point"
    rf"|position|spot|location))", "start"),
    (rf"(?:to )?(?:the )?(?:place |spot |point )?where(?:ver)? {_PRONOUN} (?:have |has |had )?(?:started|began"
    rf"|begun|came|were|was|stood|set)"
     r"(?: (?:from|off|out|before|standing|earlier))*", "start"),
    (r"to (?:the|her|his|their|your) (?:start|beginning|origin)", "start"),
    # what the camera shows
    (r"close ?ups?(?: (?:shot|view))?", "closeup"),
    (r"bird s eye(?: view)?|birds eye(?: view)?|top down|overhead|aerial", "from-above"),
    (r"worm s eye(?: view)?", "from-below"),
    (r"first person", "from-front"),
    (r"third person|over the shoulder", "from-behind"),
    (r"(?:is |are |does |do |should )?not (?:move|moving)|without moving|motionless", "static"),
    (r"field of view|point of view|viewpoint|view point", "view"),
)  # fmt: skip

_DROPPED = word_set(
    "please pls kindly very really quite super extremely rather just simply exactly again too also ok okay now "
    "well hey hi "
    "hello alright thanks thank somewhat slightly own suddenly actually there here"
)
_GLUED = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)(?=[a-z°])(?!(?:st|nd|rd|th)\b)")
_KNOWN = re.compile(r"[a-z\d.,'-]+")
_TABLE = str.maketrans(
    {
        "\u2019": "'",
        "\u2018": "'",
        "`": "'",
        "\u2013": ",",
        "\u2014": ",",
        "\u2026": ".",
        "\u201c": " ",
        "\u201d": " ",
        '"': " ",
    }
)
_COMPILED = tuple((re.compile(rf"(?<!\S)(?:{pattern})(?!\S)"), reply) for pattern, reply in _PHRASES)


def words_of(text: str) -> list[str]:
    """The words of a text, with "," and "." for what separates them.

    Raises:
        UsageError: the text is empty, too long, or has characters that no English sentence has.
    """
    if not isinstance(text, str):
        raise UsageError(f"instructions are text, such as 'walk to the tree', not {type(text).__name__}")
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"instructions have at most {MOST_CHARACTERS} characters, not {len(text)}; split them up")
    plain = " ".join(text.translate(_TABLE).lower().split())
    if not re.search(r"[^\W_]", plain):
        raise UsageError("there are no instructions; say something such as 'walk to the tree, then wave'")
    for pattern, reply in _CONTRACTIONS:
        plain = re.sub(pattern, reply, plain)
    if negative := re.search(r"(?<![\w])-\d[\w. ]{0,20}", plain):
        raise UsageError(
            f"{one_line(negative[0])!r} is negative; say a direction instead, such as 'five metres backwards'"
        )
    plain = _GLUED.sub(r"\1 ", plain).replace("°", " degrees ").replace("&", " and ")
    plain = re.sub(r"(?<=\d),(?=\d)", ".", plain)
    plain = re.sub(r"\bcamera:", "camera", re.sub(r"[-=]>|→", ", then ", plain))
    plain = re.sub(r"(?:^|(?<=\s))\d{1,2}[.)]\s+(?=[a-z])", ". ", plain)  # numbers of a list
    plain = re.sub(r"[!?;]|\.(?!\d)", " . ", plain)
    plain = re.sub(r",(?!\d)|:|\(|\)", " , ", plain)
    plain = re.sub(r"(?<=[a-z\d])-(?=[a-z\d])", " ", plain).replace("-", " ")
    words = plain.split()
    for word in words:
        if not _KNOWN.fullmatch(word):
            raise UsageError(f"{one_line(word[:40])!r} is no English word; say something such as 'walk to the tree'")
    joined = " ".join(_with_digits(words))
    for pattern, reply in _COMPILED:
        joined = pattern.sub(reply, joined)
    return [word for word in joined.split() if word not in _DROPPED]


def quoted(words: list[str]) -> str:
    """Words as they are quoted in a message, not too many of them."""
    said = " ".join(words[:8]).replace(" ,", ",").replace(" .", ".").strip(" ,.").replace("-", " ")
    return repr(one_line(said[:60]))


def _with_digits(words: list[str]) -> list[str]:
    """Numbers in words as digits; "one" stays, since it may be a pronoun."""
    found: list[str] = []
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if word in _TENS:
            found.append(str(_TENS[word]))
        elif before in _TENS and 0 < _NUMBERS.get(word, 0) < 10:
            found[-1] = str(_TENS[before] + _NUMBERS[word])
        elif word in _NUMBERS and word != "one":
            found.append(str(_NUMBERS[word]))
        elif word == "half" and found[-1:] == ["a"] and found[-2:-1] == ["and"] and _is_number(found[-3:-2]):
            found[-3:] = [f"{float(found[-3].replace('one', '1')) + 0.5:g}"]
        else:
            found.append(word)
    return found


def _is_number(words: list[str]) -> bool:
    return bool(words) and (words[0] == "one" or words[0].replace(".", "", 1).isdigit())

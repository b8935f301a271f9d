"""Set phrases of places, and the words that patterns of phrases are made of."""

from __future__ import annotations

POSSESSIVES = ("her", "his", "its", "their", "your", "my", "our")

PRONOUN = "(?:she|he|it|they|you|we|i|one|her|him|them)"
OWN = rf"(?:{'|'.join(POSSESSIVES)}|the)"
NUMBER = r"(?:\d+(?:\.\d+)?|an?|one|another)"
NOUN = rf"(?:{OWN}|an?|that|this)"
WHEN = "(?:once|when|as soon as|after|now that)"
MOOD = (
    "sad|sadly|happy|happily|angry|angrily|proud|proudly|nervous|calm|tired|cheerful|gloomy|dejected|miserable|joyful"
    "|furious|anxious|sorrowful|glum|upset|mad|merry|weary|exhausted|scared|frightened|downcast|unhappy|cautious|careful"
)
END = r"(?= [.,]| and| then| while| as| before|$)"

_SURFACE = r"(?:street|road|path|wall|fence|river|hedge|track|corridor|beach|hallway|hall|alley|lane|aisle|shore|canal)"
_GOING = (
    r"(?:walk|run|sneak|go|goes|jog|stroll|march|crawl|limp|skip|move|moving|creep|head|tiptoe|hobble|wander|sprint"
    r"|dash)"
    r"(?:s|es|ning|ing|ling)?(?: \w+ly)?"
)
_SPOT = "(?:spot|place|point|position|location)"

PLACE_PHRASES: tuple[tuple[str, str], ...] = (
    (r"straight (?:ahead|on|forwards?|in front)|dead ahead|onwards?|straight(?= (?:for )?\d)", "forward"),
    (r"straight|directly|immediately|right away|at once", ""),
    (r"(?<!the )(?<!turn )(?<!turns )right(?= (?:over|up|behind|next|past|through|in front|beside|across|onto"
     r"|on top|round|around|by the|by a) )", ""),
    (r"all the way|clear(?= across)", ""),
    (r"round and round|around and around|all (?:a)?round(?! (?:her|him|it|them|you)\b)(?= the| a)", "around"),
    (r"(?:towards?|up to|over to) and (?:reach|reaches|arrive at|arrives at)", "to"),
    (r"in (?:the )?direction of|in direction to", "towards"),
    (r"toward", "towards"),
    (r"as far as|up until|up till|until|till", "until"),
    (r"(head|heads|heading|headed|make|makes|making|set off|sets off|set out|sets out|aim|bound) for(?= (?:the"
     r"|a|her|his) )", "go to"),
    (r"in (?:the|a) (?:row|line)", ""),
    (r"out of|from out of", "out-of"),
    (r"(?:away|off) from", "away-from"),
    (rf"(leave|leaves|leaving) ({NOUN} [a-z ]{{2,24}}?) behind(?: {PRONOUN}| himself| herself)?", r"go away-from \2"),
    (rf"(?:to|at|on|in|into) (?:a |the |some |that )?{_SPOT}(?: (?:that|which) is)?(?: just| right| directly)?"
     r"(?= (?:in front of|behind|beside|next to|under|underneath|beneath|between|near|close to|by the|across from"
     r"|(?:to |on )?(?:the )?(?:left|right)(?: hand)?(?: side)? of))", ""),
    (rf"(?:so|until|till|such|,)?(?: that)? ?{PRONOUN} (?:is|are|stands?|ends? up)(?: standing)?(?= (?:"
     r"(?:to |on |at )?(?:the )?(?:left|right)(?: hand)?(?: side)? of|in front of|behind|beside|next to"
     r"|under|between))", ""),
    (r"(?:to|at|on|round|around|into|up to)?(?: up to)? ?the (?:back|rear|back side|rear side|far side|backside)"
     r"(?: side)? of(?= (?:the|a|that|this|her|his)\b)", "behind"),
    (r"(?:to|at|on|into|up to)? ?the front(?: side)? of(?= (?:the|a|that|this|her|his)\b)|in front of|ahead of",
     "in-front-of"),
    (r"the (?:full |whole |entire )?length of(?= (?:the|a|that) )", "along"),
    (r"(?:up|down|along) along", "along"),
    (r"(?:to|at|on|by) (?:the|one) side of|next to|close to|near to|adjacent to|by the side of|near|besides|close by",
     "beside"),
    (rf"({_GOING}) (?:down|up)(?= (?:the|this|that) {_SURFACE}\b)", r"\1 along"),
    (r"along the side of|in parallel to|parallel to", "along"),
    (rf"({_GOING}) alongside", r"\1 along"),
    (r"alongside", "beside"),
    (r"(?:in|through|into|to|inside) (?:the )?(?:middle|gap|space|passage|opening) (?:between|of)(?= .* and )"
     r"|in between"
     r"|(?:in )?the middle between|midway between|halfway between", "between"),
    (r"from (?:one|1) (?:end|side) of ((?:the|a) [a-z]+) to the other(?: end| side)?", r"across \1"),
    (r"from (?:one|1) (?:end|side) to the other(?: end| side)? of", "across"),
    (r"over(?= (?:the|a|that|this) (?:\w+ )?(?:bridge|street|road|lawn|field|square|plaza|meadow|yard|courtyard)\b)",
     "across"),
    (r"(across (?:the|a) \w+) from (?:one|1) (?:end|side) to (?:the other|another)(?: end| side)?"
     r"|(across (?:the|a) \w+) to (?:the|its) (?:other|far|opposite) side", r"\1\2"),
    (r"(?:on|onto) top of|onto|upon", "on"),
    (r"(?:to|on|at|towards) (?:the|its) (left|right)(?: hand)?(?: side)? of|(left"
     r"|right)(?: hand)?(?: side)? of", r"\1\2-of"),
    (r"to ((?:the|a|her|his) [a-z ]{2,20}?) s (left|right)(?: hand)?(?: side)?", r"\2-of \1"),
    (r"(?:to|at|on|over to) the (?:far|other|opposite) (?:side|end) of", "across"),
    (r"back and forth|up and down|to and fro", "back-and-forth"),
    (r"in (?:a )?circles?", "in-a-circle"),
    (r"in place|on the spot", "on-the-spot"),
    (r"together", ""),
    (r"counter ?clockwise|anti ?clockwise", "to the left"),
    (r"clockwise", "to the right"),
    (rf"(?:to )?(?:back )?(?:to )?(?:{OWN} |where )?(?:the )?(?:(?:very )?(?:start(?:ing)?|original|initial|first|old))"
     rf"(?: (?:place|point|position|spot|location))(?: again)?", "back start"),
    (rf"(?:to |at )?(?:the )?(?:same )?(?:exact )?(?:{_SPOT} )?(?:from )?where(?:ver)?(?! it (?:was|stood|came"
     rf"|is)) (?:{PRONOUN}"
     rf"|the \w+) (?:have |has |"
     rf"had )?(?:first )?(?:start(?:ed|s)?|startet|beg[aiu]n|came|comes|were|was|stood|set)"
     rf"(?: (?:from|off|out|before|standing|earlier|at|in|the|beginning|first|start|originally))*", "back start"),
    (rf"(?:to |at )?the (?:{_SPOT}) (?:that |which )?(?:{PRONOUN}|the \w+) (?:started|began|came|set off"
     rf"|set out) (?:from"
     rf"|at|in)", "back start"),
    (rf"to (?:{OWN}) (?:start|beginning|origin|starting)|(?:to|at) {PRONOUN} start", "back start"),
    (r"(?:again|once more) (?=back start)|back back start|again start", "back start"),
)  # fmt: skip
"""As those of `kinema.instructions.grammar.phrases`."""

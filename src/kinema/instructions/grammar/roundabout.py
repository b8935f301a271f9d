"""Roundabout ways of saying things, such as "that is where he runs" or "use your left hand to wave"."""

from __future__ import annotations

from kinema.instructions.grammar.place_phrases import END, MOOD, NOUN, OWN, PRONOUN, WHEN

_DEED = (
    r"(?:\w+ ){0,2}(?:bow|wave|clap|jump|hop|leap|nod|salute|cheer|dance|spin|twirl|turn|walk|run|jog|stroll|shrug"
    r"|stretch"
    r"|crouch|squat|punch|kick|curtsy|wait|pause|yawn|cough|sneeze|laugh|sit|look|push|pull|throw)s?"
)
_HE = rf"(?:{PRONOUN}|(?:the|our|this) \w+)"
_MUST = r"(?:should|must|has to|have to|needs to|need to|will|shall|is to|is going to|is supposed to)"
_LEAD = (
    r"(?:to|towards?|past|behind|around|round|between|through|across|along|over|under|into|beside|next to"
    r"|in front of)"
)
_TOLD = rf"(?:have|has|make|makes|let|lets|get|gets) {_HE}"

ROUNDABOUT: tuple[tuple[str, str], ...] = (
    (r"(away|off|out|back|steps?|met(?:re|er)s?|camera|filmed|seen|up) form(?= (?:the|a|her|his)\b)", r"\1 from"),
    (rf"(?:pick|haul|pull|push)(s|ing|ed)? (?:himself|herself|itself|themselves|yourself)(?: back)? up(?: (?:off"
     rf"|from) {OWN}"
     r" (?:ground|floor|grass))?(?: again)?", r"stand\1 up"),
    (r"so as to|in order to", "so you"),
    (r"(?:make|makes) (?:it so|sure)(?: that)?|(?:see|sees) to it that|ensure(?: that)?", ""),
    (r"(?:wait(s|ing)? )?(?:until|till) (\d+(?:[.]\d+)? (?:seconds?|secs?|minutes?)) (?:have |has |had |are )?"
     r"(?:gone by|passed|pass|elapsed|over|up)", r"wait\1 for \2"),
    (r",? ?in (?:that|this|the given|exactly that) order", ""),
    (rf"(?:what|all)(?: that)? {_HE} (?:{_MUST} )?(?:do|does)(?: ,)? is(?: to)?", ""),
    (rf"((?:^|[.] |then ){_LEAD} [^.,]+?)(?: ,)?(?: that| this| it)? is where(?= {_HE})", r"\1"),
    (rf"(?:it is|that is) ({_LEAD} (?:(?! that ).)+?) that ({_HE}) (?:{_MUST} )?([a-z]+){END}", r"\2 \3 \1"),
    (rf"it is ({NOUN} [a-z ]+?) that ({_HE}) (?:{_MUST} )?(\w+(?: (?:to|towards|around|behind|past|up|at"
     rf"|away from))?)(?: first)?{END}",
     r"\2 \3 \1"),
    (rf"((?:^|[.] |then |and )+)({NOUN} \w+) is (?:what|the one(?: that)?) ({_HE}) (?:{_MUST} )?"
     rf"(\w+(?: (?:to|towards|around|behind|past|up|at|away from|across|through|over))?){END}", r"\1\3 \4 \2"),
    (rf", which ({_HE}) (?:then )?((?:{_MUST} )?\w+(?: (?:to|towards|around|behind|past|at|away from|across|through"
     r"|over))?)" + END, r", \1 \2 it"),
    (rf"(first|then|next|finally|lastly)(?: there)? comes?(?= (?:an?|\d+) {_DEED}\b)", r"\1 do"),
    (rf"turn(s|ing)? {OWN} head(?: to)?(?: {OWN})? (left|right)(?: side)?(?! (?:tree|car|house|of))", r"look\1 \2"),
    (rf"(nod(?:s|ding)?)(?: {OWN} head)? yes", r"\1"),
    (rf"(shak(?:e|es|ing)) (?:{OWN} )?head no|shak(?:e|es|ing) no", "shake head"),
    (rf"({NOUN} \w+) is where ({_HE}) (?:{_MUST} )?((?:walk|run|go|jog|sprint|sneak|head|crawl|march|limp"
     rf"|skip)\w*)(?: to)?{END}",
     r"\2 \3 to \1"),
    (rf"where ({_HE}) (?:{_MUST} )?(\w+)(?: to)? is ((?:to )?)({_LEAD} [a-z ]+){END}", r"\1 \2 \4"),
    (r"(?:that|this|there) is where", "where"),
    (rf"({_TOLD}) (?:start|begin|open|kick off)(?: off| out)? (?:with|by)", r"start with \1"),
    (rf"(?<!the )(?<!his )(?<!her )(?<!its )(?<!your )(?:starts?|begins?|opens?|starting|beginning"
     rf"|kicks? off)(?: off| out)? with"
     rf"((?: {_TOLD})?)(?= (?:an?|one|\d+) {_DEED}\b)", r"first\1 do"),
    (rf"(?:and )?follow(?:s|ed)? (?:it|this|that) (?:up )?with(?= (?:an?|\d+) {_DEED})", "then do"),
    (rf", (?:with |using )?(?:{OWN} )?(left|right) (?:handed(?:ly)?|hand(?:ed)?)"
     r"(?= , for| for|(?: ,)? (?:and|then)|(?: ,)? \d| [.]|$)", r" with the \1 hand"),
    (r"(?<!then ), for (\d+(?:\.\d+)? (?:seconds?|secs?|s|minutes?))(?=(?: ,)?"
     r" (?:and|then|while|before|with (?:both|the|her|his|your|its)) | [.]"
     r"|$)", r"for \1"),
    (r"(with the (?:left|right) hand) , for", r"\1 for"),
    (rf"(?:uses?|makes? use of) ({OWN} (?:left |right )|both (?:{OWN} )?|{OWN} )(hands?|arms?)"
     r" (?:to|for) ([a-z]+)(?! (?:up|down|the|it)\b)", r"\3 with \1\2"),
    (r"(clap|jump|hop|nod|bow|stamp|stomp|kick|punch|wave)((?:(?:p|d)?ing|s)|(?:s)?(?: (?:her|his|your|its"
     r"|the))? (?:hands|head|feet))"
     r" ,? ?\1 ,? ?\1 ,? ?\1(?! ,? ?\1)", r"\1\2 3 times"),
    (r"((clap|jump|hop|nod|bow|stamp|stomp|kick|punch|wave)((?:(?:p|d)?ing|s)?(?: (?:her|his|your|its"
     r"|the))? (?:hands|head|feet)"
     r"|(?:p|d)?ing|s)) ,? ?\2 ,? ?\2(?! ,? ?\2)", r"\1 2 times"),
    (rf"(?:((?:turn|spin|rotat|swivel|pivot|whirl)\w*)(?: (?:around|round|about))?(?: ,)? )(?:(?:so as )?to |and "
     rf"|so that {PRONOUN} )?"
     r"(?:(?:fac(?:e|es|ing)|look(?:s|ing)?)(?: in| to| towards?)? |to |in )?the (?:opposite|other|reverse) (?:way"
     r"|direction)"
     r"(?: round| around)?", r"\1 around"),
    (r"(?:face|faces) (?:in )?the (?:opposite|other|reverse) (?:way|direction)", "turn around"),
    (r"(?:do|perform|execute|make|pull)(e?s|ing)? an? (180|360)(?: degrees?)?(?: (?:turn"
     r"|spin))?", r"turn \2 degrees"),
    (rf"((?:in|at|to|onto|towards?) )?({OWN}|one|both)(?: own)? (?:hands?|arms?)(?= and then)", r"\1\2 hands"),
    (rf"(?<!head )(?<!face )(?<!chin )in both (?:{OWN} )?hands", "with both hands"),
    (rf"(?<!head )(?<!face )(?<!chin )in(?:to)? (?:{OWN}|one|both|both {OWN}) (?:own )?(?:hands?|arms?)"
     r"(?! (?:of|up|raised|in the air))", ""),
    (r"((?:sneak|creep|tiptoe|prowl|slink|skulk|steal|slip)\w*(?: [a-z-]+){0,6}?) like an? (?:(?:sneaky|quiet|silent"
     r"|careful|stealthy|little|real|secret) )?(?:spy|thief|cat|ninja|mouse|burglar|ghost|shadow|agent|fox)", r"\1"),
    (rf"so (\w+)(?: \w+)? that(?= {_HE})", r"\1 and"),
    (r"(march\w*) like (?:a )?(?:\w+ )?soldiers?", r"\1"),
    (r"like (?:crazy|mad)", ""),
    (rf"(?:{OWN} )?2 hand(?:s|ed)?", "both hands"),
    (rf"{WHEN} {PRONOUN} (?:have |has |had )?(?:done|finished|completed|did|does) (?:that|this|it|so)(?= ,"
     rf"| [a-z])", "then"),
    (r"make(s)? off" + END + "|make(s)? off(?= (?:at|with|in) a)", r"go\1 away"),
    (r"((?:^|[.,] |then |and ))(\d+(?:[.]\d+)? (?:m|metres?|meters?|steps?|paces?|feet)) sideways", r"\1sidestep \2"),
    (rf"((?:close|shut)(?:s|ing)? (?:it|(?:the|that) \w+)) behind (?:her|him|them|you|it|me){END}", r"\1"),
    (rf"(?:on|along) (?:{OWN}) way(?: there| over)?{END}", ""),
    (r"during (?:this|that|it|which)(?! (?:time|whole|entire|walk|run|dance|wave|jump|move|scene|trip|action)\b)"
     r"|in the course of (?:this|that|it)|as (?:this|that|it) happens"
     r"|(?:while|as) (?:this|that) (?:is happening|is going on|goes on|happens)|all the while" + END, "meanwhile"),
    (r"(\d+(?:\.\d+)? (?:seconds?|secs?|minutes?)) (?:have |has |had |are |is |were )?(?:gone by|passed|elapsed"
     r"|gone|over|up|behind \w+)"
     + rf"(?:{END}|(?= {_HE} ))", r"wait for \1"),
    (rf"(?:once|when|as soon as|after) {PRONOUN} (?:is|are)(?: back)?(?: up| standing| upright"
     rf"| on (?:{OWN} )?feet)+(?: again)?(?= ,| (?:she|he|they|you|it|the|i|we)\b)",
     "once stands up"),
    (rf"(?:once|when|as soon as|after) {PRONOUN} (?:is|are|stands?)(?: standing)?(?= (?:behind|next to|beside|past"
     rf""
     r"|in front|near|under|on the (?:left|right)|to the (?:left|right)|through|across|between"
     r"|close)\b)", "once goes"),
    (rf"(?:once|when|as soon as|after) {PRONOUN} (?:is|are|stands?)(?: standing)? (?:at|by)(?= the)", "once reaches"),
    (r"(?:, )?(?:both|each|all)(?: times| of them| ways| the way)? (?:at|with|in) a (?:normal )?walk(?:ing pace)?"
     r"|, (?:both|each|all)(?: times)? (?:on foot|walking)", ""),
    (r"point(s|ing|ed)? out(?: (?:at|to|towards))?(?= (?:the|a|that|this) )", r"point\1 at"),
    (r"(?:farther|further)(?: and (?:farther|further))?(?= away)", ""),
    (r"(?:by|at) its side(?= [.,]| and| then|$)|at the (?:foot|base|side) of it", "beside it"),
    (r"at the (?:foot|base) of(?= (?:the|a) )", "beside"),
    (rf"so(?= (?:{MOOD})\b)", ""),
    (rf"(is|are) ({MOOD}) to be(?= \w+ing )", r"\1 \2"),
)  # fmt: skip
"""As those of `kinema.instructions.grammar.phrases`."""

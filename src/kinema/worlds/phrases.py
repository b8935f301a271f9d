"""Set phrases of instructions and the plain words that they stand for, as patterns over words."""

from __future__ import annotations

POSSESSIVES = ("her", "his", "its", "their", "your", "my", "our")

PRONOUN = "(?:she|he|it|they|you|we|i|one|her|him|them)"
OWN = rf"(?:{'|'.join(POSSESSIVES)}|the)"
_NUMBER = r"(?:\d+(?:\.\d+)?|an?|one|another)"
_NOUN = rf"(?:{OWN}|an?|that|this)"
_CAN = rf"(?:possible|{PRONOUN} (?:possibly )?can|ever)"
_WHEN = "(?:once|when|as soon as|after|now that)"
_END = r"(?= [.,]| and| then| while| as| before|$)"
_MOOD = (
    "sad|sadly|happy|happily|angry|angrily|proud|proudly|nervous|calm|tired|cheerful|gloomy|dejected|miserable|joyful"
    "|furious|anxious|sorrowful|glum|upset|mad|merry|weary|exhausted|scared|frightened|downcast|unhappy|cautious|careful"
)
_FEELING = "joy|care|pride|caution|haste|sorrow|sadness|anger|grief|rage|fury|happiness|calm|fear|energy|gloom"
_EXTENT = r"(?:(?:full|complete|whole|entire|single|big|small|wide|quick|little|more|good|last) )*"

_ORDER: tuple[tuple[str, str], ...] = (
    (r"(?:being )?(?:followed|tracked|trailed) by (?:the|a) camera", "with the camera following"),
    (r"(?:the )?first (?:thing|step|part)(?: (?:is|to do is))?(?: to)?", "first"),
    (rf"what {PRONOUN} (?:would like|want|need|would love|wish)(?: to see)?(?: (?:is|to do is))?(?: for)?", ""),
    (r"after (?:that|this|which|it)(?= [.,]| [a-z])(?! (?:is|has|comes|goes))|after(?:wards?|ward)|thereafter|and then"
     r"|subsequently|later(?: on)?|next up|from there|after doing (?:so|that|this)|having done (?:so|that"
     r"|this)", "then"),
    (r"(?:and )?follow(?:s|ed)? (?:it |this |that )?(?:up )?(?:with|by)", "then"),
    (rf"(?:and )?(?:end|finish|conclude|close|wrap)(?:s|ing)?(?: it| things)?(?: off| up)? (?:by|with)(?: {_NOUN})?",
     "then"),
    (r"(?:in|at) the (?:very )?end|to finish(?: off)?|to end|last of all|at last|lastly|finally|eventually|in closing",
     "then"),
    (r"(?:start|begin|kick)(?:s|ing)?(?: off| out)? (?:by|with)"
     r"|first of all|firstly|to start(?: with| off)?", "first"),
    (r"to begin(?: with)?|at first", "first"),
    (r"secondly|thirdly|fourthly|(?<!the )(?<!her )(?<!his )next(?! to)", "then"),
    (r"comes? first|comes? next|comes? (?:after|last)", ""),
    (rf"(?:once|when|as soon as|upon|on|after) (?:{PRONOUN} )?(?:have |has |had )?(?:get|gets|got|getting|arrives?"
     rf"|arrived|arriving|is|are|reach|reached|reaching)(?: over)? there"
     rf"|(?:once|when|as soon as|upon|on|after) (?:arriv(?:al|ing)|there)", "then"),
    (rf"{_WHEN} {PRONOUN} (?:(?:have |has |had )?arrives?d?|(?:is|are|has|have) (?:done|finished|ready))"
     rf"(?= [.,]| then| she| he| they| let| have| make)", "then"),
    (rf"{_WHEN} (?:(?:{PRONOUN}|that) )?(?:is |are |has |have |being )?(?:done|finish(?:ed|es|ing)|through)"
     rf"(?= with| [a-z]+ing)(?: with)?(?: the)?", "after"),
    (rf"{_WHEN} (?:that|this|it|which)(?: is|has been)? (?:done|over|finished|complete)", "then"),
    (r"as soon as|the moment|the instant|upon|whenever", "once"),
    (r"at the same time as|whilst|all the while|during which|at the same time that|at the same moment as", "while"),
    (rf"(?:as|while|when) {PRONOUN} (?:goes|go|does|do|moves|is doing|is going|are doing)(?: so| it| that| this"
     rf"| along)?"
     + _END, "meanwhile"),
    (r"while doing (?:so|it|this|that)|(?:at|in) (?:the )?same (?:time|moment)|(?<!the )same time|simultaneously"
     r"|in the process|at once|in parallel|concurrently", "meanwhile"),
    (rf"during (?:{_NOUN} )?(?:whole |entire )?(?:dance|dancing|walk|walking|run|running|wave|waving|jump|jumping"
     rf"|movement"
     rf"|move|bow|action|way|crawl|time|turn|climb|trip|whole thing|sequence|jog|march)(?: there)?", "meanwhile"),
    (r"for (?:the|that|this) (?:fall|jump|walk|run|dance|wave|bow|turn|move)" + _END, "meanwhile"),
    (r"(?:for )?(?:the (?:whole|entire) (?:time|way|way through|thing|scene)|all the time|all the way through)"
     r"|throughout"
     r"|from start to finish|the whole time|the entire time|all along(?! the)|during all of (?:it|this)", "throughout"),
    (r"(she|he|they|you|we|i) then", r"then \1"),
    (r"so that|such that", "so"),
    (rf"without (?:slowing down|stopping|pausing|(?:a|any) (?:break|pause|stop))(?: from {OWN} (?:run|walk))?", ""),
)  # fmt: skip

_HOW: tuple[tuple[str, str], ...] = (
    (rf"as (\w+) as {_CAN}", r"\1"),
    (r"(?:as )?(quiet|silent|quick|fast|swift|slow|proud|happy|careful|gentle|calm|sad|light) as an? \w+", r"\1"),
    (r"(?:at|with) (?:a |an )?(?:high|top|full|great|maximum)(?:er)? (?:speed|pace|tilt|power)|flat out|double time"
     r"|on the double|(?<=run )like the wind|(?<=runs )like the wind", "quickly"),
    (r"at (?:a |an )?(?:normal|regular|ordinary|usual|standard|natural) (?:walk|walking pace|pace|speed|tempo)"
     r"|in a normal way|as normal|normally", ""),
    (r"at (?:a |an )?(?:running|run) (?:pace|speed)", "with a run"),
    (r"at (?:a |an )?(?:walking|walk) (?:pace|speed)", "with a walk"),
    (r"at (?:a |an )?(\w+) (?:walking|running) (?:pace|speed)", r"\1"),
    (r"at (?:a |an )?(?:very |really )?(\w+)(?: and (\w+))? (?:pace|speed|tempo|rate)", r"\1"),
    (r"in (?:a |an )?(?:very |really )?(\w+) (?:way|manner|fashion|mood|style|state|pace|tempo|speed)", r"\1"),
    (r"with (?:a )?(slow|quick|fast|careful|light|heavy|brisk|hurried|quiet|silent|soft) (?:steps|step|strides|feet"
     r"|footsteps|pace|speed|movements)", r"\1"),
    (rf"(?:looking|feeling|seeming|appearing|being|acting|all) (?:all |very |so |really |quite )?({_MOOD})", r"\1"),
    (rf"(?:with|wearing) an? ({_MOOD}) (?:face|look|expression|air|heart|mood|feeling)(?: on {OWN} face)?", r"\1"),
    (r"with a heavy heart|in tears|with (?:a hanging head|drooping shoulders|slumped shoulders)"
     rf"|(?:with )?{OWN} (?:head|shoulders) (?:hanging|drooping|slumped|hung low|bowed|down)", "sadly"),
    (rf"(?:full of|in|filled with|out of) (?:great |deep )?({_FEELING})(?= [.,]| and| while| as| to| away"
     rf"|$)", r"with \1"),
    (rf"with (?:great|deep|much|a lot of|lots of|all|some) ({_FEELING})", r"with \1"),
    (r"in slow motion|in slow mo|at a stroll|without (?:any )?(?:hurry|haste|hurrying|rushing)"
     rf"|taking {OWN} time|take {OWN} time|at {OWN} leisure|in no (?:hurry|rush)|not (?:too )?fast", "slowly"),
    (r"in (?:a hurry|haste|a rush)|at a clip", "quickly"),
    (r"in silence|without (?:making )?(?:a|any) (?:sound|noise)|making no (?:sound|noise)", "quietly"),
    (r"(?:take|takes|taking|took) (?!\d)(\w+) (?:steps|strides|paces)(?= (?:to|towards|toward|forwards?|away|along"
     r"|past))", r"walk \1"),
    (rf"shak(?:e|es|ing) it|(?:(?:do|give) )?(?:an? )?shake of {OWN} head", "shake head"),
    (rf"nod of {OWN} head", "nod"),
    (rf"(?:put |puts |throw |throws |with )?(both )?(?:{OWN} |of )?({'arms|hands'}) (?:up|in the air|up in the air"
     rf"|raised)"
     + _END, r"raise \1\2"),
    (rf"(stay|remain|stand|wait)(?:s|ing)? (?:right |exactly )?where {PRONOUN} (?:is|are)", "stay put"),
    (r"(look|looks|looking|glances?|glancing|gazes?|gazing|peers?|peering)(?: all)? (?:around|about|round)"
     r"(?: (?:her|him|them|you|it|me))?" + _END, r"\1 around"),
    (r"(?:take|takes|taking|make|makes|making|hang|hangs|do|does) a (?:sharp |quick )?(left|right)" + _END, r"turn \1"),
    (r"((?:turn|spin|rotat|twirl)\w*)(?: all the way)?(?: around| round)? (?:in )?(?:a |1 |one )?(?:full|complete"
     r"|whole) circle(?: around)?",
     r"\1 360 degrees"),
    (r"most distant|remotest|farthest away|furthest away|farthest off|furthest off", "farthest"),
    (rf"((?:the|a) \w+|she|he) , (?:so |very )?({_MOOD}) ,", r"\1 \2"),
    (rf"(?:the )?camera (?:films|shows|sees|captures|records|watches) (?:{PRONOUN}|the \w+)(?= \w+ing)", ""),
    (r"(turn|turns|turning) back(?= (?:to the |to )?(?:left|right))", r"\1"),
    (r"(?:do|does|doing) some(?= \w+ing)", "go"),
    (rf"((?:crawl|lie|sleep)(?:s|ing)?|lying)( down)? on {OWN} (?:belly|stomach|tummy|back)(?! of)", r"\1\2"),
    (r"cross legged", ""),
    (r"(step)(s|ping)? back" + _END, r"\1\2 backward"),
    (r"turn(s|ing)? and fac(?:e|es|ing)", r"turn\1 to face"),
    (r"(?:walk|go|goe|move|stroll)(?:s|ing)? with (it|them)(?= (?:over |up |across )?(?:to|into|through"
     r"|behind) )", r"carry \1"),
    (r"(?:walk|go|goe|move|stroll)(?:s|ing)? (?:over |up |across )?(to (?:the |a )?\w+(?: \w+)?) with (it|them)" + _END,
     r"carry \2 \1"),
    (r"(?:while )?(?:holding|carrying) (it|them) , (?:walk|go|goe|move)(?:s|ing)?", r"carry \1"),
    (r"(?:go|come)(?:es|s)? and(?= (?:stand|sit|lie|kneel|crouch|touch|pick|get|open|close|look|wait|push|grab|take"
     r"|fetch)s?\b)", ""),
    (r"would you mind|do you mind|would it be possible(?: for)?|is it possible(?: for)?", ""),
    (r"nice and|good and", ""),
    (rf"on (?:{OWN} )?(?:all fours|hands and knees)", "with a crawl"),
    (r"(?:on|by) (?:foot|feet)", ""),
    (r"(?:at|in|with) (?:a |an )?(run|jog|walk|sprint|crawl|march|sneak|limp|skip|trot|stagger)", r"with a \1"),
    (r"(?:at|in) (?:a |an )(\w+) (run|jog|walk|sprint|crawl|march|sneak|limp|skip|trot|stroll)", r"with a \1 \2"),
    (r"(?:on|at) (?:a |the |her |his )?(?:tip ?toes?|toes)", "with a sneak"),
    (r"in reverse|facing backwards?|rearwards?", "backward"),
    (r"power walk(s|ing|ed)?", r"walk\1 quickly"),
    (r"go(?:es)? clap clap", "clap 2 times"),
    (rf"(?:make|makes|making|made|wend|wends|wending|find|finds) (slowly |quickly )?{OWN} way", r"go \1"),
    (r"(?:himself|herself|itself|themselves|yourself|oneself)", ""),
)  # fmt: skip

_HOW_MUCH: tuple[tuple[str, str], ...] = (
    (r"one(?= (?:full |single |complete )?(?:step|pace|metre|meter|second|sec|minute|time|lap|degree|jump|hop|wave"
     r"|bow|nod|clap)s?"
     r"(?: |$))", "1"),
    (r"thrice", "3 times"),
    (r"twice", "2 times"),
    (r"x (\d+)|(\d+) x", r"\1\2 times"),
    (r"(?:one|1|a single) time", "1 times"),
    (r"(?:a )?couple(?: of)?", "2"),
    (r"a few|several", "3"),
    (r"half a dozen", "6"),
    (r"a dozen", "12"),
    (r"half (?:a|an)(?= (?:metre|meter|minute|second|step|kilometre|mile))", "0.5"),
    (r"(?:(?:do|does|make|makes|doing|making) )?(?:half (?:a|an) turn|a half turn|half turn)", "turn 180 degrees"),
    (r"(?:(?:do|does|make|makes|doing|making) )?(?:a )?(45|90|180|270|360) (?:turn|spin|rotation)", r"turn \1 degrees"),
    (r"(?:another|a full|full|an extra)(?= \d)", ""),
    (r"(?:about|around(?! \d+ times)|roughly|approximately|some|exactly|nearly|precisely|full|a total of|a good)"
     r"(?= (?:\d|an? (?:metre|meter|second|minute)))", ""),
    (r"(?:for|over|of) (?:a|the) (?:duration|period|time|total|span|length|distance|space"
     r"|stretch) of(?= [\da])", "for"),
    (r"(?:by|through|at|for)? ?an angle of(?= \d)", ""),
    (r"(?:for|over) (?:the )?(?:next|following|duration of)(?= \d)", "for"),
    (r"((?:^|[.] |then )for \d+(?:\.\d+)? (?:seconds?|secs?|s|minutes?|mins?)) ,", r"\1"),
    (r"(?:during|lasting|over)(?= (?:the )?(?:\d|a |an |one ))", "for"),
    (r"(\d+ (?:seconds?|secs?|minutes?|s)) (?:in total|total|long|worth)(?: of)?", r"\1"),
    (r"let(?:ting)? (\d+ (?:seconds?|secs?|minutes?)) (?:go by|pass|elapse)", r"wait for \1"),
    (r"(\d+ (?:seconds?|secs?|minutes?)) (?:go(?:es)? by|pass(?:es)?|elapses?|passed)", r"wait for \1"),
    (r"(\d+ (?:seconds?|secs?|minutes?)) later|(?:after|in) (\d+ (?:seconds?|secs?|minutes?))(?= [.,])",
     r"then wait for \1\2 then"),
    (r"(?:for )?a (?:little )?(?:bit|while)|a little(?= [.,]| and| then|$)", ""),
    (r"(?:in a row|in succession|one after (?:the other|another)|consecutively)", ""),
    (r"do an? (180|360)(?: degrees?)?(?: (?:turn|spin))?", r"turn \1 degrees"),
    (r"((?:turn|rotat|spin|pivot|swivel)\w*)((?: to(?: the| her| his)?| by)* (?:left|right))?(?: by| through)? (\d+)"
     r"(?! (?:degree|deg|time|second|sec|lap|metre|meter|step|m |s ))(?= |$)(?! \d)", r"\1\2 \3 degrees"),
    (rf"(?:do|does|make|makes|perform|performs)?(?: an?)? (?:about face|about turn|u turn)"
     rf"|turn(s|ing)? (?:{OWN} back|back|backwards)(?: around)?(?= [.,]| and| then| 180|$)", r" turn\1 around"),
    (r"(?:only |just |exactly )?once(?= (?:around|round|only|again|more|with|at|over|in)\b)(?: only| again| more)?"
     r"|(?:exactly|just|only) once|once only|(?<=it )once(?= [.,]|$)|(?<=[a-z] )once(?= then| [.]|$)", "1 times"),
    (rf"(?<!in )({_NUMBER}) {_EXTENT}(?:lap|circuit|tour|loop|circle|round|revolution|trip)s?(?: of| around| round|"
     rf" about)(?= [a-z])", r"\1 laps around"),
    (rf"({_NUMBER}) {_EXTENT}(?:lap|circuit|tour|loop|round)s?" + _END, r"\1 laps"),
    (r"(?:a|an|one|another) laps", "1 laps"),
    (r"(?:complete|completes|completing|do|does|doing|make|makes|making) (?:for )?(\d+ laps)", r"do \1"),
    (r"(go|goes|going|run|runs|running|walk|walks|walking) (?:a )?(?:full )?circle (?:around|round)", r"\1 around"),
    (r"loop(?:s|ing|ed)? (?:around|round)", "go around"),
    (r"(?:keep|keeps|continue|continues|still)(?: on)? (running|walking|sneaking|crawling|marching|limping"
     r"|jogging) and go",
     r"go \1"),
    (r"still(?= [a-z]+ing)", ""),
    (r"by (walking|running|crawling|sneaking|jogging|marching|limping|skipping|tiptoeing)", r"\1"),
)  # fmt: skip

_SURFACE = r"(?:street|road|path|wall|fence|river|hedge|track|corridor|beach|hallway|hall|alley|lane|aisle|shore|canal)"
_GOING = (
    r"(?:walk|run|sneak|go|goes|jog|stroll|march|crawl|limp|skip|move|moving|creep|head|tiptoe|hobble|wander|sprint"
    r"|dash)"
    r"(?:s|es|ning|ing|ling)?(?: \w+ly)?"
)
_SPOT = "(?:spot|place|point|position|location)"

_WHERE: tuple[tuple[str, str], ...] = (
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
    (rf"(leave|leaves|leaving) ({_NOUN} [a-z ]{{2,24}}?) behind(?: {PRONOUN}| himself| herself)?", r"go away-from \2"),
    (rf"(?:to|at|on|into) (?:a |the |some )?{_SPOT}(?= (?:in front of"
     r"|behind|beside|next to|under|between|near|close to|by the))", ""),
    (rf"(?:so|until|till|such|,)?(?: that)? ?{PRONOUN} (?:is|are|stands?|ends? up)(?= (?:in front of|behind|beside"
     rf"|next to"
     rf"|under|between))", ""),
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

_CAMERA: tuple[tuple[str, str], ...] = (
    (r"(?:extreme )?close ?ups?(?: (?:shot|view))?", "closeup"),
    (r"bird s eye(?: view| perspective)?|birds eye(?: view)?|bird s perspective|birds perspective|top down|overhead"
     r"|aerial|drone", "from-above"),
    (r"worm s eye(?: view)?|worms eye(?: view)?", "from-below"),
    (r"first person", "from-front"),
    (r"third person|over the shoulder", "from-behind"),
    (r"(?:is |are |does |do |should )?not (?:move|moving|budge)|without moving|motionless|unmoving|nailed down"
     r"|on (?:a )?tripod|locked (?:off|down)|lock off", "static"),
    (r"(?<=camera )(?:right |exactly )?where it is", "static"),
    (r"(come|comes|coming) (?:over )?here", r"\1 to me"),
    (r"((?:kneel|bow|stand|stop|pose|halt|crouch|sit)(?:s|ing|ping|ting)?(?: down)?)"
     r" before(?= (?:the|a) [a-z]+(?: [.,]| and| then|$))",
     r"\1 in-front-of"),
    (r"field of view|point of view|viewpoint|view point|vantage point|vantage|viewing angle|camera angle", "view"),
    (r"down low|low down|(?:low|close|near|down)?(?: to| beside| at)? (?:the )?(?:ground|floor|knee|ankle) level"
     r"|low (?:to|beside) the (?:ground|floor)|(?<=camera )(?:beside|on) the (?:ground|floor)|(?:from"
     r"|on) the ground up",
     "low"),
    (r"up high|high up|high above|(?<=from )up above", "high"),
    (r"far away(?! from)|far off|from afar|further away|far back", "far"),
    (r"follow cam(?:era)?", "camera follows"),
    (r"orbit cam(?:era)?", "camera circles"),
)  # fmt: skip

PHRASES = (*_ORDER, *_HOW, *_HOW_MUCH, *_WHERE, *_CAMERA)
"""What is replaced, in this order, and by what; a pattern is matched between spaces."""

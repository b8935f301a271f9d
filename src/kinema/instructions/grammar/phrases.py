"""Set phrases of instructions and the plain words that they stand for, as patterns over words."""

from __future__ import annotations

from kinema.instructions.grammar.place_phrases import END, MOOD, NOUN, NUMBER, OWN, PLACE_PHRASES, PRONOUN, WHEN
from kinema.instructions.grammar.roundabout import ROUNDABOUT

_CAN = rf"(?:possible|{PRONOUN} (?:possibly )?can|ever)"
_FEELING = "joy|care|pride|caution|haste|sorrow|sadness|anger|grief|rage|fury|happiness|calm|fear|energy|gloom"
_EXTENT = r"(?:(?:full|complete|whole|entire|single|big|small|wide|quick|little|more|good|last) )*"

_ORDER: tuple[tuple[str, str], ...] = (
    (r"(?:being )?(?:followed|tracked|trailed) by (?:the|a) camera", "with the camera following"),
    (r"(?:the )?first (?:thing|step|part)(?: (?:is|to do is))?(?: to)?", "first"),
    (rf"what {PRONOUN} (?:would like|want|need|would love|wish)(?: to see)?(?: (?:is|to do is))?(?: for)?", ""),
    (r"after (?:that|this|which|it)(?= [.,]| [a-z])(?! (?:is|has|comes|goes))|after(?:wards?|ward)|thereafter"
     r"|and then"
     r"|subsequently|later(?: on)?|next up|from there|after doing (?:so|that|this)|having done (?:so|that"
     r"|this)", "then"),
    (r"(?:and )?follow(?:s|ed)? (?:it |this |that )?(?:up )?(?:with|by)", "then"),
    (rf"(?:and )?(?:end|finish|conclude|close|wrap)(?:s|ing)?(?: it| things)?(?: off| up)? (?:by|with)(?: {NOUN})?",
     "then"),
    (r"(?:in|at) the (?:very )?end|to finish(?: off)?|to end|last of all|at last|lastly|finally|eventually"
     r"|in closing",
     "then"),
    (r"(?<!the )(?<!his )(?<!her )(?<!its )(?<!your )(?:(?:start|begin)(?:s|ing)?(?: off| out)?|kick(?:s|ing)? off)"
     r" (?:by|with)|first of all|firstly|to start(?: with| off)?", "first"),
    (r"to begin(?: with)?|at first", "first"),
    (r"secondly|thirdly|fourthly|(?<!the )(?<!her )(?<!his )next(?! to)", "then"),
    (r"comes? first|comes? next|comes? (?:after|last)", ""),
    (rf"(?:once|when|as soon as|upon|on|after) (?:{PRONOUN} )?(?:have |has |had )?(?:get|gets|got|getting|arrives?"
     rf"|arrived|arriving|is|are|reach|reached|reaching)(?: over)? there"
     rf"|(?:once|when|as soon as|upon|on|after) (?:arriv(?:al|ing)|there)", "then"),
    (rf"{WHEN} {PRONOUN} (?:(?:have |has |had )?arrives?d?|(?:is|are|has|have) (?:done|finished|ready))"
     rf"(?= [.,]| then| she| he| they| let| have| make)", "then"),
    (rf"{WHEN} (?:(?:{PRONOUN}|that) )?(?:is |are |has |have |being )?(?:done|finish(?:ed|es|ing)|through)"
     rf"(?= with| [a-z]+ing)(?: with)?(?: the)?", "after"),
    (rf"{WHEN} (?:that|this|it|which)(?: is|has been)? (?:done|over|finished|complete)", "then"),
    (r"as soon as|the moment|the instant|upon|whenever", "once"),
    (r"at the same time as|whilst|all the while|during which|at the same time that|at the same moment as", "while"),
    (rf"(?:as|while|when) {PRONOUN} (?:goes|go|does|do|moves|is doing|is going|are doing)(?: so| it| that| this"
     rf"| along)?"
     + END, "meanwhile"),
    (r"while doing (?:so|it|this|that)|(?:at|in) (?:the )?same (?:time|moment)|(?<!the )same time|simultaneously"
     r"|in the process|at once|in parallel|concurrently", "meanwhile"),
    (rf"during (?:{NOUN} )?(?:whole |entire )?(?:dance|dancing|walk|walking|run|running|wave|waving|jump|jumping"
     rf"|movement"
     rf"|move|bow|action|way|crawl|time|turn|climb|trip|whole thing|sequence|jog|march)(?: there)?", "meanwhile"),
    (r"for (?:the|that|this) (?:fall|jump|walk|run|dance|wave|bow|turn|move)" + END, "meanwhile"),
    (r"(?:for )?(?:the (?:whole|entire) (?:time|way|way through|thing|scene)|all the time|all the way through)"
     r"|throughout"
     r"|from start to finish|the whole time|the entire time|all along(?! the)|during all of (?:it"
     r"|this)", "throughout"),
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
    (rf"(?:looking|feeling|seeming|appearing|being|acting|all) (?:all |very |so |really |quite )?({MOOD})", r"\1"),
    (rf"(?:with|wearing) an? ({MOOD}) (?:face|look|expression|air|heart|mood|feeling|gait|step|stride|manner"
     rf"|smile)(?: on {OWN} face)?", r"\1"),
    (r"with a heavy heart|in tears|with (?:a hanging head|drooping shoulders|slumped shoulders)"
     rf"|(?:with )?{OWN} (?:head|shoulders) (?:hanging|drooping|slumped|hung low|bowed|down)", "sadly"),
    (rf"(?:full of|in|for|filled with|out of) (?:great |deep )?({_FEELING})(?= [.,]| and| while| as| to| away"
     rf"|$)", r"with \1"),
    (rf"with (?:great|deep|so much|much|a lot of|lots of|all|some) ({_FEELING})", r"with \1"),
    (r"in slow motion|in slow mo|at a stroll|without (?:any )?(?:hurry|haste|hurrying|rushing)(?: at all)?"
     rf"|taking {OWN} time|take {OWN} time|at {OWN} leisure|in no (?:hurry|rush)|not (?:too )?fast", "slowly"),
    (r"in (?:a hurry|haste|a rush)|at a clip", "quickly"),
    (r"in silence|without (?:making )?(?:a|any|much) (?:sound|noise)|(?:making )?no (?:sound|noise)", "quietly"),
    (r"(?:with )?no camera (?:movement|motion|moves?)|without moving the camera|(?:do not|never) move the camera"
     r"|(?:the )?camera (?:never moves|is not moving|(?:does|should|must|shall|will) (?:not|never) move)",
     "the camera stays still"),
    (r"(?:take|takes|taking|took) (?!\d)(\w+) (?:steps|strides|paces)(?= (?:to|towards|toward|forwards?|away|along"
     r"|past))", r"walk \1"),
    (rf"shak(?:e|es|ing) it|(?:(?:do|give) )?(?:an? )?(?:shake of {OWN} head|head ?shakes?)", "shake head"),
    (rf"nod of {OWN} head", "nod"),
    (rf"(?:put |puts |throw |throws |with )?(both )?(?:{OWN} |of )?({'arms|hands'}) (?:up|in the air|up in the air"
     rf"|raised)"
     + END, r"raise \1\2"),
    (rf"(stay|remain|stand|wait)(?:s|ing)? (?:right |exactly )?where {PRONOUN} (?:is|are)", "stay put"),
    (r"(look|looks|looking|glances?|glancing|gazes?|gazing|peers?|peering)(?: all)? (?:around|about|round)"
     r"(?: (?:her|him|them|you|it|me))?" + END, r"\1 around"),
    (r"(?:take|takes|taking|make|makes|making|hang|hangs|do|does) a (?:sharp |quick )?(left"
     r"|right)" + END, r"turn \1"),
    (r"((?:turn|spin|rotat|twirl)\w*)(?: all the way)?(?: around| round)? (?:in )?(?:a |1 |one )?(?:full|complete"
     r"|whole) circle(?: around)?",
     r"\1 360 degrees"),
    (r"most distant|remotest|farthest away|furthest away|farthest off|furthest off", "farthest"),
    (rf"((?:the|a) \w+|she|he) , (?:so |very )?({MOOD}) ,", r"\2 \1"),
    (rf"(?:the )?camera (?:films|shows|sees|captures|records|watches) (?:{PRONOUN}|the \w+)(?= \w+ing)", ""),
    (r"(turn|turns|turning) back(?= (?:to the |to )?(?:left|right))", r"\1"),
    (r"(?:do|does|doing) some(?= \w+ing)", "go"),
    (rf"((?:crawl|lie|sleep)(?:s|ing)?|lying)( down)? on {OWN} (?:belly|stomach|tummy|back)(?! of)", r"\1\2"),
    (r"cross legged", ""),
    (r"(step)(s|ping)? back" + END, r"\1\2 backward"),
    (r"turn(s|ing)? and fac(?:e|es|ing)", r"turn\1 to face"),
    (r"(?:walk|go|goe|move|stroll)(?:s|ing)? with (it|them)(?= (?:over |up |across )?(?:to|into|through"
     r"|behind) )", r"carry \1"),
    (r"(?:walk|go|goe|move|stroll)(?:s|ing)? (?:over |up |across )?(to (?:the |a )?\w+(?: \w+)?) with (it"
     r"|them)" + END,
     r"carry \2 \1"),
    (r"(?:while )?(?:holding|carrying) (it|them) , (?:walk|go|goe|move)(?:s|ing)?", r"carry \1"),
    (r"(?:go|come)(?:es|s)? and(?= (?:stand|sit|lie|kneel|crouch|touch|pick|get|open|close|look|wait|push|grab|take"
     r"|fetch)s?\b)", ""),
    (r"would you mind|do you mind|would it be possible(?: for)?|is it possible(?: for)?", ""),
    (r"nice and|good and", ""),
    (rf"on (?:{OWN} )?(?:all fours|hands and knees)", "with a crawl"),
    (r"(?:on|by) foot", "with a walk"),
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
    (r"(?:(?:do|does|make|makes|doing|making) )?(?:a )?(45|90|180|270|360) (?:turn|spin"
     r"|rotation)", r"turn \1 degrees"),
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
    (r"((?:turn|rotat|spin|pivot|swivel)\w*)(?: around| round| about)?((?: to(?: the| her| his)?| by)* (?:left"
     r"|right))?(?: by| through)?"
     r" (\d+)"
     r"(?! (?:degree|deg|time|second|sec|lap|metre|meter|step|m |s ))(?= |$)(?! \d)", r"\1\2 \3 degrees"),
    (rf"(?:do|does|make|makes|perform|performs)?(?: an?)? (?:about face|about turn|u turn)"
     rf"|turn(s|ing)? (?:{OWN} back|back|backwards)(?: around)?(?= [.,]| and| then| 180|$)", r" turn\1 around"),
    (r"(?:only |just |exactly )?once(?= (?:around|round|only|again|more|with|at|over|in)\b)(?: only| again| more)?"
     r"|(?:exactly|just|only) once|once only|(?<=it )once(?= [.,]|$)|(?<=[a-z] )once(?= then| [.]|$)", "1 times"),
    (rf"(?<!in )({NUMBER}) {_EXTENT}(?:lap|circuit|tour|loop|circle|round|revolution|trip)s?(?: of| around| round|"
     rf" about)(?= [a-z])", r"\1 laps around"),
    (rf"({NUMBER}) {_EXTENT}(?:lap|circuit|tour|loop|round)s?" + END, r"\1 laps"),
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

PHRASES = (*ROUNDABOUT, *_ORDER, *_HOW, *_HOW_MUCH, *PLACE_PHRASES, *_CAMERA)
"""What is replaced, in this order, and by what; a pattern is matched between spaces."""

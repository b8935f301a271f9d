"""Common English words that are no movements, as lists of words separated by spaces."""

from __future__ import annotations

ARTICLE_WORDS = """
    a an the its his her their my our your some
"""
"""Articles and possessives."""

FUNCTION_WORDS = """
    all and any about after ahead along are around as at away before behind below but by can down every few for
    from front full half has her him his home how in into it its left like little low near not nothing off on
    one onto out over own past right short side so some something still that the them then there they this
    through to too top two under until up upon very was way what when where which while who whole why will with
    without you your above across air asleep body both case course dead early ever fast free ground here high
    itself just kind last less longer mad many matter mind more most much never new next now old only other part
    place point quick safe same self sky such than time water well wild world yet
"""
"""Words in phrases of the lexicon that have no inflected forms."""

FILLERS = """
    very really quite rather just also again so too now ever suddenly big small little huge tiny great few more
    slow fast quick hard once twice immediately high tall wide fallen whole entire massive enormous mighty giant
    sudden single good long deep narrow nice final nasty hearty powerful fierce hungry careful cautious wary curious
    one two three several sharp full clear proper strong vicious heavy
"""
"""Words that may stand inside a phrase of the lexicon: "takes a big bite"."""

AUXILIARIES = """
    is are was were be being been will can does do did has have had starts begins then that which who now and ,
    not should may might must would could
"""
"""Words between a subject and its verb."""

UNTOUCHED = """
    attached attaching backend baking barking battery blanks bowing browser browsers casing centered centering
    climbers commented consumer consumers costing decrease decreased decreases decreasing descents drives
    driving facets fasting flexes freeing fright grounds laying liking listener literally literals liters
    matching observer observers posted posting ranked ranking recreated relating resets resetting resolved
    resolves resolving retained retaining reverted rights roasting rooted saying scream scrolling searcher
    seeping served serves serving shallows shopping shouting sifted sifting singing sleepy spanning speaking
    spines splash splashing splice splicing stacking stalled stalling starred startle startled startling stated
    stating strand string strings stripping struct structs surrounding swapping thorough thread threading
    threads toasting trapped trapping treating trending trotter tuning wearing wrestler wrestlers
"""
"""Words that are one letter away from words of movement or from their inflected forms."""

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
    several sharp full clear proper strong vicious heavy
"""
"""Words that may stand inside a phrase of the lexicon: "takes a big bite"."""

AUXILIARIES = """
    is are was were be being been will can does do did has have had starts begins then that which who now and ,
    not should may might must would could
"""
"""Words between a subject and its verb."""

UNTOUCHED = """
    admirer admirers admitting aground albert alright attached attaching backend backyard baiting baking
    banksy banning barking basing batches battery bawling beaches begging beholden beholder bidding binding
    blacked blacks blanks bleached bleaching boasting boeing bonded bonding booing boring bottling bouncer
    bouncers bowing brides browser browsers buckley buttered cahill camper campers casing casper catered
    catering caters cautions centered centering chambers charger chargers charing charming charred charting
    chaser chasers chaste chilli chilly chucking clapper climbers commended commented commenting commerce
    construct constructed constructing constructs consumer consumers costing couches creaking crease creepy
    crises cruiser cruisers crumbled crumbles crumbling crunchy crutches curing cushing daring dating dearth
    deathbed decrease decreased decreases decreasing defected deflated descents destroyer devising diners
    dinesh divers divest downed downing dozens drafting dreading drives driving drunks drying dubbed dubbing
    dunning dyeing examiner examiners facets faltered fastened fastening fasting flagging flattered flattering
    fledgling fleeting fleets flexes fliers flirting flirts flustered fostered fostering freeing freezer
    fright gambled gambling gentiles george georges giggling gilded glazed glazing googling grapes grated
    grating grounds hampered harris hating hikers hobbes hurray infested insert inserted inserting inserts
    invert inverted invested investing killings knicks landings landis laying liking liners listener literally
    literals liters lynching matching medals mediate mediated mediating medicated mingling mining morally
    mosley munich murderer observer observers overheard overheated overheating pandering panning parishes
    patently patrolled patrolling pattern patterned patterning patterns peddling peeing peirce peking pershing
    peters petting piercings piloting pitching planet planets planned planner planning planted planting
    platter poised posted posting postures posturing pounder powdered punchy purses racers racked racking
    ramblings ranked ranking rebelled rebels recreated recreating regained regaining relating relaying
    repelled reposted repressed resets resetting resolved resolves resolving retained retaining retarded
    retelling retiree retirees revels revere revered reverted reverting revolted revolting revolver revolvers
    rewarded rewarding rights roasting rooted rotted rotting rovers rumbling sacked sacking salvage salvaged
    sampler saunders savagery savior saviour savory savoury saying scammed scammer scammers scamming scaring
    scarring scattered scattering scavenger scavengers scooping scored scoring scotus scraper scratchy scream
    screams scrolled scrolling scully searcher searchers seared searing seattle seeping served serves serving
    settler settlers sewers sewing shallows shearing shilling shootings shopping shouting shovel shovels
    showered showering shutters shuttles siding sifted sifting sightings singing sitter sizing slacking sleepy
    slight slimming slinging smearing smuggled smuggling sniping snooping snorted snorting soured sowing
    spamming spanning spared spares sparing sparking sparks sparse speaking spilling spines splash splashing
    splice splicing spouting sprinter sputtering stacking staining staked staking stalled stalling stargate
    starred startle startled startling stated stating stationery steaks stills stingy stinking stirling
    straighten strand strands strapping striker strikers string strings stripping striving stroller struct
    structs strung stuart studded stuttering surrounding sutter swapping swatches swearing sweats tattered
    thorough thread threading threads tickling toasted toasting topped topping tracked tracking trading
    trapped trapping treating trending trotter trusted trusting trusts tuning turing vigilante vigilantes
    wanderer watchers wearing withdrawn withdrew wondered wondering wracking wrestler wrestlers
"""
"""Words that are one letter away from words of movement or from their inflected forms."""


def word_set(table: str) -> frozenset[str]:
    """The words of a table, separated by spaces."""
    return frozenset(table.split())

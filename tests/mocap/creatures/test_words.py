import pytest

from kinema.mocap.creatures.lexicon import ACTIONS
from kinema.mocap.creatures.words import CONCEPTS, concepts_of, explain_unknown, phrases

# Words of everyday English that are no movements.
COMMON = """
    able about above accept across action add after again against age agree air all allow almost alone already
    also although always among amount and animal another answer any anything apple area arm army art article ask
    baby bad bag ball band base basket beach beautiful became because bed been before believe best better
    between big bird black blood blue board boat body bone book both bottle bottom bread bright brother brown
    build business but buy cake call came camera cat cause center certain chair child children choose church
    city class clean clear clever cloud coat cold color common company complete computer contain control cook
    cool corn cost could country course cover cow create cup dance danger dark daughter day dear decide deep
    desert different difficult dirty doctor dog door double doubt dream dress dry dust each ear early earth east
    easy edge egg eight either empty energy enough equal even event every example eye family famous far farm
    father favorite feather feel few field figure fill final find fine finger fire first five floor flower
    follow foot force forest forget fork four fresh friend fruit full funny game garden gave gentle gift girl
    glad glass gold good grass great green group grow guess guide gun hair half hand happen happy hard hat heart
    heat heavy help hill history hole home hope horse hot hour house how hundred hungry idea important inside
    instead iron island job join joy just keep key king kitchen knife know lady lake lamp language large laugh
    law learn letter level library life light line lion list long love luck machine main many map market matter
    maybe mean measure meat medicine member method middle mile milk million mind minute mirror moment money
    monster month moon more morning most mother mountain mouth much music name nation near neck need never new
    news nice night noise north nose note nothing number object ocean offer office often oil old only open
    orange order other outside oven page paint paper parent park part party pattern pay peace pen pencil people
    perfect person phone piano piece place plan plant plate please pocket point poor possible potato power
    present pretty price problem promise question quiet radio rain read ready real reason red remember rich
    river road rock roof room rose round safe salt same sand say school science sea season second secret see
    sell send sentence serious seven several shadow shape share shirt shoe shop shoulder shout silver similar
    simple sing sister six size skin sky small smart smile snow soft soldier some son song soon sorry sound soup
    south space speak special spoon square star state stone story strange street string strong student study
    subject success sugar summer sun sure surprise table tail talk tall teach team tell temperature ten test
    thank their thing think thought thread three throw ticket time tired today together tomorrow tool tooth town
    toy tree trouble true trust twelve type uncle under understand until use usual valley value very village
    visit voice want warm wash weather week weight west wheel when white wife wind window winter wise wish with
    woman wonder wood word work world write wrong year yellow young zero shopping matching thorough sleepy
    driving backend browser listener
"""


def test_concepts_are_the_actions_and_more():
    assert CONCEPTS[: len(ACTIONS)] == ACTIONS
    assert len(CONCEPTS) == len(set(CONCEPTS)) == 13 + 9 + 7 + 2


def test_common_words_mean_nothing():
    words = COMMON.split()
    assert len(words) > 300
    assert {word: concepts_of(word) for word in words if concepts_of(word)} == {}


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        # phrases before words
        ("looks left", "look left"),
        ("turns its head to the right", "look right"),
        ("runs away", "run"),
        ("falls over dead", "die"),
        ("turns around", "turn around"),
        ("It makes a U-turn", "turn around"),
        ("without moving", "idle"),
        ("swims forward", "swim forward"),
        ("charges at the knight", "attack"),
        ("charges forward", "run forward"),
        ("takes a bite of grass", "eat"),
        ("bites", "attack"),
        ("pecks at the ground", "eat"),
        ("pecks at its foe", "attack"),
        ("backs away slowly", "back slow"),
        ("trots backwards", "trot back"),
        ("jumps backwards", "jump"),
        ("turns clockwise", "turn right"),
        ("sneaks up on its prey", "walk sneak"),
        ("crab strafing left", "walk sideways left"),
        ("at top speed the cheetah runs", "fast run"),
        # forms of words, jargon and typing
        ("RAN!", "run"),
        ("it flew", "fly"),
        ("dying", "die"),
        ("has eaten", "eat"),
        ("swam", "swim"),
        ("wolf_run_left", "run left"),
        ("Walk-Forward Loop", "walk forward"),
        ("galopping", "run gallop"),
        ("slithring", "walk"),
        ("  Walks…\n", "walk"),
        ("the horse\u2019s walk", "walk"),
        # weak words give way
        ("stands eating grass", "eat"),
        ("sparrow hopping on the ground, looking for seeds", "walk hop look"),
        ("gallops while turning left and looking around", "run gallop left look"),
        ("stands", "idle"),
        ("moves at a gallop", "run gallop"),
        ("moves", "walk"),
        ("moves through the water", "swim"),
        ("walks in the water", "walk"),
        ("walks and turns left", "walk left"),
        ("stops and sniffs the air", "stop look"),
        ("roars and attacks", "attack"),
        # denial, comparison, reason
        ("does not move", "idle"),
        ("doesn't walk", "idle"),
        ("walks without turning", "walk forward"),
        ("never stops walking", "walk"),
        ("instead of running, it eats", "eat"),
        ("does not run but walks", "walk"),
        ("stops walking", "stop idle"),
        ("runs like a dying swan", "run"),
        ("eats because it wants to jump", "eat"),
        # animals decide
        ("the fish moves fast", "swim fast"),
        ("a shark darts away", "swim fast"),
        ("the sparrow hops", "walk hop"),
        ("the dog hops", "jump hop"),
        ("a snake glides along", "walk"),
        # order of time, no repetition
        ("it eats after walking", "walk eat"),
        ("walk, jump, walk", "walk jump"),
        ("the old grey mare", ""),
        ("der Hund schläft", ""),
    ],
)
def test_texts_have_concepts(text, concepts):
    found = concepts_of(text)
    assert set(found) == set(concepts.split())
    assert [name for name in found if name in ACTIONS] == [name for name in concepts.split() if name in ACTIONS]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("after walking, it eats", ["walking", "eats"]),
        ("before it eats it walks", ["walks", "eats"]),
        ("walks slowly, turns left", ["walks slowly, turns left"]),
        ("walks and looks around", ["walks and looks around"]),
        ("walks forward and jumps", ["walks forward", "jumps"]),
        ("it walks, jumps and dies", ["walks", "jumps", "dies"]),
        ("The old horse walks, then eats.", ["The old horse walks", "old horse eats"]),
        ("After walking, the horse eats", ["horse walking", "the horse eats"]),
        ("a wobblebeast is walking; eating", ["a wobblebeast is walking", "wobblebeast eating"]),
        ("  no movement words ", ["no movement words"]),
        ("", []),
    ],
)
def test_phrases_follow_time_and_keep_the_subject(text, expected):
    assert phrases(text) == expected


def test_phrases_together_say_what_the_text_says():
    text = "Before the tired horse dies it gallops to the left, eats slowly and looks around; finally it jumps"
    parts = phrases(text)
    assert [concepts_of(part) for part in parts][-1] == ("jump",)
    assert {name for part in parts for name in concepts_of(part)} == set(concepts_of(text))


def test_unknown_texts_are_explained_in_one_line():
    message = explain_unknown("das Pferd\nläuft schnell " * 20)
    assert "\n" not in message and "English" in message and "walk" in message
    assert len(message) < 300
    assert "empty" in explain_unknown("  ")


def test_suggested_words_work():
    suggestions = explain_unknown("xyz").split(": ")[-1].split(", ")
    assert all(concepts_of(word) for word in suggestions)

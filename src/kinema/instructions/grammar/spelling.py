"""Typing errors in the words that hold an instruction together: prepositions, directions, units, numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def word_set(text: str) -> set[str]:
    """The words of a text as a set, for tables."""
    return set(text.split())


_RESPELLED = {
    "thru": "through", "til": "until", "untill": "until", "alot": "", "tho": "", "infront": "in front",
    "inbetween": "between", "upto": "up to", "ontop": "on top", "closeby": "near", "cam": "camera",
    "cams": "camera", "pov": "view", "viewpt": "view", "w": "with", "nd": "and", "n": "and", "thn": "then",
    "den": "then", "wiht": "with", "whith": "with", "teh": "the", "hte": "the", "fwd": "forward", "fw": "forward",
    "bwd": "backward", "bkwd": "backward", "togehter": "together", "adn": "and", "tehn": "then", "plz": "please",
    "u": "you", "ur": "your", "gonna": "going to", "wanna": "want to", "startet": "started", "secon": "second",
    "afterward": "afterwards", "whil": "while", "wile": "while", "frm": "from", "abt": "about", "ahed": "ahead",
    "rite": "right", "rigth": "right", "letf": "left", "lef": "left", "hes": "he is", "shes": "she is",
    "theyre": "they are", "im": "i am", "id": "i would", "lets": "let us", "dont": "do not", "doesnt": "does not",
    "cant": "can not", "wont": "will not", "didnt": "did not", "shouldnt": "should not", "nearst": "nearest",
    "turnaround": "turn around", "oder": "order",
}  # fmt: skip
_CLOSED = word_set(
    """about above across after afterwards again ahead along alongside angle around away backward backwards before
    begin beginning behind below beneath beside between camera character circle clockwise close closely closest
    closeup could degree degrees direction distance during eight eighteen eleven every everything farthest
    fifteen fifth fifty first five following forward forwards fourteen fourth front furthest halfway immediately
    inside jumping kindly left meanwhile metre metres meter meters middle minute minutes nearest ninety order orbit
    orbits orbiting original please point position quarter quickly quietly right sadly second seconds seven
    seventh should simultaneously sixth sixty slowly starting started static stationary still straight third
    thirty three times together toward towards twelve twenty twice under underneath until where which while
    whilst within without would happily carefully proudly angrily nervously calmly gently loudly tiredly view
    closer nearer further farther wider lower higher faster slower viewpoint finally afterward waving
    """
)
_OPEN = word_set(
    """forth fro fist fight light night sight tight bight rear round sound ground pound hound bound found mound there
    these those other mother father whale wheel whole white write grass cross stand still stall steel stool
    stone store story third thing think three tree trees tire tires river liver fever never seven eleven lever
    level leaves leave fence bench beach house horse mouse chair stairs table cable castle bottle battle cattle
    kettle statue status gate lamp rock road boat bus box door wall well shed barn bridge fridge fountain
    mountain tower flower power shower water winter summer garden pond lake hill tent bike car truck train plane
    crate chest desk shelf couch sofa bed pillow rug carpet window mirror curtain barrel bucket basket ball doll
    drum piano guitar book lantern candle mailbox hydrant sign post pole pillar column arch alter altar stage
    step steps ladder rope ring sword shield flag banner stall cart wagon sled bush hedge log stump branch cave
    cliff path trail track field yard court porch deck roof floor ceiling corner centre center monument tomb
    grave cross church chapel temple shrine hut cabin cottage castle palace market shop store cafe pier dock
    ship canoe raft island shore sand snow puddle stream creek canal dog cat bird fox bear wolf deer cow pig
    sheep goat duck hen rabbit robot dragon knight wizard king queen prince people person woman women man men
    child kids plate glass cup mug jug vase pot pan stove oven sink bath towel board poster paint panel plant
    planter painting letter parcel package case suitcase bag sack pack crown coin gem key keys lock chain wheel
    engine motor minute fire campfire fireplace smoke stick stake spear bow arrow target shelter stable saddle
    fender hose hoses char tale tuck tack rack plan plans pane pant pants lane self sage stag stars star tone sore wing
    wings swig heel heels widow bride bolder root roots hair curt rate frost fame state states stats
    stat chars timer timers world worlds older printing print clone among alone cane canes tiles tile angel angels metro
    ankle ankles panes caret skill eighth neater among chose untie abound cain starred
    """
)

COMMON_THINGS = word_set(
    """
    alley apple arch balcony ball banner barn barrel basket beach bench bicycle boat book bottle bottom boulder
    box bridge bucket building bush cabin cactus camera campfire candle canoe carpet cart castle cave chair
    chest chimney church cliff column corner cottage couch counter court crate curtain desk dog door doorway
    drum entrance exit fence ferry field flag flower forest fountain fridge garage garden gate grass grave
    ground guitar hedge hill horse house hydrant island kitchen ladder lake lamp lantern letter lighthouse
    mailbox market meadow mirror monument mountain museum office painting palm park path pavement piano pillar
    pillow plane plant playground pond porch puddle river road robot rock roof room school shed shelf shop
    sidewalk sign sofa square stage staircase stairs start station statue stone store stove street suitcase
    swing switch table tent tower track tractor trailer train tree truck tunnel umbrella vase village wagon wall
    water waterfall well wheel window wood yard
    """
)
"""Common things of scenes, of which typing errors are mended."""

OTHER_VERBS = word_set(
    """hide hides hiding hidden ride rides riding drive drives driving drink drinks drinking write writes writing read
    reads reading play plays playing smile smiles smiling wink winks winking tilt tilts tilting smoke smokes
    smoking cook cooks cooking bake bakes baking paint paints painting shoot shoots shooting lock locks locked
    locking loop loops looping fight fights fighting wash washes washing wipe wipes wiping hunt hunts hunting
    call calls calling build builds building break breaks breaking burn burns burning chew chews chewing bite
    bites biting lick licks licking feed feeds feeding fold folds folding hate hates love loves mix mixes mixing
    mend mends mending plant plants planting pour pours pouring rub rubs rubbing scream screams screaming shout
    shouts shouting whisper whistle whistles whistling sell sells show shows showing shake sew sews swear sweep
    sweeps sweeping teach teaches teaching tear tears tie ties tying type types typing wear wears wearing wrap
    wraps wrapping wrestle wrestles bark barks barking howl count counts counting turning seated fish fishes
    fishing hang hangs join joins joining leash loads loading load marry meet meets meeting mark marks match
    matches milk mill pack packs packing park parks parked pass rain rains rests ring rings ringing rock rocks
    sail sails sailing save saves seal seals search shine shines ship shock shop skate skates skating ski skis
    slice smell smells smelling snore snores snoring spit spits split steer steers stir stirs surf tame taste
    tastes tickle train trains trick trust twist vote warn waste water wish wrench flip flips flipping fan fans
    flap flaps flapping
    """
)
"""Verbs that mean nothing here, so that they are not taken for typing errors of others."""


_RIGHT = {*_CLOSED, *_OPEN, *_RESPELLED, *OTHER_VERBS}


def spelled(words: Sequence[str], known: Callable[[str], bool]) -> list[str]:
    """Words with typing errors mended in those that hold a sentence together; others stay, since things have any name.

    Args:
        words: in lower case. known: whether a word is right as it is.
    """
    found: list[str] = []
    for word in words:
        if word in _RESPELLED:
            found += _RESPELLED[word].split()
        else:
            found.append(word if word in _CLOSED or word in _OPEN or known(word) else _nearest(word))
    return found


def with_things(words: Sequence[str], known: Callable[[str], bool]) -> list[str]:
    """Words with typing errors mended in common things alone; for the arguments see `spelled`."""
    return [word if word in _RIGHT or not word.isalpha() or known(word) else _noun(word) or word for word in words]


def _noun(word: str) -> str:
    """The one common thing that a word is or a slip of, with letters swapped, doubled or missing; empty if none."""
    plural = word.endswith("s") and not word.endswith("ss")
    if word in COMMON_THINGS or (plural and word[:-1] in COMMON_THINGS):
        return word
    near = {right for right in COMMON_THINGS if _slipped(word, right)}
    near |= {right + "s" for right in COMMON_THINGS if plural and _slipped(word[:-1], right)}
    return near.pop() if len(near) == 1 else ""


def _slipped(word: str, right: str) -> bool:
    if word[:1] != right[0] or len(word) < 4 or not one_letter_apart(word, right):
        return False
    if len(word) == len(right):
        return sorted(word) == sorted(right) or len(right) > 7
    longer, shorter = (word, right) if len(word) > len(right) else (right, word)
    doubled = any(
        longer[at] == longer[at - 1] and longer[:at] + longer[at + 1 :] == shorter for at in range(1, len(longer))
    )
    return doubled or (len(word) < len(right) and len(right) > 4)


def one_letter_apart(one: str, other: str) -> bool:
    """Whether two words differ in one letter that is wrong, missing or added, or in two that are swapped."""
    if abs(len(one) - len(other)) > 1:
        return False
    at = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    first, second = one[at:], other[at:]
    swapped = first[:2] == second[:2][::-1] and first[2:] == second[2:]
    return swapped or first[1:] == second[1:] or first[1:] == second or first == second[1:]


def _nearest(word: str) -> str:
    if not word.isascii() or not word.isalpha() or word in OTHER_VERBS:
        return word
    if (noun := _noun(word)) or len(word) < 5:
        return noun or word
    near = {right for right in _CLOSED if right[0] == word[0] and len(right) > 4 and one_letter_apart(word, right)}
    near = {right for right in near if right + "s" != word or right in ("toward", "afterward", "forward", "backward")}
    return near.pop() if len(near) == 1 else word

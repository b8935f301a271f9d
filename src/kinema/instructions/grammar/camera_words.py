"""Reads what the camera does from the words of a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from kinema.instructions.grammar.amounts import read_amount, read_manner
from kinema.instructions.grammar.noun_phrases import read_thing
from kinema.instructions.grammar.place_phrases import POSSESSIVES
from kinema.instructions.grammar.verbs import form_of, word_set
from kinema.instructions.grammar.words import Words
from kinema.instructions.programme import CameraMove, Thing

PEOPLE = word_set(
    "character characters person people man woman guy girl boy lady kid child figure avatar hero heroine dancer "
    "robot fox "
    "dog cat soldier knight subject actor actress player creature human someone everyone fellow gentleman princess "
    "prince "
    "king queen monster dragon baby protagonist mannequin puppet dude bloke lad toddler teenager npc model char "
    "performer runner walker"
)
"""Nouns that are taken for the character."""

_PRONOUNS = {"her", "him", "them", "she", "he", "they", "you", "me"}
_NOUNS = word_set("camera cameras cam shot shots view angle lens footage video cameraman frame framing viewer")
_FILMING = word_set("film films filmed filming shoot shoots shooting record records recorded recording seen viewed "
                    "captured capture capturing captures shown framed")  # fmt: skip
_ZOOM = word_set("zoom zooms zooming zoomed dolly dollies dollying")
_FOLLOW = word_set("follow follows following track tracks tracking tracked trail trails trailing followed chase chases "
                   "chasing accompany accompanies accompanying")  # fmt: skip
_CIRCLE = word_set("circle circles circling orbit orbits orbiting orbital rotate rotates rotating revolve revolves "
                   "revolving in-a-circle spin spins spinning circled arc arcs arcing swirl swirls swirling "
                   "circular")  # fmt: skip
_STILL = word_set("still static fixed stationary locked lock steady immobile put on-the-spot unmoved planted frozen "
                  "parked mounted")  # fmt: skip
_PAN = word_set("pan pans panning panned")
_SWING = word_set("turn turns turning swing swings swinging swivel swivels swivelling swiveling sweep sweeps sweeping")
_PUSH, _PULL = word_set("push pushes pushing closes closing"), word_set("pull pulls pulling back backs backing")
_VIEWS: Mapping[str, str] = {
    "above": "above", "from-above": "above", "top": "above", "high": "above", "higher": "above", "below": "below",
    "beneath": "below", "underneath": "below", "from-below": "below", "low": "below", "lower": "below",
    "behind": "behind", "back": "behind", "rear": "behind", "from-behind": "behind", "front": "front",
    "in-front-of": "front", "forward": "front",
    "from-front": "front", "side": "side", "beside": "side", "left": "side", "right": "side", "profile": "side",
    "sideways": "side", "lateral": "side",
}  # fmt: skip
_FRAMINGS = {"closeup": "close", "close": "close", "tight": "close", "closely": "close", "tightly": "close",
             "wide": "wide", "long": "wide", "distance": "wide", "far": "wide", "afar": "wide", "distant": "wide",
             "establishing": "wide", "wider": "wide"}  # fmt: skip
_LOOKING = word_set("look looks looking point points pointing pointed focus focuses focusing focused aim aims aiming")
_TRAVEL = word_set("goes go going moves move moving travels travel travelling traveling flies fly flying runs run "
                   "running "
                   "walks walk walking glides gliding circling drifts drifting") | _SWING  # fmt: skip
_KEEPING = word_set(
    "keep hold cut cuts switch put place set have make let get use move position point try leave want give do"
)
_FILLERS = word_set(
    "the a an with in is are be being been stays stay staying remain remains remaining keeps keeping holds holding "
    "held along across away by standing stands stood sits sitting sit should can must will would we it this "
    "everything that "
    "scene action face "
    "whole body to of on at around round about from down up angle view "
    "perspective position positions spot place level point looks look looking shows show showing over see so watch "
    "watches "
    "watching throughout positioned placed located set mounted meanwhile all only out closer nearer camera meanwhile "
    "their eyes taking us using starts starting slung facing"
)
_STARTS = _NOUNS | _FILMING | _ZOOM | _FOLLOW | _CIRCLE | _PAN | _KEEPING | set(_VIEWS) | set(_FRAMINGS) | _STILL
_STARTS |= {"the", "a", "an", "with", "in", "we", "it", "this", "everything", "from", "look", "show", "watch", "see"}
_STARTS |= {"using", "only", "at", "moving", "going"} | (_PULL - {"back", "backs"}) | _PUSH
_STARTS -= {"back", "left", "right", "behind", "in-front-of", "beside", "far", "long", "below", "beneath", "underneath",
            "forward", "sideways", "do", "want", "spin", "spins", "spinning", "parked"}  # fmt: skip
_ALL = (
    _NOUNS | _FILMING | _ZOOM | _FOLLOW | _CIRCLE | _PAN | _STILL | _KEEPING | _TRAVEL | _FILLERS | _PRONOUNS | PEOPLE
)
_ALL |= set(_VIEWS) | set(_FRAMINGS) | set(POSSESSIVES) | _PUSH | _PULL | _LOOKING
_AIMING = {"on", "of", "around", "round", "at", "in", "out", "to", "towards"} | _FOLLOW | _CIRCLE | _FILMING


def read_camera(words: Words, filming: bool = False) -> tuple[CameraMove, bool] | None:
    """What the camera does, and whether it does so throughout; None if the next words do not speak of a camera.

    Args:
        filming: whether the clause before was of the camera, so that this one need not name it.
    """
    return words.attempt(lambda: _read_camera(words, filming))


def _read_camera(words: Words, filming: bool) -> tuple[CameraMove, bool] | None:
    start = words.at
    manner: list[str] = []
    seconds, times, thing = None, 1, None
    mentioned = words.mentioned
    while word := words.peek():
        said = read_manner(words) if word not in _ALL else None
        if said:
            manner.append(said)
            continue
        amount = read_amount(words)
        if amount is not None:
            if amount[0] in ("metres", "steps", "degrees") and amount != ("degrees", 360.0):
                return None  # cameras have no amounts of these
            seconds = amount[1] if amount[0] == "seconds" else seconds
            times = int(amount[1]) if amount[0] in ("times", "laps") else times
            continue
        if words.at == start + len(manner) and word not in _STARTS:
            return None
        if word not in _ALL:
            break
        before = words.words[words.at - 1] if words.at > start else ""
        if word in _TRAVEL and before in PEOPLE | _PRONOUNS and words.at - start >= 2:
            break  # "a view of the man walking"
        if word == "with" and words.words[start] in ("look", "watch", "see") and words.at > start:
            break
        if word == "camera" and words.words[words.at - 1 : words.at] == ["to"]:
            return None
        words.at += 1
        if word in _AIMING and thing is None:
            thing = _aim(words)
    heard = words.words[start : words.at]
    while heard and heard[-1] in ("to", "so", "of", "with"):  # they begin what follows
        heard.pop()
        words.at -= 1
    move = _interpreted(heard, thing)
    it = (words.mentioned or Thing("")).name == "camera" and (
        heard[:1] == ["it"] or words.words[start - 1 : start] == ["which"]
    )
    goes_on = filming and bool(heard) and _is_participle(heard[0]) and words.words[words.at - 1 : words.at] != ["the"]
    if move is None or not (it or goes_on or _speaks_of_a_camera(heard, thing)):
        words.mentioned = mentioned
        return None
    words.mentioned = mentioned if mentioned and mentioned.name != "camera" else thing or Thing("camera")
    side = next((word for word in reversed(heard) if word in ("left", "right")), "") if move[0] == "pan" else ""
    step = CameraMove(tuple(manner), seconds, times, False, *move, thing, side)
    return step, "throughout" in heard


def _is_participle(word: str) -> bool:
    return word.endswith("ing") and word in _FOLLOW | _CIRCLE | _PAN | _PUSH | _PULL | _TRAVEL


def _aim(words: Words) -> Thing | None:
    """The thing that follows, if it is not the character and no word about cameras."""
    mentioned = words.mentioned

    def read() -> Thing | None:
        determined = words.peek() in ("the", "a", "an", "that", "this")
        noun = words.peek(1) if determined else words.peek()
        if not determined or noun in _ALL - {"left", "right"} or not noun or (form_of(noun) or ("", ""))[1] == "ing":
            return None
        found = read_thing(words, False)
        return None if found is None or found.name.split()[-1] in _ALL else found

    found = words.attempt(read)
    words.mentioned = mentioned
    return found


def _speaks_of_a_camera(heard: list[str], thing: Thing | None) -> bool:
    said = set(heard)
    if said & (_NOUNS | _FILMING | _ZOOM | {"closeup", "from-above", "from-below", "from-behind", "from-front"}) - {
        "video"
    }:
        moved = heard[0] in (_FOLLOW | _CIRCLE | {"move", "point"}) and "camera" in heard
        return (
            not moved
            or heard[1:3] in (["the", "camera"], ["with", "the"])
            or heard[1] == "camera"
            or bool(said & _PRONOUNS)
            or (bool(said & PEOPLE) and thing is None and heard[-3:-1] == ["with", "the"])
        )
    if any(before == "from" and after in _VIEWS for before, after in zip(heard, [*heard[1:], ""], strict=True)):
        return True
    if "from" in said and said & {"front", "side", "top", "distance"}:
        return True
    if heard[0] in _PAN:
        return True
    of_character = bool(said & (_PRONOUNS | PEOPLE)) and thing is None
    if heard[0] in ("orbit", "orbits", "orbiting") and thing is not None:
        return True
    return heard[0] in (_FOLLOW | _CIRCLE) - {"following"} and of_character


def _interpreted(heard: list[str], thing: Thing | None) -> tuple[str, str, str] | None:
    """Move, view and framing; None if there is none of them."""
    said = set(heard)
    moves = said & _TRAVEL
    if said & _ZOOM:
        move = "zoom out" if said & {"out", "away", "back"} else "zoom in"
    elif said & _PUSH and said & {"in", "on"} and "out" not in said and not said & _FOLLOW:
        move = "zoom in"
    elif (said & _PULL and said & {"out", "away"}) or said & {"pull", "pulls", "pulling", "backs", "backing"}:
        return "zoom out", "", ""
    elif said & _FOLLOW:
        move = "follow"
    elif said & _CIRCLE or (moves and said & {"around", "round"}):
        move = "circle"
    elif said & (_STILL - {"put"}) or heard[-2:] in (["stays", "put"], ["stay", "put"], ["staying", "put"]):
        move = "static"
    elif said & _PAN or (said & _SWING and said & {"left", "right"}):
        move = "pan"
    elif moves and said & {"along", "after", "with"} & set(heard[heard.index(min(moves, key=heard.index)) :]):
        move = "follow"
    elif moves and said & {"closer", "nearer", "in"}:
        move = "zoom in"
    elif moves and said & {"away", "back", "out"}:
        return "zoom out", "", ""
    else:
        move = ""
    views = [_VIEWS[word] for word in heard if word in _VIEWS and not (word == "back" and said & _ZOOM)]
    if said & _LOOKING and said & {"down", "up"} and not views:
        views = ["above" if "down" in said else "below"]  # "the camera looks down on her"
    framings = [_FRAMINGS[word] for word in heard if word in _FRAMINGS]
    sideways = said & {"left", "right"}
    if (len(sideways) > 1 and move != "pan") or (move == "follow" and sideways and not said & {"side", "from"}):
        return None  # a camera that travels sideways
    if move != "pan" and len(set(views)) > 1:
        return None
    if move == "pan":
        views = [view for view in views if view != "side"]
    if not move and not views and not framings and not (thing and said & _NOUNS and said & (_FILMING | _LOOKING)):
        return None
    return move, (views or [""])[0], (framings or [""])[0]

"""Reads movements as those that a body can do: fish swim where others walk, dragons fly among clouds."""

from __future__ import annotations

from dataclasses import replace

from kinema.mocap.creatures.abilities import Abilities
from kinema.mocap.creatures.reading import Hit, Token

_PLACE, _FAINT = 2, 4
# What comes nearest to an action that a body cannot do, the best first; every body can idle.
_NEAREST: dict[str, tuple[str, ...]] = {
    "walk": ("swim", "fly"),
    "run": ("swim", "walk"),
    "turn": ("walk", "swim"),
    "back": ("walk", "swim"),
    "jump": ("swim", "walk"),
    "fly": ("swim", "run", "walk"),
    "glide": ("swim", "walk"),
    "swim": ("walk",),
}
_GROUND = frozenset({"walk", "run"})
_HOVERING = frozenset({"hover", "levitate"})
# Words for moving without effort, which is swimming for who swims and gliding for who flies.
_DRIFTING = frozenset({"float", "drift", "cruise", "dive", "coast", "sail", "stay", "wave"})
_OVER = frozenset({"over", "across", "onto", "above", "from"})
_ALOFT = frozenset({"up"})


def fitted(tokens: list[Token], hits: list[Hit], body: Abilities) -> list[Hit]:
    """Hits with actions that a body can do."""
    wet = any(hit.action == "swim" and hit.weakness == _PLACE for hit in hits)
    near = [_nearest(tokens, hit, body, wet) for hit in _without_landings(hits)]
    if body.flies:
        near = _in_air(near)
    return near


def _without_landings(hits: list[Hit]) -> list[Hit]:
    """A landing ends a jump, so it is no flight of its own."""
    jumps = [hit.first for hit in hits if hit.action == "jump"]
    return [
        replace(hit, weakness=_FAINT)
        if jumps and jumps[0] < hit.first and hit.action == "fly" and "down" in hit.concepts
        else hit
        for hit in hits
    ]


def _nearest(tokens: list[Token], hit: Hit, body: Abilities, wet: bool) -> Hit:
    if hit.action is None or hit.action in body.actions:
        return hit
    if hit.weakness == _PLACE:
        return _place(hit, body)
    word = tokens[hit.first].base
    if word in _HOVERING:
        return _as(hit, "idle")
    if hit.action == "swim" and body.flies and word in _DRIFTING and not wet:
        return _as(hit, "glide")
    if hit.action in ("fly", "glide") and "down" in hit.concepts and hit.weakness:
        return replace(hit, weakness=_FAINT)
    after = tokens[hit.last + 1].text if hit.last + 1 < len(tokens) else tokens[hit.last].text
    if (
        hit.action in ("fly", "glide")
        and "jump" in body.actions
        and (after in _OVER or "over" in tokens[hit.last].text)
    ):
        return _as(hit, "jump")
    return _as(hit, next((action for action in _NEAREST.get(hit.action, ()) if action in body.actions), "idle"))


def _place(hit: Hit, body: Abilities) -> Hit:
    """Who cannot fly is in the air for a jump; who cannot swim may walk in the water."""
    if hit.action == "fly" and "jump" in body.actions:
        return replace(_as(hit, "jump"), weakness=_FAINT)
    others = tuple(name for name in hit.concepts if name != hit.action)
    return replace(hit, concepts=others, action=None, weakness=0)


def _in_air(hits: list[Hit]) -> list[Hit]:
    """Who flies travels in the air where the air or wings are spoken of."""
    wings = [hit.action for hit in hits if hit.beside and hit.action in ("fly", "glide")]
    air = any(hit.action in ("fly", "glide") and hit.weakness == _PLACE for hit in hits)
    if not wings and not air:
        return hits
    up = air or any(hit.action in ("fly", "glide") and not hit.beside for hit in hits)
    return [_aloft(hit, wings[0] if wings else None, air, up) for hit in hits]


def _aloft(hit: Hit, wings: str | None, air: bool, up: bool) -> Hit:
    if hit.action in ("fly", "glide") and wings:
        return _as(hit, wings)
    if hit.action in _GROUND and (air or wings == "fly" or hit.weakness):
        return replace(_as(hit, wings or "fly"), weakness=0 if hit.weakness == 3 else hit.weakness)
    if hit.action == "idle" and (hit.weakness == _FAINT or (wings and up)):
        return _as(hit, wings or "fly")
    return hit


def _as(hit: Hit, action: str) -> Hit:
    """The same with another action; fish and birds have no gaits."""
    return replace(hit, action=action, concepts=tuple(action if name == hit.action else name for name in hit.concepts))


def travel_of(names: list[str], body: Abilities) -> str | None:
    """The action of a phrase that says only how or where to: "forward", "quickly upwards", "to the left"."""
    if not names:
        return None
    if set(names) <= {"left", "right", "around"} and "turn" in body.actions:
        return "turn"
    if body.flies and not _ALOFT.isdisjoint(names):
        return "fly"
    fast = ("run",) if "fast" in names else ()
    return next((action for action in (*fast, "swim", "walk") if action in body.actions), None)

"""What a body can do."""

from __future__ import annotations

from kinema.mocap.creatures.acts import ACTIONS
from kinema.mocap.creatures.kinds import Kind

_NEVER = {
    "swim": {"walk", "run", "back", "jump", "fly", "glide"},
    "crawl": {"back", "jump", "fly", "glide", "swim"},
    "train": {"back", "jump", "fly", "glide", "swim"},
    "legs": set(),
}


def actions_of(kind: Kind) -> tuple[str, ...]:
    """The kinds of act that a body can do, in the order of `ACTIONS`."""
    never = set(_NEVER[kind.medium])
    if not kind.flies:
        never |= {"fly", "glide"}
    if kind.body.hovers:
        never.add("jump")
    if kind.plan == "tentacled":
        never |= {"run", "jump"}
    elif kind.medium != "swim":
        never.add("swim")
    return tuple(action for action in ACTIONS if action not in never)

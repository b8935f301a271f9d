"""Trees of nodes, as scene files have them: orders, ancestors, roles and unique names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kinema.roles.model import PARTS


def preorder(roots: Sequence[int], children: Sequence[Sequence[int]]) -> list[int]:
    """The nodes below some roots, each before its children; nodes in a circle are not reached."""
    order: list[int] = []
    stack = list(roots[::-1])
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(children[node]))
    return order


def with_ancestors(parents: Sequence[int], nodes: Iterable[int]) -> set[int]:
    """Some nodes and all above them; roots have the parent -1."""
    found: set[int] = set()
    for node in nodes:
        while node >= 0 and node not in found:
            found.add(node)
            node = parents[node]
    return found


def roles(stated: Mapping[str, object]) -> dict[str, str]:
    """The roles that exist, by joint name, out of what a file states."""
    parts = {name: str(role).removeprefix("left_").removeprefix("right_") for name, role in stated.items()}
    return {name: str(role) for name, role in stated.items() if role and parts[name] in PARTS}


def roots(parents: Sequence[int], order: Iterable[int]) -> list[int]:
    """The topmost node above each; `order` has parents first."""
    found = list(range(len(parents)))
    for node in order:
        if parents[node] >= 0:
            found[node] = found[parents[node]]
    return found


def numbered(name: str, taken: set[str], first: int = 2) -> str:
    """A name that is not taken, with a number if it has to (`hand_2`); from now on it is taken."""
    unique, number = name, first
    while unique in taken:
        unique, number = f"{name}_{number}", number + 1
    taken.add(unique)
    return unique


def unique_names(names: Sequence[str], separator: str = ".", first: int = 1) -> list[str]:
    """The same names, repeated ones numbered (`hand`, `hand.1`) and empty ones replaced (`node_3`)."""
    taken = set(names)
    used: set[str] = set()
    counters: dict[str, int] = {}
    result = []
    for index, given in enumerate(names):
        name = base = given or f"node_{index}"
        while name in used or (name != given and name in taken):
            counters[base] = counters.get(base, first - 1) + 1
            name = f"{base}{separator}{counters[base]}"
        used.add(name)
        result.append(name)
    return result

"""Trees of nodes, as scene files have them: an order, and names that tell nodes apart."""

from __future__ import annotations

from collections.abc import Sequence


def preorder(roots: Sequence[int], children: Sequence[Sequence[int]]) -> list[int]:
    """The nodes below some roots, each before its children; nodes in a circle are not reached."""
    order: list[int] = []
    stack = list(roots[::-1])
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(children[node]))
    return order


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

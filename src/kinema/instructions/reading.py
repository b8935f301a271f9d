"""Reads instructions in plain English, such as "walk to the tree, wave, then run back", as programmes."""

from __future__ import annotations

from kinema.instructions.grammar.reader import parse
from kinema.instructions.programme import Programme


def read_instructions(text: str) -> Programme:
    """What a text in plain English asks for.

    Clauses follow each other with commas, "and", "then", "before" and "after"; "while", "as" and participles ("walk to
    the tree, waving") let them go along with each other. A camera clause without "then" goes along with
    the step before it. Things may have any name: the scene decides whether it has them.

    Args:
        text: such as "sneak around the car and sit down while the camera circles"; at most 2000 characters.

    Raises:
        UsageError: something is not understood, is denied, contradicts itself or leaves a choice; it is quoted.
    """
    return parse(text)

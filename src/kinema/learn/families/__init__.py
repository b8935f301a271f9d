"""The registry of families: to add one, copy `autoencoder.py` and add one line to `FAMILIES`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

from kinema.errors import LearningError

if TYPE_CHECKING:
    from kinema.learn.model import Family

FAMILIES: dict[str, str] = {
    "autoencoder": "poses through a bottleneck and back: how little describes a movement",
    "sequence": "the next half second of pose and path from the present pose and the path wanted",
}
"""Module in this folder: what it learns."""


def family(name: str) -> Family:
    """A family by name.

    Raises:
        LearningError: there is no such family; the message lists those there are.
    """
    if name not in FAMILIES:
        raise LearningError(f"no family is named {name!r}; the families are: {', '.join(FAMILIES)}")
    return cast("Family", importlib.import_module(f"kinema.learn.families.{name}"))

"""Kinema: motion files in; a character that obeys you out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kinema.character import Character
from kinema.errors import KinemaError
from kinema.motion import Motion
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.formats import Asset, load, load_character, load_motion, save

__version__ = "0.1.0"
__all__ = [
    "Asset",
    "Character",
    "KinemaError",
    "Motion",
    "Skeleton",
    "__version__",
    "load",
    "load_character",
    "load_motion",
    "save",
]

_FORMATS = {"Asset", "load", "load_character", "load_motion", "save"}


def __getattr__(name: str) -> Any:
    # Formats load on first use, so that importing the package stays fast.
    if name in _FORMATS:
        return getattr(import_module("kinema.formats"), name)
    raise AttributeError(f"module 'kinema' has no attribute {name!r}")

"""usd-core's modules. Its type stubs lack most of its classes, so to the type checker they are anything.

Imported in the sandbox and by the writer only; `import kinema` must not load it.
"""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return importlib.import_module(f"pxr.{name}")

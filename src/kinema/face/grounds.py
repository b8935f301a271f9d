"""What functions take as a terrain."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kinema.terrain import Ground


def open_terrain(terrain: Ground | str | os.PathLike[str] | None) -> Ground | None:
    """A ground as it is, or by its name or from a file with the defaults of `kinema.terrain.open_ground`."""
    if not isinstance(terrain, str | os.PathLike):
        return terrain
    from kinema.terrain import open_ground

    return open_ground(terrain)

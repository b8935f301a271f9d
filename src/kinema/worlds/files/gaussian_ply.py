"""Scenes in PLY files with the names of B. Kerbl et al., "3D Gaussian Splatting", 2023, which most programs write."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Singles
from kinema.errors import FormatError, listed
from kinema.worlds.files import ply
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.harmonics import DEGREES

_MEANS, _NORMALS = ("x", "y", "z"), ("nx", "ny", "nz")
_COLOUR = ("f_dc_0", "f_dc_1", "f_dc_2")
_SCALES, _ROTATIONS = ("scale_0", "scale_1", "scale_2"), ("rot_0", "rot_1", "rot_2", "rot_3")
_NEEDED = (*_MEANS, *_COLOUR, "opacity", *_SCALES, *_ROTATIONS)


def decode(tables: ply.Tables) -> GaussianScene:
    """The scene of a file's tables, in the axes of the file.

    Raises:
        FormatError: a property is missing, or the colours are of no degree that there is.
    """
    table = tables.get("vertex")
    fields = () if table is None else table.dtype.names or ()
    missing = [name for name in _NEEDED if name not in fields]
    if table is None or missing:
        what = "a mesh or a cloud of points" if len(missing) > 3 else "incomplete"
        raise FormatError(f"is no Gaussian scene but {what}: it has no {listed(missing, 3) or 'vertices'}")
    if not len(table):
        raise FormatError("has no Gaussians")
    rest = sum(name.startswith("f_rest_") for name in fields)
    if rest % 3 or rest // 3 + 1 not in DEGREES:
        raise FormatError(f"has {rest} properties f_rest; degrees 0 to 3 have 0, 9, 24 or 45")
    names = [f"f_rest_{number}" for number in range(rest)]
    if any(name not in fields for name in names):
        raise FormatError("has properties f_rest that are not numbered from 0 on")
    higher = _columns(table, names).reshape(len(table), 3, -1).transpose(0, 2, 1)
    return GaussianScene(
        _columns(table, _MEANS),
        _columns(table, _ROTATIONS),
        _columns(table, _SCALES),
        _columns(table, ("opacity",))[:, 0],
        np.concatenate([_columns(table, _COLOUR)[:, None], higher], axis=1),
    )


def encode(scene: GaussianScene) -> list[bytes]:
    """The pieces of a file of a scene in the axes of the file."""
    higher = scene.harmonics[:, 1:].transpose(0, 2, 1).reshape(len(scene), -1)
    columns = {
        **dict(zip(_MEANS, scene.means.T, strict=True)),
        **dict.fromkeys(_NORMALS, np.zeros(len(scene), np.float32)),
        **dict(zip(_COLOUR, scene.harmonics[:, 0].T, strict=True)),
        **{f"f_rest_{number}": column for number, column in enumerate(higher.T)},
        "opacity": scene.logits,
        **dict(zip(_SCALES, scene.log_scales.T, strict=True)),
        **dict(zip(_ROTATIONS, scene.quaternions.T, strict=True)),
    }
    table = np.empty(len(scene), [(name, "<f4") for name in columns])
    for name, column in columns.items():
        table[name] = column
    return ply.write({"vertex": table})


def _columns(table: NDArray[np.void], names: list[str] | tuple[str, ...]) -> Singles:
    out = np.empty((len(table), len(names)), np.float32)
    for column, name in enumerate(names):
        out[:, column] = table[name]
    return out

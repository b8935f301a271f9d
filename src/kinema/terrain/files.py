"""Grounds by name, and from files: images, arrays and meshes."""

from __future__ import annotations

import io
import os
import warnings
import zipfile

import numpy as np

from kinema.arrays import Floats, Singles
from kinema.errors import FormatError, UsageError
from kinema.formats import FORMATS, load, open_source
from kinema.formats.members import Members, open_members
from kinema.formats.sources import Source
from kinema.terrain.extrusion import block, slope, stairs
from kinema.terrain.ground import Ground, Plane
from kinema.terrain.heightmap import MOST_SAMPLES, Heightmap
from kinema.terrain.hills import hills
from kinema.terrain.moving import Moving, Shuttle
from kinema.terrain.placed import Placed
from kinema.terrain.union import Union

IMAGES = (".png", ".tif", ".tiff", ".pgm")
ARRAYS = (".npy", ".npz")

_AHEAD = (0.0, 0.0, 1.5)  # where stairs and ramps begin, metres: characters start at the origin

NAMED = {
    "flat": lambda: Plane(),
    "stairs": lambda: Union((Plane(), Placed(stairs(width=4.0), _AHEAD))),
    "slope": lambda: Union((Plane(), Placed(slope(width=4.0), _AHEAD))),
    "hills": lambda: hills(),
    "lift": lambda: Union(
        (Plane(), Moving(block(2.0, 2.0, 0.0), Shuttle(((0, 0.05, 2.5), (0, 1.2, 2.5), (0, 1.2, 5.5)))))
    ),
}
"""Grounds by name."""


def open_ground(name: str | os.PathLike[str], cell: float | None = None, relief: float | None = None) -> Ground:
    """A ground by its name in `NAMED`, or from a file.

    Images are heights, black to white; seen from above, columns go along +X and rows along +Z. Arrays are `.npy` with
    heights in metres `[Z, X]`, or `.npz` with `heights`, and `cell` if it has one. Both are centred on the origin. Of
    files with a mesh the highest surface counts.

    Args:
        name: a name or a path.
        cell: metres per pixel, between the numbers of an array, or between the samples of a mesh. Default: that of the
            file, else 0.1; 0.05 for a mesh.
        relief: metres from black to white of an image. Default: 2.

    Raises:
        UsageError: there is no such name or kind of file, or an option does not fit.
        FormatError: the file cannot be read as a ground.
    """
    text = os.fspath(name)
    suffix = os.path.splitext(text)[1].lower()
    if text in NAMED:
        _refuse(text, cell=cell, relief=relief)
        return NAMED[text]()
    if suffix not in (*IMAGES, *ARRAYS, *FORMATS):
        known = ", ".join(NAMED)
        raise UsageError(
            f"there is no terrain {text!r}; choose {known}, or a {' '.join((*IMAGES, *ARRAYS))} or .glb file"
        )
    try:
        if suffix in IMAGES:
            return Heightmap(_image(open_source(text)) * (2.0 if relief is None else relief), cell or 0.1)
        _refuse(text, relief=relief)
        if suffix in ARRAYS:
            return _array(open_source(text), suffix, cell)
        return _mesh(text, cell or 0.05)
    except UsageError as error:
        raise FormatError(str(error), path=text) from None


def _refuse(name: str, **options: float | None) -> None:
    given = [option for option, value in options.items() if value is not None]
    if given:
        raise UsageError(f"the terrain {name} takes no {' and no '.join(given)}")


def _image(source: Source) -> Singles:
    """Brightness `[Z, X]` of an image, 0 to 1, in the full depth of its channel."""
    from PIL import Image, UnidentifiedImageError

    source.check()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(source.read())) as image:
                if image.width * image.height > MOST_SAMPLES:
                    raise FormatError(
                        f"has {image.width} x {image.height} pixels, more than {MOST_SAMPLES}", path=source.path
                    )
                deep = image.mode.startswith(("I", "F"))
                pixels = np.asarray(image if deep else image.convert("L"), np.float32)
                integer = image.mode != "F"
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise FormatError(f"has more than {MOST_SAMPLES} pixels", path=source.path) from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise FormatError(f"is no image that can be read: {error}", path=source.path) from None
    return pixels / np.float32((65535.0 if deep else 255.0) if integer else 1.0)


def _array(source: Source, suffix: str, cell: float | None) -> Heightmap:
    source.check()
    members = open_members(_packed(source) if suffix == ".npy" else source)
    heights = members.array("heights", "fiu", 2)
    stated = _scalar(members, "cell") if "cell" in members.names else None
    return Heightmap(heights, cell or stated or 0.1)


def _packed(source: Source) -> Source:
    """An `.npy` as the only array of an `.npz`, so that both are checked in the same way."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("heights.npy", source.read())
    return Source.from_bytes(held.getvalue(), source.path)


def _scalar(members: Members, name: str) -> float:
    values = members.array(name, "fiu").reshape(-1)
    members.require(len(values) == 1 and values[0] > 0, name, "must be one number above zero")
    return float(values[0])


def _mesh(path: str, cell: float) -> Heightmap:
    """The highest surface of all meshes of a file in its rest pose."""
    asset = load(path)
    character = asset.character
    if character is None or not any(len(mesh.indices) for mesh in character.meshes):
        raise FormatError("holds no mesh", path=path)
    vertices: list[Floats] = []
    triangles = []
    for mesh, placed in zip(character.meshes, character.skin(character.skeleton.rest_pose), strict=True):
        triangles.append(np.asarray(mesh.indices, np.int64).reshape(-1, 3) + sum(map(len, vertices)))
        vertices.append(np.asarray(placed, np.float64))
    return Heightmap.from_triangles(np.concatenate(vertices), np.concatenate(triangles), cell)

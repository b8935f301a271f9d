"""USD (.usd, .usda, .usdc, .usdz) with UsdSkel, by way of usd-core (`pip install 'kinema[formats]'`).

A separate process opens the files, see `sandbox`; `files` decides which of their references are followed, `rig` which
transforms become joints, `extract` what becomes a clip.
"""

from __future__ import annotations

import os

from kinema.character import Character
from kinema.formats import Asset
from kinema.formats.rates import check_rate
from kinema.formats.sources import Source
from kinema.formats.usd.reader import read_file
from kinema.formats.usd.sandbox import check_installed
from kinema.motion import Motion


def read(source: Source, fps: float | None = None) -> Asset:
    """Reads skeletons, character and all animations.

    The first clip is what the stage plays: the animations bound to its skeletons and all transforms that move. Every
    animation that no skeleton is bound to is one more clip.

    Args:
        source: the file.
        fps: sample animations at this rate; by default at that of their samples, or one frame a time code.

    Raises:
        FormatError: the file is damaged, refers to files outside its folder, or cannot be read right; names the prim.
        MissingError: usd-core is not installed.
    """
    check_rate(fps)
    return read_file(source, fps)


def write(thing: Motion | Character | Asset, path: str | os.PathLike[str]) -> None:
    """Writes a motion, a character, or both (an `Asset`) as .usda, .usdc, .usd (binary) or .usdz (with textures).

    Raises:
        FormatError: another suffix, nothing to write, or motions of different skeletons.
        MissingError: usd-core is not installed.
        WriteError: the file system refused.
    """
    check_installed()
    from kinema.formats.usd.writer import write_file

    write_file(thing, path)

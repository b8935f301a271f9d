"""Axes, unit and clock of an FBX file, and the way from its space to ours."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats
from kinema.formats.fbx.clock import COARSE_TICKS, CUSTOM, RATES, TICKS
from kinema.formats.fbx.document import FbxDocument, Properties
from kinema.rates import is_rate

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_TICKS_HEADER = 1004  # header version from which on a file's own definition of the tick counts


@dataclass(frozen=True, eq=False)
class FbxSettings:
    """What a file says about its space and time.

    Attributes:
        conversion: float64 `[4, 4]`: from the file's space to ours (Y up, Z forward, X left, metres). It mirrors
            where the file's axes are left-handed, so that the character does not come out mirrored.
        ticks: units of time per second.
        fps: frames per second that the file was made with.
    """

    conversion: Floats
    ticks: int
    fps: float

    def scaled(self, factor: float) -> FbxSettings:
        """The same with more or fewer metres in a unit."""
        return FbxSettings(np.diag([factor, factor, factor, 1.0]) @ self.conversion, self.ticks, self.fps)


def read_settings(document: FbxDocument) -> FbxSettings:
    """The settings of a file; what is missing is Y up, Z forward, centimetres, 30 frames per second."""
    found = document.settings
    unit = found.number("UnitScaleFactor", 1.0)
    if not 1e-6 <= unit <= 1e9:
        document.warn(f"has a unit of {unit:g} cm; centimetres were assumed")
        unit = 1.0
    conversion = np.eye(4)
    conversion[:3, :3] = _axes(document, found) * (unit / 100)
    return FbxSettings(conversion, _ticks(document), _rate(document, found))


def _axes(document: FbxDocument, found: Properties) -> Floats:
    """Rows are the file's left, up and front."""
    rows = np.zeros((3, 3))
    chosen = []
    for row, (name, default) in enumerate((("CoordAxis", 0), ("UpAxis", 1), ("FrontAxis", 2))):
        axis = found.integer(name, default)
        sign = found.integer(name + "Sign", 1)
        chosen.append(axis)
        if 0 <= axis <= 2:
            rows[row, axis] = -1.0 if sign < 0 else 1.0
    if sorted(chosen) != [0, 1, 2]:
        document.warn("has axes that do not make a space; Y up and Z forward were assumed")
        return np.eye(3)
    return rows


def _ticks(document: FbxDocument) -> int:
    header = document.root.find("FBXHeaderExtension")
    if header is None or header.integer("FBXHeaderVersion", 0) < _TICKS_HEADER:
        return TICKS if document.version < 8000 else COARSE_TICKS
    flags = header.find("OtherFlags")
    definition = flags.integer("TCDefinition", -1) if flags is not None else -1
    if definition == 0 or (definition < 0 and document.version >= 8000):
        return COARSE_TICKS
    return TICKS


def _rate(document: FbxDocument, found: Properties) -> float:
    mode, custom = found.integer("TimeMode", -1), found.number("CustomFrameRate", -1.0)
    if mode < 0:
        mode, custom = _old_rate(document, custom)
    if mode == CUSTOM or not 0 <= mode < len(RATES):
        return custom if is_rate(custom) else RATES[0]
    return RATES[mode]


def _old_rate(document: FbxDocument, custom: float) -> tuple[int, float]:
    """Mode and custom rate of files before version 6.1."""
    mode = -1
    for place in (document.root.find("Version5"), document.root):
        block = place.find("Settings") if place is not None else None
        if block is None:
            continue
        mode = block.integer("TimeMode", -1)
        if number := _NUMBER.match(block.text("FrameRate")):
            mode, custom = CUSTOM, float(number[0])
    return mode, custom

"""A picture of the role of each joint: the body in the colours of its parts, from the front and from behind.

Each part has a colour, the right side a dark shade of it. A face of the mesh belongs to the joint that moves its first
corner most. Twist joints and helpers have the colour of their parent.
"""

from __future__ import annotations

import colorsys
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from kinema.arrays import Bytes
from kinema.character import Character, Material, Mesh
from kinema.formats.images import linear
from kinema.rendering.bodies import body_for, owners
from kinema.rendering.film.camera_work import CameraWork
from kinema.rendering.film.contact_sheet import contact_sheet
from kinema.rendering.film.film import Film, FilmSettings
from kinema.rendering.film.performance import Shot
from kinema.rendering.frame import Renders
from kinema.rendering.renderer import Renderer
from kinema.roles import Roles
from kinema.skeleton import Skeleton

Shade = tuple[str, bool]
"""A part, and whether it is of the right side."""

# Hue (of 360), saturation and value, so that neighbours on the body differ.
_HUES: dict[str, tuple[float, float, float]] = {
    "hips": (45, 0.75, 0.95), "spine": (65, 0.35, 0.95), "neck": (20, 0.45, 0.95), "head": (350, 0.30, 0.95),
    "shoulder": (310, 0.45, 0.85), "upper_arm": (0, 0.70, 0.95), "forearm": (30, 0.85, 1.0), "hand": (55, 0.85, 1.0),
    "fingers": (85, 0.55, 0.95), "thigh": (215, 0.70, 0.95), "shin": (185, 0.65, 0.95), "foot": (140, 0.65, 0.85),
    "toes": (105, 0.55, 0.95), "leg": (215, 0.70, 0.95), "tail": (165, 0.80, 0.70), "wing": (275, 0.50, 0.95),
    "fin": (275, 0.50, 0.95), "face": (330, 0.60, 0.95), "ear": (290, 0.60, 0.95), "prop": (0, 0.0, 0.55),
    "other": (0, 0.0, 0.85),
}  # fmt: skip
_GROUPS: dict[str, str] = dict.fromkeys(("thumb", "index", "middle", "ring", "little", "finger"), "fingers")
_GROUPS |= dict.fromkeys(("jaw", "eye", "hair"), "face") | {"toe": "toes"}
_CARRIED = ("twist", "helper", "root", "")
_DARK = 0.5  # of the value, on the right
_PAPER, _INK = (249, 249, 247), (60, 66, 75)
_AZIMUTHS = (np.radians(35.0), np.radians(215.0))


def shades(roles: Roles, skeleton: Skeleton) -> list[Shade]:
    """The part and side that each joint is painted as."""
    found: list[Shade] = []
    for joint, (part, side) in enumerate(zip(roles.parts, roles.sides, strict=True)):
        group = _GROUPS.get(part, part)
        if part in _CARRIED:
            parent = skeleton.parents[joint]
            found.append(found[parent] if parent >= 0 else ("other", False))
        else:
            found.append((group, side == "right"))
    return found


def painted(character: Character, roles: Roles) -> Character:
    """The character with a plain material for each part and side."""
    of = shades(roles, character.skeleton)
    known = _known(of)
    number = np.array([known.index(shade) for shade in of])
    meshes: list[Mesh] = []
    for mesh in character.meshes:
        faces = number[owners(mesh)[mesh.indices[:, 0].astype(np.int64)]] if len(mesh.indices) else np.zeros(0, int)
        for shade in np.unique(faces).tolist():
            meshes.append(replace(mesh, indices=mesh.indices[faces == shade], colors=None, material=shade))
    materials = []
    for part, right in known:
        red, green, blue = linear(_color((part, right))).tolist()
        name = f"{part} right" if right else part
        materials.append(Material(name, (red, green, blue, 1.0), 0.0, 0.75, double_sided=True))
    return replace(character, meshes=tuple(meshes), materials=tuple(materials), textures=())


def roles_sheet(shot: Shot, roles: Roles, size: int = 720, renderer: Renders | None = None) -> Bytes:
    """A picture `[H, W, 3]` of a body in the colours of its parts, twice, with a legend.

    Args:
        shot: the body; a skeleton without a mesh gets one. The middle of its motion is shown, or the rest pose.
        roles: roles of its skeleton.
        size: pixels of the side of each of the two pictures.
        renderer: draws; None opens one.

    Raises:
        MissingError: no renderer on this machine.
    """
    body = painted(body_for(shot.skeleton, shot.motion, shot.character), roles)
    film = Film(replace(shot, character=body), FilmSettings(size, size))
    moment = float(film.times[len(film) // 2]) if film.performance.seconds else 0.0
    views = [film.seen_by(CameraWork(azimuth=azimuth, moment=moment)).at(moment) for azimuth in _AZIMUTHS]
    with ExitStack() as stack:
        drawing = renderer or stack.enter_context(Renderer(size, size))
        pictures: list[Any] = [drawing.render(view).color for view in views]
    sheet = contact_sheet(pictures, ["from the front", "from behind"], columns=2)[..., :3]
    known = _known(shades(roles, shot.skeleton))
    used = [known[mesh.material] for mesh in body.meshes if mesh.material is not None]
    return np.concatenate([sheet, _legend(used, sheet.shape[1], size // 24)])


def _known(of: list[Shade]) -> list[Shade]:
    """The shades in the order of the materials."""
    return sorted(set(of))


def _color(shade: Shade) -> tuple[float, float, float]:
    """sRGB, 0 to 1."""
    hue, saturation, value = _HUES[shade[0]]
    return colorsys.hsv_to_rgb(hue / 360, saturation, value * (_DARK if shade[1] else 1.0))


def _legend(used: list[Shade], width: int, line: int) -> Bytes:
    """The parts that occur, each with its colour, and the dark one where there is a right side."""
    groups = [group for group in _HUES if any(part == group for part, _ in used)]
    font = ImageFont.load_default(0.7 * line)
    column = 6.5 * line
    across = max(int((width - line) / column), 1)
    picture = Image.new("RGB", (width, (-(-len(groups) // across) + 1) * round(1.4 * line)), _PAPER)
    draw = ImageDraw.Draw(picture)
    for place, group in enumerate(groups):
        x, y = line + (place % across) * column, (place // across) * 1.4 * line
        sides = [right for right in (False, True) if (group, right) in used]
        wide = 1.6 * line / len(sides)
        for number, right in enumerate(sides):
            ink = tuple(round(255 * c) for c in _color((group, right)))
            draw.rectangle((x + number * wide, y, x + (number + 1) * wide, y + 0.8 * line), ink)
        draw.text((x + 2.0 * line, y), group.replace("_", " "), _INK, font)
    draw.text((line, picture.height - 1.2 * line), "dark: the right side", _INK, font)
    return np.asarray(picture)

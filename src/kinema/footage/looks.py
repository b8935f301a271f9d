"""What the people of training clips look like: proportions, colours and patterns, drawn from a seed, and in words."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

import numpy as np

from kinema.worlds.obstacles import colour_word

Colour = tuple[float, float, float]
"""Red, green and blue, sRGB, 0 to 1."""

PATTERNS = ("plain", "striped", "pinstriped", "checked", "dotted", "two-coloured", "banded", "shaded")
"""Patterns of tops; "plain" is the most frequent one of trousers."""

HAIR = ("short", "long", "bald", "cap")

_SKIN = ((0.98, 0.84, 0.73), (0.91, 0.71, 0.56), (0.76, 0.55, 0.40), (0.58, 0.39, 0.27), (0.38, 0.25, 0.18))
_HAIR = ((0.08, 0.06, 0.05), (0.22, 0.13, 0.08), (0.45, 0.28, 0.14), (0.83, 0.68, 0.38), (0.62, 0.61, 0.60))
_TALL, _SMALL = 1.83, 1.62  # metres


@dataclass(frozen=True)
class BodyShape:
    """Measures of a body over those of the usual person.

    Attributes:
        height: metres, sole to crown.
        legs, arms, trunk, head: lengths. shoulders, hips: widths. girth: of the trunk. limbs: girth of arms and legs.
    """

    height: float = 1.75
    legs: float = 1.0
    arms: float = 1.0
    trunk: float = 1.0
    head: float = 1.0
    shoulders: float = 1.0
    hips: float = 1.0
    girth: float = 1.0
    limbs: float = 1.0


@dataclass(frozen=True)
class Garment:
    """A piece of clothing.

    Attributes:
        colour: of most of it. second: of its pattern. pattern: one of `PATTERNS`. length: share of the limb that it
            covers. scale: of the pattern, metres.
    """

    colour: Colour
    second: Colour
    pattern: str = "plain"
    length: float = 1.0
    scale: float = 0.12


@dataclass(frozen=True)
class Look:
    """A person's looks.

    Attributes:
        hair: one of `HAIR`.
    """

    proportions: BodyShape
    skin: Colour
    hair: str
    hair_colour: Colour
    top: Garment
    trousers: Garment
    shoes: Colour

    @property
    def words(self) -> str:
        """Such as "a tall person in a red striped shirt and blue shorts"."""
        height = self.proportions.height
        size = "tall " if height > _TALL else "small " if height < _SMALL else ""
        top = f"{_said(self.top)} {_top(self.top)}"
        article = "an" if top[0] in "aeiou" else "a"
        return f"a {size}person in {article} {top} and {_said(self.trousers)} {_below(self.trousers)}"


def draw_look(rng: np.random.Generator) -> Look:
    """Somebody's looks."""
    hair = str(rng.choice(HAIR, p=(0.5, 0.25, 0.1, 0.15)))
    natural = _varied(_HAIR[int(rng.integers(len(_HAIR)))], rng, 0.04)
    return Look(
        _draw_proportions(rng),
        _varied(_SKIN[int(rng.integers(len(_SKIN)))], rng, 0.04),
        hair,
        _cloth(rng) if hair == "cap" else natural,
        _garment(rng, PATTERNS, 0.35, (0.0, 0.55, 1.0)),
        _garment(rng, ("plain", "checked", "striped", "pinstriped"), 0.75, (0.45, 1.0, 1.0)),
        _cloth(rng),
    )


def _draw_proportions(rng: np.random.Generator) -> BodyShape:
    height = float(np.clip(rng.normal(1.72, 0.12), 1.42, 2.02))
    legs, arms, trunk, head, shoulders, hips = np.clip(rng.normal(1.0, 0.06, 6), 0.86, 1.14).tolist()
    girth, limbs = np.clip(rng.lognormal(0.03, 0.14, 2), 0.8, 1.5).tolist()
    return BodyShape(height, legs, arms, trunk, head, shoulders, hips, girth, 0.6 * limbs + 0.4 * girth)


def _garment(rng: np.random.Generator, patterns: tuple[str, ...], plain: float, lengths: tuple[float, ...]) -> Garment:
    """Clothing; `plain` is how often it has no pattern."""
    colour, second = _cloth(rng), _cloth(rng)
    if abs(_light(colour) - _light(second)) < 0.2:  # a pattern of two colours that are as bright is hardly seen
        second = _contrasting(second, lighter=_light(colour) < 0.45)
    pattern = "plain" if rng.random() < plain else str(rng.choice([name for name in patterns if name != "plain"]))
    return Garment(colour, second, pattern, float(rng.choice(lengths)), float(rng.uniform(0.09, 0.2)))


def _cloth(rng: np.random.Generator) -> Colour:
    """Any colour of cloth: mostly not pale, one in five without a hue."""
    hue, saturation, value = rng.random(), rng.uniform(0.35, 0.95), rng.uniform(0.25, 0.95)
    if rng.random() < 0.2:
        saturation = rng.uniform(0.0, 0.08)
    return colorsys.hsv_to_rgb(float(hue), float(saturation), float(value))


def _varied(colour: Colour, rng: np.random.Generator, by: float) -> Colour:
    red, green, blue = np.clip(np.asarray(colour) + rng.uniform(-by, by, 3), 0.02, 0.98).tolist()
    return red, green, blue


def _light(colour: Colour) -> float:
    return 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]


def _contrasting(colour: Colour, lighter: bool) -> Colour:
    """A light or a dark colour of the same hue."""
    hue, saturation, _ = colorsys.rgb_to_hsv(*colour)
    return (
        colorsys.hsv_to_rgb(hue, min(saturation, 0.4), 0.95) if lighter else colorsys.hsv_to_rgb(hue, saturation, 0.2)
    )


def _said(garment: Garment) -> str:
    colour = colour_word(garment.colour)
    if garment.pattern == "plain":
        return colour
    if garment.pattern in ("two-coloured", "banded", "shaded"):
        other = colour_word(garment.second)
        return colour if other == colour else f"{colour} and {other}"
    return f"{colour} {garment.pattern}"


def _top(garment: Garment) -> str:
    return "vest" if garment.length < 0.2 else "T-shirt" if garment.length < 0.8 else "shirt"


def _below(garment: Garment) -> str:
    return "shorts" if garment.length < 0.8 else "trousers"

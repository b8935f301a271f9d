"""The skeleton picture of OpenPose as DWPose draws it, and the points of such a picture.

A limb is a filled ellipse in the colour of its number, at 60 %; a point is a disc in the colour of its number, at full
strength, over all limbs. Fingers are lines around the colour wheel with blue discs, points of a face are white. The
order of limbs and the colours are those of the public annotators (pytorch-openpose, ControlNet, DWPose).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Bytes, Floats, Ints, Reals, Singles
from kinema.errors import KinemaError
from kinema.keypoints.points import BODY, BODY_COUNT, LIMIT, BodyPoints
from kinema.rendering.film.output import Pixels

COLORS = (
    (255, 0, 0), (255, 85, 0), (255, 170, 0), (255, 255, 0), (170, 255, 0), (85, 255, 0),
    (0, 255, 0), (0, 255, 85), (0, 255, 170), (0, 255, 255), (0, 170, 255), (0, 85, 255),
    (0, 0, 255), (85, 0, 255), (170, 0, 255), (255, 0, 255), (255, 0, 170), (255, 0, 85),
)  # fmt: skip
"""sRGB of the 18 points; limb `i` has the colour of point `i`."""

LIMBS = (
    ("neck", "right_shoulder"), ("neck", "left_shoulder"),
    ("right_shoulder", "right_elbow"), ("right_elbow", "right_wrist"),
    ("left_shoulder", "left_elbow"), ("left_elbow", "left_wrist"),
    ("neck", "right_hip"), ("right_hip", "right_knee"), ("right_knee", "right_ankle"),
    ("neck", "left_hip"), ("left_hip", "left_knee"), ("left_knee", "left_ankle"),
    ("neck", "nose"), ("nose", "right_eye"), ("right_eye", "right_ear"), ("nose", "left_eye"), ("left_eye", "left_ear"),
)  # fmt: skip
"""The 17 limbs in the order in which they are drawn."""

FOOT_COLORS = ((200, 200, 0), (100, 100, 0))
"""sRGB of Wan-Animate's left and right toe; the limbs to them have `COLORS[17]` and `FOOT_COLORS[0]`."""

DIM = 0.6
"""Share of its colour that a limb has."""

FINGER_BONES = tuple(
    (0 if step == 0 else 4 * finger + step, 4 * finger + step + 1) for finger in range(5) for step in range(4)
)
"""The 20 bones of a hand: pairs of its points."""

_USUAL = 512  # pixels along the shorter side of a picture with discs of 4 pixels
_DISC, _FINGER, _FACE = 4, 2, 3
_BLUE, _WHITE = (0, 0, 255), (255, 255, 255)
_LIMB = 100  # number of the first limb, in pictures that are read
_NEAR = 40  # difference of colours that compression makes


@dataclass(frozen=True)
class PoseStyle:
    """How a skeleton picture is drawn.

    Attributes:
        stick: half the width of limbs and radius of points, pixels; None is 4 at 512 pixels and grows with the picture.
        hands, face: whether they are drawn.
        toes: whether feet are drawn, as Wan-Animate does.
    """

    stick: int | None = None
    hands: bool = True
    face: bool = True
    toes: bool = False


def stick_width(width: int, height: int) -> int:
    """Half the width of limbs in a picture of this size, pixels."""
    return max(round(_DISC * min(width, height) / _USUAL), 1)


def draw_pose_map(points: BodyPoints, width: int, height: int, style: PoseStyle | None = None) -> Pixels:
    """The skeleton picture `[height, width, 3]` of the points of one picture, see `BodyPoints`.

    Points with a confidence below `LIMIT` are left out.
    """
    style, canvas = style or PoseStyle(), np.zeros((height, width, 3), np.uint8)
    stick = stick_width(width, height) if style.stick is None else style.stick
    body = np.concatenate([points.body, points.toes if style.toes else points.toes[:0]])
    drawn, places = body[:, 2] >= LIMIT, np.floor(body[:, :2]).astype(np.int64)
    for (one, other), color in _limbs(style.toes):
        if drawn[one] and drawn[other]:
            _fill_ellipse(canvas, places[one], places[other], stick, (np.array(color) * DIM).astype(np.uint8))
    for place, color in zip(places[drawn], np.array(_point_colors(style.toes))[drawn], strict=True):
        _fill_disc(canvas, place, stick, color)
    scale = stick / _DISC
    for hand in (points.left_hand, points.right_hand) if style.hands else ():
        _draw_hand(canvas, hand, max(round(_FINGER * scale), 1), stick)
    for place in np.floor(points.face[points.face[:, 2] >= LIMIT, :2]).astype(np.int64) if style.face else ():
        _fill_disc(canvas, place, max(round(_FACE * scale), 1), _WHITE)
    return canvas


def read_pose_map(picture: Pixels, stick: int | None = None) -> Singles:
    """The body points `[18, 3]` of a skeleton picture of one person: x, y and confidence, 0 where there is none.

    A point is found by the colour of its disc, even if others cover part of it, within a pixel.

    Args:
        picture: uint8 `[H, W, 3]`.
        stick: radius of the discs, pixels; None is that of `stick_width`.

    Raises:
        KinemaError: the picture is not of that form.
    """
    if picture.ndim != 3 or picture.shape[2] < 3 or picture.dtype != np.uint8:
        raise KinemaError(f"a skeleton picture is uint8 [H, W, 3], not {picture.dtype} {list(picture.shape)}")
    height, width = picture.shape[:2]
    radius = stick_width(width, height) if stick is None else stick
    kinds, found = _kinds(picture), np.zeros((BODY_COUNT, 3), np.float32)
    for point in range(BODY_COUNT):
        centre = _find_disc(kinds, point, radius)
        if centre is not None:
            found[point] = (*(centre + 0.5), 1.0)
    return found


# ---- drawing ---------------------------------------------------------------------------------------------------------


def _limbs(toes: bool) -> list[tuple[tuple[int, int], tuple[int, int, int]]]:
    limbs = [((BODY.index(one), BODY.index(other)), COLORS[at]) for at, (one, other) in enumerate(LIMBS)]
    if toes:
        limbs.append(((BODY.index("left_ankle"), BODY_COUNT), COLORS[17]))
        limbs.append(((BODY.index("right_ankle"), BODY_COUNT + 1), FOOT_COLORS[0]))
    return limbs


def _point_colors(toes: bool) -> tuple[tuple[int, int, int], ...]:
    return COLORS + FOOT_COLORS if toes else COLORS


def _draw_hand(canvas: Pixels, hand: Singles, line: int, disc: int) -> None:
    drawn, places = hand[:, 2] >= LIMIT, np.floor(hand[:, :2]).astype(np.int64)
    for bone, (one, other) in enumerate(FINGER_BONES):
        if drawn[one] and drawn[other]:
            _fill_line(canvas, places[one], places[other], line / 2, _wheel(bone / len(FINGER_BONES)))
    for place in places[drawn]:
        _fill_disc(canvas, place, disc, _BLUE)


def _wheel(hue: float) -> Bytes:
    """sRGB of a pure colour, `hue` from 0 to 1 around the colour wheel."""
    red = np.abs(6 * hue - 3) - 1
    green = 2 - np.abs(6 * hue - 2)
    blue = 2 - np.abs(6 * hue - 4)
    return (255 * np.clip([red, green, blue], 0, 1)).astype(np.uint8)


def _window(canvas: Pixels, low: Reals | Ints, high: Reals | Ints) -> tuple[slice, slice, Ints, Ints] | None:
    """The part of the canvas between two corners (x, y), and x and y of its pixels; None if there is none."""
    height, width = canvas.shape[:2]
    left, top = np.maximum(np.floor(low).astype(np.int64), 0)
    right, bottom = np.minimum(np.ceil(high).astype(np.int64) + 1, (width, height))
    if right <= left or bottom <= top:
        return None
    y, x = np.arange(top, bottom)[:, None], np.arange(left, right)[None]
    return slice(int(top), int(bottom)), slice(int(left), int(right)), x, y


def _paint(
    canvas: Pixels, window: tuple[slice, slice, Ints, Ints], inside: Bools, color: Bytes | tuple[int, ...]
) -> None:
    canvas[window[0], window[1]][inside] = color


def _fill_ellipse(canvas: Pixels, one: Ints, other: Ints, half_width: int, color: Bytes) -> None:
    """The ellipse between two points, with whole numbers for its middle, axes and degrees as the annotators have."""
    middle, across = (one + other) // 2, (one - other).astype(np.float64)
    half = max(int(np.hypot(*across) / 2), 1)
    angle = np.radians(int(np.degrees(np.arctan2(across[1], across[0]))))
    reach = max(half, half_width)
    window = _window(canvas, middle - reach, middle + reach)
    if window is None:
        return
    x, y = window[2] - middle[0], window[3] - middle[1]
    along, aside = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    _paint(canvas, window, (along / half) ** 2 + (aside / half_width) ** 2 <= 1.0, color)


def _fill_line(canvas: Pixels, one: Ints, other: Ints, half_width: float, color: Bytes) -> None:
    window = _window(canvas, np.minimum(one, other) - half_width, np.maximum(one, other) + half_width)
    if window is None:
        return
    bone = (other - one).astype(np.float64)
    x, y = window[2] - one[0], window[3] - one[1]
    share = np.clip((x * bone[0] + y * bone[1]) / max(float(bone @ bone), 1e-9), 0, 1)
    _paint(canvas, window, np.hypot(x - share * bone[0], y - share * bone[1]) <= half_width, color)


def _fill_disc(canvas: Pixels, centre: Ints, radius: int, color: Bytes | tuple[int, ...]) -> None:
    window = _window(canvas, centre - radius, centre + radius)
    if window is not None:
        inside = (window[2] - centre[0]) ** 2 + (window[3] - centre[1]) ** 2 <= radius**2
        _paint(canvas, window, inside, color)


# ---- reading ---------------------------------------------------------------------------------------------------------


def _kinds(picture: Pixels) -> Ints:
    """What each pixel is, `[H, W]`: a point from 0, a limb from `_LIMB`, -1 for the ground, -2 for another thing."""
    dim = (np.array(COLORS) * DIM).astype(np.int64)
    palette = np.concatenate([np.array(COLORS), dim[: len(LIMBS)]])
    numbers = np.concatenate([np.arange(BODY_COUNT), _LIMB + np.arange(len(LIMBS))])
    lit = picture[..., :3].max(axis=-1) > _NEAR  # most of the picture is ground
    pixels, found = picture[lit][:, :3].astype(np.int64), np.full(int(lit.sum()), -2, np.int64)
    best = np.full(len(pixels), _NEAR + 1, np.int64)
    for color, number in zip(palette, numbers.tolist(), strict=True):
        apart = np.abs(pixels - color).max(axis=-1)
        found[apart < best] = number
        best = np.minimum(best, apart)
    kinds = np.full(picture.shape[:2], -1, np.int64)
    kinds[lit] = found
    return kinds


def _find_disc(kinds: Ints, point: int, radius: int) -> Floats | None:
    """The middle (x, y, whole pixels) of the disc of a point: the place that fits best what is seen of it."""
    rows, columns = np.nonzero(kinds == point)
    if not len(rows):
        return None
    steps = np.mgrid[-radius : radius + 1, -radius : radius + 1].reshape(2, -1).T
    disc = steps[(steps**2).sum(axis=1) <= radius**2]
    around = np.unique((np.stack([rows, columns], axis=1)[:, None] + disc).reshape(-1, 2), axis=0)
    margin = 2 * radius + 2
    padded = np.pad(kinds, margin, constant_values=-3)
    seen = padded[tuple(np.moveaxis(around[:, None] + disc + margin, -1, 0))]
    right, above = seen == point, (seen > point) & (seen < _LIMB) | (seen == -2) | (seen == -3)
    score = right.sum(axis=1) - 2.0 * (~right & ~above).sum(axis=1)
    score = score - _far_from_limbs(kinds, around, point, radius)
    best = around[score >= score.max() - 1e-9]
    return best.mean(axis=0)[::-1]


def _far_from_limbs(kinds: Ints, around: Ints, point: int, radius: int) -> Floats:
    """A penalty for places that a point's limbs do not reach: discs of fingers have the colour of the left knee."""
    penalty = np.zeros(len(around))
    if COLORS[point] != _BLUE:
        return penalty
    for limb, ends in enumerate(LIMBS):
        rows, columns = np.nonzero(kinds == _LIMB + limb)
        if BODY[point] not in ends or not len(rows):
            continue
        pixels = np.stack([rows, columns], axis=1)[:: max(len(rows) // 400, 1)]
        nearest = np.sqrt(((around[:, None] - pixels) ** 2).sum(axis=-1).min(axis=1))
        penalty += 10.0 * np.maximum(nearest - radius - 2, 0)
    return penalty

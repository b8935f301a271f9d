"""A picture of what is the same in two bodies: joints in the same colours, and moments one below the other."""

from __future__ import annotations

import colorsys

import numpy as np
from PIL import Image

from kinema.arrays import Floats, Ints, Reals
from kinema.generation.correspondence import JointCorrespondence
from kinema.generation.rig import AnyRig
from kinema.motion import Motion
from kinema.rendering.sheet.charts import INK, MUTED, RULE
from kinema.rendering.sheet.page import Color, Page

_PAPER: Color = (249, 249, 247)
_ALONE: Color = (196, 198, 200)
_SIZE = 1200, 760
_STRIP = 150
_MOMENTS = 8
_VIEWS = (("", (-0.75, 0.35, 0.55)), ("from above", (0.0, 1.0, -1e-3)))  # from where, in the body's own axes

_Box = tuple[float, float, float, float]


def draw_correspondence(
    joints: JointCorrespondence,
    titles: tuple[str, str],
    motions: tuple[Motion, Motion] | None = None,
    frames: Ints | None = None,
) -> Image.Image:
    """Both rest poses from the side and from above; with motions, moments of the first above those of the second.

    Args:
        frames: `[F1]`: the frame of the second motion for each frame of the first.
    """
    width, height = _SIZE
    moving = motions is not None and frames is not None
    page = Page(width, height + (2 * _STRIP + 60 if moving else 0), _PAPER)
    colors = joint_colors(joints)
    rigs = joints.first, joints.second
    for side, (rig, title) in enumerate(zip(rigs, titles, strict=True)):
        left = side * width / 2
        page.text(left + 32, 22, title, 20, INK)
        matched = int(np.sum((joints.second_of, joints.first_of)[side] >= 0))
        page.text(left + 32, 50, f"{matched} of {rig.count} joints matched", 13, MUTED)
        for number, (name, eye) in enumerate(_VIEWS):
            box = (left + 32, (80, 470)[number], left + width / 2 - 32, (450, height - 20)[number])
            page.text(box[0], box[1] + 4, name, 13, MUTED)
            _figure(page, rig, project(rig.rest_positions, eye), colors[side], box, 4.0)
    page.line([(width / 2, 24), (width / 2, height - 24)], RULE, 1.0)
    if motions is not None and frames is not None:
        _strip(page, joints, motions, frames, colors, height)
    return page.image()


def joint_colors(joints: JointCorrespondence) -> tuple[list[Color], list[Color]]:
    """Colours of the joints of both rigs: each of the first has its own, those of the second theirs; grey for none."""
    order = _depth_first(joints.first)
    first = [_hue(place / max(len(order), 1)) for place in np.argsort(order).tolist()]
    second = [first[other] if other >= 0 else _ALONE for other in joints.first_of.tolist()]
    return [
        color if other >= 0 else _ALONE for color, other in zip(first, joints.second_of.tolist(), strict=True)
    ], second


def project(points: Reals, eye: tuple[float, float, float]) -> Floats:
    """Places on the picture `[..., 2]`, downward, of points `[..., 3]` that are seen from a direction."""
    ahead = -np.asarray(eye) / np.linalg.norm(eye)
    right = np.cross(ahead, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    return np.stack([points @ right, -points @ np.cross(right, ahead)], axis=-1).astype(np.float64)


def _depth_first(rig: AnyRig) -> list[int]:
    """Joints limb by limb, so that neighbours have similar colours and other limbs have others."""
    children: list[list[int]] = [[] for _ in range(rig.count)]
    for joint, parent in enumerate(rig.parents.tolist()):
        if parent >= 0:
            children[parent].append(joint)
    order, waiting = [], [0]
    while waiting:
        order.append(joint := waiting.pop())
        waiting += children[joint]
    return order


def _hue(share: float) -> Color:
    """A strong colour; every third is darker, so that neighbours differ."""
    red, green, blue = colorsys.hsv_to_rgb(0.92 * share, 0.85, 0.9 - 0.25 * (int(60 * share) % 3 == 0))
    return round(255 * red), round(255 * green), round(255 * blue)


def _fitted(points: Floats, box: _Box, around: Floats) -> Floats:
    """Points moved and scaled so that those `around` fill a box."""
    low, high = around.reshape(-1, 2).min(axis=0), around.reshape(-1, 2).max(axis=0)
    room = np.asarray([box[2] - box[0] - 24, box[3] - box[1] - 24])
    scale = float(np.min(room / np.maximum(high - low, 1e-6)))
    return (points - 0.5 * (low + high)) * scale + 0.5 * np.asarray([box[0] + box[2], box[1] + box[3]])


def _figure(page: Page, rig: AnyRig, points: Floats, colors: list[Color], box: _Box, radius: float) -> None:
    _drawn(page, rig, _fitted(points, box, points), colors, radius)


def _drawn(page: Page, rig: AnyRig, places: Floats, colors: list[Color], radius: float) -> None:
    for joint, parent in enumerate(rig.parents.tolist()):
        if parent >= 0:
            page.line(places[[parent, joint]], colors[joint], 0.8 * radius)
    for (x, y), color in zip(places.tolist(), colors, strict=True):
        page.dot(x, y, radius, color)


def _strip(
    page: Page, joints: JointCorrespondence, motions: tuple[Motion, Motion], frames: Ints,
    colors: tuple[list[Color], list[Color]], top: int,
) -> None:  # fmt: skip
    """Moments of the first motion, each above that of the second which is the same."""
    shown = np.linspace(0, motions[0].frames - 1, _MOMENTS + 2)[1:-1].round().astype(int)
    for row, (rig, motion, chosen) in enumerate(
        zip((joints.first, joints.second), motions, (shown, frames[shown]), strict=True)
    ):
        flat = project(_poses(rig, motion, chosen), _VIEWS[0][1])
        for number, (points, frame) in enumerate(zip(flat, chosen.tolist(), strict=True)):
            left = 20 + number * (page.width - 40) / _MOMENTS
            box = (
                left,
                top + row * (_STRIP + 26),
                left + (page.width - 40) / _MOMENTS,
                top + row * (_STRIP + 26) + _STRIP,
            )
            page.text(box[0] + 8, box[3] + 2, f"{frame / motion.fps:.2f} s", 12, MUTED)
            _drawn(page, rig, _fitted(points, box, flat), colors[row], 2.0)


def _poses(rig: AnyRig, motion: Motion, frames: Ints) -> Floats:
    """Positions `[N, K, 3]` about the root, turned to face +Z in the rest pose's axes, of frames."""
    from kinema import rotations
    from kinema.generation.channels import headings

    pose = motion[frames]
    turns = rotations.multiply(
        pose.global_rotations[:, rig.joints[0]], rotations.inverse(rig.rest_rotations[rig.joints[0]])[None]
    )
    places = pose.global_positions[:, rig.joints] / np.float32(rig.unit)
    return rotations.rotate_yaw(-headings(turns)[:, None], places - places[:, :1]).astype(np.float64)

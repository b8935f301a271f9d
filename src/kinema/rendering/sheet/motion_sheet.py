"""One picture that shows a motion: figures along the path, a strip of poses, the plan, speed and feet over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from kinema import kinematics, rotations
from kinema.character import Character
from kinema.errors import KinemaError
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rendering.sheet import charts, framing, raster, stage
from kinema.rendering.sheet.page import Page

PAGE: stage.Color = (249, 249, 247)


def motion_sheet(
    motion: Motion,
    character: Character | None = None,
    *,
    target_positions: ArrayLike | None = None,
    commanded_velocities: ArrayLike | None = None,
    contacts: ArrayLike | None = None,
    title: str = "",
    metrics: Sequence[str] = (),
    size: tuple[int, int] = (1600, 1000),
) -> Image.Image:
    """The sheet of a motion in the world. The same arguments give the same pixels.

    Args:
        character: with the motion's skeleton; None draws a body made for the skeleton.
        target_positions: `[F, 3]`, metres: where the commands alone would have led.
        commanded_velocities: `[F, 3]`, m/s, world.
        contacts: `[F, 2]`: left and right foot stand; None takes the motion's labels where it has them.
        title: large, at the top; None of it takes the motion's name.
        metrics: a few short lines of text.
        size: width and height in pixels; the layout is made for 8:5.

    Raises:
        KinemaError: the motion is empty or an array has not a row for each frame.
        SkeletonError: the character has other joints than the motion.
    """
    if motion.frames == 0:
        raise KinemaError(f"motion {motion.name!r} has no frames to draw")
    targets = _checked("target_positions", target_positions, (motion.frames, 3))
    commands = _checked("commanded_velocities", commanded_velocities, (motion.frames, 3))
    standing = _checked("contacts", _labelled(motion) if contacts is None else contacts, (motion.frames, 2))
    cast = stage.Cast(motion, character)
    pose = motion[:]
    turned, placed = pose.global_rotations, pose.global_positions
    roots, headings = motion.root_frame()
    some = np.linspace(0, motion.frames - 1, min(motion.frames, 120)).astype(int)
    bodies = cast.outline(pose[some])
    extents = np.ptp(bodies, axis=1)
    tall = max(float(np.quantile(extents[:, 1], 0.9)), 0.2 * float(extents.max()), 1e-3)
    u = min(size[0] / 1600, size[1] / 1000)
    page = Page(*size, PAGE, u)
    width, height = size
    edge, column = 40 * u, width - 410 * u
    page.text(edge, 30 * u, title or motion.name or "motion", 30, charts.INK)
    about = f"{motion.seconds:.1f} s, {charts.spelled(motion.fps)} frames/s, {motion.skeleton.joint_count} joints"
    page.text(edge, 72 * u, about, 15, charts.MUTED)

    hero = (int(column), int(524 * height / 1000))
    camera = framing.frame(bodies, roots, targets, headings, tall, motion.fps, hero[0] / hero[1])
    figures = [cast.figure(pose[frame], fade) for frame, fade in framing.moments(roots, camera.axes, tall, motion.fps)]
    ribbons = [stage.Ribbon(roots, 0.030 * tall, charts.TRAVELLED)]
    if targets is not None:  # dashes on top: where the paths agree, both show
        ribbons.append(stage.Ribbon(targets, 0.024 * tall, charts.COMMANDED, (0.14 * tall, 0.09 * tall)))
    cell = 2.0 ** round(np.log2(tall / 1.7))
    page.paste(stage.picture(camera, *hero, figures, PAGE, tall, cell, ribbons), 0, int(66 * height / 1000))

    _aside(page, (column + 20 * u, 100 * u, width - edge, hero[1]), roots, targets, camera.axes, metrics, cell)
    span = (100 * u, width - 76 * u)
    seconds = (motion.frames - 1) / motion.fps

    def x_of(time: float) -> float:
        return span[0] + (span[1] - span[0]) * (time / seconds if seconds > 0 else 0.5)

    top = 590 * height / 1000
    ticks = np.arange(0.0, seconds + 1e-6, charts.even_step(seconds, 12)) if seconds > 0 else np.zeros(1)
    _strip(page, (top, 744 * height / 1000), cast, motion, ticks, [x_of(float(t)) for t in ticks], turned, placed)

    times = np.arange(motion.frames) / motion.fps
    for x in (x_of(float(t)) for t in ticks):
        page.line([(x, 772 * height / 1000), (x, 980 * height / 1000)], charts.RULE, 1)
    speeds = [(np.linalg.norm(kinematics.velocities(roots, 1 / motion.fps)[:, ::2], axis=1), charts.TRAVELLED, False)]
    if commands is not None:
        speeds.insert(0, (np.linalg.norm(commands[:, ::2], axis=1), charts.COMMANDED, True))
    legs = motion.skeleton.roles.legs
    bottom = (868 if legs else 970) * height / 1000
    charts.graph(page, (span[0], 808 * height / 1000, span[1], bottom), "speed, m/s", times, speeds, x_of, 0.5 * cell)
    if legs:
        feet = [leg.foot if leg.toe is None else leg.toe for leg in legs]
        colors = (charts.LEFT, charts.RIGHT)
        curves = [(100 * placed[:, foot, 1], color, False) for foot, color in zip(feet, colors, strict=True)]
        box = (span[0], 908 * height / 1000, span[1], 950 * height / 1000)
        charts.graph(page, box, "height of the toes, cm", times, curves, x_of, 10 * cell)
        sides = [("left", charts.LEFT, False), ("right", charts.RIGHT, False)]
        charts.legend(page, span[1], box[1] - 18 * u, sides, right=True)
        if standing is not None:
            page.text(span[0] - 10 * u, 970 * height / 1000, "contact", 13, charts.MUTED, "rm")
            for side, color in enumerate(colors):
                top = (961 + 11 * side) * height / 1000
                charts.bars(page, top, 7 * u, standing[:, side] > 0.5, motion.fps, color, x_of)
    return page.image()


def _aside(
    page: Page,
    box: charts.Box,
    roots: NDArray[np.float32],
    targets: NDArray[np.float32] | None,
    axes: NDArray[np.float32],
    metrics: Sequence[str],
    cell: float,
) -> None:
    """The column at the right: names of the colours, the plan, and the numbers below."""
    u = page.unit
    left, top, right, bottom = box
    ahead = axes[2][[0, 2]] / np.linalg.norm(axes[2][[0, 2]])
    frame = np.stack([axes[0][[0, 2]], ahead], axis=1)
    paths = [("travelled", charts.TRAVELLED, False)]
    if targets is not None:
        paths.append(("commanded", charts.COMMANDED, True))
    charts.legend(page, left, top - 48 * u, paths)
    floor = bottom - 24 * u * len(metrics) - (30 * u if metrics else 0)
    commanded = None if targets is None else targets[:, ::2] @ frame
    charts.plan(page, (left, top, right, floor), roots[:, ::2] @ frame, commanded, cell)
    for row, line in enumerate(metrics):
        page.text(left, floor + (40 + 24 * row) * u, line, 15, charts.INK, "lm")


def _strip(
    page: Page,
    rows: tuple[float, float],
    cast: stage.Cast,
    motion: Motion,
    ticks: NDArray[np.floating],
    xs: Sequence[float],
    turned: NDArray[np.float32],
    placed: NDArray[np.float32],
) -> None:
    """Poses from the right side, each turned to walk to the right, over their times."""
    width, height = page.width, int(rows[1] - rows[0])
    roots, headings = motion.root_frame()
    frames = np.minimum(np.rint(ticks * motion.fps).astype(int), motion.frames - 1)
    back = rotations.inverse(headings[frames])[:, None]
    local = rotations.rotate(back, placed[frames] - roots[frames, None])
    facing = rotations.multiply(np.broadcast_to(back, turned[frames].shape), turned[frames])
    body = cast.outline(Pose.from_model(motion.skeleton, facing, local))
    high, wide = float(body[..., 1].max()), 2 * float(np.abs(body[..., 2]).max())
    spacing = min(np.diff(xs), default=width / 4)
    scale = min((height - 30 * page.unit) / max(high, 1e-3), 1.1 * spacing / max(wide, 1e-3))
    axes, fov = raster.view_axes(np.pi / 2, 0.12), 0.03
    distance = height / 2 / scale / np.tan(fov / 2)
    middle = np.array([0.0, (height / 2 - 16 * page.unit) / scale, 0.0], np.float32)
    camera = raster.Camera((middle - axes[2] * distance).astype(np.float32), axes, fov, float(distance))
    figures = []
    for index, x in enumerate(xs):
        offset = np.array([0, 0, (x - width / 2) / scale], np.float32)
        figures.append(cast.figure(Pose.from_model(motion.skeleton, facing[index], local[index] + offset)))
    page.paste(stage.picture(camera, width, height, figures, PAGE, high, None, margin=0.02), 0, int(rows[0]))
    for time, x in zip(ticks.tolist(), xs, strict=True):
        page.text(x, rows[1] + 12 * page.unit, f"{charts.spelled(time)} s", 14, charts.MUTED, "mm")


def _checked(name: str, values: ArrayLike | None, shape: tuple[int, int]) -> NDArray[np.float32] | None:
    if values is None:
        return None
    array = np.asarray(values, np.float32)
    if array.shape != shape or not np.isfinite(array).all():
        raise KinemaError(
            f"{name} must be finite numbers of shape {list(shape)}, one row a frame, not of {list(array.shape)}"
        )
    return array


def _labelled(motion: Motion) -> NDArray[np.float32] | None:
    left, right = (motion.labels.get(f"contact.{side}") for side in ("left", "right"))
    return None if left is None or right is None else np.stack([left, right], axis=1).astype(np.float32)

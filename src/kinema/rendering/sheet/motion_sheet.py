"""One picture that shows a motion: figures along the path, a strip of poses, the plan, speed and feet over time."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image

from kinema import kinematics, rotations
from kinema.arrays import Singles
from kinema.character import Character
from kinema.errors import KinemaError
from kinema.motion import Motion
from kinema.rendering.bodies import outline
from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.rendering.film.performance import Performance, Shot
from kinema.rendering.renderer import Renderer
from kinema.rendering.sheet import charts, framing
from kinema.rendering.sheet.page import Color, Page
from kinema.rendering.tracking import view_rotation
from kinema.rendering.view import Floor, Instances, Sky, Sun, View

PAPER: Color = (249, 249, 247)
_GRID = (0.86, 0.86, 0.86)
_SKY = Sky(intensity=1.0, backdrop=(0.0, 0.0, 0.0, 0.0))  # brighter than usual: shadows on paper are light
_LIFT = 0.004  # of the height, above the floor: paths must not flicker with it
_SIDE = np.pi / 2  # azimuth of a look at the right side of a character that faces +Z


def motion_sheet(
    motion: Motion,
    character: Character | None = None,
    *,
    target_positions: ArrayLike | None = None,
    commanded_velocities: ArrayLike | None = None,
    title: str = "",
    size: tuple[int, int] = (1600, 1000),
) -> Image.Image:
    """The sheet of a motion. The same arguments give the same pixels on the same driver.

    Args:
        character: a character with the motion's skeleton; None draws a body made for the skeleton.
        target_positions: `[F, 3]`, metres: where the commands alone would have led.
        commanded_velocities: `[F, 3]`, m/s, world.
        title: at the top; by default the motion's name.
        size: width and height in pixels; the layout is made for 8:5.

    Raises:
        KinemaError: the motion is empty or an array does not have one row per frame.
        SkeletonError: the character has different joints from the motion.
        MissingError: there is no renderer on this machine; the message says what to install.
    """
    performance = Performance(Shot(title or motion.name or "motion", motion.skeleton, motion, character))
    targets = _checked("target_positions", target_positions, motion)
    commands = _checked("commanded_velocities", commanded_velocities, motion)
    page = Page(*size, PAPER, min(size[0] / 1600, size[1] / 1000))
    sheet = _Sheet(page, motion, performance, targets, commands)
    column, bottom = int(page.width - 410 * page.unit), int(page.share(0.524))
    with Renderer(column, bottom, quality="high") as renderer:
        camera = sheet.figures(renderer, (0, int(page.share(0.066))))
        strip = int(page.share(0.154))
        renderer.resize(page.width, strip)
        sheet.strip(renderer, int(page.share(0.59)))
    sheet.heading()
    sheet.top_view(camera, (column + 20 * page.unit, 100 * page.unit, page.width - 40 * page.unit, bottom))
    sheet.time_grid()
    sheet.speed()
    if motion.skeleton.roles.legs:
        sheet.feet()
    return page.image()


@dataclass(frozen=True, eq=False)
class _Sheet:
    """The parts of a sheet, each drawn by a method."""

    page: Page
    motion: Motion
    performance: Performance
    targets: Singles | None
    commands: Singles | None

    @property
    def cell(self) -> float:
        """Metres between two grid lines."""
        return 2.0 ** round(np.log2(self.performance.size / 1.7))

    @property
    def seconds(self) -> float:
        """From the first frame to the last."""
        return (self.motion.frames - 1) / self.motion.fps

    @property
    def left(self) -> float:
        return 100 * self.page.unit

    @property
    def right(self) -> float:
        return self.page.width - 76 * self.page.unit

    @property
    def ticks(self) -> list[float]:
        """Round times with a label, seconds."""
        if not self.seconds:
            return [0.0]
        return np.arange(0.0, self.seconds + 1e-6, charts.even_step(self.seconds, 12)).tolist()

    def x_of(self, time: float) -> float:
        """Where a time lies on the page, pixels."""
        return self.left + (self.right - self.left) * (time / self.seconds if self.seconds else 0.5)

    def heading(self) -> None:
        page, motion = self.page, self.motion
        page.text(40 * page.unit, 30 * page.unit, self.performance.shot.title, 30, charts.INK)
        about = (
            f"{motion.seconds:.1f} s, {charts.short_number(motion.fps)} frames/s, {motion.skeleton.joint_count} joints"
        )
        page.text(40 * page.unit, 72 * page.unit, about, 15, charts.MUTED)

    def figures(self, renderer: Renderer, place: tuple[int, int]) -> Camera:
        """Figures along the path, older ones fainter; returns the camera that looks at them."""
        motion, performance, height = self.motion, self.performance, self.performance.size
        roots, headings = motion.root_frame()
        paths = [performance.surface.reshape(-1, 3), roots, *([] if self.targets is None else [self.targets])]
        aspect = renderer.width / renderer.height
        camera = framing.frame(np.concatenate(paths), roots, headings, height, motion.fps, aspect)
        frames, opacities = zip(*framing.moments(roots, camera, height, motion.fps), strict=True)
        tints = np.ones((len(frames), 4), np.float32)
        tints[:, 3] = opacities
        instances = Instances(performance.character, performance.poses(np.array(frames) / motion.fps), tints=tints)
        draw, lift = Draw(), np.array([0, _LIFT * height, 0], np.float32)
        draw.ribbon(roots + lift, 0.030 * height, charts.shade(charts.TRAVELLED))
        if self.targets is not None:  # dashes on top: where the paths agree, both show
            dashes = (0.14 * height, 0.09 * height)
            draw.ribbon(self.targets + 2 * lift, 0.024 * height, charts.shade(charts.COMMANDED), dashes)
        reach = float(np.linalg.norm(np.ptp(np.concatenate(paths)[:, ::2], axis=0)))
        floor = Floor(line=_GRID, cell=self.cell, fade=3 * reach + 10 * height, catcher=True)
        self._paste(renderer, View(camera, (instances,), _sun(camera), sky=_SKY, floor=floor, draw=draw), place, 0.08)
        return camera

    def strip(self, renderer: Renderer, top: int) -> None:
        """Poses from the right side over their times, each rotated to walk to the right."""
        motion, page, performance = self.motion, self.page, self.performance
        roots, headings = motion.root_frame()
        frames = np.minimum(np.rint(np.array(self.ticks) * motion.fps).astype(int), motion.frames - 1)
        back = rotations.inverse(headings[frames])
        origin = -rotations.rotate(back, roots[frames])
        pose = performance.poses(frames / motion.fps).replace(root_positions=origin, root_rotations=back)
        body = outline(performance.character, pose)
        high, wide = float(body[..., 1].max()), 2 * float(np.abs(body[..., 2]).max())
        xs = np.array([self.x_of(time) for time in self.ticks])
        spacing = min(np.diff(xs).tolist(), default=page.width / 4)
        height = renderer.height
        scale = min((height - 30 * page.unit) / max(high, 1e-3), 1.1 * spacing / max(wide, 1e-3))  # pixels a metre
        aside = ((xs - page.width / 2) / scale)[:, None] * np.array([0, 0, 1])
        pose = pose.replace(root_positions=(origin + aside).astype(np.float32))
        rotation = view_rotation(_SIDE, 0.12)
        middle = np.array([0.0, (height / 2 - 16 * page.unit) / scale, 0.0])
        away = 4 * height / scale
        position = middle - away * rotations.rotate(rotation, np.array([0.0, 0.0, 1.0]))
        camera = Camera(position, rotation, near=0.01 * away, far=3 * away, height=height / scale)
        floor = Floor(cell=0, fade=100 * page.width / scale, catcher=True)
        instances = Instances(performance.character, pose)
        self._paste(renderer, View(camera, (instances,), _sun(camera), sky=_SKY, floor=floor), (0, top), 0.02)
        for time, x in zip(self.ticks, xs.tolist(), strict=True):
            page.text(x, top + height + 12 * page.unit, f"{charts.short_number(time)} s", 14, charts.MUTED, "mm")

    def _paste(self, renderer: Renderer, view: View, place: tuple[int, int], border: float) -> None:
        """Draw a view onto the page; `border` is the share of its height over which it fades out at the edges."""
        picture = renderer.render(view).color
        assert picture is not None
        pixels = picture.copy()
        pixels[..., 3] = np.rint(pixels[..., 3] * _inside(renderer.width, renderer.height, border))
        self.page.paste(pixels, *place)

    def top_view(self, camera: Camera, box: charts.Box) -> None:
        """The paths from above, up being away from the camera, and the names of their colours."""
        unit = self.page.unit
        left, top, _, _ = box
        ahead = camera.ahead[[0, 2]] / np.linalg.norm(camera.ahead[[0, 2]])
        axes = np.stack([-camera.left[[0, 2]], ahead], axis=1)
        paths = [("travelled", charts.TRAVELLED, False)]
        if self.targets is not None:
            paths.append(("commanded", charts.COMMANDED, True))
        charts.legend(self.page, left, top - 48 * unit, paths)
        commanded = None if self.targets is None else self.targets[:, ::2] @ axes
        charts.top_view(self.page, box, self.motion.root_frame()[0][:, ::2] @ axes, commanded, self.cell)

    def time_grid(self) -> None:
        page = self.page
        for x in map(self.x_of, self.ticks):
            page.line([(x, page.share(0.772)), (x, page.share(0.98))], charts.RULE, 1)

    def speed(self) -> None:
        velocities = kinematics.velocities(self.motion.root_frame()[0], 1 / self.motion.fps)
        curves = [(np.linalg.norm(velocities[:, ::2], axis=1), charts.TRAVELLED, False)]
        if self.commands is not None:
            curves.insert(0, (np.linalg.norm(self.commands[:, ::2], axis=1), charts.COMMANDED, True))
        bottom = 0.868 if self.motion.skeleton.roles.legs else 0.97
        self._graph("speed, m/s", 0.808, bottom, curves, 0.5 * self.cell)

    def feet(self) -> None:
        """Heights of the toes, and when the feet touch the ground."""
        page, motion, legs = self.page, self.motion, self.motion.skeleton.roles.legs
        colors = (charts.LEFT, charts.RIGHT)
        toes = [leg.foot if leg.toe is None else leg.toe for leg in legs]
        heights = motion[:].global_positions[:, toes, 1].T
        curves = [(100 * height, color, False) for height, color in zip(heights, colors, strict=False)]
        self._graph("height of the toes, cm", 0.908, 0.95, curves, 10 * self.cell)
        names = [("left", charts.LEFT, False), ("right", charts.RIGHT, False)]
        charts.legend(page, self.right, page.share(0.908) - 18 * page.unit, names, right=True)
        contacts = self.performance.standing
        if contacts.shape[1] != len(colors):
            return
        page.text(self.left - 10 * page.unit, page.share(0.97), "contact", 13, charts.MUTED, "rm")
        for side, color in enumerate(colors):
            charts.bars(
                page, page.share(0.961 + 0.011 * side), 7 * page.unit, contacts[:, side], motion.fps, color, self.x_of
            )

    def _graph(self, title: str, top: float, bottom: float, curves: list[charts.Curve], least: float) -> None:
        box = (self.left, self.page.share(top), self.right, self.page.share(bottom))
        times = np.arange(self.motion.frames) / self.motion.fps
        charts.graph(self.page, box, title, times, curves, self.x_of, least)


def _inside(width: int, height: int, border: float) -> Singles:
    """`[H, W]`: 1 inside a picture, falling smoothly to 0 at its edges over a share of its height."""
    x, y = ((np.minimum(np.arange(n), np.arange(n)[::-1]) + 0.5) / (border * height) for n in (width, height))
    inside = np.clip(x / 2, 0, 1)[None, :] * np.clip(y, 0, 1)[:, None]
    return (inside * inside * (3 - 2 * inside)).astype(np.float32)


def _sun(camera: Camera) -> Sun:
    return replace(Sun.behind(camera), intensity=2.4)


def _checked(name: str, values: ArrayLike | None, motion: Motion) -> Singles | None:
    if values is None:
        return None
    array = np.asarray(values, np.float32)
    if array.shape != (motion.frames, 3) or not np.isfinite(array).all():
        raise KinemaError(
            f"{name} must be finite numbers of shape [{motion.frames}, 3], one row per frame, not {list(array.shape)}"
        )
    return array

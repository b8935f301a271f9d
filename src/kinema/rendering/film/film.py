"""A shot as a film: what each of its pictures shows."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from kinema.errors import KinemaError
from kinema.pose import Pose
from kinema.rates import MOST_FRAMES, RATES, is_length, is_rate
from kinema.rendering.draw import Draw
from kinema.rendering.film import camera_work
from kinema.rendering.film.camera_work import CameraWork
from kinema.rendering.film.performance import Performance, Shot
from kinema.rendering.splats.light import light_of
from kinema.rendering.view import Color, Floor, Instances, Sky, Sun, View

SHOWN = ("skeleton", "contacts", "trajectory", "names")
_SIDES = ((0.23, 0.49, 0.75), (0.83, 0.37, 0.20))  # left and right, as on mannequins
_BLOCK = 64  # poses computed at once
_AROUND = 1.0  # seconds of the path that are shown before and after
_CLEAR = 0.002  # share of the size that the floor is drawn lower: a sheet on it would flicker with it


@dataclass(frozen=True)
class FilmSettings:
    """How a shot is filmed.

    Attributes:
        width, height: width and height of the pictures, pixels.
        fps: frames per second.
        start, stop: seconds of the clip; a `stop` of None is its end.
        camera: what the camera does.
        background: linear colour of floor and distance; None is the default floor under a sky.
        transparent: nothing but the body and its shadow.
        show: what else is drawn, of `SHOWN`.
        caption: a line of text in the picture.
    """

    width: int = 1280
    height: int = 720
    fps: float = 30.0
    start: float = 0.0
    stop: float | None = None
    camera: CameraWork | None = None
    background: Color | None = None
    transparent: bool = False
    show: tuple[str, ...] = ()
    caption: str = ""

    def __post_init__(self) -> None:
        if unknown := [name for name in self.show if name not in SHOWN]:
            raise KinemaError(f"{unknown[0]!r} cannot be shown; known are {', '.join(SHOWN)}")


class Film:
    """The pictures of a shot, made one by one.

    Attributes:
        times: seconds `[N]` of the pictures in the clip.

    Raises:
        KinemaError: the start is after the end, the rate is none, or there would be too many pictures.
        SkeletonError: the motion is not of the character's joints.
    """

    def __init__(self, shot: Shot, settings: FilmSettings) -> None:
        self.settings, self.performance = settings, Performance(shot)
        end = camera_work.still_seconds(self.performance)
        stop = end if settings.stop is None else min(settings.stop, end if self.performance.seconds else np.inf)
        if not 0 <= settings.start < stop:
            raise KinemaError(
                f"{shot.title!r} lasts {end:.2f} s: nothing lies between {settings.start:g} s and {stop:g} s"
            )
        if not (is_rate(settings.fps) and is_length(stop - settings.start, settings.fps)):
            raise KinemaError(
                f"{shot.title!r}: {stop - settings.start:g} s at {settings.fps:g} frames per second; at most "
                f"{MOST_FRAMES:,} pictures are made, at a rate of {RATES}"
            )
        count = max(int(np.floor((stop - settings.start) * settings.fps + 1e-6)), 1)
        self.times = settings.start + np.arange(count) / settings.fps
        self._length = self.performance.seconds or stop
        self._floor, self._sky = _surroundings(self.performance, settings)
        self._block: tuple[int, Pose] | None = None
        self._look(settings.camera or CameraWork(camera_work.default_kind(self.performance), cues=shot.cues))

    def _look(self, work: CameraWork) -> None:
        aspect = self.settings.width / self.settings.height
        self.camera = camera_work.plan(self.performance, work, aspect, self._length)
        scene = self.performance.shot.scene
        self._sun = Sun.behind(self.camera(self.settings.start))
        if scene is not None:
            self._sun, light = light_of(scene)
            self._sky = replace(light, backdrop=self._sky.backdrop or (*Sky().horizon, 1.0))

    def seen_by(self, work: CameraWork) -> Film:
        """The same film with another camera."""
        other = copy(self)
        other._look(work)
        return other

    def __len__(self) -> int:
        return len(self.times)

    def view(self, number: int) -> View:
        """What picture `number` shows, with the one before it for motion vectors."""
        before = max(number - 1, 0)
        return self._view(float(self.times[number]), self._pose(number), float(self.times[before]), self._pose(before))

    def at(self, time: float) -> View:
        """What the camera sees at any time in seconds; nothing moves."""
        pose = self.performance.poses(np.array([time]))[0]
        return self._view(time, pose, time, pose)

    def _view(self, time: float, pose: Pose, before: float, pose_before: Pose) -> View:
        return View(
            self.camera(time),
            (Instances(self.performance.character, pose, previous=pose_before),),
            self._sun,
            sky=self._sky,
            floor=self._floor_at(time, pose),
            draw=self._draw(time, pose),
            previous_camera=self.camera(before),
            splats=self.performance.shot.scene,
        )

    def _floor_at(self, time: float, pose: Pose) -> Floor | None:
        if self.performance.shot.scene is not None:
            return None
        ground = self.performance.shot.ground
        return self._floor if ground is None else self._floor.over(ground.at(time), pose.root_positions)

    def _pose(self, number: int) -> Pose:
        if self._block is None or not self._block[0] <= number < self._block[0] + len(self._block[1]):
            first = max(number - 1, 0)
            self._block = first, self.performance.poses(self.times[first : first + _BLOCK])
        first, poses = self._block
        return poses[number - first]

    def _draw(self, time: float, pose: Pose) -> Draw | None:
        """What is drawn over the picture, if anything."""
        settings, marks = self.settings, self.performance.shot.marks
        if not settings.show and not settings.caption and marks is None:
            return None
        draw = Draw()
        if marks is not None:
            marks(draw, time, self.performance.size, self.performance.floor)
        for name in SHOWN:
            if name in settings.show:
                getattr(self, f"_draw_{name}")(draw, time, pose)
        if settings.caption:
            draw.caption((16, -16), settings.caption, max(14.0, settings.height / 40), anchor=(0, 1))
        return draw

    def _draw_trajectory(self, draw: Draw, time: float, pose: Pose) -> None:
        performance = self.performance
        if performance.seconds:
            times = np.clip(time + np.linspace(-_AROUND, _AROUND, 13), 0, performance.seconds)
            places, facings = performance.path(np.unique(times))
            places[:, 1] += 0.006 * performance.size
            draw.trajectory(places, facings, width=0.008 * performance.size, ticks=0.09 * performance.size)

    def _draw_contacts(self, draw: Draw, time: float, pose: Pose) -> None:
        performance = self.performance
        feet, standing = pose.global_positions[performance.contact_joints], performance.standing_at(time)
        colors = _SIDES if len(feet) == 2 else None
        ground = performance.shot.ground
        heights = performance.floor if ground is None else ground.at(time).height(feet)
        draw.contacts(feet, standing, colors, radius=0.05 * performance.size, ground=heights)

    def _draw_skeleton(self, draw: Draw, time: float, pose: Pose) -> None:
        draw.skeleton(pose.skeleton.parents, pose.global_positions, width=0.008 * self.performance.size, on_top=True)

    def _draw_names(self, draw: Draw, time: float, pose: Pose) -> None:
        size, names = 0.022 * self.performance.size, list(pose.skeleton.names)
        draw.text(pose.global_positions, names, size, on_top=True, anchor=(-0.1, 0.5))


def _surroundings(performance: Performance, settings: FilmSettings) -> tuple[Floor, Sky]:
    """Floor and sky to the scale of the body."""
    scale = performance.size / 1.7
    cell = 0.5 * 2.0 ** round(np.log2(scale))
    floor = Floor(y=performance.floor - _CLEAR * performance.size, cell=cell, fade=18.0 * scale)
    if settings.transparent:
        return replace(floor, catcher=True, cell=0.0), Sky(backdrop=(0.0, 0.0, 0.0, 0.0))
    if settings.background is not None:
        red, green, blue = settings.background
        line = (0.8 * red, 0.8 * green, 0.8 * blue)
        return replace(floor, color=settings.background, line=line), Sky(backdrop=(red, green, blue, 1.0))
    return floor, Sky()

"""The maps of a film, picture by picture: any of them can be made alone, and comes out the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kinema.errors import KinemaError
from kinema.keypoints.points import BODY, BodyPoints
from kinema.rendering.camera import Camera
from kinema.rendering.conditions import maps as made
from kinema.rendering.conditions.body_points import PointRig, is_person, seen_by
from kinema.rendering.conditions.cylinders import RADIUS, draw_cylinders
from kinema.rendering.conditions.pose_map import PoseStyle, draw_pose_map
from kinema.rendering.conditions.targets import FACE_SIZE, MAPS, OF_PEOPLE
from kinema.rendering.film.film import Film
from kinema.rendering.film.output import Pixels
from kinema.rendering.frame import Frame, Renders
from kinema.rendering.view import View

_BUFFERS = ("color", "depth", "normals", "entities", "parts")
_BEFORE = 0.98  # share of the distance to the nearest point of the body that is white
_BEHIND, _BEHIND_IN_SCENE = 3.0, 12.0  # times that distance that is black
_HEAD = ("nose", "right_eye", "left_eye", "right_ear", "left_ear")
_FACE_SPAN = 1.7  # width of the picture of a face, heights of the head above its joint


@dataclass(frozen=True, eq=False)
class MapFrame:
    """One picture's maps.

    Attributes:
        maps: uint8 `[H, W, 3]` by name.
        points: what its camera sees of the key points; None for a body that is no person.
        camera: that took it.
        seen: the buffers that they were made of; None if they are not kept.
    """

    maps: Mapping[str, Pixels]
    points: BodyPoints | None
    camera: Camera
    seen: Frame | None = None


@dataclass(frozen=True, eq=False)
class MapMaker:
    """Makes the maps of views of one body.

    Attributes:
        maps: names of `kinema.rendering.conditions.targets.MAPS`.
        width, height: pixels, those of the renderer.
        rig: finds key points; None for a body that is no person.
        depth_range: distances that are white and black in the map `depth`, metres.
        style: how skeletons are drawn.
    """

    maps: tuple[str, ...]
    width: int
    height: int
    rig: PointRig | None
    depth_range: tuple[float, float]
    style: PoseStyle = field(default_factory=PoseStyle)

    def frame(self, view: View, renderer: Renders, background: Pixels | None = None) -> MapFrame:
        """The maps of a view, whose first instance is the body.

        Args:
            background: the picture without the body, if it is known; None draws it where a map needs it.
        """
        view = _with_centre(view)
        seen: Frame = renderer.render(view, _BUFFERS)
        drawing = _Drawing(self, view, seen, renderer, background)
        maps = {name: drawing.map(name) for name in self.maps}
        return MapFrame(maps, drawing.points, view.camera, seen)


class MapFilm:
    """Makes the maps of the pictures of a film.

    Args:
        film: what is filmed.
        maps: names of `kinema.rendering.conditions.targets.MAPS`.
        style: how skeletons are drawn.

    Attributes:
        depth_range: distances that are white and black in the map `depth`, metres.
        rig: finds key points; None for a body that is no person.

    Raises:
        KinemaError: there is no such map.
        SkeletonError: a map is only for people, and the body is another.
    """

    def __init__(self, film: Film, maps: Sequence[str], style: PoseStyle | None = None) -> None:
        if unknown := [name for name in maps if name not in MAPS]:
            raise KinemaError(f"there is no map {unknown[0]!r}; there are {', '.join(MAPS)}")
        self.film, self.maps, self.style = film, tuple(maps), style or PoseStyle()
        performance = film.performance
        person = is_person(performance.skeleton) or any(name in OF_PEOPLE for name in maps)
        self.rig = PointRig(performance.character, performance.motion) if person else None
        self.depth_range = _depth_range(film)

    def __len__(self) -> int:
        return len(self.film)

    def frame(self, number: int, renderer: Renders) -> MapFrame:
        """The maps of picture `number`, drawn with a renderer of the film's size."""
        settings = self.film.settings
        maker = MapMaker(self.maps, settings.width, settings.height, self.rig, self.depth_range, self.style)
        return maker.frame(self.film.view(number), renderer)


class _Drawing:
    """One picture, and what its maps have in common."""

    def __init__(
        self, maker: MapMaker, view: View, seen: Frame, renderer: Renders, background: Pixels | None = None
    ) -> None:
        self._maker, self._view, self._seen, self._renderer = maker, view, seen, renderer
        self._size = maker.width, maker.height
        self._background = background
        self._world: BodyPoints | None = None
        self.points: BodyPoints | None = None
        if maker.rig is not None:
            self._world = maker.rig(view.instances[0].pose)[0]
            self.points = seen_by(self._world, view.camera, *self._size, maker.rig.stature, seen.depth, seen.entities)

    def map(self, name: str) -> Pixels:
        seen: Any = self._seen
        makers: dict[str, Callable[[], Pixels]] = {
            "picture": lambda: np.ascontiguousarray(seen.color[..., :3]),
            "pose": self._pose,
            "cylinders": self._cylinders,
            "depth": lambda: made.depth_map(seen.depth, *self._maker.depth_range),
            "normals": lambda: made.normals_map(seen.normals, self._view.camera),
            "parts": lambda: made.parts_map(seen.parts),
            "mask": lambda: made.mask_map(seen.entities),
            "edges": lambda: made.edges_map(seen.color),
            "blurred": lambda: made.blurred_map(seen.color),
            "background": self._without_body,
            "inpaint": lambda: made.inpaint_map(self._without_body(), seen.entities),
            "body": lambda: made.body_map(seen.color, seen.entities),
            "face": self._face,
        }
        return makers[name]()

    def _without_body(self) -> Pixels:
        if self._background is None:
            frame: Frame = self._renderer.render(replace(self._view, instances=()), ("color",))
            assert frame.color is not None
            self._background = np.ascontiguousarray(frame.color[..., :3])
        return self._background

    def _pose(self) -> Pixels:
        assert self.points is not None
        return draw_pose_map(self.points, *self._size, self._maker.style)

    def _cylinders(self) -> Pixels:
        assert self._world is not None and self._maker.rig is not None
        return draw_cylinders(self._world.body, self._view.camera, *self._size, RADIUS * self._maker.rig.stature)

    def _face(self) -> Pixels:
        assert self._world is not None and self._maker.rig is not None and self._seen.color is not None
        head = self._world.body[[BODY.index(name) for name in _HEAD]]
        if not (head[:, 3] > 0).all():
            return np.zeros((FACE_SIZE, FACE_SIZE, 3), np.uint8)
        middle = self._view.camera.project(head[:, :3].mean(axis=0), *self._size)
        camera, height = self._view.camera, self._size[1]
        ahead = 1.0 if camera.height is not None else max(float(middle[2]), 1e-3)
        half = max(_FACE_SPAN / 2 * self._maker.rig.head_height * height / 2 / camera.half_height / ahead, 1.0)
        left, top = round(float(middle[0]) - half), round(float(middle[1]) - half)
        side = max(round(2 * half), 1)
        return made.face_map(self._seen.color, (left, top, left + side, top + side), FACE_SIZE)


def _with_centre(view: View) -> View:
    """The view with a floor that fades around the body also where the body is left out."""
    if view.floor is None or view.floor.centre is not None:
        return view
    x, y, z = np.asarray(view.instances[0].pose.global_positions[0]).mean(axis=0).tolist()
    return replace(view, floor=replace(view.floor, centre=(x, y, z)))


def _depth_range(film: Film) -> tuple[float, float]:
    """Distances between which depth is told apart, for the whole film: around the body, wherever it goes."""
    performance, nearest = film.performance, np.inf
    low, high = float(film.times[0]), float(film.times[-1])
    for time, points in zip(performance.surface_times, performance.surface, strict=True):
        camera = film.camera(float(np.clip(time, low, high)))
        if low <= time <= high or len(performance.surface_times) == 1:
            nearest = min(nearest, float(((points - camera.position) @ camera.ahead).min()))
    if not np.isfinite(nearest):  # a film between two samples
        camera = film.camera(low)
        nearest = float(((performance.surface[0] - camera.position) @ camera.ahead).min())
    nearest = max(_BEFORE * nearest, 1e-3)
    return nearest, nearest * (_BEHIND if performance.shot.scene is None else _BEHIND_IN_SCENE)

"""Cameras for real time: free, fixed, orbit, third person, and following with framing.

Each rig is a dataclass whose `update` is called once a picture and returns a `Camera`. Angles are those of
`kinema.rendering.fitting.frame_points`: `azimuth` is where the camera looks, radians from +Z toward +X, `elevation` how
far it looks down. Smoothing is by half-lives and gives the same path at any frame rate. A long frame does not throw the
camera off, and a target that is teleported takes the camera along. With a `floor`, the camera stays above it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations, springs
from kinema.arrays import Floats
from kinema.rendering.camera import Camera
from kinema.rendering.fitting import Margins, back_off, fit, seen_points
from kinema.rendering.tracking import Chase, angles_of, nearest_turn, view_rotation

STEEPEST = 1.55
"""The most that a user may tilt a camera up or down, radians."""

_AHEAD = np.array([0.0, 0.0, 1.0])
_CLEARANCE = 0.1  # metres that a camera stays above the floor
_TELEPORT = 30.0  # m/s: a faster target has been teleported


@dataclass
class FreeRig:
    """A camera that flies freely.

    Attributes:
        position: `[3]`, metres.
        azimuth, elevation, fov: radians.
        halflife: half-life of the speed, seconds.
        floor: lowest height of the camera, metres; None: no limit.
    """

    position: Floats = field(default_factory=lambda: np.array([0.0, 1.6, 5.0]))
    azimuth: float = np.pi
    elevation: float = 0.1
    fov: float = 0.8
    halflife: float = 0.08
    floor: float | None = None
    _motion: tuple[Floats, Floats] = field(default_factory=lambda: (np.zeros(3), np.zeros(3)), repr=False)
    _turning: tuple[Floats, Floats] = field(default_factory=lambda: (np.zeros(2), np.zeros(2)), repr=False)

    def update(self, move: ArrayLike, turn: ArrayLike, dt: float) -> Camera:
        """Move on by `dt` seconds.

        Args:
            move: `[3]`, desired velocity in the camera's axes (left, up, ahead), m/s.
            turn: `[2]`, desired rate of azimuth and elevation, rad/s.
        """
        if dt > 0:
            angles, wanted = np.array([self.azimuth, self.elevation]), np.asarray(turn, np.float64)
            angles, pace, change = springs.move(angles, *self._turning, wanted, self.halflife, dt)
            self.azimuth, self.elevation = float(angles[0]), float(np.clip(angles[1], -STEEPEST, STEEPEST))
            self._turning = pace, change
            way = rotations.rotate(view_rotation(self.azimuth, self.elevation), np.asarray(move, np.float64))
            place = np.array(self.position, np.float64)
            self.position, pace, change = springs.move(place, *self._motion, way, self.halflife, dt)
            self._motion = pace, change
            if self.floor is not None and self.position[1] < self.floor + _CLEARANCE:
                self.position[1] = self.floor + _CLEARANCE
                pace[1] = change[1] = 0.0
        return Camera(np.array(self.position, np.float64), view_rotation(self.azimuth, self.elevation), self.fov)


@dataclass
class FixedRig:
    """A camera on a tripod that may pan after a target.

    Attributes:
        position: `[3]`, metres.
        azimuth, elevation: where it looks without a target.
        halflife: half-life of panning, seconds.
    """

    position: Floats = field(default_factory=lambda: np.array([0.0, 1.6, 5.0]))
    azimuth: float = np.pi
    elevation: float = 0.1
    fov: float = 0.6
    halflife: float = 0.15
    _turn: tuple[Floats, Floats] | None = field(default=None, repr=False)

    def update(self, target: ArrayLike | None = None, dt: float = 0.0) -> Camera:
        """The camera, panned toward `target` `[3]` if there is one."""
        position = np.asarray(self.position, np.float64)
        if target is not None:
            way = np.asarray(target, np.float64) - position
            if np.isfinite(way).all() and np.linalg.norm(way) > 1e-6:
                self.azimuth, self.elevation = angles_of(way, self.azimuth)
        goal = view_rotation(self.azimuth, self.elevation)
        if self._turn is None:
            self._turn = goal, np.zeros(3)
        elif dt > 0:
            rotation, spin = springs.spring_rotation(*self._turn, goal, self.halflife, dt)
            self._turn = rotations.normalize(rotation), spin
        return Camera(position, np.asarray(self._turn[0], np.float64), self.fov)


@dataclass
class OrbitRig:
    """A camera that orbits a target, rotated and zoomed by the user.

    Attributes:
        azimuth, elevation, distance: where it moves to, smoothly; may be changed at any time.
        halflife: half-life of turning and zooming, seconds.
        follow: half-life of following the target, seconds.
        floor: lowest height of the camera, metres; None: no limit.
    """

    azimuth: float = np.pi - 0.6
    elevation: float = 0.2
    distance: float = 4.0
    fov: float = 0.6
    halflife: float = 0.06
    follow: float = 0.1
    floor: float | None = None
    _view: Chase = field(default_factory=lambda: Chase(0.06), repr=False)
    _target: Chase = field(default_factory=lambda: Chase(0.1, _TELEPORT), repr=False)

    def turn(self, azimuth: float, elevation: float) -> None:
        """Turn by angles in radians."""
        self.azimuth += azimuth
        self.elevation = float(np.clip(self.elevation + elevation, -STEEPEST, STEEPEST))

    def zoom(self, factor: float) -> None:
        """Multiply the distance by a factor."""
        self.distance = float(np.clip(self.distance * factor, 1e-2, 1e4))

    def update(self, target: ArrayLike, dt: float) -> Camera:
        """Look at `target` `[3]`."""
        self._view.halflife, self._target.halflife = self.halflife, self.follow
        azimuth, elevation, zoom = self._view.update((self.azimuth, self.elevation, np.log(self.distance)), dt)
        return _around(self._target.update(target, dt), azimuth, elevation, np.exp(zoom), self.fov, self.floor)


@dataclass
class ThirdPersonRig:
    """A camera that follows a character from behind and looks where it faces.

    Attributes:
        distance: metres behind.
        height: height of the point it looks at, metres above the character's position.
        elevation: radians down. azimuth: radians to the side of straight behind. Both may be changed by the user.
        shoulder: metres to the right of the character.
        halflife: half-life of following, seconds.
        turn_halflife: half-life of turning behind the character, seconds; None keeps the direction.
    """

    distance: float = 3.2
    height: float = 1.3
    elevation: float = 0.22
    azimuth: float = 0.0
    shoulder: float = 0.0
    fov: float = 0.8
    halflife: float = 0.12
    turn_halflife: float | None = 0.35
    floor: float | None = 0.0
    _target: Chase = field(default_factory=lambda: Chase(0.12, _TELEPORT), repr=False)
    _heading: Chase = field(default_factory=lambda: Chase(0.35), repr=False)

    def update(self, position: ArrayLike, heading: float, dt: float) -> Camera:
        """Follow a character at `position` `[3]` (on the ground) that faces `heading` (radians from +Z to +X)."""
        self._target.halflife = self.halflife
        goal = np.asarray(position, np.float64) + np.array([0.0, self.height, 0.0])
        jumped = self._target.jumps(goal, dt)
        target = self._target.update(goal, dt)
        if self._heading.goal is not None:
            heading = nearest_turn(heading, float(self._heading.goal))
        if self.turn_halflife is not None or self._heading.value is None:
            if jumped:
                self._heading.reset()
            self._heading.halflife = self.turn_halflife or 0.0
            self._heading.update(heading, dt)
        azimuth = float(self._heading.value if self._heading.value is not None else heading) + self.azimuth
        right = np.array([-np.cos(azimuth), 0.0, np.sin(azimuth)])
        pivot = target + self.shoulder * right
        return _around(pivot, azimuth, self.elevation, self.distance, self.fov, self.floor)


@dataclass
class FollowRig:
    """A camera that keeps its subjects in the picture.

    Its place follows from their bounding box, the angle of view and the aspect of the picture, with room above their
    heads and ahead of them.

    Attributes:
        azimuth, elevation: where it looks from; may be changed at any time.
        margin: share of the picture that stays free at each border.
        headroom: additional share that stays free at the top.
        lead: seconds of their path that are left free ahead of the subjects, up to a quarter of the picture.
        halflife: half-life of following, seconds.
        zoom_halflife: half-life of zooming with the size of the subjects, seconds.
    """

    azimuth: float = np.pi - 0.6
    elevation: float = 0.15
    fov: float = 0.5
    aspect: float = 16 / 9
    margin: float = 0.1
    headroom: float = 0.06
    lead: float = 0.25
    halflife: float = 0.25
    zoom_halflife: float = 0.6
    floor: float | None = 0.0
    _middle: Chase = field(default_factory=lambda: Chase(0.25, _TELEPORT), repr=False)
    _half: Chase = field(default_factory=lambda: Chase(0.6), repr=False)

    def update(self, points: ArrayLike, dt: float) -> Camera:
        """Follow one or more subjects whose joints (or corners of their boxes) are `points` `[..., 3]`.

        Raises:
            KinemaError: there is no finite point, or the margins leave nothing of the picture.
        """
        world = np.asarray(points, np.float64).reshape(-1, 3)
        rotation = view_rotation(self.azimuth, self.elevation)
        raw = seen_points(world, rotation)
        finite = world[np.isfinite(world).all(axis=-1)]
        low, high = finite.min(axis=0), finite.max(axis=0)
        self._middle.halflife, self._half.halflife = self.halflife, self.zoom_halflife
        self._middle.update((low + high) / 2, dt)
        half = np.maximum(self._half.update((high - low) / 2, dt), 1e-3)
        corners = half * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        margins = Margins(self.margin, self.margin, self.margin + self.headroom, self.margin)
        slopes = margins.slopes(self.fov, self.aspect)
        eye = fit(seen_points(corners, rotation), *slopes)
        # The room ahead is limited to a quarter of the picture, softly, so that fast subjects stay well inside.
        widest = 0.5 * -eye[2] * np.tan(self.fov / 2) * min(self.aspect, 1.0)
        velocity = self._middle.velocity if self._middle.velocity is not None else np.zeros(3)
        way = self.lead * velocity
        way = way * (np.tanh(np.linalg.norm(way) / widest) * widest / max(float(np.linalg.norm(way)), 1e-9))
        place = eye + rotations.inverse_rotate(rotation, self._middle.ahead(0.0) + way)
        # The camera steps back where a subject starts or turns faster than the camera can follow.
        place[2] -= back_off(raw, place, *Margins.even(0.3 * self.margin).slopes(self.fov, self.aspect))
        distance = float(raw[:, 2].mean() - place[2])
        target = rotations.rotate(rotation, place + distance * _AHEAD)
        return _around(target, self.azimuth, self.elevation, distance, self.fov, self.floor)


def _around(
    target: Floats, azimuth: float, elevation: float, distance: float, fov: float, floor: float | None
) -> Camera:
    """A camera at a distance from a target, raised until it is above the floor."""
    distance = float(distance)
    if floor is not None:
        least = np.clip((floor + _CLEARANCE - target[1]) / max(distance, 1e-6), -1.0, 1.0)
        elevation = max(float(elevation), float(np.arcsin(least)))
    rotation = view_rotation(float(azimuth), float(elevation))
    position = target - distance * rotations.rotate(rotation, _AHEAD)
    if floor is not None:
        position[1] = max(position[1], floor + _CLEARANCE)
    return Camera(position, rotation, fov, min(0.05, 0.1 * distance), max(200.0, 4 * distance))

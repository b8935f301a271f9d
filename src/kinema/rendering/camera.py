"""The camera of a picture and its matrices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import KinemaError

_UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Camera:
    """A perspective or orthographic camera. Its axes follow the common convention: +Z ahead, +Y up, +X to the left.

    Attributes:
        position: `[3]`, metres, world.
        rotation: `[4]`, unit quaternion (wxyz) from the camera's axes to the world's.
        fov: vertical angle of view, radians; ignored if `height` is given.
        near, far: distances of the clipping planes, metres.
        height: height of an orthographic picture, metres; None is perspective.
    """

    position: Floats
    rotation: Floats
    fov: float = 0.6
    near: float = 0.05
    far: float = 200.0
    height: float | None = None

    @staticmethod
    def look_at(
        eye: ArrayLike,
        target: ArrayLike,
        fov: float = 0.6,
        near: float = 0.05,
        far: float = 200.0,
        height: float | None = None,
    ) -> Camera:
        """A camera at `eye` `[3]` that looks at `target` `[3]` with the world's up upward.

        Raises:
            KinemaError: a value is not finite, or the two are the same point.
        """
        position, toward = np.asarray(eye, np.float64), np.asarray(target, np.float64)
        ahead = toward - position
        distance = float(np.linalg.norm(ahead))
        if not np.isfinite(distance) or distance < 1e-9:
            raise KinemaError(f"a camera at {position.tolist()} cannot look at {toward.tolist()}")
        ahead /= distance
        left = np.cross(_UP, ahead)
        if np.linalg.norm(left) < 1e-6:  # straight up or down: up in the picture is -Z or +Z in the world
            left = np.array([1.0, 0.0, 0.0])
        left /= np.linalg.norm(left)
        axes = np.stack([left, np.cross(ahead, left), ahead], axis=1)
        return Camera(position, np.asarray(rotations.from_matrix(axes), np.float64), fov, near, far, height)

    @cached_property
    def axes(self) -> Floats:
        """Left, up and ahead as columns `[3, 3]`, unit, world; not to be written to."""
        matrix = np.asarray(rotations.to_matrix(self.rotation))
        matrix.flags.writeable = False
        return matrix

    @property
    def left(self) -> Floats:
        """`[3]`, unit, world."""
        return self.axes[:, 0]

    @property
    def up(self) -> Floats:
        """`[3]`, unit, world."""
        return self.axes[:, 1]

    @property
    def ahead(self) -> Floats:
        """`[3]`, unit, world."""
        return self.axes[:, 2]

    @property
    def half_height(self) -> float:
        """Metres from the middle of the picture to its upper edge; of a perspective picture, one metre ahead."""
        return float(np.tan(self.fov / 2)) if self.height is None else self.height / 2

    def view_matrix(self) -> Floats:
        """`[4, 4]`, world to OpenGL's eye space (+X right, +Y up, -Z ahead), for column vectors."""
        matrix = np.eye(4)
        matrix[:3, :3] = np.stack([-self.left, self.up, -self.ahead])
        matrix[:3, 3] = -matrix[:3, :3] @ self.position
        return matrix

    def projection_matrix(self, aspect: float) -> Floats:
        """`[4, 4]`, OpenGL's eye space to clip space for a picture of `aspect` = width over height."""
        matrix = np.zeros((4, 4))
        near, far = self.near, self.far
        if self.height is None:
            scale = 1.0 / np.tan(self.fov / 2)
            matrix[0, 0], matrix[1, 1] = scale / aspect, scale
            matrix[2, 2], matrix[2, 3] = (far + near) / (near - far), 2 * far * near / (near - far)
            matrix[3, 2] = -1.0
        else:
            matrix[0, 0], matrix[1, 1] = 2.0 / (self.height * aspect), 2.0 / self.height
            matrix[2, 2], matrix[2, 3] = 2.0 / (near - far), (far + near) / (near - far)
            matrix[3, 3] = 1.0
        return matrix

    def project(self, points: ArrayLike, width: int, height: int) -> Floats:
        """Pixel x (right), y (down) and metres ahead, `[..., 3]`, of points `[..., 3]` in the world.

        Points behind the camera have a negative third value and no meaningful pixel.
        """
        seen = (np.asarray(points, np.float64) - self.position) @ self.axes
        depth = seen[..., 2]
        if self.height is None:
            scale = height / 2 / np.tan(self.fov / 2) / np.where(np.abs(depth) < 1e-9, 1e-9, depth)
        else:
            scale = np.full_like(depth, height / self.height)
        return np.stack([width / 2 - seen[..., 0] * scale, height / 2 - seen[..., 1] * scale, depth], axis=-1)

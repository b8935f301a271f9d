"""A small software rasteriser for still pictures: triangles with a depth buffer, a camera, light, soft shadows."""

# pyright: reportIndexIssue=false

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating]

_NEAR = 0.02  # of the distance to the camera's target: triangles that reach nearer are left out
_SKY, _GROUND, _SUNLIGHT = (0.52, 0.56, 0.63), (0.36, 0.33, 0.30), (0.66, 0.63, 0.58)


@dataclass(frozen=True, eq=False)
class Camera:
    """A perspective camera.

    Attributes:
        eye: `[3]`, metres.
        axes: `[3, 3]`, rows: unit right, up and forward.
        fov: vertical angle of view, radians.
        distance: from the eye to what it looks at, metres.
    """

    eye: Floats
    axes: Floats
    fov: float
    distance: float

    @staticmethod
    def fit(points: ArrayLike, azimuth: float, elevation: float, fov: float, aspect: float) -> Camera:
        """The camera nearest to `points` `[N, 3]` that sees them all.

        Args:
            azimuth: where it looks, radians from +Z toward +X.
            elevation: how far it looks down, radians.
            fov: vertical angle of view, radians.
            aspect: width over height of the picture.
        """
        axes = view_axes(azimuth, elevation)
        seen = np.asarray(points, np.float64) @ axes.T.astype(np.float64)
        half = np.tan(fov / 2) * np.array([aspect, 1.0])
        # Each side of the view is a plane through the eye; the point nearest to it says where the plane must be.
        high = (seen[:, :2] - half * seen[:, 2:]).max(axis=0)
        low = (-seen[:, :2] - half * seen[:, 2:]).max(axis=0)
        back = float((-(high + low) / (2 * half)).min())
        back = min(back, float(seen[:, 2].min()) - 1e-2)
        eye = np.array([*((high - low) / 2), back]) @ axes
        return Camera(eye.astype(np.float32), axes, fov, float(seen[:, 2].mean()) - back)

    def see(self, points: ArrayLike, width: int, height: int) -> Floats:
        """Pixel x (right), y (down) and depth (metres ahead of the eye) `[..., 3]` of points in the world."""
        seen = (np.asarray(points, np.float32) - self.eye) @ self.axes.T
        scale = height / 2 / np.tan(self.fov / 2)
        ahead = np.maximum(seen[..., 2:], _NEAR * self.distance)
        pixels = seen[..., :2] / ahead * np.array([scale, -scale]) + np.array([width / 2, height / 2])
        return np.concatenate([pixels, seen[..., 2:]], axis=-1).astype(np.float32)

    def ground(self, width: int, height: int) -> tuple[Floats, Floats]:
        """Where the rays of all pixels meet y = 0: x and z `[height, width, 2]`, and metres a pixel there; nan above
        the horizon."""
        scale = np.tan(self.fov / 2) / (height / 2)
        x = ((np.arange(width) + 0.5 - width / 2) * scale).astype(np.float32)
        y = ((height / 2 - np.arange(height) - 0.5) * scale).astype(np.float32)
        rays = x[None, :, None] * self.axes[0] + y[:, None, None] * self.axes[1] + self.axes[2]
        down = np.where(rays[..., 1] < -1e-4, rays[..., 1], np.float32(np.nan))
        distance = -self.eye[1] / down
        met = self.eye[[0, 2]] + rays[..., ::2] * distance[..., None]
        return met, (distance * np.float32(scale)).astype(np.float32)


def view_axes(azimuth: float, elevation: float) -> Floats:
    """Unit right, up and forward `[3, 3]` of a view; see `Camera.fit`."""
    forward = np.array([np.sin(azimuth) * np.cos(elevation), -np.sin(elevation), np.cos(azimuth) * np.cos(elevation)])
    right = np.array([-np.cos(azimuth), 0.0, np.sin(azimuth)])
    return np.stack([right, np.cross(right, forward), forward]).astype(np.float32)


def sun_of(axes: Floats) -> Floats:
    """Unit direction `[3]` toward a sun that stands high behind the left shoulder of who looks along a view."""
    ahead = axes[2] * np.array([1, 0, 1], np.float32)
    way = np.array([0, 0.78, 0]) - 0.46 * axes[0] - 0.42 * ahead / max(float(np.linalg.norm(ahead)), 1e-6)
    return (way / np.linalg.norm(way)).astype(np.float32)


@njit(cache=True, error_model="numpy")
def fill(
    target: Floats,
    nearness: Floats,
    points: Floats,
    values: Floats,
    faces: NDArray[np.uint32],
) -> None:
    """Draw triangles into `target` `[H, W, A]` where they are nearer than what is there.

    Args:
        nearness: `[H, W]`, changed too: one over the depth; 0 where nothing is yet.
        points: `[V, 3]`: pixel x and y (pixel centres at halves), one over the depth; not above 0 is not drawn.
        values: `[V, A]`: interpolated over a triangle, right in perspective.
        faces: `[K, 3]`, either way round.
    """
    height, width, count = target.shape
    for k in range(faces.shape[0]):
        a, b, c = faces[k, 0], faces[k, 1], faces[k, 2]
        ax, ay, aw = points[a, 0], points[a, 1], points[a, 2]
        bx, by, bw = points[b, 0], points[b, 1], points[b, 2]
        cx, cy, cw = points[c, 0], points[c, 1], points[c, 2]
        if not (aw > 0 and bw > 0 and cw > 0):
            continue
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if not abs(area) > 1e-12:
            continue
        first_x, last_x = max(0.0, np.ceil(min(ax, bx, cx) - 0.5)), min(width - 1.0, np.floor(max(ax, bx, cx) - 0.5))
        first_y, last_y = max(0.0, np.ceil(min(ay, by, cy) - 0.5)), min(height - 1.0, np.floor(max(ay, by, cy) - 0.5))
        if not (first_x <= last_x and first_y <= last_y):
            continue
        for row in range(int(first_y), int(last_y) + 1):
            y = row + 0.5
            for column in range(int(first_x), int(last_x) + 1):
                x = column + 0.5
                u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area
                v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area
                w = 1.0 - u - v
                if u < 0 or v < 0 or w < 0:
                    continue
                near = u * aw + v * bw + w * cw
                if near > nearness[row, column]:
                    nearness[row, column] = near
                    for i in range(count):
                        mixed = u * aw * values[a, i] + v * bw * values[b, i] + w * cw * values[c, i]
                        target[row, column, i] = mixed / near


class Picture:
    """Linear colour `[H, W, 3]` and coverage of what a camera sees; `scale` samples a pixel each way."""

    def __init__(self, camera: Camera, width: int, height: int, scale: int = 2) -> None:
        self.camera, self.scale = camera, scale
        self.width, self.height = width * scale, height * scale
        self.color = np.zeros((self.height, self.width, 3), np.float32)
        self.nearness = np.zeros((self.height, self.width), np.float32)

    def draw(
        self,
        vertices: Floats,
        colors: Floats,
        faces: NDArray[np.uint32],
        uvs: Floats | None = None,
        texture: Floats | None = None,
        haze: Floats | None = None,
        fade: float = 0.0,
    ) -> None:
        """Triangles `faces` `[K, 3]` of `vertices` `[V, 3]`, metres, with linear `colors` `[V, 3]`.

        Args:
            texture: linear `[h, w, 3]`, times the colours, looked up at `uvs` `[V, 2]` (from its top left).
            haze: linear colour `[3]` that takes a share `fade` of all colours.
        """
        veil = fade * (np.zeros(3, np.float32) if haze is None else haze)
        seen = self.camera.see(vertices, self.width, self.height)
        ahead = seen[:, 2] > _NEAR * self.camera.distance
        seen[:, 2] = np.where(ahead, 1.0 / np.where(ahead, seen[:, 2], 1), 0)
        faces = np.asarray(faces, np.uint32)
        if texture is None or uvs is None:
            fill(self.color, self.nearness, seen, (colors * (1 - fade) + veil).astype(np.float32), faces)
            return
        first, last = np.clip([seen[:, 1].min() - 1, seen[:, 1].max() + 2], 0, self.height).astype(int)
        seen[:, 1] -= first
        values = np.column_stack([colors, uvs, np.ones(len(seen))]).astype(np.float32)
        drawn = np.zeros((last - first, self.width, values.shape[1]), np.float32)
        fill(drawn, self.nearness[first:last], seen, values, faces)
        row, column = np.nonzero(drawn[..., -1])
        size = np.array([texture.shape[1], texture.shape[0]])
        x, y = (drawn[row, column, 3:5] % 1.0 * size).astype(int).T % size[:, None]
        self.color[first + row, column] = drawn[row, column, :3] * texture[y, x] * (1 - fade) + veil

    def over(self, background: Floats) -> NDArray[np.uint8]:
        """The picture `[height, width, 3]` in sRGB over a linear background, `[H, W, 3]` or `[3]`."""
        linear = np.where(self.nearness[..., None] > 0, self.color, background)
        s = self.scale
        return to_srgb(linear.reshape(self.height // s, s, self.width // s, s, 3).mean(axis=(1, 3)))


def lit(albedo: Floats, normals: Floats, vertices: Floats, eye: Floats, sun: Floats) -> Floats:
    """Linear colours `[V, 3]` of a matt surface under a sun and a sky over a bright ground.

    Lambert's law for the sun, an ambient term that blends from the ground's to the sky's with the normal's height, and
    a little light along the outline that keeps a dark limb apart from the one behind it.
    """
    up = 0.5 + 0.5 * normals[:, 1:2]
    ambient = up * np.array(_SKY, np.float32) + (1 - up) * np.array(_GROUND, np.float32)
    direct = np.maximum(normals @ sun, 0)[:, None] * np.array(_SUNLIGHT, np.float32)
    way = eye - vertices
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    edge = (1 - np.abs((way * normals).sum(axis=1, keepdims=True))) ** 4
    return (albedo * (ambient + direct) + 0.10 * edge).astype(np.float32)


def shadow(
    parts: list[tuple[Floats, NDArray[np.uint32], float]], where: Floats, texel: float, blur: float, sun: Floats
) -> Floats:
    """How dark the ground is, 0 to 1, at points `where` `[..., 2]` (x and z), by planar projection along the light.

    Args:
        parts: vertices `[V, 3]`, triangles `[K, 3]` and darkness of each thing that throws a shadow.
        texel: metres a sample of the shadow picture; made larger where the parts are spread far.
        blur: standard deviation of the soft border, metres.
        sun: unit direction toward the light.
    """
    from scipy.ndimage import gaussian_filter, map_coordinates

    thrown = [vertices[:, ::2] - np.maximum(vertices[:, 1:2], 0) * (sun[::2] / sun[1]) for vertices, _, _ in parts]
    if not thrown:
        return np.zeros(where.shape[:-1], np.float32)
    low = np.min([points.min(axis=0) for points in thrown], axis=0) - 4 * blur
    high = np.max([points.max(axis=0) for points in thrown], axis=0) + 4 * blur
    texel = max(texel, float((high - low).max()) / 3000)
    columns, rows = (np.ceil((high - low) / texel).astype(int) + 1).tolist()
    dark = np.zeros((rows, columns, 1), np.float32)
    most = np.zeros((rows, columns), np.float32)
    for points, (_, faces, strength) in zip(thrown, parts, strict=True):
        # The darkness takes the place of nearness, so that of two overlapping shadows the darker one stays.
        flat = np.column_stack([(points - low) / texel, np.full(len(points), strength)]).astype(np.float32)
        fill(dark, most, flat, np.full((len(flat), 1), strength, np.float32), faces)
    soft = gaussian_filter(dark[..., 0], blur / texel, truncate=3)
    place = (where - low) / texel - 0.5
    return map_coordinates(soft, [place[..., 1], place[..., 0]], order=1, mode="constant", cval=0.0, output=np.float32)


def to_srgb(linear: NDArray[np.floating]) -> NDArray[np.uint8]:
    """sRGB of linear colours, 0 to 1, as bytes."""
    clipped = np.clip(linear, 0, 1)
    curve = np.where(clipped <= 0.0031308, clipped * 12.92, 1.055 * clipped ** (1 / 2.4) - 0.055)
    return np.rint(curve * 255).astype(np.uint8)


def to_linear(srgb: ArrayLike) -> Floats:
    """Linear colours, 0 to 1, of sRGB bytes."""
    value = np.asarray(srgb, np.float32) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)

"""Gaussian scenes drawn by the graphics card, with the same sums as the processor's `rasterise`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from kinema.arrays import Indices, Singles
from kinema.rendering.camera import Camera
from kinema.rendering.lens import lens_uniforms
from kinema.rendering.shading import Shader, Shaders
from kinema.rendering.splats import kernels, seeing
from kinema.rendering.splats.rasterise import shapes_of
from kinema.worlds.gaussians import GaussianScene

if TYPE_CHECKING:
    import moderngl

_WIDTH = 4096  # texels of a row of data


class SplatLayer:
    """What is drawn of a scene in one picture size: textures of light and depth, row 0 at the bottom.

    Attributes:
        by_card: whether the graphics card draws into it.
        light: float32 `[H, W, 4]`: display colours, alpha multiplied in.
        depth: float32 `[H, W, 1 or 4]`: the first is metres, alpha multiplied in; the card blends by the fourth.
    """

    def __init__(self, context: moderngl.Context, size: tuple[int, int], by_card: bool = True) -> None:
        self.size, self.by_card = size, by_card
        self.light, self.depth = _empty(context, size, 4), _empty(context, size, 4 if by_card else 1)
        self.frame = context.framebuffer([self.light, self.depth])

    def release(self) -> None:
        """Free everything."""
        for made in (self.frame, self.light, self.depth):
            made.release()


class _SceneOnCard:
    """The data of a scene in textures, and the order in which it is drawn."""

    def __init__(self, context: moderngl.Context, scene: GaussianScene) -> None:
        places, forms = shapes_of(scene)
        data = np.zeros((len(scene), 12), np.float32)
        data[:, :3], data[:, 3] = places[:, :3], forms[:, 6]
        data[:, 4:10], data[:, 10] = forms[:, :6], forms[:, 7]
        self.shapes = _filled(context, data.reshape(-1, 4))
        self.colours = _filled(context, np.zeros((len(scene), 4), np.float32))
        self.order = context.buffer(reserve=4 * max(len(scene), 1))
        self.arrays: tuple[Shader, Any] | None = None
        self.coloured = False  # whether the colours are those from all sides

    def drawn_by(self, context: moderngl.Context, shader: Shader) -> Any:
        """The vertex array for a program."""
        if self.arrays is None or self.arrays[0] is not shader:
            if self.arrays is not None:
                self.arrays[1].release()
            self.arrays = (
                shader,
                context.vertex_array(shader.program, [(self.order, "i4/i", "which")]),
            )
        return self.arrays[1]

    def release(self) -> None:
        """Free everything."""
        if self.arrays is not None:
            self.arrays[1].release()
        for made in (self.shapes, self.colours, self.order):
            made.release()


class SplatCard:
    """Draws scenes with a context; what a scene needs is sent once."""

    def __init__(self, context: moderngl.Context, shaders: Shaders) -> None:
        self.context, self._shaders = context, shaders
        self._scenes: WeakKeyDictionary[GaussianScene, _SceneOnCard] = WeakKeyDictionary()

    def draw(
        self,
        scene: GaussianScene,
        camera: Camera,
        layer: SplatLayer,
        bodies: moderngl.Texture,
        dimmed: Singles | None = None,
    ) -> None:
        """Draw a scene into a layer.

        Args:
            bodies: the depth buffer of what hides what is behind it. dimmed: see `rasterise`.
        """
        held = self._scenes.get(scene)
        if held is None:
            held = self._scenes[scene] = _SceneOnCard(self.context, scene)
        depths = (scene.means - camera.position.astype(np.float32)) @ camera.ahead.astype(np.float32)
        ahead = np.flatnonzero(depths >= camera.near).astype(np.int32)
        order = ahead[kernels.nearest_first(np.ascontiguousarray(depths[ahead], np.float32))]
        always = scene.degree == 0 and dimmed is None  # the same from all sides
        if not (always and held.coloured):
            shown = np.arange(len(scene), dtype=np.int32) if always else order
            _write(held.colours, _colours(scene, camera, shown, dimmed))
            held.coloured = always
        if not len(order):
            layer.frame.clear()
            return
        held.order.write(order.tobytes())
        width, height = layer.size
        shader = self._shaders.get(
            "splat.vert.glsl",
            "splat.frag.glsl",
            LOW_PASS=str(kernels.LOW_PASS),
            LEAST=str(kernels.LEAST),
            MOST=str(kernels.MOST),
            NEAREST=str(kernels.NEAREST),
        )
        shader.bind(shapes=held.shapes, colours=held.colours, depth_map=bodies)
        shader.set(**lens_uniforms(camera, width / height))
        axes = np.stack([-camera.left, -camera.up, camera.ahead], axis=1)
        shader.set(
            axes=tuple(axes.T.ravel().tolist()),
            position=tuple(camera.position.tolist()),
            half_size=(width / 2.0, height / 2.0),
            scale=height / 2.0 / camera.half_height,
            near=camera.near,
        )
        gl = self.context
        layer.frame.use()
        layer.frame.clear()
        gl.disable(gl.DEPTH_TEST)
        gl.disable(gl.CULL_FACE)
        gl.enable(gl.BLEND)
        gl.blend_func = gl.ONE_MINUS_DST_ALPHA, gl.ONE
        held.drawn_by(gl, shader).render(gl.TRIANGLE_STRIP, vertices=4, instances=len(order))
        gl.disable(gl.BLEND)

    def release(self) -> None:
        """Free everything."""
        for held in self._scenes.values():
            held.release()
        self._scenes.clear()


def _colours(scene: GaussianScene, camera: Camera, shown: Indices, dimmed: Singles | None) -> Singles:
    """Texels `[N, 4]` with the colours of those that are shown."""
    axes = np.stack([-camera.left, -camera.up, camera.ahead]).astype(np.float32)
    position, flat = camera.position.astype(np.float32), camera.height is not None
    light, out = (
        np.empty(0, np.float32) if dimmed is None else dimmed,
        np.zeros((len(scene), 4), np.float32),
    )
    seeing.colours_seen(shapes_of(scene)[0], scene.harmonics, light, axes, position, flat, shown, out)
    return out


def _empty(context: moderngl.Context, size: tuple[int, int], parts: int) -> moderngl.Texture:
    made = context.texture(size, parts, dtype="f4")
    made.filter = (context.NEAREST, context.NEAREST)
    made.repeat_x = made.repeat_y = False
    return made


def _filled(context: moderngl.Context, texels: Singles) -> moderngl.Texture:
    """A texture of texels `[N, 4]`, row by row."""
    made = _empty(context, (_WIDTH, max(-(-len(texels) // _WIDTH), 1)), 4)
    _write(made, texels)
    return made


def _write(texture: moderngl.Texture, texels: Singles) -> None:
    width, height = texture.size
    padded = np.zeros((width * height, 4), np.float32)
    padded[: len(texels)] = texels
    texture.write(padded.tobytes())

"""Surfaces of terrain on the GPU."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kinema.terrain import SurfaceMesh

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shader


@dataclass(eq=False)
class GpuSurface:
    """Buffers of one surface; vertex arrays are made for each program that draws it."""

    vertices: moderngl.Buffer
    indices: moderngl.Buffer
    arrays: dict[int, moderngl.VertexArray] = field(default_factory=dict)

    @staticmethod
    def upload(context: moderngl.Context, surface: SurfaceMesh) -> GpuSurface:
        """The buffers of a surface."""
        vertices = np.concatenate([surface.vertices, surface.normals], axis=1)
        return GpuSurface(
            context.buffer(np.ascontiguousarray(vertices, np.float32).tobytes()),
            context.buffer(np.ascontiguousarray(surface.triangles, np.uint32).tobytes()),
        )

    def draw(self, shader: Shader) -> None:
        """Draw it with a program whose uniforms are set."""
        program = shader.program
        array = self.arrays.get(program.glo)
        if array is None:
            content = [(self.vertices, "3f 3f", "in_position", "in_normal")]
            array = self.arrays[program.glo] = shader.context.vertex_array(program, content, self.indices)
        array.render()

    def forget_programs(self) -> None:
        """Release the vertex arrays, because their programs were compiled again."""
        for array in self.arrays.values():
            array.release()
        self.arrays.clear()

    def release(self) -> None:
        """Free the buffers."""
        self.forget_programs()
        self.vertices.release()
        self.indices.release()

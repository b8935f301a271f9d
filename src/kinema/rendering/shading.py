"""Shader programs: read from files with includes, compiled once, errors reported by file and line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kinema.errors import KinemaError

if TYPE_CHECKING:
    import moderngl

FOLDER = Path(__file__).parent / "shaders"
_INCLUDE = re.compile(r'^\s*#include\s+"([\w./]+)"\s*$')
_PLACES = (re.compile(r"\d+:(\d+)\(\d+\)"), re.compile(r"\d+\((\d+)\)"), re.compile(r"ERROR: \d+:(\d+)"))
_FILE = 10_000  # line numbers of the n-th file start at n times this, because not every driver reports the file


class ShaderError(KinemaError):
    """A shader does not compile; the message names file and line."""


class Shader:
    """One compiled program and its uniforms, set by name. Uniforms that a variant does not use are ignored."""

    def __init__(self, context: moderngl.Context, program: moderngl.Program) -> None:
        self.context, self.program = context, program
        self._empty: moderngl.VertexArray | None = None

    def set(self, **values: Any) -> None:
        """Set uniforms: numbers, tuples, arrays (`[4, 4]` matrices are for column vectors) or texture units."""
        for name, value in values.items():
            uniform: Any = self.program.get(name, None)
            if uniform is None:
                continue
            if isinstance(value, np.ndarray):
                array = np.asarray(value, np.float32)
                uniform.write((array.T if array.shape == (4, 4) else array).tobytes())
            else:
                uniform.value = value

    def bind(self, **textures: moderngl.Texture | None) -> None:
        """Bind textures to units in the order they are named, and set the samplers."""
        for unit, (name, texture) in enumerate(textures.items()):
            if texture is not None:
                texture.use(unit)
                self.set(**{name: unit})

    def fill(self, corners: int = 3) -> None:
        """Draw a triangle that covers the target, or a strip of two with 4 corners. The shader places the corners."""
        if self._empty is None:
            self._empty = self.context.vertex_array(self.program, [])
        self._empty.render(self.context.TRIANGLE_STRIP, vertices=corners)

    def release(self) -> None:
        """Free the program."""
        if self._empty is not None:
            self._empty.release()
        self.program.release()


class Shaders:
    """All programs of one context.

    Args:
        context: the context that compiles them.
        folder: the folder of the `.glsl` files.
        live: whether `refresh` looks for changed files. If one does not compile, the last good programs stay in use.
    """

    def __init__(self, context: moderngl.Context, folder: Path = FOLDER, live: bool = False) -> None:
        self.context, self.folder, self.live = context, folder, live
        self.generation = 0
        self._programs: dict[tuple[Any, ...], Shader] = {}
        self._stamp = self._newest() if live else 0.0

    def get(self, vertex: str, fragment: str, **defines: int | str) -> Shader:
        """The program of two files, with `#define` lines before them.

        Raises:
            ShaderError: it does not compile.
        """
        key = (vertex, fragment, *sorted(defines.items()))
        shader = self._programs.get(key)
        if shader is None:
            shader = self._programs[key] = self._compile(vertex, fragment, defines)
        return shader

    def refresh(self) -> str | None:
        """Recompile changed files; returns an error in one line, or None."""
        if not self.live or (newest := self._newest()) == self._stamp:
            return None
        self._stamp = newest
        made: dict[tuple[Any, ...], Shader] = {}
        try:
            for key in self._programs:
                made[key] = self._compile(key[0], key[1], dict(key[2:]))
        except ShaderError as error:
            for shader in made.values():
                shader.release()
            return str(error)
        for shader in self._programs.values():
            shader.release()
        self._programs = made
        self.generation += 1
        return None

    def release(self) -> None:
        """Free every program."""
        for shader in self._programs.values():
            shader.release()
        self._programs.clear()

    def _newest(self) -> float:
        return max((path.stat().st_mtime for path in self.folder.glob("*.glsl")), default=0.0)

    def _compile(self, vertex: str, fragment: str, defines: dict[str, int | str]) -> Shader:
        import moderngl

        files: list[str] = []
        head = "#version 330 core\n" + "".join(f"#define {name} {value}\n" for name, value in sorted(defines.items()))
        sources = [head + "".join(self._lines(name, files, set())) for name in (vertex, fragment)]
        try:
            program = self.context.program(vertex_shader=sources[0], fragment_shader=sources[1])
        except moderngl.Error as error:
            raise ShaderError(_explained(str(error), files, (vertex, fragment))) from error
        return Shader(self.context, program)

    def _lines(self, name: str, files: list[str], seen: set[str]) -> list[str]:
        seen.add(name)
        try:
            text = (self.folder / name).read_text(encoding="utf-8")
        except OSError as error:
            raise ShaderError(f"shader {name} cannot be read: {error.strerror}") from error
        files.append(name)
        number = len(files) - 1
        out = [f"#line {number * _FILE + 1}\n"]
        for index, line in enumerate(text.splitlines(), start=1):
            match = _INCLUDE.match(line)
            if match is None:
                out.append(line + "\n")
                continue
            if match[1] not in seen:
                out += self._lines(match[1], files, seen)
            out.append(f"#line {number * _FILE + index + 1}\n")
        return out


def _explained(text: str, files: list[str], pair: tuple[str, str]) -> str:
    """The first error in a compiler's log, with the name of the file instead of its number."""
    for line in text.splitlines():
        for place in _PLACES:
            match = place.search(line)
            if match and int(match[1]) // _FILE < len(files):
                reason = line[match.end() :].strip(" :") or "does not compile"
                return f"shader {files[int(match[1]) // _FILE]}, line {int(match[1]) % _FILE}: {reason}"
    lines = [line.strip() for line in text.splitlines() if line.strip(" =\t")]
    return f"shaders {pair[0]} and {pair[1]} do not link: {lines[-1] if lines else 'no reason given'}"

"""What films of captured scenes compile, done by another process while this one prepares what they show.

Kernels are compiled when a machine first needs them. Those of a controller come first, those of a picture at the end:
two processors need not wait for one.
"""

from __future__ import annotations

import subprocess
import sys

from kinema import compiled
from kinema.workers import available_cores

_running: list[subprocess.Popen[bytes]] = []


def ready_a_film() -> None:
    """Begin to compile what a picture of a person in a scene needs, unless that was done before or cannot help."""
    from kinema.rendering.splats.blending import blend

    if compiled.is_cached(blend) or available_cores() < 2 or _running:
        return
    nowhere = subprocess.DEVNULL
    _running.append(subprocess.Popen([sys.executable, "-m", __name__], stdin=nowhere, stdout=nowhere, stderr=nowhere))


def draw_one() -> None:
    """Draw a small picture of a person in a small scene.

    Raises:
        MissingError: no renderer on this machine.
    """
    from kinema.mocap.procedural.bipeds import humanoid
    from kinema.rendering.film.film import Film, FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.renderer import Renderer
    from kinema.worlds.made import make_world

    film = Film(Shot("", humanoid(), scene=make_world("room", 0).scene(0.5)), FilmSettings(32, 32))
    with Renderer(32, 32) as renderer:
        renderer.render(film.view(0))


if __name__ == "__main__":
    draw_one()

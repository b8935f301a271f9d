"""The suite `render`: the cost of each pass of a picture, 640 x 360, off-screen, a person on a lit floor.

Unlike in the other suites the values are wall time, because drawing has threads of its own. On a GPU each pass waits
for the driver, which costs a little more than drawing without measurements.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from kinema.benchmarks import data
from kinema.benchmarks.measure import Row
from kinema.character import Character, Mesh
from kinema.rendering.camera import Camera
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.renderer import Renderer
from kinema.rendering.scene import GpuScene
from kinema.rendering.view import Instances, View
from kinema.skeleton import Skeleton

WIDTH, HEIGHT, FRAMES = 640, 360, 12
CROWD, JOINTS = 256, 60
GOALS = {
    "poses": 0.5,
    "shadow": 10.0,
    "geometry": 15.0,
    "occlusion": 15.0,
    "lighting": 40.0,
    "bloom": 10.0,
    "tone": 10.0,
    "finish": 10.0,
    "read": 3.0,
}
"""Goals for each pass in software, milliseconds. Together 113.5, so that eight frames per second are reached."""
CAMERA = Camera.look_at((1.9, 1.5, 3.6), (0.0, 0.9, 0.0))


def run() -> Iterator[Row]:
    """Measure all rows, one by one."""
    character = build_mannequin(data.body())
    with Renderer(WIDTH, HEIGHT, profile=True) as renderer:
        view = View(CAMERA, (_standing(character, 1),))
        fill, what = _milliseconds(lambda: _fill(renderer)), "filling a picture with one colour"
        took, passes = _picture(renderer, view)
        yield Row("pictures of a person", 1e3 / took, "pictures/s", 8.0, 1e3 / fill, what)
        for name, goal in GOALS.items():
            yield _cost(f"pass {name}", passes[name], goal, fill, what)
        yield _poses(renderer)
        yield _crowd(renderer, character)


ROWS: tuple[str, ...] = ("pictures", *GOALS, "crowd poses", "crowd")
"""What is measured; one row each."""


def _cost(name: str, value: float, goal: float, baseline: float, what: str) -> Row:
    return Row(name, value, "ms", goal, baseline, what, better="lower")


def _poses(renderer: Renderer) -> Row:
    """Matrices of a crowd, computed and sent to the driver; compared with copying as many bytes."""
    names = [f"joint{j}" for j in range(JOINTS)]
    skeleton = Skeleton.create(names, list(range(-1, JOINTS - 1)), [(0.0, 0.02, 0.0)] * JOINTS)
    count = 3 * JOINTS
    mesh = Mesh(
        "chain",
        np.random.default_rng(0).normal(size=(count, 3)).astype(np.float32),
        np.ones((count, 3), np.float32),
        np.arange(count, dtype=np.uint32).reshape(-1, 3),
        joints=np.repeat(np.arange(JOINTS, dtype=np.int32), 3)[:, None],
        weights=np.ones((count, 1), np.float32),
        inverse_bind=np.tile(np.eye(4, dtype=np.float32), (JOINTS, 1, 1)),
    )
    view = View(CAMERA, (_standing(Character("chain", skeleton, (mesh,)), CROWD),))
    source = np.ones((CROWD, JOINTS, 3, 4), np.float32)
    target = np.empty_like(source)
    with renderer.context:
        scene = GpuScene(renderer.context)

        def send() -> None:
            scene.fill(view, motion=False)
            renderer.context.finish()

        took = _milliseconds(send, 40)
        scene.release()
    copied = _milliseconds(lambda: np.copyto(target, source), 40)
    return _cost(f"poses of {CROWD} x {JOINTS} joints to the driver", took, 2.0, copied, "copying as many bytes")


def _crowd(renderer: Renderer, character: Character) -> Row:
    """A picture of a whole crowd in one draw call; compared with drawing its members one after another."""
    count = 64
    crowd = _standing(character, count)
    side = int(np.sqrt(count))
    rows = np.stack([np.arange(count) % side - side / 2, np.zeros(count), -(np.arange(count) // side)], -1)
    crowd = Instances(character, crowd.pose.replace(root_positions=rows.astype(np.float32)))
    one_by_one = tuple(Instances(character, crowd.pose[i]) for i in range(count))
    camera = Camera.look_at((6.0, 5.0, 12.0), (0.0, 0.5, -2.0))
    together = _picture(renderer, View(camera, (crowd,)))[0]
    apart = _picture(renderer, View(camera, one_by_one))[0]
    return _cost(f"a crowd of {count}", together, 500.0, apart, "one draw call per character")


def _standing(character: Character, count: int) -> Instances:
    pose = character.skeleton.rest_pose[None][np.zeros(count, np.int64)]
    assert pose.global_positions.shape  # computed once, before anything is measured
    return Instances(character, pose)


def _picture(renderer: Renderer, view: View) -> tuple[float, dict[str, float]]:
    """Milliseconds of the fastest picture, and of the fastest run of each pass."""
    renderer.render(view)
    took, passes = np.inf, dict[str, float]()
    for _ in range(FRAMES):
        began = time.perf_counter()
        renderer.render(view)
        took = min(took, (time.perf_counter() - began) * 1e3)
        for name, value in renderer.timings.items():
            passes[name] = min(passes.get(name, np.inf), value)
    return float(took), passes


def _fill(renderer: Renderer) -> None:
    with renderer.context as context:
        frame = context.simple_framebuffer((WIDTH, HEIGHT))
        frame.clear(0.5, 0.5, 0.5, 1.0)
        context.finish()
        frame.release()


def _milliseconds(work: Callable[[], object], repeats: int = FRAMES) -> float:
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1e3)
    return max(min(times), 1e-6)

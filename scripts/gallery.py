"""The pictures of the gallery: every example is run, and what it made is drawn.

    .venv/bin/python scripts/gallery.py [FOLDER] [NUMBER ...]

FOLDER is docs/images/gallery unless it is given; numbers choose examples. For a new example, add a function to
`PICTURES`, or an entry to `OWN` if the example writes its picture itself.
"""

from __future__ import annotations

import base64
import io
import re
import runpy
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from PIL import Image

from kinema import Motion, rotations
from kinema.character import Character
from kinema.kinematics import forward
from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.rendering.fitting import frame_points
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.present import present
from kinema.rendering.renderer import Renderer
from kinema.rendering.view import Instances, Sun, View

ROOT = Path(__file__).parents[1]
SIZE = WIDTH, HEIGHT = 640, 400
BLUE, RED, INK = (0.16, 0.38, 0.86), (0.87, 0.30, 0.12), (0.10, 0.13, 0.19)
UP = np.array([0.0, 1.0, 0.0])

PICTURE = re.compile(r'src="data:image/png;base64,([^"]+)"')

Made = dict[str, Any]
"""The names of an example's module and, over them, the variables of its `main` when it ended."""


def run(path: Path, *arguments: str) -> Made:
    """Run an example as from the command line."""
    made: Made = {}

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "return" and frame.f_code.co_name == "main" and frame.f_code.co_filename == str(path):
            made.update(frame.f_locals)

    before, sys.argv = sys.argv, [str(path), *arguments]
    sys.setprofile(watch)
    try:
        names = runpy.run_path(str(path), run_name="__main__")
    finally:
        sys.setprofile(None)
        sys.argv = before
    return names | made


def draw(camera: Camera, instances: tuple[Instances, ...] = (), marks: Draw | None = None) -> Image.Image:
    with Renderer(*SIZE, quality="high") as renderer:
        frame = renderer.render(View(camera, instances, Sun.behind(camera), draw=marks))
    assert frame.color is not None
    return Image.fromarray(frame.color[..., :3])


def aimed(points: Any, azimuth: float, elevation: float, margin: float = 0.1) -> Camera:
    seen = np.concatenate([np.reshape(part, (-1, 3)) for part in points])
    return frame_points(seen, azimuth, elevation, 0.5, WIDTH / HEIGHT, margin)


def on_ground(points: Any) -> Any:
    return points * np.array([1.0, 0.0, 1.0])


def moments(motion: Motion, frames: list[int], places: Any = (0.0, 0.0, 0.0)) -> Instances:
    """A mannequin in the poses of these frames, moved by `places`."""
    pose = motion[np.array(frames)].replace(root_positions=np.broadcast_to(np.float32(places), (len(frames), 3)))
    return Instances(build_mannequin(motion.skeleton, motion=motion), pose)


def read_and_write(made: Made) -> Image.Image:
    motion = made["motion"]
    instances = moments(motion, [60, 108, 135, 162, 189, 216])
    marks = Draw()
    hips = motion[:].global_positions[40:, motion.skeleton.roles.hips] * [1, 0, 1]
    marks.ribbon(hips + 0.004 * UP, 0.025, BLUE)
    return draw(aimed(instances.pose.global_positions, np.pi + 1.15, 0.16), (instances,), marks)


def rotations_and_torch(made: Made) -> Image.Image:
    bend, offsets, target = (made[name].detach().numpy() for name in ("bend", "OFFSETS", "TARGET"))
    marks = Draw()
    for share in np.linspace(0.0, 1.0, 7):
        _, joints = forward(rotations.exp(share * bend), offsets, made["PARENTS"])
        color = (*((1 - share) * np.array([0.62, 0.64, 0.68]) + share * np.array(BLUE)), 0.35 + 0.65 * share)
        marks.line(joints, color, width=0.012 + 0.02 * share)
        marks.spheres(joints, 0.012 + 0.018 * share, color)
    marks.spheres(target, 0.045, RED)
    marks.text(target + 0.09 * UP, "target", 17, RED, pixels=True)
    return draw(aimed([(-0.1, 1.2, -0.1), (0.75, 1.8, 0.4)], np.pi - 0.45, 0.25, 0.06), (), marks)


def generate_styles(made: Made) -> Image.Image:
    styles = {"neutral": "neutral", "old": "old", "between tired and proud": made["tired_and_proud"]}
    marks, figures = Draw(), []
    for number, (name, style) in enumerate(styles.items()):
        motion: Motion = made["generate"](script=made["SCRIPT"], style=style, seed=1)
        frame = int(3.0 * motion.fps)
        hips = motion[:].global_positions[frame, motion.skeleton.roles.hips] * [1, 0, 1]
        place = np.float32([1.15 * (1 - number), 0, 0]) - hips
        figures.append(moments(motion, [frame], place))
        marks.text((1.15 * (1 - number), 1.88, 0), name, 15, INK, pixels=True)
    points = [figure.pose.global_positions for figure in figures]
    return draw(aimed([*points, points[0] + 0.3 * UP], np.pi + 0.45, 0.12, 0.12), tuple(figures), marks)


def steer_a_crowd(made: Made) -> Image.Image:
    pose, skeleton = made["pose"], made["database"].skeleton
    marks = Draw()
    for command, root in zip(made["COMMANDS"], pose.root_positions, strict=True):
        if np.any(command):
            marks.ribbon(np.array([[0, 0.004, 0], root]), 0.04, BLUE, dashes=(0.12, 0.08))
            marks.arrows(root + 0.05 * UP, 0.7 * command, RED, 0.03)
    marks.discs((0, 0.004, 0), radii=0.12, color=INK)
    instances = Instances(build_mannequin(skeleton), pose)
    return draw(aimed(instances.pose.global_positions, np.pi + 0.55, 0.42), (instances,), marks)


def measure_a_drive(made: Made) -> Image.Image:
    driven = made["driven"]
    motion, rollout = driven.motion, driven.rollout
    instances = moments(motion, list(range(30, motion.frames, 95)))
    marks = Draw()
    lift = 0.006 * UP
    marks.ribbon(on_ground(rollout.target_positions) + lift, 0.05, (0.1, 0.62, 0.42), (0.2, 0.12))
    marks.ribbon(on_ground(rollout.root_positions) + 2 * lift, 0.03, INK)
    ours, truth = made["ours"], made["truth"]
    lines = (("jerk_m_s3", "jerk", "m/s^3"), ("skate_contact_cm_s", "skate", "cm/s"))
    for number, (key, name, unit) in enumerate(lines):
        marks.caption((16, 14 + 26 * number), f"{name} {ours[key]:.1f} {unit}, truth {truth[key]:.1f}", 17, INK)
    return draw(aimed(instances.pose.global_positions, np.pi + 0.4, 0.5), (instances,), marks)


def feature_vectors(made: Made) -> Image.Image:
    database, spec = made["database"], made["mine"]
    motion = database.clip_motion(0)
    placed, hips = motion[:].global_positions, motion.skeleton.roles.hips
    second, times = round(motion.fps), (0.25, 0.5, 1.0)
    frame = int(np.argmax(np.linalg.norm(placed[second:, hips] - placed[:-second, hips], axis=-1)))  # the fastest
    instances = moments(motion, [frame])
    hands = [motion.skeleton.names.index(spec.skeleton.names[arm.hand]) for arm in spec.skeleton.roles.arms]
    path = [on_ground(placed[frame + round(time * motion.fps), hips]) + 0.01 * UP for time in (0.0, *times)]
    marks = Draw()
    marks.ribbon(np.array(path), 0.03, BLUE)
    marks.discs(np.array(path[1:]), radii=0.06, color=BLUE)
    for place, time in zip(path[1:], times, strict=True):
        marks.text(place + 0.14 * UP, f"{time:g} s", 15, BLUE, pixels=True)
    marks.spheres(placed[frame, hands], 0.055, RED, on_top=True)
    across = np.arctan2(*(path[-1] - path[0])[[0, 2]]) + np.pi / 2 + 0.3
    return draw(aimed([placed[frame], np.array(path)], float(across), 0.2, 0.14), (instances,), marks)


def world(made: Made) -> Image.Image:
    scene = made["world"]
    batches = scene.poses.batches
    marks, seen = Draw(), []
    for _, (route,) in scene.query(made["Patrol"]):
        corners = np.array([(x, 0.006, z) for x, z in [*route.places, route.places[0]]])
        marks.ribbon(corners, 0.04, BLUE, dashes=(0.16, 0.1))
        marks.discs(corners[:-1], radii=0.09, color=BLUE)
        seen.append(corners)
    instances = tuple(Instances(build_mannequin(batch.character.skeleton), batch.shown) for batch in batches)
    return draw(
        aimed([*seen, *(character.pose.global_positions for character in instances)], 0.35, 0.6, 0.1), instances, marks
    )


def a_snake(made: Made) -> Image.Image:
    motion = made["snake_motion"]()
    instances = moments(motion, [130])
    marks = Draw()
    marks.ribbon(motion[:].global_positions[:230, 0] * [1, 0, 1] + 0.002 * UP, 0.012, BLUE)
    return draw(aimed(instances.pose.global_positions, np.pi + 0.9, 0.45), (instances,), marks)


def onto_another_rig(made: Made) -> Image.Image:
    walk, moved = made["walk"], made["result"].motion
    character: Character = made["character"].character
    figures = []
    for motion, body, aside in ((walk, build_mannequin(walk.skeleton), 0.55), (moved, character, -0.55)):
        pose = motion[np.array([150])]
        place = np.array([aside, 0, 0]) - on_ground(pose.global_positions[0, motion.skeleton.roles.hips])
        figures.append(Instances(body, pose.replace(root_positions=np.float32(place)[None])))
    return draw(aimed([figure.pose.global_positions for figure in figures], np.pi + 0.4, 0.14, 0.16), tuple(figures))


def a_crowd_and_a_dog(made: Made) -> Image.Image:
    scene = made["world"]
    camera = aimed([batch.shown.global_positions for batch in scene.poses.batches], np.pi + 0.5, 0.5, 0.02)
    return draw(camera, present(scene, camera).instances)


PICTURES: dict[str, Callable[[Made], Image.Image]] = {
    "01_read_and_write": read_and_write,
    "02_rotations_and_torch": rotations_and_torch,
    "03_generate_styles": generate_styles,
    "04_steer_a_crowd": steer_a_crowd,
    "05_measure_a_drive": measure_a_drive,
    "06_feature_vectors": feature_vectors,
    "07_world": world,
    "08_a_snake": a_snake,
    "10_onto_another_rig": onto_another_rig,
    "12_a_crowd_and_a_dog": a_crowd_and_a_dog,
}
OWN: dict[str, tuple[str, ...]] = {"09_draw_and_follow": (), "11_what_is_what": ("",)}
"""Examples that write a picture, and the arguments before its path; an empty one stands for none given."""


def outputs(path: Path) -> list[Image.Image]:
    """Run a notebook in a kernel of its own; the pictures that its cells show, in order."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ()) if "data" in output]
    encoded = [found for output in shown for found in PICTURE.findall(output["data"].get("text/html", ""))]
    return [Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB") for text in encoded]


def side_by_side(pictures: list[Image.Image]) -> Image.Image:
    sheet = Image.new("RGB", (sum(one.width for one in pictures), max(one.height for one in pictures)), "white")
    for index, one in enumerate(pictures):
        sheet.paste(one, (sum(before.width for before in pictures[:index]), 0))
    return sheet


def picture(path: Path) -> Image.Image:
    """Run one example and return its picture."""
    if path.suffix == ".ipynb":
        return side_by_side(outputs(path)[:2])
    if path.stem in PICTURES:
        return PICTURES[path.stem](run(path))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "picture.png"
        run(path, *OWN[path.stem], str(target))
        return Image.open(target).convert("RGB")


def main() -> None:
    arguments = sys.argv[1:]
    folder = Path(arguments.pop(0)) if arguments and not arguments[0].isdigit() else ROOT / "docs/images/gallery"
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "examples").glob("[0-9]*.*")):
        if not arguments or path.stem[:2] in arguments:
            image = picture(path)
            image.thumbnail((960, 600), Image.Resampling.LANCZOS)
            image.save(folder / f"{path.stem}.webp", quality=82, method=6)


if __name__ == "__main__":
    main()

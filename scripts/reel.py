"""The film on the home page of the documentation, and its poster.

    KINEMA_DATA=/path/to/data .venv/bin/python scripts/reel.py WORK

WORK is a folder for the shots. Shots that are there already are not filmed again. The data are recordings and
characters that are free to show (CMU; Quaternius and Mesh2Motion, CC0) and stay outside the repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from kinema.control.presets import motion_matching_controller
from kinema.engine import Command, Controlled, Figure, Tint, Transform, World, run_headless, system
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.rendering.camera import Camera
from kinema.rendering.film.writers import open_writer
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.present import present
from kinema.rendering.renderer import Renderer

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("KINEMA_DATA", "data"))
IMAGES = ROOT / "docs" / "images"
SIZE = WIDTH, HEIGHT = 768, 432
SHOT = (854, 480)
FPS, FADE = 24, 6  # pictures a second, pictures of a cross-fade
LOOK = ("--size", f"{SHOT[0]}x{SHOT[1]}", "--fps", str(FPS), "--crf", "16", "--seconds", "3")

PERSON = DATA / "human_mocap/cmu_bvh/131_01.bvh"
CASUAL = DATA / "characters/quaternius/modular_men_Casual.glb"
ROBOT = ROOT / "src/kinema/retargeting/robots/kinema_humanoid.xml"
CREATURES = {
    "spider": (DATA / "any_topology/mesh2motion/spider-animations.glb", "Walk"),
    "fox": (DATA / "any_topology/mesh2motion/fox-animations.glb", "Run"),
    "horse": (DATA / "any_topology/quaternius/Horse.glb", "AnimalArmature|Gallop"),
    "snake": (Path("snake.glb"), "snake"),
}
# What is shown: shots side by side, the second to begin with, seconds, caption.
CUTS = (
    (("person.mp4",), 0.0, 2.6, "Read motion capture"),
    (("retarget.mp4",), 0.0, 2.8, "Move it to any character, or a robot"),
    (("spider.mp4", "snake.mp4", "fox.mp4", "horse.mp4"), 0.0, 2.4, "Any creature"),
    (("demo/demo.mp4",), 8.6, 3.4, "Steer it"),
    (("crowd.mp4",), 0.0, 3.0, "One, or hundreds"),
)


def kinema(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "kinema.cli.main", *map(str, arguments)], check=True)


def film_shots() -> None:
    if not Path("person.mp4").exists():
        kinema("render", PERSON, "-o", "person.mp4", *LOOK, "--start", 1.5, "--show", "skeleton,contacts,trajectory")
    if not Path("retarget.mp4").exists():
        kinema("retarget", PERSON, "--to", CASUAL, "-o", "casual.glb", "--force")
        kinema("retarget", PERSON, "--to", ROBOT, "-o", "robot.glb", "--force")
        bodies = (PERSON, "casual.glb", "robot.glb")
        kinema("render", *bodies, "--side-by-side", "-o", "retarget.mp4", *LOOK, "--start", 1.5)
    if not Path("snake.glb").exists():
        subprocess.run([sys.executable, ROOT / "examples/08_a_snake.py", "snake.glb"], check=True)
    for name, (file, clip) in CREATURES.items():
        if not Path(f"{name}.mp4").exists():
            kinema("render", file, "--clip", clip, "-o", f"{name}.mp4", *LOOK, "--azimuth", 50)
    if not Path("demo/demo.mp4").exists():
        kinema("demo", "--character", CASUAL, "--seconds", 14, "-o", "demo", "--force")
    if not Path("crowd.mp4").exists():
        film_crowd("crowd.mp4")


@system(phase="input", reads=(Transform,), writes=(Command,))
def circle(world: World, dt: float) -> None:
    """Rings around the origin; every second ring goes the other way round."""
    for entity, (place, command) in world.query(Transform, Command):
        x, _, z = place.position
        radius = float(np.hypot(x, z))
        ring = 2.0 + 1.6 * (entity % 5)
        sense = 1.0 if entity % 2 else -1.0
        speed = 0.9 + 0.35 * (entity % 5)
        inward = np.clip(ring - radius, -0.6, 0.6)
        along = np.array([z, 0, -x]) * sense + np.array([x, 0, z]) * inward
        command.velocity = tuple(speed * along / max(radius, 0.1))


def film_crowd(target: str, count: int = 60) -> None:
    database = MotionDatabase.from_motions(locomotion_set(minutes=4, seed=3))
    world = World(seed=7)
    world.groups.add("crowd", motion_matching_controller(database))
    body = build_mannequin(database.skeleton)
    shades = np.random.default_rng(7).uniform(0.55, 1.0, (count, 3))
    for number in range(count):
        angle = 2.4 * number
        ring = 2.0 + 1.6 * (number % 5)
        place = (ring * np.sin(angle), 0, ring * np.cos(angle))
        world.spawn(Transform(place), Figure(body), Controlled("crowd"), Command(), Tint((*shades[number], 1.0)))
    world.systems.add(circle)
    run_headless(world, seconds=3)
    with Renderer(*SHOT) as renderer, open_writer(target, *SHOT, fps=FPS, crf=16) as writer:
        for picture in range(3 * FPS):
            world.step(1 / FPS)
            turn = 0.5 + 0.06 * picture / FPS
            camera = Camera.look_at((11 * np.sin(turn), 5.2, 11 * np.cos(turn)), (0, 0.5, 0))
            pixels = renderer.render(present(world, camera)).color
            assert pixels is not None
            writer.write(pixels[..., :3])


def pictures(path: str, start: float, seconds: float) -> list[Image.Image]:
    """So many seconds of a film; a short one is repeated."""
    with av.open(path) as container:
        frames = [frame.to_image() for frame in container.decode(video=0)]
    begin = round(start * FPS)
    return [frames[(begin + number) % len(frames)] for number in range(round(seconds * FPS))]


def montage(frames: tuple[Image.Image, ...]) -> Image.Image:
    """One picture, or four in a square."""
    if len(frames) == 1:
        return frames[0].resize(SIZE, Image.Resampling.LANCZOS)
    sheet = Image.new("RGB", SIZE)
    half = (WIDTH // 2, HEIGHT // 2)
    for number, frame in enumerate(frames):
        sheet.paste(frame.resize(half, Image.Resampling.LANCZOS), (number % 2 * half[0], number // 2 * half[1]))
    return sheet


def reel() -> Iterator[Image.Image]:
    font = ImageFont.load_default(26)
    tail: list[Image.Image] = []
    for files, start, seconds, caption in CUTS:
        shot = [montage(frames) for frames in zip(*(pictures(name, start, seconds) for name in files), strict=True)]
        for picture in shot:
            ImageDraw.Draw(picture).text((24, 20), caption, "#1b2434", font, stroke_width=3, stroke_fill="#f0efec")
        for number, (before, after) in enumerate(zip(tail, shot, strict=False)):
            shot[number] = Image.blend(before, after, (number + 1) / (FADE + 1))
        yield from shot[:-FADE]
        tail = shot[-FADE:]
    yield from tail


def main() -> None:
    work = Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)
    os.chdir(work)
    film_shots()
    target = IMAGES / "reel.mp4"
    target.unlink(missing_ok=True)
    with open_writer(target, *SIZE, fps=FPS, crf=27) as writer:
        for number, picture in enumerate(reel()):
            if number == round(4.5 * FPS):
                picture.save(IMAGES / "reel.jpg", quality=80, optimize=True)
            writer.write(np.asarray(picture))
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()

"""A film of the style pad being dragged: a character walks ahead while the knob visits the styles of its network.

    .venv/bin/python scripts/style_film.py [OUT.mp4] [--family FAMILY] [--speed N]

OUT is docs/images/styles.mp4 unless it is given.
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import kinema
from kinema.control.command import Commands
from kinema.control.learned import Learned
from kinema.control.presets import controller_maker
from kinema.pose import Pose
from kinema.rendering.film.output import Encoding
from kinema.rendering.film.video import FilmWriter
from kinema.session.style_pad import StylePad

ROOT = Path(__file__).parents[1]
FPS, SHOWN = 60, 20  # steps and pictures per second
SIZE, PAD = (560, 420), 220  # pixels
REST, DRAG = 1.2, 1.6  # seconds at a style, and on the way to the next


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", nargs="?", type=Path, default=ROOT / "docs/images/styles.mp4")
    parser.add_argument("--family", default="mann")
    parser.add_argument("--speed", type=float, default=1.0, help="m/s")
    options = parser.parse_args()
    maker = controller_maker(options.family)
    database = maker.subject()
    assert database is not None
    controller = maker(database)
    assert isinstance(controller.family, Learned) and controller.family.latents is not None
    pad = StylePad(controller.family.styles, controller.family.latents)
    ways = knob([pad.places[name] for name in (*pad.places, next(iter(pad.places)))])
    poses: list[Pose] = []
    for point in ways:
        pad.point = (float(point[0]), float(point[1]))
        poses.append(controller.step(Commands.create([0, 0, options.speed], style=pad.words()), 1 / FPS))
    motion = kinema.Motion.from_pose(Pose.concatenate(poses), FPS)
    with (
        tempfile.TemporaryDirectory() as folder,
        FilmWriter(options.output, *SIZE, Encoding(fps=SHOWN, crf=28)) as film,
    ):
        pictures = Path(folder) / "pictures"
        kinema.render(motion, pictures, size=SIZE, fps=SHOWN, quality="draft", camera="follow", azimuth=2.2)
        for number, path in enumerate(sorted(pictures.glob("*.png"))):
            with Image.open(path) as picture:
                whole = picture.convert("RGB")
            paint(whole, pad, ways[min(number * FPS // SHOWN, len(ways) - 1)])
            film.write(np.asarray(whole))


def knob(places: list[tuple[float, float]]) -> np.ndarray:
    """Points `[F, 2]` of the knob: it rests at each place, and is dragged to the next one."""
    rest, drag = round(REST * FPS), round(DRAG * FPS)
    share = np.linspace(0, 1, drag)[:, None]
    share = share * share * (3 - 2 * share)
    parts = [np.tile(places[0], (rest, 1))]
    for start, end in pairwise(places):
        parts += [start + share * np.subtract(end, start), np.tile(end, (rest, 1))]
    return np.concatenate(parts)


def paint(picture: Image.Image, pad: StylePad, point: np.ndarray) -> None:
    """Draw the pad into the upper right corner."""
    draw, font = ImageDraw.Draw(picture, "RGBA"), ImageFont.load_default(13)
    left, top = picture.width - PAD - 12, 12

    def at(place: tuple[float, float] | np.ndarray) -> tuple[float, float]:
        return left + PAD * float(place[0]), top + PAD * (1 - float(place[1]))

    draw.rounded_rectangle((left, top, left + PAD, top + PAD), 10, (255, 255, 255, 200))
    for name, place in pad.places.items():
        x, y = at(place)
        draw.ellipse((x - 3, y - 3, x + 3, y + 3), (110, 120, 135, 255))
        draw.text((x, y + 5), name, (30, 40, 55, 255), font, anchor="ma")
    x, y = at(point)
    draw.ellipse((x - 8, y - 8, x + 8, y + 8), (63, 111, 216, 235))


if __name__ == "__main__":
    main()

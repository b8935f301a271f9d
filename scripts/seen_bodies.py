"""How much of a body the usual camera sees in films of captured scenes: of walks through made worlds, and of sentences.

python scripts/seen_bodies.py [--first 20] [--seeds 2]

Pixels of the body that are shown, of those that would be without the scene; 24 pictures of each film.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from kinema.cli.tables import print_table
from kinema.errors import KinemaError
from kinema.face.staging import Staging, staged
from kinema.rendering.film.film import Film, FilmSettings
from kinema.rendering.film.performance import Shot
from kinema.rendering.renderer import Renderer
from kinema.worlds.made import WORLDS, make_world

PICTURES, SIZE, SPACING = 24, (192, 108), 0.1
SAID = (
    ("street", "walk to the blue car, wave, then run back"),
    ("street", "walk around the nearest car, then sit down"),
    ("park", "walk to the bench, sit down, stand up, then walk to the tree"),
    ("park", "run around the tree and wave"),
    ("room", "walk to the table, wave, then walk to the shelf"),
)


def walk(kind: str, seed: int) -> Shot:
    """Somebody who walks between four places of a made world."""
    scene, rng = make_world(kind, seed).scene(SPACING), np.random.default_rng(seed)
    reach = 3.0 if kind == "room" else 6.0
    while True:
        try:
            return staged([], Staging(scene, way=rng.uniform(-reach, reach, (4, 2))), lambda _: None)[0]
        except KinemaError:  # nobody can be at one of the places
            continue


def seen(shot: Shot, renderer: Renderer) -> list[float]:
    """The share of the body that is shown in each picture."""
    film, found = Film(shot, FilmSettings(*SIZE)), []
    for number in np.linspace(0, len(film) - 1, PICTURES).astype(int).tolist():
        view = film.view(number)
        shown, whole = (
            int((np.asarray(renderer.render(each, ("entities",)).entities) > 0).sum())
            for each in (view, replace(view, splats=None))
        )
        found.append(shown / max(whole, 1))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=20, help="seed")
    parser.add_argument("--seeds", type=int, default=2)
    args = parser.parse_args()
    rows: list[tuple[str, list[float]]] = []
    with Renderer(*SIZE, "draft") as renderer:
        for kind in WORLDS:
            for seed in range(args.first, args.first + args.seeds):
                rows.append((f"{kind} {seed}", seen(walk(kind, seed), renderer)))
        walks = len(rows)
        for kind, text in SAID:
            rows.append((f"{kind}: {text}", seen(staged([], Staging(kind, text=text), lambda _: None)[0], renderer)))
    for name, films in (("all walks", rows[:walks]), ("all sentences", rows[walks:])):
        rows.append((name, [share for _, shares in films for share in shares]))
    table = [
        (name, f"{100 * np.mean(each):.1f} %", f"{100 * np.mean(np.less(each, 0.5)):.1f} %") for name, each in rows
    ]
    print_table(("film", "seen", "less than half"), table)


if __name__ == "__main__":
    main()

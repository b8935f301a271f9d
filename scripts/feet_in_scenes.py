"""How close feet are to the recovered ground of made worlds, in frames of contact: walks along random ways.

Heights are those of the balls of the feet, less what they are on a plane. Beside them stands what walks over a level
plane would have, at the middle height of the same frames.

    python scripts/feet_in_scenes.py --ways 3 --seeds 3
    python scripts/feet_in_scenes.py --ways 3 --seeds 3 --fits fits  # see `fitted_scenes.py --walk --keep fits`
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import kinema
from kinema.arrays import Floats, Singles
from kinema.errors import SceneError
from kinema.face.staging import routed
from kinema.mocap.contacts import contact_joints
from kinema.motion import Motion
from kinema.terrain import Ground, Plane
from kinema.worlds import read_scene
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.grounding import recover_ground
from kinema.worlds.made import WORLDS, MadeWorld, make_world

_SPACING, _NOISE = 0.08, 0.01  # metres


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ways", type=int, default=3, help="in each world")
    parser.add_argument("--kinds", nargs="*", default=list(WORLDS))
    parser.add_argument("--seeds", type=int, default=3, help="worlds of each kind")
    parser.add_argument("--first", type=int, default=0, help="seed")
    parser.add_argument("--fits", type=Path, help="folder with scenes KIND_SEED.ply that were fitted to pictures")
    args = parser.parse_args()
    level = float(np.median(_heights(kinema.walk([(0, 0), (0, 6), (3, 9)]), Plane())))
    print("| world | frames | within 2 cm | median | 95th percentile | true ground within 5 cm | plane within 2 cm |")
    print("|---|---|---|---|---|---|---|")
    for kind in args.kinds:
        seeds = range(args.first, args.first + args.seeds)
        found = [row for seed in seeds for row in _walked(kind, seed, args.ways, args.fits)]
        off, true, flat = (np.concatenate(part) for part in zip(*found, strict=True))
        away = np.abs(off - level)
        print(
            f"| {kind} | {len(off):,} | {100 * np.mean(away <= 0.02):.1f} % | {100 * np.median(away):.2f} cm "
            f"| {100 * np.quantile(away, 0.95):.2f} cm | {100 * np.mean(np.abs(true - level) <= 0.05):.1f} % "
            f"| {100 * np.mean(np.abs(flat) <= 0.02):.1f} % |",
            flush=True,
        )


def _walked(kind: str, seed: int, ways: int, fits: Path | None) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Heights of feet over the recovered and the true ground in frames of contact, metres, of some walks.

    The third are those over the recovered ground that feet on a level plane would have.
    """
    rng = np.random.default_rng([7, seed])
    world = make_world(kind, seed)
    ground = recover_ground(_noisy(world, seed, rng) if fits is None else read_scene(fits / f"{kind}_{seed}.ply"))
    done = 0
    while done < ways:
        places = rng.uniform(world.low, world.high, (2, 2))
        try:
            way = routed(ground, places)
        except SceneError:
            continue
        if np.linalg.norm(np.diff(way, axis=0), axis=-1).sum() < 4.0:
            continue
        motion = kinema.walk(way, ground=ground)
        off, true = _heights(motion, ground), _heights(motion, world.ground)
        below = _balls(motion)[..., 1] - off
        yield off, true, np.median(below) - below
        done += 1


def _noisy(world: MadeWorld, seed: int, rng: np.random.Generator) -> GaussianScene:
    """The scene of a world with centres that are off."""
    scene = world.scene(_SPACING, seed)
    return replace(scene, means=scene.means + rng.normal(0.0, _NOISE, scene.means.shape).astype(np.float32))


def _heights(motion: Motion, ground: Ground) -> Floats:
    """How high `[N]` the balls of the feet in contact are over a ground, metres."""
    places = _balls(motion)
    return (places[..., 1] - ground.height(places)).astype(np.float64)


def _balls(motion: Motion) -> Singles:
    """Where `[N, 3]` the balls of the feet in contact are."""
    places = motion[:].global_positions[:, contact_joints(motion.skeleton)]
    labels = [values for name, values in motion.labels.items() if name.startswith("contact.")]
    return places[np.stack(labels, axis=-1)]


if __name__ == "__main__":
    main()

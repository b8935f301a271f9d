"""How close feet are to the recovered ground of made worlds, in frames of contact: walks along random ways.

Heights are those of the balls of the feet, less what they are on a plane.

    python scripts/feet_in_scenes.py --ways 3 --seeds 3
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import kinema
from kinema.arrays import Floats
from kinema.errors import SceneError
from kinema.face.staging import routed
from kinema.mocap.contacts import contact_joints
from kinema.motion import Motion
from kinema.terrain import Ground, Plane
from kinema.worlds.grounding import recover_ground
from kinema.worlds.made import WORLDS, MadeWorld, make_world

_SPACING, _NOISE = 0.08, 0.01  # metres


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ways", type=int, default=3, help="in each world")
    parser.add_argument("--seeds", type=int, default=3, help="worlds of each kind")
    args = parser.parse_args()
    level = float(np.median(_heights(kinema.walk([(0, 0), (0, 6), (3, 9)]), Plane())))
    print("| world | frames of contact | within 2 cm | median | 95th percentile | off the true ground, within 5 cm |")
    print("|---|---|---|---|---|---|")
    for kind in WORLDS:
        found = [row for seed in range(args.seeds) for row in _walked(make_world(kind, seed), seed, args.ways)]
        off = np.concatenate([one for one, _ in found]) - level
        true = np.concatenate([one for _, one in found]) - level
        away = np.abs(off)
        print(
            f"| {kind} | {len(off):,} | {100 * np.mean(away <= 0.02):.1f} % | {100 * np.median(away):.2f} cm "
            f"| {100 * np.quantile(away, 0.95):.2f} cm | {100 * np.mean(np.abs(true) <= 0.05):.1f} % |",
            flush=True,
        )


def _walked(world: MadeWorld, seed: int, ways: int) -> Iterator[tuple[Floats, Floats]]:
    """Heights of feet over the recovered and the true ground in frames of contact, metres, of some walks."""
    rng = np.random.default_rng([7, seed])
    scene = world.scene(_SPACING, seed)
    noise = rng.normal(0.0, _NOISE, scene.means.shape).astype(np.float32)
    ground = recover_ground(replace(scene, means=scene.means + noise))
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
        yield _heights(motion, ground), _heights(motion, world.ground)
        done += 1


def _heights(motion: Motion, ground: Ground) -> Floats:
    """How high `[N]` the balls of the feet in contact are over a ground, metres."""
    places = motion[:].global_positions[:, contact_joints(motion.skeleton)]
    labels = [values for name, values in motion.labels.items() if name.startswith("contact.")]
    over = places[..., 1] - ground.height(places)
    return over[np.stack(labels, axis=-1)].astype(np.float64)


if __name__ == "__main__":
    main()

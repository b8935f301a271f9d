"""How well scenes are fitted to pictures of made worlds, and how well their ground is found then.

    python scripts/fitted_scenes.py                                  # pictures that were not seen
    python scripts/fitted_scenes.py --ground --count 100 --size 128 --steps 3000 --splats 15000 --seeds 1

Pictures have noise, from a walk around at two heights. Each row has two baselines: the mean colour, and the picture
whose camera is nearest. With --ground, heights are compared with the truth, on free ground 0.3 m from obstacles and
borders: as recovered of the splats themselves, and of discs on what the cameras see.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from PIL import Image

from kinema.errors import SceneError
from kinema.rendering.camera import Camera
from kinema.rendering.reconstruction.fit import Fit, FitRecipe, decibels_of, fitted, foretold
from kinema.rendering.reconstruction.photos import Capture, Lens, Photo
from kinema.rendering.reconstruction.similarity import decibels
from kinema.rendering.reconstruction.surfaces import seen_surfaces
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.grounding import recover_ground
from kinema.worlds.made import WORLDS, MadeWorld, make_world

FOV = 1.0
SKY = (0.72, 0.82, 0.93)
UNSEEN = 12  # pictures that are kept back


def cameras(world: MadeWorld, scene: GaussianScene, count: int, rng: np.random.Generator) -> list[Camera]:
    """A walk around, 2 and 4.5 m high, with looks across; raised where something is right before the lens."""
    low, high = np.asarray(world.low), np.asarray(world.high)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    found = []
    for number in range(count):
        angle = 2 * np.pi * (number + rng.uniform(-0.3, 0.3)) / count
        eye = middle + 0.8 * half * np.asarray([np.sin(angle), np.cos(angle)])
        target = middle + rng.uniform(-0.5, 0.5, 2) * half
        up = (2.0, 4.5)[number % 2] + rng.uniform(0, 0.5)
        levels = [float(world.ground.height(np.asarray([place[0], 0.0, place[1]]))) for place in (eye, target)]
        aim = [target[0], levels[1] + 0.5, target[1]]
        camera = Camera.look_at([eye[0], levels[0] + up, eye[1]], aim, FOV)
        for raised in range(1, 8):
            if (rasterise(scene, camera, 32, 32).depth < 1.0).mean() < 0.05:
                break
            camera = Camera.look_at([eye[0], levels[0] + up + raised, eye[1]], aim, FOV)
        found.append(camera)
    return found


def photo(scene: GaussianScene, camera: Camera, size: int, noise: float, rng: np.random.Generator) -> Photo:
    """A picture, drawn twice as fine, with noise."""
    drawn = rasterise(scene, camera, 2 * size, 2 * size, background=SKY).colour
    drawn = drawn.reshape(size, 2, size, 2, 3).mean(axis=(1, 3)) + rng.normal(0.0, noise, (size, size, 3))
    return Photo("", np.rint(255 * np.clip(drawn, 0, 1)).astype(np.uint8), Lens.of(camera, size, size))


def baselines(seen: tuple[Photo, ...], unseen: tuple[Photo, ...]) -> tuple[float, float]:
    """Decibels of the mean colour, and of the picture whose camera is nearest: a radian counts as 5 m."""

    def away(one: Photo, other: Photo) -> float:
        turn = np.arccos(np.clip(one.lens.axes[2] @ other.lens.axes[2], -1, 1))
        return float(np.linalg.norm(one.lens.position - other.lens.position) + 5 * turn)

    mean = np.mean([each.picture for each in seen], axis=(0, 1, 2)) / 255
    flat = [decibels(np.broadcast_to(mean, each.picture.shape), each.picture / 255) for each in unseen]
    near = [min(seen, key=lambda other, each=each: away(each, other)).picture / 255 for each in unseen]
    return float(np.mean(flat)), float(
        np.mean([decibels(one, each.picture / 255) for one, each in zip(near, unseen, strict=True)])
    )


def heights(world: MadeWorld, scene: GaussianScene) -> str:
    """How far the recovered ground is from the truth."""
    try:
        ground = recover_ground(scene)
    except SceneError as error:
        return str(error)
    points = ground.points_of(np.moveaxis(np.indices(ground.walkable.shape), 0, -1))
    off = np.abs(ground.heights - world.ground.height(np.insert(points, 1, 0.0, axis=-1)))
    free = ((points > np.asarray(world.low) + 0.3) & (points < np.asarray(world.high) - 0.3)).all(axis=-1)
    free &= ~world.blocked(points, 0.3)
    known = free & (off < 1e3)
    shares = [float((off[which] < limit).mean()) for which in (free, known) for limit in (0.03, 0.1)]
    share_known = 100 * known.sum() / free.sum()
    return (
        f"of free cells {100 * shares[0]:.1f} % within 3 cm and {100 * shares[1]:.1f} % within 10 cm; "
        f"known are {share_known:.1f} %, of these {100 * shares[2]:.1f} % and {100 * shares[3]:.1f} %"
    )


def sheet(fit: Fit, photos: tuple[Photo, ...]) -> Image.Image:
    """Pictures that were not seen, and below each what the scene shows there."""
    columns = [np.concatenate([each.picture / 255, np.clip(foretold(fit, each.lens), 0, 1)]) for each in photos]
    made = Image.fromarray(np.rint(255 * np.concatenate(columns, axis=1)).astype(np.uint8))
    factor = max(round(160 / photos[0].lens.width), 1)
    return made.resize((made.width * factor, made.height * factor), Image.Resampling.NEAREST)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", nargs="*", default=list(WORLDS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--count", type=int, default=36)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--splats", type=int, default=6000)
    parser.add_argument("--noise", type=float, default=0.01)
    parser.add_argument("--ground", action="store_true")
    parser.add_argument("--sheet", metavar="NAME", help="pictures NAME_KIND_SEED.png")
    args = parser.parse_args()
    for kind in args.kinds:
        found = []
        for seed in range(args.seeds):
            world, rng = make_world(kind, seed), np.random.default_rng(seed)
            scene = world.scene(0.05)
            places = [cameras(world, scene, count, rng) for count in (args.count, UNSEEN)]
            seen, unseen = (
                tuple(photo(scene, each, args.size, noise, rng) for each in part)
                for part, noise in zip(places, (args.noise, 0.0), strict=True)
            )
            nothing = np.zeros((0, 3), np.float32)
            began = time.process_time()
            recipe = FitRecipe(steps=args.steps, splats=args.splats, seed=seed)
            fit = fitted(Capture(seen, nothing, nothing), recipe)
            spent = time.process_time() - began
            found.append((decibels_of(fit, unseen), *baselines(seen, unseen), spent))
            print(
                f"{kind} {seed}: unseen {found[-1][0]:.1f} dB, mean colour {found[-1][1]:.1f}, nearest picture "
                f"{found[-1][2]:.1f}; {len(fit.scene):,} splats, {spent:.1f} CPU s",
                flush=True,
            )
            if args.ground:
                print(f"  splats: {heights(world, fit.scene)}", flush=True)
                discs = seen_surfaces(fit.scene, [each.lens for each in seen], fit.near)
                print(f"  discs:  {heights(world, discs)}", flush=True)
            if args.sheet:
                sheet(fit, unseen[:6]).save(f"{args.sheet}_{kind}_{seed}.png")
        mean, spread = np.mean(found, axis=0), np.std(found, axis=0)
        print(
            f"{kind}: unseen {mean[0]:.1f} ± {spread[0]:.1f} dB, mean colour {mean[1]:.1f} ± {spread[1]:.1f}, nearest "
            f"picture {mean[2]:.1f} ± {spread[2]:.1f}; {mean[3]:.1f} CPU s",
            flush=True,
        )


if __name__ == "__main__":
    main()

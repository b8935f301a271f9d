"""How well scenes are fitted to pictures of made worlds, and how well their ground is found then.

    python scripts/fitted_scenes.py                                  # pictures that were not seen
    python scripts/fitted_scenes.py --walk --count 100 --size 128 --steps 600 --splats 30000  # and their ground

Pictures have noise, from a walk around at two heights. Each row has two baselines: the mean colour, and the picture
whose camera is nearest. With --walk, they are those of somebody who walks through, with points of structure from motion
(see `walked_captures`), and the recovered ground is compared with the truth, on free ground 0.3 m from obstacles and
borders. So are the depths of unseen pictures, where these show the ground.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from PIL import Image
from walked_captures import FOV, Walked, captured, photo

from kinema.arrays import Singles
from kinema.errors import SceneError
from kinema.rendering.camera import Camera
from kinema.rendering.reconstruction.fit import Fit, FitRecipe, decibels_of, fitted, foretold
from kinema.rendering.reconstruction.numbers import Numbers
from kinema.rendering.reconstruction.photos import Capture, Photo
from kinema.rendering.reconstruction.picture import draw
from kinema.rendering.reconstruction.similarity import decibels
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds import write_scene
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.grounding import recover_ground
from kinema.worlds.made import WORLDS, MadeWorld, make_world

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


def around(
    world: MadeWorld, scene: GaussianScene, count: int, kept_back: int, size: int, noise: float, seed: int
) -> Walked:
    """A capture without points, from a walk around."""
    rng = np.random.default_rng(seed)
    places = [cameras(world, scene, number, rng) for number in (count, kept_back)]
    seen, unseen = (
        tuple(photo(scene, each, size, off, rng) for each in part)
        for part, off in zip(places, (noise, 0.0), strict=True)
    )
    nothing = np.zeros((0, 3), np.float32)
    return Walked(Capture(seen, nothing, nothing), unseen, ())


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


def depths(world: MadeWorld, fit: Fit, photos: tuple[Photo, ...], truth: tuple[Singles, ...]) -> str:
    """How far depths of pictures are from the truth where they show the ground, as heights."""
    numbers, off = Numbers.of(fit.scene), []
    for each, depth in zip(photos, truth, strict=True):
        drawn = draw(numbers, each.lens, fit.near)
        row, column = np.indices(depth.shape)
        rays = each.lens.rays(np.stack([column + 0.5, row + 0.5], axis=-1))
        true = each.lens.position + rays * np.where(np.isfinite(depth), depth, 0.0)[..., None]
        ground = np.isfinite(depth) & (np.abs(true[..., 1] - world.ground.height(true)) < 0.03)
        mean = np.maximum(drawn.sums[..., 3], 1e-6) / np.maximum(1.0 - drawn.clear, 1e-6)
        found = each.lens.position + rays / mean[..., None]
        off.append(np.abs(found[..., 1] - world.ground.height(found))[ground])
    shares = [100 * float((np.concatenate(off) < limit).mean()) for limit in (0.03, 0.1)]
    return f"of pixels that show ground {shares[0]:.1f} % within 3 cm and {shares[1]:.1f} % within 10 cm"


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
    parser.add_argument("--first", type=int, default=0, help="seed")
    parser.add_argument("--count", type=int, default=36)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--splats", type=int, default=6000)
    parser.add_argument("--noise", type=float, default=0.01)
    parser.add_argument("--walk", action="store_true", help="through the world, with points, and measure the ground")
    parser.add_argument("--points", type=int, default=20000, help="of structure from motion")
    parser.add_argument("--keep", metavar="FOLDER", type=Path, help="write scenes KIND_SEED.ply into it")
    parser.add_argument("--sheet", metavar="NAME", help="pictures NAME_KIND_SEED.png")
    args = parser.parse_args()
    for kind in args.kinds:
        found = []
        for seed in range(args.first, args.first + args.seeds):
            world = make_world(kind, seed)
            scene = world.scene(0.05)
            sizes = args.count, UNSEEN, args.size
            if args.walk:
                walked = captured(world, scene, *sizes, args.points, args.noise, seed)
            else:
                walked = around(world, scene, *sizes, args.noise, seed)
            seen, unseen = walked.capture.photos, walked.unseen
            began = time.process_time()
            fit = fitted(walked.capture, FitRecipe(steps=args.steps, splats=args.splats, seed=seed))
            spent = time.process_time() - began
            found.append((decibels_of(fit, unseen), *baselines(seen, unseen), spent))
            print(
                f"{kind} {seed}: unseen {found[-1][0]:.1f} dB, mean colour {found[-1][1]:.1f}, nearest picture "
                f"{found[-1][2]:.1f}; {len(fit.scene):,} splats, {spent:.1f} CPU s",
                flush=True,
            )
            if args.keep:
                args.keep.mkdir(parents=True, exist_ok=True)
                write_scene(fit.scene, args.keep / f"{kind}_{seed}.ply")
            if args.walk:
                print(f"  ground: {heights(world, fit.scene)}", flush=True)
                print(f"  depths: {depths(world, fit, unseen, walked.depths)}", flush=True)
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

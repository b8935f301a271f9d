"""How well scenes are fitted to pictures of made worlds, and how well their ground is found then.

    python scripts/fitted_scenes.py views              # pictures that were not seen
    python scripts/fitted_scenes.py ground             # heights of the ground
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from PIL import Image

from kinema.arrays import Singles
from kinema.rendering.camera import Camera
from kinema.rendering.reconstruction.fit import Fit, Recipe, fit_scene
from kinema.rendering.reconstruction.photos import Capture, Lens, Photo
from kinema.rendering.reconstruction.picture import draw
from kinema.rendering.reconstruction.numbers import Numbers
from kinema.rendering.reconstruction.similarity import decibels
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.grounding import recover_ground
from kinema.worlds.made import WORLDS, MadeWorld, make_world

FOV = 1.0
SKY = np.asarray([0.72, 0.82, 0.93], np.float32)


def cameras(world: MadeWorld, scene: GaussianScene, count: int, rng: np.random.Generator) -> list[Camera]:
    """A walk around, at two heights, with looks across; raised where something is right before the lens."""
    low, high = np.asarray(world.low), np.asarray(world.high)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    found = []
    for number in range(count):
        angle = 2 * np.pi * (number + rng.uniform(-0.3, 0.3)) / count
        around = np.asarray([np.sin(angle), np.cos(angle)])
        x, z = middle + 0.8 * half * around
        target = middle + rng.uniform(-0.5, 0.5, 2) * half
        up = (2.0, 4.5)[number % 2] + rng.uniform(0, 0.5)
        ground = [float(world.ground.height(np.asarray([a, 0.0, b]))) for a, b in ((x, z), target)]
        for raised in range(8):
            camera = Camera.look_at([x, ground[0] + up + raised, z], [target[0], ground[1] + 0.5, target[1]], FOV)
            if (rasterise(scene, camera, 32, 32).depth < 1.0).mean() < 0.05:
                break
        found.append(camera)
    return found


def photo(scene: GaussianScene, camera: Camera, width: int, height: int, noise: float, rng: np.random.Generator) -> Photo:
    """A picture with noise, twice as fine first."""
    drawn = rasterise(scene, camera, 2 * width, 2 * height, background=SKY).colour
    drawn = drawn.reshape(height, 2, width, 2, 3).mean(axis=(1, 3))
    noisy = drawn + rng.normal(0.0, noise, drawn.shape) if noise else drawn
    return Photo("", np.rint(255 * np.clip(noisy, 0, 1)).astype(np.uint8), Lens.of(camera, width, height))


def seen_points(world: MadeWorld, capture: Capture, count: int, rng: np.random.Generator) -> Capture:
    """The capture with points such as those by which cameras are found: where pictures have corners, 2 cm off."""
    return capture


def score(fit: Fit, photos: tuple[Photo, ...], near: float) -> float:
    numbers = Numbers.of(fit.scene)
    return float(np.mean([
        decibels(draw(numbers, each.lens, near).over(fit.background), each.picture / np.float32(255)) for each in photos
    ]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", nargs="*", default=list(WORLDS))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--count", type=int, default=36)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--splats", type=int, default=10000)
    parser.add_argument("--flat", type=float, default=0.02)
    parser.add_argument("--thin", type=float, default=0.05)
    parser.add_argument("--noise", type=float, default=0.0)
    parser.add_argument("--ground", action="store_true")
    parser.add_argument("--sheet")
    args = parser.parse_args()
    for kind in args.kind:
        for seed in range(args.seeds):
            world = make_world(kind, seed)
            scene = world.scene(0.05)
            rng = np.random.default_rng(seed)
            w, h = args.size, args.size
            train = tuple(photo(scene, c, w, h, args.noise, rng) for c in cameras(world, scene, args.count, rng))
            test = tuple(photo(scene, c, w, h, 0.0, rng) for c in cameras(world, scene, 12, rng))
            capture = Capture(train, np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32))
            mean = np.mean([p.picture for p in train], axis=(0, 1, 2)) / 255
            base = np.mean([decibels(np.broadcast_to(mean, p.picture.shape), p.picture / 255) for p in test])
            near = np.mean([
                decibels(min(train, key=lambda q: np.linalg.norm(q.lens.position - p.lens.position)
                    + 5 * np.arccos(np.clip(q.lens.axes[2] @ p.lens.axes[2], -1, 1))).picture / 255, p.picture / 255) for p in test])
            t, c = time.perf_counter(), time.process_time()
            fit = fit_scene(capture, Recipe(steps=args.steps, splats=args.splats, seed=seed, flat=args.flat, thin=args.thin))
            c, t = time.process_time() - c, time.perf_counter() - t
            print(f"{kind} {seed}: unseen {score(fit, test, .05):.2f} dB, seen {score(fit, train, .05):.2f}, mean colour {base:.2f}, nearest {near:.2f}; {len(fit.scene)} splats, {c:.0f} CPU s, {t:.0f} s", flush=True)
            if args.ground:
                ground = recover_ground(fit.scene)
                points = ground.points_of(np.moveaxis(np.indices(ground.walkable.shape), 0, -1))
                true = world.ground.height(np.insert(points, 1, 0.0, axis=-1))
                off = np.abs(ground.heights - true)
                inside = ((points > np.asarray(world.low) + .3) & (points < np.asarray(world.high) - .3)).all(-1) & ~world.blocked(points, .3)
                print(f"   walkable {ground.walkable[inside].mean():.3f}; of walkable within 3 cm {(off[ground.walkable&inside] < .03).mean():.3f} 10 cm {(off[ground.walkable&inside] < .1).mean():.3f}; of all free {(off[inside] < .03).mean():.3f} {(off[inside] < .1).mean():.3f}; median off {np.median(off[inside]):.3f}", flush=True)
            if args.sheet:
                numbers = Numbers.of(fit.scene)
                rows = []
                for p in test[:6]:
                    d = draw(numbers, p.lens, .05)
                    inv = d.sums[..., 3] / np.maximum(1 - d.clear, 1e-3)
                    inv = np.repeat(np.clip(3 * inv, 0, 1)[..., None], 3, -1)
                    rows.append(np.concatenate([p.picture / 255, np.clip(d.over(fit.background), 0, 1), inv], 0))
                im = Image.fromarray((255 * np.concatenate(rows, 1)).astype(np.uint8))
                im = im.resize((im.width * max(256 // args.size, 1), im.height * max(256 // args.size, 1)), 0)
                im.save(f"{args.sheet}_{kind}_{seed}.png")


if __name__ == "__main__":
    main()

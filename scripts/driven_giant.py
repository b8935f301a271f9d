"""A child in a video drives giants: whether their limbs stay theirs, their feet stand, and they do what the child does.

    python scripts/driven_giant.py MOTION... [--seconds 8] [--picture giant.png]

Each motion is put onto a body with the proportions of a child, 0.95 m high, and filmed from three sides; points of the
pictures have noise, gaps and outliers as those of detectors have. What `kinema.lift` makes of them drives giants of up
to six metres. Beside it stand the child's true motion, retargeted in the same way, and what was lifted with its joints'
angles copied onto the giant, as scripts do.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import kinema
from kinema import Motion, Skeleton, rotations
from kinema.arrays import Bools, Floats
from kinema.keypoints.files import PointTracks
from kinema.keypoints.points import FACE_COUNT, HAND_COUNT, BodyPoints
from kinema.mocap.contacts import contact_joints, detect, relative_size
from kinema.rendering.bodies import body_for
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.body_points import PointRig

WIDTH, HEIGHT, FPS = 832, 480, 30.0
SIDES = (-0.9, 0.0, 0.9)  # radians from the front
CHILD = (0.95, {"arms": 0.85, "legs": 0.8})
GIANTS = {"2.5": {}, "3.6": {"arms": 1.35, "legs": 0.85}, "6": {"arms": 1.2, "legs": 0.65}}


def proportioned(skeleton: Skeleton, height: float, shares: dict[str, float]) -> Skeleton:
    """The skeleton with longer or shorter limbs, at a height in metres."""
    roles = skeleton.roles
    limbs = {
        "arms": [joint for arm in roles.arms for joint in (arm.lower, arm.hand)],
        "legs": [joint for leg in roles.legs for joint in (leg.lower, leg.foot)],
    }
    offsets = skeleton.rest_translations.astype(np.float64)
    for part, share in shares.items():
        offsets[limbs[part]] *= share
    tips = [*zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True)]
    made = Skeleton.create(skeleton.names, skeleton.parents, offsets, skeleton.rest_rotations, tips)
    factor = height / made.height
    tips = [(joint, factor * offset) for joint, offset in tips]
    return Skeleton.create(skeleton.names, skeleton.parents, factor * offsets, skeleton.rest_rotations, tips)


def seen(motion: Motion, azimuth: float, seed: int) -> PointTracks:
    """Points of a motion as a detector finds them in pictures that are taken from a side."""
    points = PointRig(body_for(motion.skeleton, motion, None), motion)(motion[:])
    world = np.concatenate([points.body, points.toes], axis=1)[..., :3].astype(np.float64)
    low, high = world.reshape(-1, 3).min(axis=0), world.reshape(-1, 3).max(axis=0)
    middle = (low + high) / 2
    away = 2.0 + np.hypot(*(high - low)[[0, 2]])
    eye = middle + away * np.array([np.sin(azimuth), 0.1, np.cos(azimuth)])
    pixels = Camera.look_at(eye, middle, 0.6).project(world, WIDTH, HEIGHT)[..., :2]
    rng = np.random.default_rng(seed)
    pixels += rng.normal(0, 2.0, pixels.shape)
    pixels[rng.uniform(size=pixels.shape[:2]) < 0.01] += 40.0
    sure = np.where(rng.uniform(size=pixels.shape[:2]) < 0.05, 0.0, 0.9)
    pixels[sure == 0] = 0.0
    found = np.concatenate([pixels, sure[..., None]], axis=-1).astype(np.float32)
    absent = (np.zeros((len(found), count, 3), np.float32) for count in (HAND_COUNT, HAND_COUNT, FACE_COUNT))
    return PointTracks(BodyPoints(found[:, :18], *absent, found[:, 18:]), WIDTH, HEIGHT)


def limbs(motion: Motion) -> Floats:
    """Unit directions `[F, 8, 3]` of upper and lower arms and legs."""
    roles = motion.skeleton.roles
    arms = [(arm.upper, arm.lower) for arm in roles.arms] + [(arm.lower, arm.hand) for arm in roles.arms]
    ends = arms + [(leg.upper, leg.lower) for leg in roles.legs] + [(leg.lower, leg.foot) for leg in roles.legs]
    places = motion[:].global_positions.astype(np.float64)
    found = places[:, [end for _, end in ends]] - places[:, [begin for begin, _ in ends]]
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


def apart(one: Motion, other: Motion) -> float:
    """Median angle between limbs, degrees, after the one turn about the vertical that fits best."""
    a, b = limbs(one), limbs(other)
    a, b = a[: len(b)], b[: len(a)]
    across = (a[..., 0] * b[..., 2] - a[..., 2] * b[..., 0]).sum()
    angle = np.arctan2(across, (a[..., 0] * b[..., 0] + a[..., 2] * b[..., 2]).sum())
    angles = np.arccos(np.clip((a * rotations.rotate_yaw(angle, b)).sum(-1), -1, 1))
    return float(np.degrees(np.median(angles)))


def stretch(motion: Motion) -> float:
    """The largest relative difference of a bone from its length at rest."""
    parents = motion.skeleton.parents
    inner = np.flatnonzero(parents >= 0)
    inner = inner[np.linalg.norm(motion.skeleton.rest_translations[inner], axis=-1) > 1e-4]
    places = motion[:].global_positions.astype(np.float64)
    found = np.linalg.norm(places[:, inner] - places[:, parents[inner]], axis=-1)
    return float(np.abs(found / np.linalg.norm(motion.skeleton.rest_translations[inner], axis=-1) - 1).max())


def standing(motion: Motion) -> Bools:
    """Which feet stand, `[F, C]`."""
    places = motion[:].global_positions[:, contact_joints(motion.skeleton)]
    return detect(places, motion.fps, np.quantile(places[..., 1], 0.02, axis=0), relative_size(motion.skeleton))


def sliding(motion: Motion, stands: Bools) -> float:
    """Share of the time in which a foot of the child stands and that of a body slides by a tenth of its height a
    second or more."""
    places = motion[:].global_positions[:, contact_joints(motion.skeleton)]
    speeds = np.linalg.norm(np.diff(places[..., [0, 2]], axis=0), axis=-1) * motion.fps / motion.skeleton.height
    both = (stands[1:] & stands[:-1])[: len(speeds)]
    return float((speeds[: len(both)][both] > 0.1).mean())


def copied(motion: Motion, giant: Skeleton) -> Motion:
    """The angles of the joints on another body of the same joints, and the way of the hips in its size."""
    factor = giant.height / motion.skeleton.height
    moved = factor * motion[:].global_positions[:, :1]
    return Motion.create(giant, motion.local_rotations, moved.astype(np.float32), [0], motion.fps, motion.name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("motions", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--picture", type=Path, help="the child and the giant of 3.6 m, from picture to picture")
    options = parser.parse_args()
    plain = kinema.perform(script=[kinema.Segment("walk", 1.0)], fps=FPS).skeleton
    child = proportioned(plain, *CHILD)
    rows: dict[str, list[list[float]]] = {}
    for path in options.motions:
        given = kinema.load_motion(path).resample(FPS).cut(0, round(options.seconds * FPS))
        truth = kinema.retarget(given, child).motion
        stands = standing(truth)
        for number, side in enumerate(SIDES):
            lifted = kinema.lift(seen(truth, side, number), fps=FPS)
            for height, shares in GIANTS.items():
                giant = proportioned(plain, float(height), shares)
                both = {"lifted": kinema.retarget(lifted, giant).motion, "true": kinema.retarget(truth, giant).motion}
                both["copied"] = copied(kinema.retarget(lifted, child).motion, giant)
                for name, motion in both.items():
                    figures = [stretch(motion), 100 * sliding(motion, stands), apart(truth, motion)]
                    rows.setdefault(f"{height} m, {name}", []).append(figures)
                if options.picture and height == "3.6" and number == 1:
                    out = options.picture.with_stem(f"{options.picture.stem}-{path.stem}")
                    kinema.render([truth, both["lifted"]], out, sheet=8)
    for name, found in rows.items():
        mean, spread = np.mean(found, axis=0), np.std(found, axis=0)
        print(
            f"{name}: stretch {np.max(found, axis=0)[0]:.1e}, feet slide in {mean[1]:.1f} ± {spread[1]:.1f} % of what "
            f"the child stands, limbs {mean[2]:.1f} ± {spread[2]:.1f} degrees from the child's ({len(found)} films)"
        )


if __name__ == "__main__":
    main()

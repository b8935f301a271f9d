"""A creature from nothing: a chain of joints and a wave that runs along it.

    python examples/08_a_snake.py snake.glb
    kinema render snake.glb -o snake.mp4

The head draws a path on the ground and every joint follows it, so that nothing slides sideways: lateral undulation. The
path is Hirose's serpenoid curve, whose heading is a sine of the way travelled.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import kinema
from kinema import Motion, Skeleton, kinematics, rotations

JOINTS, LENGTH, FPS, SECONDS = 36, 1.6, 60, 4.0
SPEED, WAVELENGTH, SWING = 0.55, 0.62, 0.95  # m/s, metres of way in one wave, radians to each side
BONE = LENGTH / JOINTS


def snake_motion() -> Motion:
    skeleton = Skeleton.create(
        [f"Snake{joint:02d}" for joint in range(JOINTS)],
        parents=range(-1, JOINTS - 1),
        rest_translations=[(0, 0.03, 0)] + [(0, 0, -BONE)] * (JOINTS - 1),
        tips=[(JOINTS - 1, (0, 0, -BONE))],
    )
    # The path, as a table over the way travelled: heading, then position by summing up small steps.
    way = np.linspace(-1.2 * LENGTH, SPEED * SECONDS, 20_000)
    heading = SWING * np.sin(2 * np.pi * way / WAVELENGTH)
    east, north = (np.cumsum(part) * (way[1] - way[0]) for part in (np.sin(heading), np.cos(heading)))
    # Where each joint is on it in each frame, [F, J]: the head in front, the tail behind.
    at = SPEED * np.arange(round(SECONDS * FPS))[:, None] / FPS - BONE * np.arange(JOINTS)
    positions = np.stack([np.interp(at, way, east), np.full_like(at, 0.03), np.interp(at, way, north)], axis=-1)
    # A bone points backward to the next joint; the last one keeps the heading of the path.
    ahead = positions[:, :-1] - positions[:, 1:]
    yaw = np.concatenate([np.arctan2(ahead[..., 0], ahead[..., 2]), np.interp(at[:, -1:], way, heading)], axis=1)
    turned, moved = kinematics.to_local(
        rotations.from_yaw(yaw).astype(np.float32), positions.astype(np.float32), skeleton.parents.tolist()
    )
    moved[:, 1:] = skeleton.rest_translations[1:]  # bones keep their length; only the head is placed
    motion = Motion.create(skeleton, turned, moved, fps=FPS, name="snake")
    off = np.linalg.norm(motion[:].global_positions - positions, axis=-1).max()
    print(f"{motion.seconds:.1f} s, {JOINTS} joints, at most {1000 * off:.1f} mm beside the path of the head")
    return motion


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder) / "snake.glb"
        kinema.save(snake_motion(), path)
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()

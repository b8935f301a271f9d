"""Read a motion file, look at what is in it, write it in other formats.

    python examples/01_read_and_write.py [FILE]

Without a file, a short walk is generated and used.
"""

import sys
import tempfile
from pathlib import Path

import kinema
from kinema.mocap.procedural import Segment, generate


def main(path: str | None = None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if path is None:
            path = str(Path(folder) / "walk.bvh")
            kinema.save(generate(script=[Segment("idle", 1.0), Segment("walk", 3.0)]), path)
        motion = kinema.load_motion(path)
        skeleton = motion.skeleton
        print(f"{motion.name}: {motion.frames} frames at {motion.fps:g} per second, {skeleton.joint_count} joints")
        for warning in motion.warnings:
            print("warning:", warning)

        positions = motion[:].global_positions  # [F, J, 3], metres, in the world
        hips = skeleton.roles.hips
        print(f"{skeleton.names[hips]} moved from {positions[0, hips].round(2)} to {positions[-1, hips].round(2)}")

        half = motion.cut(stop=motion.frames // 2).resample(30)
        for name in ("half.glb", "half.npz", "half.bvh"):
            kinema.save(half, Path(folder) / name)
            again = kinema.load_motion(Path(folder) / name)
            off = abs(again[:].global_positions - half[:].global_positions).max()
            print(f"{name}: {1e3 * off:.3f} mm off after a round trip")


if __name__ == "__main__":
    main(*sys.argv[1:2])

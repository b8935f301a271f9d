"""What a network does that is guided by poses, while the pose is edited: a row of pictures, and how far its back bends.

    .venv/bin/python scripts/guided_picture.py RUN DB [OUT.png]

RUN was trained with `--set guided=true`; DB is a database of its body. The pose of its first style is bent forward
about the hips by more and more degrees. OUT is docs/images/guided.png unless it is given.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

import kinema
from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.control.command import Commands
from kinema.control.learned import Learned
from kinema.control.presets import controller_maker
from kinema.pose import Pose
from kinema.skeleton import Skeleton

ROOT = Path(__file__).parents[1]
ANGLES = (-10.0, 0.0, 10.0, 20.0, 30.0, 40.0)
FPS, SECONDS, SPEED = 60, 12, 1.3
SIZE = (230, 300)  # pixels of a picture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("database", type=Path)
    parser.add_argument("output", nargs="?", type=Path, default=ROOT / "docs/images/guided.png")
    options = parser.parse_args()
    controller = controller_maker(options.run)(kinema.MotionDatabase.open(options.database))
    family, skeleton = controller.family, controller.skeleton
    assert isinstance(family, Learned) and family.latents is not None
    plain = family.latents[0].reshape(-1, 3)
    strip = Image.new("RGB", (SIZE[0] * len(ANGLES), SIZE[1]))
    for number, angle in enumerate(ANGLES):
        asked = bent(plain, skeleton, angle)
        still = np.tile(np.float32([1, 0, 0, 0]), (1, skeleton.joint_count, 1))
        family.guide("bent", Pose.from_model(skeleton, still, asked[None]))
        controller.reset(1)
        commands = Commands.create([0, 0, SPEED], style="bent")
        walked = Pose.concatenate([controller.step(commands, 1 / FPS) for _ in range(FPS * SECONDS)])[2 * FPS :]
        found = walked.model_positions.mean(axis=0)
        print(f"{angle:5.0f} degrees: asked for {back(asked, skeleton):5.1f}, walks with {back(found, skeleton):5.1f}")
        toes = walked.model_positions[:, [leg.toe for leg in skeleton.roles.legs], 2]
        widest = int(np.abs(np.diff(toes, axis=1))[:-1].argmax())
        strip.paste(picture(walked[widest : widest + 2]), (SIZE[0] * number, 0))
    strip.save(options.output)


def bent(pose: Singles, skeleton: Skeleton, degrees: float) -> Singles:
    """Positions `[J, 3]` with what is above the hips bent forward about them."""
    roles = skeleton.roles
    upper = skeleton.below([roles.spine[0]])
    turn = rotations.from_axis_angle(np.float32([1, 0, 0]), np.float32(np.radians(degrees)))
    moved = rotations.rotate(turn, pose - pose[roles.hips]) + pose[roles.hips]
    return np.where(upper[:, None], moved, pose).astype(np.float32)


def back(pose: Floats | Singles, skeleton: Skeleton) -> float:
    """Degrees by which the line from hips to head leans forward."""
    line = pose[skeleton.roles.head] - pose[skeleton.roles.hips]
    return float(np.degrees(np.arctan2(line[2], line[1])))


def picture(poses: Pose) -> Image.Image:
    """The first of some poses, from the side."""
    motion = kinema.Motion.from_pose(poses, FPS)
    with tempfile.TemporaryDirectory() as folder:
        kinema.render(motion, Path(folder) / "pictures", size=SIZE, fps=FPS, azimuth=1.57)
        with Image.open(min((Path(folder) / "pictures").glob("*.png"))) as first:
            return first.convert("RGB")


if __name__ == "__main__":
    main()

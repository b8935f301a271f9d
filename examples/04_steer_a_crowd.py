"""Steer three characters at once by motion matching, each by its own command.

python examples/04_steer_a_crowd.py
"""

import numpy as np

from kinema.control.command import Commands
from kinema.control.presets import motion_matching_controller
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set

COMMANDS = np.array([[0, 0, 1.4], [1.4, 0, 0], [0, 0, 0]], np.float32)  # m/s: forward, to the left, stand


def main() -> None:
    database = MotionDatabase.from_motions(locomotion_set(minutes=2, seed=3))
    controller = motion_matching_controller(database)
    pose = controller.reset(len(COMMANDS))
    for _ in range(180):
        pose = controller.step(Commands.create(COMMANDS), 1 / 60)
    for command, root, joints in zip(COMMANDS, pose.root_positions, pose.global_positions, strict=True):
        print(f"told {command}, after 3 s at {root.round(2)}, head at {joints[:, 1].max():.2f} m")
    assert pose.root_positions[0, 2] > 3 and pose.root_positions[1, 0] > 3
    assert np.linalg.norm(pose.root_positions[2]) < 0.3


if __name__ == "__main__":
    main()

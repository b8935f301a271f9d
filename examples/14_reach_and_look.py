"""Inverse kinematics: six people reach for marks, look at them and hold a rail; a spider puts eight feet on marks.

python examples/14_reach_and_look.py reach.png
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from kinema import Pose, Skeleton, ik, rotations
from kinema.mocap.procedural import humanoid
from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.renderer import Renderer
from kinema.rendering.view import Instances, View

PEOPLE, APART = 6, 1.15
MARKS = [(0.3, 1.75, 0.2), (-0.1, 1.35, 0.5), (0.45, 1.1, 0.3), (0.05, 0.6, 0.5), (-0.3, 1.6, 0.3), (0.3, 0.35, 0.4)]
RAIL = (-0.9, 0.95, 0.25), (-0.25, 0.95, 0.25)  # from one end to the other, beside each person
EYES = (0.0, 0.08, 0.1)


def reach_and_look() -> tuple[Pose, np.ndarray]:
    """People side by side, and the marks that they reach for."""
    body = humanoid(arms_down=1.2)
    places = np.zeros((PEOPLE, 3), np.float32)
    places[:, 0] = APART * (np.arange(PEOPLE) - (PEOPLE - 1) / 2)
    standing = Pose(body, np.tile(body.rest_rotations, (PEOPLE, 1, 1)), root_positions=places)
    marks = places + np.array(MARKS)
    feet, now = ["LeftFoot", "RightFoot"], standing.global_positions
    rail = [places + np.array(end) for end in RAIL]
    tasks = [
        *(ik.Reach(foot, now[:, body.index(foot)]) for foot in feet),
        *(ik.Orient(foot, standing.global_rotations[:, body.index(foot)]) for foot in feet),
        ik.Reach("LeftHand", marks),
        ik.Hold("RightHand", *rail),
        ik.LookAt("Head", marks, offset=EYES),
        ik.Balance(now[:, body.indices(feet)].mean(1), level=1),
    ]
    limits = [ik.Cone(name, 0.5, (-0.4, 0.4)) for name in ("Spine", "Spine1", "Spine2", "Neck", "Head")]
    # Knees and elbows bend a little already, to the side to which they shall bend.
    turned = standing.local_rotations.copy()
    for name, bend in (("LeftLeg", 0.3), ("RightLeg", 0.3), ("LeftUpLeg", -0.15), ("RightUpLeg", -0.15)):
        turned[:, body.index(name)] = rotations.exp(np.array([bend, 0, 0]))
    solved = ik.solve(standing.replace(local_rotations=turned), tasks, limits, sliding=["Hips"])
    missed = np.linalg.norm(solved.global_positions[:, body.index("LeftHand")] - marks, axis=-1)
    print(f"six hands are at most {1000 * missed.max():.2f} mm beside their marks")
    return solved, marks


def put_feet_down() -> tuple[Pose, np.ndarray]:
    """A spider with four bones a leg, and marks on the ground for its feet."""
    names, parents, offsets = ["body"], [-1], [(0.0, 0.35, 1.3)]
    around = np.deg2rad([40, 75, 105, 140, 220, 255, 285, 320])
    for leg, angle in enumerate(around):
        out = np.array([np.sin(angle), 0.0, np.cos(angle)])
        for bone, step in enumerate(
            [0.12 * out, 0.22 * out + [0, 0.18, 0], 0.3 * out, 0.2 * out - [0, 0.25, 0], 0.1 * out]
        ):
            names.append(f"leg{leg}_{bone}")
            parents.append(0 if bone == 0 else len(names) - 2)
            offsets.append(tuple(step))
    spider = Skeleton.create(names, parents, offsets)
    reach = 0.6 + 0.15 * np.sin(3.0 * np.arange(8))
    marks = np.stack([reach * np.sin(around), 0 * around, 1.3 + reach * np.cos(around)], axis=-1)
    pose = spider.rest_pose
    for leg, mark in enumerate(marks):
        pose = ik.fabrik(pose, [ik.Reach(f"leg{leg}_4", mark)], root=f"leg{leg}_0", poles=np.array([0.0, 1.0, 0.0]))
    feet = pose.global_positions[spider.indices([f"leg{leg}_4" for leg in range(8)])]
    print(f"eight feet are at most {1000 * np.linalg.norm(feet - marks, axis=-1).max():.2f} mm beside theirs")
    return pose, marks


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "reach.png"
    people, marks = reach_and_look()
    spider, ground = put_feet_down()
    draw = Draw()
    draw.spheres(marks, 0.045, color=(0.9, 0.35, 0.15), on_top=True)
    draw.spheres(ground, 0.03, color=(0.9, 0.35, 0.15))
    draw.skeleton(spider.skeleton.parents, spider.global_positions, width=0.02)
    draw.segments(*(people.root_positions + np.array(end) for end in RAIL), width=0.02)
    camera = Camera.look_at((0.0, 1.9, 6.2), (0.0, 0.8, 0.3))
    with Renderer(1280, 560) as renderer:
        instances = Instances(build_mannequin(people.skeleton), people)
        frame = renderer.render(View(camera, (instances,), draw=draw))
    Image.fromarray(frame.color).save(target)
    print(target)


if __name__ == "__main__":
    main()

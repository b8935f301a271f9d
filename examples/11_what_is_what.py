"""A skeleton whose joints have no telling names: what is recognised, drawn on its body.

    python examples/11_what_is_what.py [FILE] [PICTURE]

FILE is anything with a skeleton; without one a person is made whose joints are called by numbers.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

import kinema
from kinema import Skeleton
from kinema.mocap.procedural import humanoid
from kinema.rendering.bodies import body_for
from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.rendering.renderer import Renderer
from kinema.rendering.view import Instances, View

SIZE = WIDTH, HEIGHT = 960, 600
COLORS = {"left": (0.20, 0.45, 0.85), "right": (0.85, 0.36, 0.12), None: (0.25, 0.25, 0.28)}


def nameless() -> Skeleton:
    known = humanoid(arms_down=0.5)
    tips = list(zip(known.tip_joints.tolist(), known.tip_offsets, strict=True))
    names = [f"joint{number}" for number in range(known.joint_count)]
    return Skeleton.create(names, known.parents, known.rest_translations, known.rest_rotations, tips)


def main(path: str | None = None, picture: str | None = None) -> None:
    file = kinema.load(path) if path else None
    skeleton = file.skeleton if file is not None else nameless()
    assert skeleton is not None, "the file holds no skeleton"
    roles = skeleton.roles
    print(f"{roles.plan}: {', '.join(chain.name for chain in roles.chains)}")
    for joint, (name, part) in enumerate(zip(skeleton.names, roles.parts, strict=True)):
        words = " ".join(word for word in (roles.sides[joint], part) if word)
        print(f"  {name:12} {words:18} {roles.confidence[joint]:.2f}")

    placed = skeleton.rest_pose.global_positions
    body = body_for(skeleton, None, file.character if file is not None else None)
    height = float(np.ptp(placed[:, 1])) or 1.0
    draw = Draw()
    draw.skeleton(skeleton.parents, placed, (0.1, 0.1, 0.12, 1.0), 0.004 * height, on_top=True)
    shown = [j for j, part in enumerate(roles.parts) if part not in ("", "helper")]
    for side, color in COLORS.items():
        chosen = [j for j in shown if roles.sides[j] == side]
        if chosen:
            draw.spheres(placed[chosen], 0.01 * height, color, on_top=True)
            words = [f"   {roles.parts[j].replace('_', ' ')}   " for j in chosen]
            draw.text(placed[chosen], words, 12, color, pixels=True, on_top=True, anchor=(float(side == "right"), 0.5))

    middle = (placed.min(axis=0) + placed.max(axis=0)) / 2
    size = 1.1 * max(float(np.ptp(placed, axis=0).max()), height)
    camera = Camera.look_at(middle + size * np.array([0.45, 0.3, 2.0]), middle)
    target = Path(picture or Path(tempfile.mkdtemp()) / "roles.png")
    with Renderer(WIDTH, HEIGHT) as renderer:
        frame = renderer.render(View(camera, (Instances(body, skeleton.rest_pose),), draw=draw))
    Image.fromarray(frame.color).save(target)
    print(f"{target}: {len(shown)} of {skeleton.joint_count} joints are known")


if __name__ == "__main__":
    main(*sys.argv[1:3])

"""Explain a motion: skeleton, path, contacts and text over the body, seen by a camera that follows.

python examples/09_draw_and_follow.py walk.png
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from kinema.mocap.procedural import Segment, generate
from kinema.rendering.draw import Draw
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.renderer import Renderer
from kinema.rendering.rigs import FollowRig
from kinema.rendering.view import Instances, View

SIZE = WIDTH, HEIGHT = 960, 540
SHOWN = 144  # the frame of the picture


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "walk.png"
    motion = generate(script=[Segment("walk", 5.0)], seed=4)
    skeleton, positions = motion.skeleton, motion[:].global_positions
    body = build_mannequin(skeleton)

    # The camera has followed for a while: smoothing needs a past, and does not care about the frame rate.
    rig = FollowRig(azimuth=2.4, elevation=0.24, aspect=WIDTH / HEIGHT)
    for frame in range(SHOWN + 1):
        camera = rig.update(positions[frame], 1 / motion.fps)

    draw = Draw()
    draw.skeleton(skeleton.parents, positions[SHOWN], width=0.011, on_top=True)
    # Where the hips were and will be, on the ground: every fifth frame, the past fading out.
    around = range(max(SHOWN - 60, 0), min(SHOWN + 61, motion.frames), 5)
    path = positions[around, skeleton.roles.hips] * [1, 0, 1] + [0, 0.008, 0]
    ways = np.gradient(path, axis=0)
    ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
    colors = np.column_stack([np.tile((0.25, 0.44, 0.85), (len(path), 1)), np.linspace(0.2, 1, len(path))])
    draw.trajectory(path, ways, colors)
    feet = [leg.toe if leg.toe is not None else leg.foot for leg in skeleton.roles.legs]
    touching = [motion.labels["contact.left"][SHOWN], motion.labels["contact.right"][SHOWN]]
    draw.contacts(positions[SHOWN, feet], touching)
    head = skeleton.roles.head
    if head is not None:
        draw.text(positions[SHOWN, head] + [0, 0.28, 0], skeleton.names[head], 15, pixels=True, on_top=True)
    draw.caption((14, 12), f"frame {SHOWN}, {motion.labels['speed'][SHOWN]:.2f} m/s", 18)

    with Renderer(WIDTH, HEIGHT) as renderer:
        instances = Instances(body, motion[SHOWN])
        frame = renderer.render(View(camera, (instances,), draw=draw))
    Image.fromarray(frame.color).save(target)
    print(f"{target}: {len(draw.rows('stroke', on_top=True))} bones over {body.name}")


if __name__ == "__main__":
    main()

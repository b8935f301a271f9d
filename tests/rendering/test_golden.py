"""Pictures of our own bodies against stored ones.

Another driver may differ in the last bit of a shade and in which side of an edge a pixel falls on. Hence the tolerance:
on average 1.5 of 255, and no more than 1 of 100 pixels off by over 24. Run with `KINEMA_GOLDEN=write` to store anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema import rotations
from kinema.character import Material
from kinema.pose import Pose
from kinema.rendering.camera import Camera
from kinema.rendering.renderer import Renderer
from kinema.rendering.view import Floor, Instances, PointLight, Sky, View

FOLDER = Path(__file__).parent / "golden"
CAMERA = Camera.look_at((1.6, 1.3, 3.2), (0, 0.45, 0))


def dancers(shapes, frame: int) -> Instances:
    """Three arms that sway, in a row."""
    arm, poses = shapes.arm(5), []
    for index in range(3):
        angle = 0.35 * np.sin(0.4 * frame + 2.1 * index)
        local = rotations.exp(np.tile([0.3 * angle, 0, angle], (5, 1))).astype(np.float32)
        poses.append(Pose(arm.skeleton, local, root_positions=np.float32([0.6 * (index - 1), 0, -0.3 * index]))[None])
    tints = np.float32([[1, 1, 1, 1], [0.5, 0.9, 1.2, 1], [1, 1, 1, 0.4]])
    return Instances(arm, Pose.concatenate(poses), tints=tints)


def still_life(shapes) -> View:
    gold = Material(metallic=1.0, roughness=0.3, base_color=(1.0, 0.75, 0.35, 1))
    lamp = Material(metallic=0.0, roughness=0.5, base_color=(0.1, 0.1, 0.1, 1), emissive=(3.0, 1.6, 0.6))
    return View(
        CAMERA,
        (
            shapes.rest(shapes.ball(0.35, (-0.45, 0.35, 0), gold)),
            shapes.rest(shapes.box((0.5, 0.5, 0.5), (0.35, 0.25, -0.2))),
            shapes.rest(shapes.ball(0.12, (0.25, 0.12, 0.5), lamp)),
        ),
        points=(PointLight((0.25, 0.3, 0.8), (1.0, 0.6, 0.3), 0.6, 2.0),),
    )


CLEAR = Sky(backdrop=(0, 0, 0, 0))
PICTURES = {
    "still_life": (still_life, "standard"),
    "dancers": (lambda shapes: View(CAMERA, (dancers(shapes, 3),)), "standard"),
    "cut_out": (
        lambda shapes: View(
            CAMERA, (dancers(shapes, 9),), sky=Sky(backdrop=(0, 0, 0, 0)), floor=Floor(cell=0, catcher=True)
        ),
        "high",
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_as_stored(driver, shapes, name):
    make, quality = PICTURES[name]
    with Renderer(320, 240, quality) as renderer:
        color = renderer.render(make(shapes)).color
    path = FOLDER / f"{name}.png"
    if os.environ.get("KINEMA_GOLDEN") == "write":
        Image.fromarray(color).save(path, optimize=True)
    stored = np.asarray(Image.open(path).convert("RGBA")).astype(int)
    weight = np.maximum(color[..., 3:], stored[..., 3:]) / 255  # what a clear pixel would be does not matter
    off = np.abs(np.concatenate([(color[..., :3] - stored[..., :3]) * weight, color[..., 3:] - stored[..., 3:]], -1))
    assert off.mean() < 1.5 and np.mean(off.max(-1) > 24) < 0.01

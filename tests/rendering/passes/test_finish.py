"""Tones and edges."""

import dataclasses

import numpy as np

from kinema.character import Material
from kinema.rendering.camera import Camera
from kinema.rendering.renderer import Renderer
from kinema.rendering.view import Sky, Sun, View

CAMERA = Camera.look_at((0, 0, 4), (0, 0, 0))


def shown(renderer, shapes, light):
    lamp = Material(base_color=(0, 0, 0, 1), metallic=0.0, roughness=1.0, emissive=light)
    sky = Sky(intensity=0)
    view = View(CAMERA, (shapes.rest(shapes.box(material=lamp)),), sun=Sun(intensity=0), sky=sky, floor=None)
    return renderer.render(view).color[60, 80, :3].astype(int)


def test_tones_rise_steadily_and_stay_below_white(renderer, shapes):
    lights = np.concatenate([np.linspace(0, 1, 12), [2, 4, 8, 16]])
    tones = [shown(renderer, shapes, (x, x, x))[0] for x in lights.tolist()]
    assert (np.diff(tones) >= 0).all() and tones[0] <= 1 and 245 < tones[-1] <= 255
    # Below the shoulder, what is lit is what is shown.
    half = ((tones[5] / 255 + 0.055) / 1.055) ** 2.4
    assert abs(half - lights[5]) < 0.01


def test_hues_hold_until_light_is_very_bright(renderer, shapes):
    dim, bright, glaring = (shown(renderer, shapes, (x, 0.3 * x, 0.1 * x)) for x in (0.5, 2.0, 60.0))
    assert dim[0] > dim[1] > dim[2] and bright[0] > bright[1] + 40
    assert np.ptp(glaring) < 40


def test_edges_are_smooth(driver, shapes):
    box = shapes.rest(shapes.box())
    turn = np.float32([[0.995, 0, 0, 0.0998]])  # about the line of sight
    turned = dataclasses.replace(box, pose=box.pose.replace(root_rotations=turn))
    view = View(CAMERA, (turned,), sky=Sky(backdrop=(0, 0, 0, 1)), floor=None)
    for quality in ("draft", "standard", "high"):
        with Renderer(160, 120, quality) as renderer:
            frame = renderer.render(view, ("color", "entities"))
        inside = frame.color[60, 80, 0]
        between = (frame.color[..., 0] > 25) & (frame.color[..., 0] < 0.7 * inside)
        assert between.sum() > 30, quality


def test_gradients_have_no_bands(renderer):
    """Neighbouring rows of a slow gradient share tones: noise dissolves the step between two of them."""
    sky = Sky(zenith=(0.30, 0.30, 0.30), horizon=(0.33, 0.33, 0.33))
    color = renderer.render(View(Camera.look_at((0, 0, 0), (0, 1, 3)), sky=sky, floor=None)).color[..., 0].astype(int)
    mixed = [len(np.unique(row)) > 1 for row in color]
    assert np.mean(mixed) > 0.5 and np.ptp(color, axis=1).max() <= 2

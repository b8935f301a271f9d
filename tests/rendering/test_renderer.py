"""Pictures against closed forms: where things are, what is lit, what is said about them, and what survives."""

from __future__ import annotations

import dataclasses
import gc
import threading

import numpy as np
import pytest

from kinema import KinemaError, rotations
from kinema.character import Material
from kinema.pose import Pose
from kinema.rendering.camera import Camera
from kinema.rendering.parts import PARTS
from kinema.rendering.renderer import QUALITIES, Renderer
from kinema.rendering.view import Floor, Instances, PointLight, Sky, Sun, View
from kinema.terrain import Placed, Plane, Union, block, hills, slope, stairs

WIDTH, HEIGHT = 160, 120
ALL = ("color", "depth", "normals", "entities", "parts", "motion")
CAMERA = Camera.look_at((0, 0, 4), (0, 0, 0), fov=0.6)
PLAIN = Sky(backdrop=(0.0, 0.0, 0.0, 1.0))


def directions(camera: Camera, width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """Unit rays `[H, W, 3]` through the middles of the pixels."""
    half = np.tan(camera.fov / 2)
    x, y = (2 * np.arange(width) + 1) / width - 1, 1 - (2 * np.arange(height) + 1) / height
    across = x[None, :, None] * -camera.left * half * width / height
    rays = camera.ahead + across + y[:, None, None] * camera.up * half
    return rays / np.linalg.norm(rays, axis=-1, keepdims=True)


def test_ball_is_where_geometry_says(renderer, shapes):
    frame = renderer.render(View(CAMERA, (shapes.rest(shapes.ball(0.5, rings=96)),), floor=None), ALL)
    rays = directions(CAMERA)
    along = -(rays @ CAMERA.position)
    gap = 0.25 - (16.0 - along**2)
    hit = gap > 0
    touch = CAMERA.position + rays * (along - np.sqrt(np.maximum(gap, 0)))[..., None]
    inside = gap > 0.01
    assert np.mean((frame.entities == 1) != hit) < 0.004
    np.testing.assert_allclose(frame.depth[inside], 4.0 - touch[inside][:, 2], atol=1e-3)
    assert np.isinf(frame.depth[gap < -0.01]).all()
    np.testing.assert_allclose(frame.normals[inside], touch[inside] / 0.5, atol=0.03)
    assert not frame.normals[gap < -0.01].any()
    assert set(np.unique(frame.parts)) == {0, PARTS.index("other")}
    np.testing.assert_allclose(frame.motion, 0, atol=1e-2)
    assert frame.color.shape == (HEIGHT, WIDTH, 4) and (frame.color[..., 3] == 255).all()


def test_orthographic_box(renderer, shapes):
    camera = Camera.look_at((0, 0, 4), (0, 0, 0), height=2.0)
    frame = renderer.render(View(camera, (shapes.rest(shapes.box()),), floor=None), ("depth", "normals", "entities"))
    # One metre of a picture two metres high is half of its 120 pixels.
    assert (frame.entities[30:90, 50:110] == 1).all() and frame.entities.sum() == 60 * 60
    np.testing.assert_allclose(frame.depth[31:89, 51:109], 3.5, atol=1e-3)
    np.testing.assert_allclose(frame.normals[31:89, 51:109], np.broadcast_to([0, 0, 1], (58, 58, 3)), atol=1e-3)


def test_ground_is_a_plane(renderer):
    camera = Camera.look_at((1, 1.5, 3), (0, 0, 0))
    frame = renderer.render(View(camera, floor=Floor(y=0.25)), ("depth", "normals"))
    rays = directions(camera)
    distance = (0.25 - 1.5) / rays[..., 1] * (rays @ camera.ahead)
    near = (rays[..., 1] < -0.15) & (distance < 8)
    assert near.sum() > 1000
    np.testing.assert_allclose(frame.depth[near], distance[near], rtol=2e-4)
    np.testing.assert_allclose(frame.normals[near], np.broadcast_to([0, 1, 0], (near.sum(), 3)), atol=1e-3)


@pytest.mark.parametrize("name", ["stairs", "hills", "placed"])
def test_terrain_is_where_its_heights_are(renderer, name):
    ground = {
        "stairs": Union((Plane(), stairs())),
        "hills": hills(2, level_start=False),
        "placed": Union((Plane(-0.5), Placed(slope(), (0.4, -0.6, -0.5), 0.6))),
    }[name]
    camera = Camera.look_at((1, 2.5, -3), (0, 0.3, 1))
    frame = renderer.render(View(camera, floor=Floor().over(ground, np.zeros(3))), ("depth", "normals", "entities"))
    rays = directions(camera)
    seen = frame.depth < 9
    places = camera.position + rays * (frame.depth / (rays @ camera.ahead))[..., None]
    faces = seen & (frame.normals[..., 1] > 0.5)
    away = np.abs(places[..., 1] - ground.height(places))[faces]
    assert faces.sum() > 5000 and np.quantile(away, 0.99) < 0.02
    level = faces & (ground.normal(places)[..., 1] > 0.5)
    assert np.quantile(np.abs(frame.normals - ground.normal(places))[level], 0.9) < 0.12
    assert (frame.entities == 0).all()
    if name == "stairs":
        assert (frame.normals[seen][:, 2] < -0.99).sum() > 500, "risers face the camera"


def test_terrain_is_lit_like_the_floor_at_its_height(renderer, shapes):
    """Shadow and fading of a block's top are those of a plane at the same height."""
    camera = Camera.look_at((0, 4, -5), (0, 1, 0))
    box = shapes.rest(shapes.box())
    box = dataclasses.replace(box, pose=box.pose.replace(root_positions=np.float32([[0, 2.0, 0]])))
    pictures = []
    for floor in (Floor(y=1.0, cell=0.0), Floor(cell=0.0).over(Union((Plane(), block(30.0, 30.0, 1.0))), np.zeros(3))):
        pictures.append(renderer.render(View(camera, (box,), Sun((1, 1, 0.3)), floor=floor)).color.astype(int))
    near = slice(HEIGHT // 3, None)
    assert np.ptp(pictures[0][near, :, 0]) > 60, "there is a shadow"
    assert np.quantile(np.abs(pictures[0] - pictures[1])[near], 0.99) <= 4


def test_buffers_of_terrain_are_freed_with_it(renderer):
    ground, known = hills(9), len(renderer.scene.surfaces)
    view = View(Camera.look_at((0, 2, -3), (0, 0, 0)), floor=Floor().over(ground, np.zeros(3)))
    renderer.render(view)
    assert len(renderer.scene.surfaces) > known + 10
    del ground, view
    gc.collect()
    renderer.render(View(Camera.look_at((0, 2, -3), (0, 0, 0))))
    assert len(renderer.scene.surfaces) <= known


def test_nearer_actor_hides_the_farther_and_both_keep_their_ids(renderer, shapes):
    box = shapes.box()
    instances = shapes.rest(box, 2, entities=np.int32([70000, 5]))
    instances.pose.global_positions[0, 0] = (0.3, 0, -1)
    frame = renderer.render(View(CAMERA, (instances,), floor=None), ("entities",))
    assert set(np.unique(frame.entities)) == {0, 5, 70000}
    assert frame.entities[60, 80] == 5
    far, near = frame.entities[60] == 70000, np.flatnonzero(frame.entities[60] == 5)
    assert far[near[-1] + 1 :].any() and not far[: near[0]].any()  # seen from +Z, +X is to the right


def test_motion_is_the_difference_of_projections(renderer, shapes):
    instances = shapes.rest(shapes.ball(0.3, rings=24))
    shift = np.float32([0.2, 0.1, 0])
    moved = dataclasses.replace(instances, previous=instances.pose.replace(root_positions=shift[None]))
    frame = renderer.render(View(CAMERA, (moved,), floor=None), ("motion", "entities"))
    old, new = (CAMERA.project(np.array(at), WIDTH, HEIGHT)[:2] for at in ((0.2, 0.1, 0.3), (0, 0, 0.3)))
    np.testing.assert_allclose(frame.motion[60, 80], new - old, atol=0.05)
    np.testing.assert_allclose(frame.motion[frame.entities == 0], 0, atol=1e-4)


def test_motion_of_a_turning_camera_reaches_ground_and_sky(renderer):
    now, before = Camera.look_at((0, 1, 0), (0, 0.6, 5)), Camera.look_at((0, 1, 0), (0.3, 0.6, 5))
    frame = renderer.render(View(now, previous_camera=before, floor=Floor()), ("motion", "depth"))
    for x, y in ((20, 10), (80, 115), (140, 100)):
        old = before.project(now.position + 3 * directions(now)[y, x], WIDTH, HEIGHT)[:2]
        np.testing.assert_allclose(frame.motion[y, x], np.array([x + 0.5, y + 0.5]) - old, atol=0.05)


@pytest.mark.parametrize("influences", [1, 3, 5])
def test_skinning_agrees_with_the_mesh(renderer, shapes, influences):
    arm = shapes.arm(influences)
    rng = np.random.default_rng(3)
    local = rotations.exp(rng.normal(0, 0.25, (5, 3))).astype(np.float32)
    instances = Instances(arm, Pose(arm.skeleton, local))
    camera = Camera.look_at((0.3, 0.5, 3), (0, 0.5, 0), height=1.4)
    frame = renderer.render(View(camera, (instances,), floor=None), ("depth", "entities"))
    corners = arm.meshes[0].skin(Pose(arm.skeleton, local))[arm.meshes[0].indices].astype(np.float64)
    expected = np.full((HEIGHT, WIDTH), np.inf)
    for triangle in camera.project(corners, WIDTH, HEIGHT):
        low = np.maximum(np.floor(triangle[:, :2].min(0)).astype(int), 0)
        high = np.ceil(triangle[:, :2].max(0)).astype(int)
        y, x = np.mgrid[low[1] : min(high[1] + 1, HEIGHT), low[0] : min(high[0] + 1, WIDTH)] + 0.5
        base = np.stack([triangle[1] - triangle[0], triangle[2] - triangle[0]])[:, :2]
        if abs(np.linalg.det(base)) < 1e-9:
            continue
        share = np.stack([x - triangle[0, 0], y - triangle[0, 1]], -1) @ np.linalg.inv(base)
        inside = (share >= -1e-6).all(-1) & (share.sum(-1) <= 1 + 1e-6)
        ahead = triangle[0, 2] + share @ (triangle[1:, 2] - triangle[0, 2])
        at = (y.astype(int)[inside], x.astype(int)[inside])
        np.minimum.at(expected, at, ahead[inside])
    assert np.mean(np.isfinite(expected) != (frame.entities == 1)) < 2e-3
    both = np.isfinite(expected) & (frame.entities == 1)
    assert both.sum() > 500
    assert np.quantile(np.abs(frame.depth[both] - expected[both]), 0.98) < 1e-4


def test_shadow_falls_where_geometry_says(renderer, shapes):
    sun = Sun(toward=(1, 1, 0), softness=0.0)
    ball = shapes.rest(shapes.ball(0.3, at=(0, 1.0, 0)))
    camera = Camera.look_at((-1, 6, 0.001), (-1, 0, 0), height=3.0)
    # Flat light and a flat floor: the only dark place is the shadow. Its middle is at x = -1.
    sky = Sky(zenith=(1, 1, 1), horizon=(1, 1, 1), ground=(1, 1, 1), intensity=0.2)
    view = View(camera, (ball,), sun=sun, sky=sky, floor=Floor(cell=0, fade=500, color=(0.4, 0.4, 0.4)))
    lit = renderer.render(view, ("color", "entities"))
    bare = renderer.render(dataclasses.replace(view, sun=dataclasses.replace(sun, shadows=False)))
    dark = (bare.color[..., 0].astype(int) - lit.color[..., 0] > 20) & (lit.entities == 0)
    rows, columns = np.nonzero(dark)
    metre = HEIGHT / 3.0
    middle = camera.project(np.array([-1.0, 0, 0]), WIDTH, HEIGHT)[:2]
    assert abs(columns.mean() + 0.5 - middle[0]) < 1.5 and abs(rows.mean() + 0.5 - middle[1]) < 1.5
    # An ellipse: as wide as the ball one way, longer by the slant of the sun the other.
    area = np.pi * 0.3 * 0.3 * np.sqrt(2) * metre**2
    assert abs(len(rows) - area) / area < 0.08
    assert (bare.color.astype(int) - lit.color <= 3)[(lit.entities == 0) & ~dark].mean() > 0.97


def test_no_acne_and_no_gap_under_the_feet(renderer, shapes):
    """A flat floor of boxes that cast onto themselves stays even; a box on the ground has its shadow at its foot."""
    floor = shapes.rest(shapes.box((4, 0.2, 4), at=(0, -0.1, 0)))
    camera = Camera.look_at((0, 3, 0.01), (0, 0, 0), height=2.0)
    for toward in ((0.2, 1, 0.1), (1, 0.6, 0.3), (1, 0.25, 0.1)):
        view = View(camera, (floor,), sun=Sun(toward=toward), sky=PLAIN, floor=None)
        shade = renderer.render(view).color[10:-10, 10:-10, 0].astype(int)
        assert np.ptp(shade) <= 2, f"acne under a sun from {toward}"
    box = shapes.rest(shapes.box((0.4, 0.4, 0.4), at=(0, 0.2, 0)))
    sun = Sun(toward=(1, 1, 0), softness=0.0)
    view = View(camera, (box,), sun=sun, sky=PLAIN, floor=Floor(cell=0, fade=500))
    frame = renderer.render(view, ("color", "entities"))
    first = np.flatnonzero(frame.entities[60])[0]  # the shadow falls toward -X, which is to the left
    middle = frame.color[60, first - 20 : first - 2, 0]
    assert middle.max() < 0.7 * frame.color[60, 150, 0], "light leaks under a box that stands on the ground"


def test_energy_is_sane(renderer, shapes):
    """A white, rough ball in an even sky gives back no more light than falls on it."""
    sky = Sky(zenith=(1, 1, 1), horizon=(1, 1, 1), ground=(1, 1, 1), intensity=0.6, backdrop=(0, 0, 0, 1))
    for metallic in (0.0, 1.0):
        white = Material(metallic=metallic, roughness=0.9, base_color=(1, 1, 1, 1))
        ball = shapes.rest(shapes.ball(0.5, material=white))
        view = View(CAMERA, (ball,), sun=Sun(intensity=0), sky=sky, floor=None)
        frame = renderer.render(view, ("color", "entities"))
        linear = ((frame.color[frame.entities == 1][:, :3] / 255 + 0.055) / 1.055) ** 2.4
        assert linear.max() < 0.66 and 0.45 < linear.mean() < 0.61


def test_greys_stay_grey(renderer, shapes):
    sky = Sky(zenith=(1, 1, 1), horizon=(1, 1, 1), ground=(1, 1, 1))
    for intensity in (0.5, 3.0, 12.0):
        sun = Sun(color=(1, 1, 1), intensity=intensity)
        color = renderer.render(View(CAMERA, (shapes.rest(shapes.ball(0.5)),), sun=sun, sky=sky)).color[..., :3]
        assert np.ptp(color.astype(int), axis=-1).max() <= 1


def test_point_light_reaches_as_far_as_it_says(renderer, shapes):
    dark = View(CAMERA, (shapes.rest(shapes.ball(0.5)),), sun=Sun(intensity=0), sky=Sky(intensity=0), floor=None)
    near = renderer.render(dataclasses.replace(dark, points=(PointLight((0, 0, 2), reach=4),))).color
    far = renderer.render(dataclasses.replace(dark, points=(PointLight((0, 0, 2), reach=1),))).color
    assert near[60, 80, :3].min() > 60 and far[..., :3].max() <= 1
    with pytest.raises(KinemaError, match="at most 16"):
        renderer.render(dataclasses.replace(dark, points=(PointLight((0, 0, 2)),) * 17))


def test_tints_fade_and_colour(renderer, shapes):
    def picture(tint):
        instances = shapes.rest(shapes.ball(0.5), tints=np.float32([tint]))
        return renderer.render(View(CAMERA, (instances,), sky=PLAIN, floor=None), ("color", "entities", "depth"))

    solid, red, half, gone = (picture(t) for t in ((1, 1, 1, 1), (1, 0, 0, 1), (1, 1, 1, 0.5), (1, 1, 1, 0)))
    assert red.color[60, 80, 0] > 100 and red.color[60, 80, 1] < 40
    assert 0.5 < half.color[60, 80, 0] / solid.color[60, 80, 0] < 0.85
    assert gone.color[..., :3].max() <= 1
    assert not half.entities.any() and np.isinf(half.depth).all()


def test_transparent_pictures(renderer, shapes):
    sky = Sky(backdrop=(0, 0, 0, 0))
    view = View(Camera.look_at((0, 1, 3), (0, 0.3, 0)), (shapes.rest(shapes.ball(0.4, at=(0, 0.4, 0))),), sky=sky)
    cut = renderer.render(dataclasses.replace(view, floor=None), ("color", "entities"))
    inner = np.zeros((HEIGHT, WIDTH), bool)
    inner[1:-1, 1:-1] = cut.entities[1:-1, 1:-1] == 1
    for axis in (0, 1):
        inner &= (np.roll(cut.entities, 2, axis) == 1) & (np.roll(cut.entities, -2, axis) == 1)
    assert (cut.color[inner, 3] == 255).all() and (cut.color[:8, :8] == 0).all()
    edge = (cut.color[..., 3] > 20) & (cut.color[..., 3] < 230)
    assert edge.any() and cut.color[edge][:, :3].min() > 20  # straight alpha: no dark fringe
    caught = renderer.render(dataclasses.replace(view, floor=Floor(cell=0, catcher=True))).color
    shadow = (caught[..., 3] > 40) & (cut.color[..., 3] == 0)
    assert shadow.sum() > 100 and np.mean(caught[shadow][:, :3].max(-1) <= 2) > 0.9  # but for the ball's own edge


def test_missing_normals_are_not_black(renderer, shapes):
    ball = shapes.ball(0.5)
    bare = dataclasses.replace(ball.meshes[0], normals=np.zeros_like(ball.meshes[0].normals))
    view = View(CAMERA, (shapes.rest(ball),), floor=None)
    other = View(CAMERA, (shapes.rest(dataclasses.replace(ball, meshes=(bare,))),), floor=None)
    a, b = renderer.render(view).color.astype(int), renderer.render(other).color.astype(int)
    assert np.abs(a - b).mean() < 1.0


@pytest.mark.parametrize("quality", QUALITIES)
def test_same_view_same_bytes(driver, shapes, quality):
    view = View(Camera.look_at((0, 1, 3), (0, 0.3, 0)), (shapes.rest(shapes.ball(0.4, at=(0, 0.4, 0))),))
    with Renderer(96, 64, quality) as one, Renderer(96, 64, quality) as two:
        first, second = one.render(view, ALL), two.render(view, ALL)
        one.render(dataclasses.replace(view, floor=None))
        again = one.render(view, ALL)
    for name in ALL:
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes() == getattr(again, name).tobytes()


def test_sizes(renderer, shapes):
    view = View(CAMERA, (shapes.rest(shapes.ball(0.5)),))
    try:
        for width, height in ((0, 0), (0, 40), (1, 1), (3, 2), (101, 57)):
            renderer.resize(width, height)
            frame = renderer.render(view, ALL)
            assert frame.color.shape == (height, width, 4) and frame.motion.shape == (height, width, 2)
        with pytest.raises(KinemaError, match="cannot be -1 x 5"):
            renderer.resize(-1, 5)
    finally:
        renderer.resize(WIDTH, HEIGHT)


def test_two_renderers_do_not_disturb_each_other(driver, shapes):
    ball = View(CAMERA, (shapes.rest(shapes.ball(0.5)),))
    box = View(CAMERA, (shapes.rest(shapes.box()), shapes.rest(shapes.ball(0.2, at=(1, 0, 0)))))
    with Renderer(64, 48) as one, Renderer(80, 60, "draft") as two:
        alone = one.render(ball).color
        two.render(box)
        np.testing.assert_array_equal(one.render(ball).color, alone)


def test_a_lost_context_is_made_again(driver, shapes):
    view = View(CAMERA, (shapes.rest(shapes.ball(0.5)),))
    with Renderer(64, 48) as renderer:
        before = renderer.render(view).color
        renderer.context.release()
        np.testing.assert_array_equal(renderer.render(view).color, before)
        renderer.context.release()  # and closing without one is no error


def test_a_window_that_is_gone_is_said(driver, shapes):
    from kinema.rendering.context import create_context

    context = create_context()
    with context:
        renderer = Renderer(32, 24, "draft", context=context)
        target = context.simple_framebuffer((32, 24))
        renderer.draw(View(CAMERA, (shapes.rest(shapes.ball(0.5)),)), target)
        assert np.frombuffer(target.read(), np.uint8).any()
    context.release()
    with pytest.raises(KinemaError, match="context is gone"):
        renderer.render(View(CAMERA))
    renderer.close()


def test_wrong_use_is_said(renderer, shapes):
    with pytest.raises(KinemaError, match="no buffer 'colour'; there are color, depth"):
        renderer.render(View(CAMERA), ("colour",))
    with pytest.raises(KinemaError, match="no quality 'best'; there are small, draft"):
        Renderer(8, 8, "best")
    bad = Instances(shapes.box(), shapes.arm().skeleton.rest_pose)
    with pytest.raises(KinemaError, match=r"must be \[1\] of its 1 joints, not \[1\] of 5"):
        renderer.render(View(CAMERA, (bad,)))
    lost = shapes.rest(shapes.box())
    lost.pose.global_positions[0, 0, 0] = np.nan
    with pytest.raises(KinemaError, match="not finite"):
        renderer.render(View(CAMERA, (lost,)))
    with pytest.raises(KinemaError, match="no mesh"):
        renderer.render(View(CAMERA, (shapes.rest(dataclasses.replace(shapes.box(), meshes=())),)))
    with Renderer(8, 8, "draft") as closed:
        pass
    with pytest.raises(KinemaError, match="closed"):
        closed.render(View(CAMERA))


def test_another_thread_is_refused(renderer):
    said = []

    def work():
        try:
            renderer.render(View(CAMERA))
        except KinemaError as error:
            said.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert said and "thread" in said[0]


def test_buffers_die_with_their_character(renderer, shapes):
    known = len(renderer.scene.library)
    character = shapes.ball(0.5)
    renderer.render(View(CAMERA, (shapes.rest(character),)))
    assert len(renderer.scene.library) == known + 1
    del character
    gc.collect()
    renderer.render(View(CAMERA))
    assert len(renderer.scene.library) <= known


def test_timings_name_the_passes(driver, shapes):
    with Renderer(32, 24, profile=True) as renderer:
        renderer.render(View(CAMERA, (shapes.rest(shapes.ball(0.5)),)))
        passes = {"poses", "shadow", "geometry", "occlusion", "lighting", "bloom", "tone", "finish"}
        assert passes <= set(renderer.timings)
        assert all(value >= 0 for value in renderer.timings.values())


def test_pictures_leave_nothing_behind(driver, shapes):
    """Forty pictures make no more objects of the driver than six do."""
    view = View(CAMERA, (shapes.rest(shapes.ball(0.5)),))
    with Renderer(32, 24) as renderer:

        def names():
            with renderer.context:
                made = [
                    renderer.context.buffer(reserve=4),
                    renderer.context.vertex_array(renderer.shaders.get("fill.vert.glsl", "down.frag.glsl").program, []),
                ]
                numbers = [one.glo for one in made]
                for one in made:
                    one.release()
            return np.array(numbers)

        for _ in range(3):
            renderer.render(view, ALL)
            renderer.render(view)
        first, second = names(), names()  # asking may itself use up numbers
        for _ in range(20):
            renderer.render(view, ALL)
            renderer.render(view)
        np.testing.assert_array_equal(names() - second, second - first)


def test_settings_that_a_window_leaves_do_not_matter(renderer, shapes):
    view = View(CAMERA, (shapes.rest(shapes.ball(0.5)), shapes.rest(shapes.box(), tints=np.float32([[1, 1, 1, 0.5]]))))
    before = renderer.render(view, ALL)
    with renderer.context as context:
        context.enable(context.BLEND | context.CULL_FACE)
        context.blend_func, context.front_face, context.cull_face = (context.ZERO, context.ONE), "cw", "front"
        context.depth_func = ">"
    after = renderer.render(view, ALL)
    for name in ALL:
        np.testing.assert_array_equal(getattr(before, name), getattr(after, name))

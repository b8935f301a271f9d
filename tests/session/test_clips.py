"""Looking at clips, without a screen."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton, formats
from kinema.character import Character, Mesh, Morph
from kinema.engine import Figure, Transform, World
from kinema.errors import FormatError, KinemaError
from kinema.rendering.camera import Camera
from kinema.session.clips import ClipSession
from kinema.session.library import LibraryClip, LibraryFile, find_files

from .conftest import blocks, library_file, walk

CAMERA = Camera.look_at((0, 1, 4), (0, 1, 0))


def until(session: ClipSession, ready: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not ready():
        session.update(0.0)
        assert time.monotonic() < end, session.waiting
        time.sleep(0.002)


def settled(session: ClipSession) -> ClipSession:
    until(session, lambda: session.shown is not None and not session.waiting)
    return session


@pytest.fixture
def session(biped: Skeleton) -> ClipSession:
    first, second, third = (walk(biped, frames, name) for name, frames in (("walk", 60), ("run", 30), ("jump", 20)))
    return settled(ClipSession([library_file("a.bvh", first), library_file("b.glb", second, third)]))


def press(session: ClipSession, code: str, *held: str, repeat: bool = False) -> bool:
    return session.key(code, frozenset({*held, code}), repeat)


def test_time_moves_only_while_it_plays(session: ClipSession):
    session.update(0.5)
    assert session.playhead.time == pytest.approx(0.5) and not session.still
    press(session, "Space")
    session.view(CAMERA)
    session.update(0.5)
    assert session.playhead.time == pytest.approx(0.5) and session.still


def test_keys_scrub_and_loop(session: ClipSession):
    press(session, "End")
    assert session.playhead.frame == 59 and not session.playhead.playing
    press(session, "ArrowLeft", "ShiftLeft")
    press(session, "ArrowLeft", repeat=True)
    assert session.playhead.frame == 48
    press(session, "Home")
    press(session, "ArrowRight")
    assert session.playhead.frame == 1
    press(session, "Equal")
    press(session, "Equal")
    assert session.playhead.speed == 2.0
    press(session, "Minus")
    press(session, "KeyL")
    assert session.playhead.speed == 1.5 and not session.playhead.loop
    assert not press(session, "KeyX")


def test_scrubbing_changes_the_pose(session: ClipSession):
    session.seek(0)
    session.update(0.0)
    first = session.view(CAMERA).instances[0].pose.global_positions.copy()
    session.seek(30)
    session.update(0.0)
    moved = session.view(CAMERA).instances[0].pose.global_positions - first
    np.testing.assert_allclose(moved[0, 0], [0, 0, 1.0], atol=1e-3)


def test_clips_are_stepped_over_files(session: ClipSession):
    for title in ("run", "jump", "walk", "run"):
        press(session, "KeyN")
        settled(session)
        assert session.shown is not None and session.shown.clip.title == title
    press(session, "KeyP")
    settled(session)
    press(session, "KeyP")
    settled(session)
    until(session, lambda: session.shown is not None and session.shown.clip.title == "jump")


def test_the_mirror_keeps_the_moment_and_swaps_the_sides(session: ClipSession, walking: Motion):
    session.seek(20)
    press(session, "KeyM")
    until(session, lambda: session.shown is not None and session.shown.mirrored)
    assert session.playhead.frame == 20 and session.contacts["right"] == ((0, 30),)
    session.update(0.0)
    mirrored = walking[20].global_positions[walking.skeleton.mirror_map] * np.float32([-1, 1, 1])
    np.testing.assert_allclose(session.target.points, mirrored, atol=1e-4)


def test_marks_are_drawn_and_the_mirror_image_is_an_actor(session: ClipSession):
    for name in session.show:
        session.set_mark(name, name != "Features")
    session.editor.show_ghost("over")
    session.update(0.0)
    view = session.view(CAMERA)
    (instances,) = view.instances
    assert instances.tints is not None and instances.tints[:, 3].tolist() == [1.0, pytest.approx(0.45)]
    assert view.draw is not None and len(view.draw.texts) == instances.character.skeleton.joint_count
    for kind in ("stroke", "sphere", "cone", "disc"):
        assert len(view.draw.rows(kind)) + len(view.draw.rows(kind, on_top=True)), kind
    session.editor.show_ghost("beside")
    session.update(0.0)
    both = session.view(CAMERA).instances[0].pose.global_positions[:, 0, 0]
    assert both[1] - both[0] == pytest.approx(0.75 * session.target.size, abs=0.05)
    session.editor.show_ghost("off")
    session.show = dict.fromkeys(session.show, False)
    session.update(0.0)
    view = session.view(CAMERA)
    assert view.instances == () and view.draw is not None and view.draw.empty


def test_features_are_computed_when_they_are_switched_on(biped: Skeleton):
    motion = walk(biped, 150)
    session = settled(ClipSession([library_file("a", motion)]))
    session.show = {**dict.fromkeys(session.show, False), "Body": True}
    session.seek(80)
    session.update(0.0)
    assert session.view(CAMERA).draw.empty and session.analysis.table is None
    session.set_mark("Features", True)
    session.view(CAMERA)
    assert ("features", "computing") in session.figures() and not session.still
    until(session, lambda: session.view(CAMERA) and not session.analysis.waiting)
    points = session.view(CAMERA).draw.rows("sphere", on_top=True)["center"][:2]
    feet = [leg.foot for leg in (biped.roles.leg("left"), biped.roles.leg("right"))]
    np.testing.assert_allclose(points, motion[:].global_positions[80, feet], atol=1e-3)


def test_the_world_holds_the_clip_and_whatever_a_script_adds(biped: Skeleton):
    pile = blocks(Skeleton.create(["a"], [-1], [[0, 0, 0]]))
    world = World()
    world.spawn(Transform((3, 0, 0)), Figure(pile))
    session = settled(ClipSession([library_file("a", walk(biped))], world=world))
    session.update(0.0)
    assert {one.character.skeleton.joint_count for one in session.view(CAMERA).instances} == {1, biped.joint_count}
    assert session.world is world and world.has(session.figure, Figure)


def test_a_still_file_is_shown_in_its_rest_pose(biped: Skeleton):
    file = LibraryFile("rest", "rest", lambda: [LibraryClip("rest pose", biped, blocks(biped), lambda: None)])
    session = settled(ClipSession([file]))
    session.update(0.0)
    np.testing.assert_allclose(session.target.points, biped.rest_pose.global_positions, atol=1e-5)
    session.set_mark("Skeleton", True)
    assert len(session.view(CAMERA).draw.rows("stroke", on_top=True))
    assert dict(session.figures())["frame"] == "0 / 0"


def test_a_character_has_the_face_of_its_motion():
    skeleton = Skeleton.create(["head"], [-1], [[0, 0, 0]])
    corners = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    targets = Morph("open", np.float32([[0, 0, 0], [1, 0, 0], [0, 0, 0]])), Morph("puff", corners, weight=0.2)
    mesh = Mesh(
        "face", corners, np.tile(np.float32([0, 0, 1]), (3, 1)), np.uint32([[0, 1, 2]]), joint=0, morphs=targets
    )
    labels = {"morph.open": np.float32([0, 1, 0])}
    motion = Motion.create(skeleton, np.tile(skeleton.rest_rotations, (3, 1, 1)), fps=1.0, labels=labels)
    clip = LibraryClip("talk", skeleton, Character("head", skeleton, (mesh,)), lambda: motion)
    session = settled(ClipSession([LibraryFile("a", "a", lambda: [clip])]))
    session.seek(0)
    session.playhead.time = 0.5
    session.update(0.0)
    np.testing.assert_allclose(session.view(CAMERA).instances[0].pose.morph_weights, [[0.5, 0.2]], atol=1e-6)


def test_settings_choose_files_clips_and_bodies(session: ClipSession):
    def put(label: str, value: object) -> None:
        next(one for one in session.settings() if one.label == label).put(value)

    put("File", "b.glb")
    until(session, lambda: session.file_index == 1)
    put("Clip", 1)
    until(session, lambda: session.title.endswith("jump"))
    put("Mirrored", True)
    until(session, lambda: session.shown is not None and session.shown.mirrored)
    put("Mirror image", "beside")
    assert session.editor.ghost == "beside"
    put("Frame", 1e9)
    assert session.playhead.frame == 19 and not session.playhead.playing
    put("Playing", True)
    put("Speed", -3.0)
    assert session.playhead.playing and session.playhead.speed == 0.1
    for label, wrong in (("File", "nope"), ("Clip", 7), ("Frame", float("nan")), ("Body", None)):
        with pytest.raises(KinemaError):
            put(label, wrong)
    facts = dict(next(one for one in session.settings() if one.label == "facts").rows())
    assert facts["joints"] == "21" and facts["length"].startswith("20 frames")


def test_a_clip_that_cannot_be_read_leaves_the_one_before(biped: Skeleton):
    def fail() -> Motion:
        raise FormatError("is cut off", path="bad.bvh", line=3)

    clips = [LibraryClip("good", biped, None, lambda: walk(biped)), LibraryClip("bad", biped, None, fail)]
    session = settled(ClipSession([LibraryFile("a", "a", lambda: clips), library_file("b", walk(biped))]))
    press(session, "KeyN")
    until(session, lambda: bool(session.log.lines))
    assert session.log.lines[0].text == "bad.bvh, line 3: is cut off"


def test_a_bad_file_among_good_ones_is_said_and_passed_over(biped: Skeleton):
    def bad() -> list:
        raise KinemaError("b.bvh: broken")

    session = settled(ClipSession([LibraryFile("b.bvh", "b.bvh", bad), library_file("a.bvh", walk(biped))]))
    log = session.log
    assert session.shown is not None and session.shown.clip.title == "walk" and session.failure is None
    assert [line.text for line in log.lines] == ["b.bvh: broken"]
    session.step_clip(1)
    until(session, lambda: len(log.lines) > 1 or log.lines[0].count > 1)
    settled(session)
    assert session.shown.clip.title == "walk"


def test_dropped_files_are_added(session: ClipSession, biped: Skeleton, tmp_path):
    formats.save(walk(biped, 40, "dropped"), tmp_path / "dropped.bvh")
    session.add_files((str(tmp_path / "dropped.bvh"),))
    until(session, lambda: session.shown is not None and session.shown.frames == 40)
    assert session.file_index == 2
    session.add_files((str(tmp_path / "gone.bvh"),))
    until(session, lambda: "gone.bvh" in session.log.lines[-1].text)
    assert session.shown is not None and session.shown.frames == 40, "what was shown stays"


def test_nothing_to_show_is_the_failure():
    def bad() -> list:
        raise KinemaError("b.bvh: broken")

    session = ClipSession([LibraryFile("b.bvh", "b.bvh", bad)])
    with pytest.raises(KinemaError, match=r"b\.bvh: broken"):
        session.wait()
    assert session.view(CAMERA).instances == () and session.target.empty


def test_keys_edit_and_leaving_with_edits_is_said(biped: Skeleton, tmp_path, walking: Motion):
    labels = {name: values for name, values in walking.labels.items() if name != "style"}
    formats.save(walking.replace(labels=labels), tmp_path / "walk.npz")
    session = settled(ClipSession(find_files([tmp_path / "walk.npz"])))
    press(session, "KeyM")
    until(session, lambda: session.shown is not None and session.shown.mirrored)
    session.set_editing(True)
    until(session, lambda: session.shown is not None and not session.shown.mirrored)
    session.editor.paint("left", (5, 9), False, "drag")
    session.editor.paint("left", (5, 13), False, "drag")
    session.update(0.0)
    assert session.contacts["left"] == ((0, 5), (13, 30)) and not session.still
    press(session, "KeyZ", "ControlLeft")
    assert session.contacts["left"] == ((0, 30),), "one drag is one step"
    press(session, "KeyY", "ControlLeft")
    assert session.contacts["left"] == ((0, 5), (13, 30))
    press(session, "KeyM")
    assert session.editor.ghost == "over" and not session.mirrored, "the mirror image instead of a mirrored clip"
    session.set_mirrored(True)
    assert not session.mirrored and "mirror image" in session.log.lines[-1].text
    session.editor.select((10, 20))
    session.update(0.0)
    assert session.playhead.within == (10, 20)
    session.close()
    assert "not saved" in session.log.lines[-1].text
    press(session, "KeyS", "ControlLeft")
    assert (tmp_path / "walk.npz.edits.json").is_file() and not session.editor.unsaved

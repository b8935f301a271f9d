"""Steering, without a screen."""

from __future__ import annotations

from contextlib import ExitStack
from types import SimpleNamespace

import numpy as np
import pytest

from kinema import Skeleton
from kinema.control.adjust import Adjustment
from kinema.engine import Controlled, Figure, Transform, World
from kinema.errors import KinemaError
from kinema.mocap.database import Clip
from kinema.mocap.styles import mix_of
from kinema.rendering.camera import Camera
from kinema.session.play import PlaySession
from kinema.session.playable import playable, side_by_side
from kinema.session.steering import InputState
from kinema.terrain import Plane

from .conftest import Gliding, blocks, go, until_ready

CAMERA = Camera.look_at((0, 1, -4), (0, 1, 0))


@pytest.fixture
def session(gliding: Gliding) -> PlaySession:
    return until_ready(PlaySession(lambda say: playable(gliding, None, "gliding")))


def setting(session: PlaySession, label: str):
    return next(one for one in session.settings() if one.label == label)


def test_keys_move_the_one_who_obeys(session: PlaySession):
    go(session, 2.0, "KeyW")
    z = session.target.position[2]
    assert z > 1.5
    go(session, 1.5)
    still = session.target.position[2]
    go(session, 0.5)
    assert session.target.position[2] == pytest.approx(still, abs=0.05)


def test_a_gamepad_is_greeted_steers_and_starts_over(session: PlaySession):
    go(session, 1.0, move=(0.0, 1.0), device="Stick")
    assert "Stick" in session.log.lines[-1].text and session.target.position[2] > 0.5
    hero = session.hero
    for _ in range(3):
        session.steer(InputState(frozenset({"PadReset"}), device="Stick"), 0.0)
    assert session.hero != hero and session.target.position[2] == pytest.approx(0.0, abs=1e-6)


def test_a_crowd_is_one_batch(session: PlaySession, gliding: Gliding):
    session.set_crowd(7)
    before = gliding.steps
    go(session, 0.5, "KeyW")
    assert gliding.steps - before == 30 and session.group is not None and len(session.group.ids) == 8
    view = session.view(CAMERA)
    assert view.instances[0].pose.global_positions.shape[0] == 8
    session.set_crowd(2)
    go(session, 0.1)
    assert session.crowd == 2 and len(session.group.ids) == 3 and session.row == 0
    session.key("KeyR")
    go(session, 0.1)
    assert session.crowd == 2


def test_what_graphs_show_is_kept(session: PlaySession):
    go(session, 1.0, "KeyW")
    history = session.history
    assert {"speed", "commanded speed", "cost", "tracking_cm", "contact left"} <= set(history.names)
    assert history.last("speed") == pytest.approx(1.2, abs=0.3) and history.last("commanded speed") == pytest.approx(
        1.4
    )
    session.restart()
    assert len(history.times) == 0


def test_pictures_lie_between_steps_and_show_marks(session: PlaySession):
    go(session, 1.0, "KeyW")
    session.world.advance(1, 0.0)
    early = session.view(CAMERA).instances[0].pose.global_positions[0, 0, 2]
    session.world.advance(0, 1.0)
    late = session.view(CAMERA).instances[0].pose.global_positions[0, 0, 2]
    assert late > early
    for name in session.show:
        session.show[name] = True
    view = session.view(CAMERA)
    assert view.draw is not None and len(view.draw.texts) == session.playable.character.skeleton.joint_count
    session.key("Digit1")
    assert session.view(CAMERA).instances == ()


def test_marks_stay_with_a_character_whose_origin_was_moved(session: PlaySession):
    go(session, 0.2, "KeyW")
    session.world.get(session.hero, Transform).position = (50.0, 0.0, 0.0)
    go(session, 0.2, "KeyW")
    session.show.update(dict.fromkeys(session.show, False), Trajectory=True)
    view = session.view(CAMERA)
    points = view.draw.rows("stroke")["start"]
    assert np.abs(points[:, 0] - 50).max() < 1.0


def test_characters_start_and_cameras_look_at_the_height_of_the_ground(gliding: Gliding):
    world = World(step=1 / 60, ground=Plane(0.7))
    session = until_ready(PlaySession(lambda say: playable(gliding, None, "made up"), world=world))
    session.set_crowd(3)
    heights = [world.get(entity, Transform).position[1] for (entity, _) in world.query(Transform, Controlled)]
    np.testing.assert_allclose(heights, 0.7, atol=1e-6)
    assert session.target.position[1] == pytest.approx(0.7) and session.target.ground == Plane(0.7)
    floor = session.view(CAMERA).floor
    assert floor is not None and floor.y == 0.7


def test_the_ground_of_a_controller_becomes_that_of_the_world(gliding: Gliding):
    gliding.ground = Plane(0.3)  # pyright: ignore[reportAttributeAccessIssue]
    session = until_ready(PlaySession(lambda say: playable(gliding, None, "made up")))
    assert session.world.ground == Plane(0.3)


def test_what_goes_wrong_is_the_end(gliding: Gliding):
    def make(say):
        raise KinemaError("no motion")

    session = until_ready(PlaySession(make))
    assert str(session.failure) == "no motion" and session.playable is None
    assert session.view(CAMERA).instances == () and session.target.empty
    session.close()


def test_a_script_sets_the_world_up(gliding: Gliding, biped: Skeleton):
    snake = blocks(Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]]))
    world = World(step=1 / 60)
    found: list[int] = []

    def setup(given: World) -> None:
        assert given is world
        found.append(given.spawn(Transform((2.0, 0.0, 0.0)), Figure(snake)))

    session = until_ready(PlaySession(lambda say: playable(gliding), world=world, setup=setup))
    session.set_crowd(50)
    go(session, 0.1)
    instances = {one.character.skeleton.joint_count: one for one in session.view(CAMERA).instances}
    assert (
        len(instances[2].pose.global_positions) == 1 and len(instances[biped.joint_count].pose.global_positions) == 51
    )
    assert instances[2].pose.global_positions[0, 0].tolist() == [2.0, 0.0, 0.0]
    session.key("KeyR")
    assert session.crowd == 50 and session.world.has(found[0], Figure), "what others spawned stays"


def test_settings_are_checked_and_clamped(session: PlaySession):
    setting(session, "walk").put(99.0)
    assert session.input.steering.walk == 2.5
    for wrong in (float("nan"), "fast", True, None):
        with pytest.raises(KinemaError, match="walk is a number from 0"):
            setting(session, "walk").put(wrong)
    setting(session, "characters").put(1e9)
    assert session.crowd == 255
    setting(session, "characters").put(8)
    assert session.crowd == 7 and setting(session, "characters").get() == 8
    hero = session.hero
    setting(session, "Start over").act()
    assert session.hero != hero and session.crowd == 7
    setting(session, "Trail").put(False)
    assert not session.show["Trail"]


def test_a_style_is_chosen_or_mixed_on_a_pad(gliding: Gliding):
    """The list and the pad say what the steered character is commanded; the others keep the default."""
    rng = np.random.default_rng(0)
    gliding.family = SimpleNamespace(styles=("normal", "old", "proud"), latents=rng.normal(size=(3, 4)))
    gliding.style = "proud"
    session = until_ready(PlaySession(lambda say: playable(gliding, None, "gliding")))

    def commanded() -> tuple[str, ...]:
        go(session, 0.1)
        assert session.control is not None
        return session.control.styles

    session.set_crowd(1)
    chosen, pad = setting(session, "style"), setting(session, "mix of styles")
    assert chosen.options() == ["normal", "old", "proud"] and chosen.get() == 2 and commanded()[session.row] == "proud"
    chosen.put("old")
    assert pad.get() == pad.places()["old"] and sorted(commanded()) == ["", "old"]
    middle = np.mean([pad.places()["old"], pad.places()["normal"]], axis=0)
    pad.put(middle.tolist())
    mix = mix_of(commanded()[session.row])
    assert set(mix) >= {"old", "normal"} and abs(mix["old"] - mix["normal"]) < 0.01


def test_clips_have_styles_to_choose_and_none_to_mix(gliding: Gliding):
    tags = (("walk", "old"), ("run",), ("walk", "proud"))
    clips = [Clip(str(at), "", 10 * at, 10 * at + 10, tags=words) for at, words in enumerate(tags)]
    gliding.family = SimpleNamespace(
        database=SimpleNamespace(clips=clips), frames=np.zeros(1, np.int64), styles=("run",)
    )
    session = until_ready(PlaySession(lambda say: playable(gliding, None, "gliding")))
    chosen = setting(session, "style")
    assert chosen.options() == ["normal", "old", "proud"] and chosen.get() == 0
    assert "mix of styles" not in [one.label for one in session.settings()]


def test_several_get_the_same_commands_side_by_side(gliding: Gliding, biped: Skeleton):
    others = [Gliding(biped), Gliding(biped)]
    closed: list[str] = []

    def make(controller: Gliding, name: str):
        held = ExitStack()
        held.callback(lambda: closed.append(name))
        return lambda say: playable(controller, None, "data", held)

    makes = [make(gliding, "first"), make(others[0], "second"), make(others[1], "third")]
    session = until_ready(PlaySession(side_by_side(["mann", "pfnn", "other"], makes)))
    assert session.title == "mann  |  pfnn  |  other"
    session.set_crowd(2)
    go(session, 2.0, "KeyW")
    first, *rest = (np.array(one.trajectory.position[0]) for one in (gliding, *others))
    assert first[2] > 1.5 and gliding.trajectory.position.shape[0] == 3
    for number, position in enumerate(rest, 1):
        np.testing.assert_allclose(position, first, atol=1e-5)
        column = session.world.columns(Transform)
        place = column.global_positions[column.row(session._beside[number - 1])]
        np.testing.assert_allclose(place[0], -1.2 * number, atol=0.01)
    session.key("KeyR")
    go(session, 0.1)
    assert np.abs(others[1].trajectory.position).max() < 0.05 and session.crowd == 2
    session.close()
    assert sorted(closed) == ["first", "second", "third"]


def test_those_beside_each_other_turn_once(gliding: Gliding, biped: Skeleton):
    """Q turns everybody as fast as it turns one."""
    alone = until_ready(PlaySession(lambda say: playable(gliding, None, "one")))
    pair = [Gliding(biped), Gliding(biped)]
    makes = [lambda say, one=one: playable(one, None, "one") for one in pair]
    both = until_ready(PlaySession(side_by_side(["a", "b"], makes)))
    for session in (alone, both):
        go(session, 0.5, "KeyQ")
    assert gliding.trajectory.heading[0] > 0.3
    for one in pair:
        np.testing.assert_allclose(one.trajectory.heading, gliding.trajectory.heading, atol=1e-5)


def test_one_style_is_no_choice(session: PlaySession):
    assert "style" not in [one.label for one in session.settings()]


def test_a_stage_is_left_out_and_put_back(gliding: Gliding):
    stage = Adjustment(gliding.trajectory)
    gliding.stages = [stage]
    session = until_ready(PlaySession(lambda say: playable(gliding)))
    labels = [one.label for one in session.settings()]
    assert "Adjustment" in labels and "adjustment: smooth" in labels
    setting(session, "adjustment: smooth").put(0.1)
    assert stage.smooth == 0.1
    setting(session, "Adjustment").put(False)
    assert gliding.stages == [] and "adjustment: smooth" not in [one.label for one in session.settings()]
    setting(session, "Adjustment").put(True)
    assert gliding.stages == [stage]


class ForOne:
    """A controller that others cannot join."""

    def __init__(self, inner: Gliding) -> None:
        self.skeleton, self.reset, self.step = inner.skeleton, inner.reset, inner.step


def test_a_controller_for_one_has_no_crowd(gliding: Gliding):
    session = until_ready(PlaySession(lambda say: playable(ForOne(gliding))))
    session.set_crowd(3)
    go(session, 0.1)
    assert session.crowd == 0 and "one character only" in session.log.lines[-1].text


def test_figures_are_means_of_a_moment(session: PlaySession):
    go(session, 2.0, "KeyW")
    figures = dict(session.figures())
    assert figures["speed"] == "1.40 m/s" and figures["tracking"] == "1.5 cm" and figures["match cost"] == "0.25"
    assert figures["transitions"] == "2.0 /s" and figures["foot skate"].endswith("cm/s")

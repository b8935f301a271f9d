"""Looking into a controller."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.control.command import Commands
from kinema.control.presets import motion_matching_controller
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.session import diagnostics

from .conftest import Gliding


@pytest.fixture(scope="module")
def controller():
    return motion_matching_controller(MotionDatabase.from_motions(locomotion_set(minutes=0.5, seed=3)))


FORWARD = Commands.create(np.array([0, 0, 1.4], np.float32))


def test_the_plan_is_a_frame_of_a_clip(controller):
    controller.reset(1)
    for _ in range(20):
        controller.step(FORWARD, 1 / 60)
    plan = diagnostics.plan_position(controller, 0)
    frame = int(controller.family.frames[0])
    clip = next(clip for clip in controller.family.database.clips if clip.start <= frame < clip.stop)
    assert (plan.clip, plan.frame, plan.frames) == (clip.name, frame - clip.start, clip.stop - clip.start)
    assert 0 <= plan.wait <= controller.settings.replan_every


def test_costs_by_feature_add_up_to_the_cost_of_going_on(controller):
    controller.reset(1)
    for _ in range(31):
        controller.step(FORWARD, 1 / 60)
    costs = diagnostics.costs(controller, FORWARD, 0)
    assert set(costs) == set(controller.family.spec.names) and min(costs.values()) >= 0
    sideways = Commands.create(np.array([3.0, 0, 0], np.float32))
    away = diagnostics.costs(controller, sideways, 0)
    assert away["trajectory.position"] > 5 * costs["trajectory.position"]
    assert away["foot.position"] == pytest.approx(costs["foot.position"], abs=1e-9), "the query keeps the pose"


def test_what_others_cannot_tell_is_left_out(biped: Skeleton):
    gliding = Gliding(biped)
    assert diagnostics.plan_position(gliding, 0).clip == "" and diagnostics.costs(gliding, FORWARD, 0) == {}
    numbers, arrays = diagnostics.figures(gliding.diagnostics)
    assert numbers == {"cost": 0.25, "tracking_cm": 1.5, "transitions": 0.0}
    assert list(arrays) == ["gate", "phase"]
    np.testing.assert_array_equal(arrays["phase"], [0.25, 0.5])
    assert diagnostics.sliders(gliding, "Tuning") == []


def test_arrays_with_a_row_a_character_are_cut():
    weights = np.array([[0.1, 0.9], [0.8, 0.2]])
    assert diagnostics.figures({"gate": weights}, 1)[1]["gate"].tolist() == [0.8, 0.2]
    assert diagnostics.figures({"one": np.array([[3.0]])}, 0)[0] == {"one": 3.0}


def test_sliders_change_settings_of_all_parts(controller):
    sliders = {slider.label: slider for slider in diagnostics.sliders(controller, "Tuning")}
    assert {label.partition(":")[0] for label in sliders} == {"controller", "search", "adjustment", "foot lock"}
    for slider in sliders.values():
        assert slider.low <= slider.get() <= slider.high and slider.low < slider.high
    before = controller.settings
    sliders["controller: velocity halflife"].put(0.4)
    assert controller.settings.velocity_halflife == 0.4 == controller.trajectory.velocity_halflife
    assert before.velocity_halflife != 0.4, "settings are values: others keep theirs"
    sliders["search: stay"].put(0.25)
    sliders["foot lock: radius"].put(0.2)
    assert controller.family.settings.stay == 0.25 and controller.foot_lock.radius == 0.2
    controller.step(FORWARD, 1 / 60)


def test_bars_of_text():
    assert diagnostics.bars(np.array([0.0, 0.5, 1.0, 9.0, -1.0, np.nan])) == "\u2581\u2585\u2588\u2588\u2581\u2581"

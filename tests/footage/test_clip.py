"""A clip: all its maps are of one picture, its numbers agree with its pictures, and it depends on its number alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.errors import SceneError
from kinema.footage import clip as clips
from kinema.footage.clip import Footage, film_clip
from kinema.footage.plan import ClipPlan, plan_clips
from kinema.keypoints.points import BODY
from kinema.rendering.renderer import Renderer


@pytest.fixture(scope="module")
def people() -> ClipPlan:
    return plan_clips(frames=3, size=64, seed=2, identities=4, scenes=["park"], scene_share=0.5)


@pytest.fixture(scope="module")
def filmed(people: ClipPlan) -> list[Footage]:
    with Renderer(64, 64, "small", threads=1) as renderer:
        return [film_clip(people, number, renderer) for number in range(6)]


def test_a_clip_depends_on_its_number_alone(people: ClipPlan, filmed: list[Footage]) -> None:
    with Renderer(64, 64, "small", threads=2) as renderer:
        again = film_clip(people, 3, renderer)
    assert again.facts == filmed[3].facts
    for name, values in filmed[3].maps.items():
        np.testing.assert_array_equal(values, again.maps[name], err_msg=name)


def test_maps_are_of_one_picture(filmed: list[Footage]) -> None:
    for one in filmed:
        maps, seen = one.maps, one.maps["mask"][..., 0] > 0
        assert all(values.shape == (3, 64, 64, 3) for values in maps.values())
        assert (maps["parts"][seen].any(axis=-1)).all() and not maps["parts"][~seen].any()
        np.testing.assert_array_equal(maps["body"][seen], maps["picture"][seen])
        assert not maps["body"][~seen].any()
        far = np.abs(maps["background"].astype(int) - maps["picture"])[~seen].max(axis=-1)
        assert np.median(far) <= 2  # but for shadows, the same
        assert (seen.mean(axis=(1, 2)) > 0.01).all()  # nobody is missing


def test_key_points_lie_on_the_body_and_the_camera_projects_them(filmed: list[Footage]) -> None:
    for one in filmed:
        assert one.points is not None and one.intrinsics is not None and one.extrinsics is not None
        hips = one.points.body[:, [BODY.index("left_hip"), BODY.index("right_hip")]]
        middle = hips[..., :2].mean(axis=1).astype(int)
        mask = one.maps["mask"][..., 0] > 0
        near = [mask[n, max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3].any() for n, (x, y) in enumerate(middle)]
        assert all(near)
        np.testing.assert_allclose(one.extrinsics[:, 3], [[0, 0, 0, 1]] * 3)
        assert (one.intrinsics[:, 0, 2] == 32).all()


def test_facts_say_what_is_seen(filmed: list[Footage]) -> None:
    for one in filmed:
        facts = one.facts
        assert len(facts["actions"]) == facts["frames"] == 3 and facts["licence_class"] == "generated"
        assert facts["in_frame"] == 1.0 and facts["unhidden"] > 0.6 and 0.2 < facts["height"] <= 1.0
        assert facts["caption"].endswith(".") and facts["camera"] in ("follow", "orbit", "rail", "still")
        assert facts["maps"] == list(one.maps)
    assert {one.facts["scene_kind"] for one in filmed} & {"park"}


def test_where_there_is_no_room_that_is_said(people: ClipPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = replace(people, scene_share=1.0)
    opened = clips._opened(people.scenes[0].name, people.scenes[0].seed, 64)
    assert opened.room is not None
    full = replace(opened, room=np.zeros_like(opened.room))
    monkeypatch.setattr(clips, "_opened", lambda *_: full)
    with Renderer(64, 64, "small", threads=1) as renderer, pytest.raises(SceneError, match="no place and no camera"):
        film_clip(crowded, 0, renderer)

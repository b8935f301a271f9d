"""The record of parts that are being found."""

from __future__ import annotations

import pytest

from kinema.roles.draft import AGREED
from kinema.roles.recognise import begin

from .rigs import build, person


def test_a_part_is_surer_where_the_name_agrees_and_less_so_where_it_does_not() -> None:
    skeleton, truth = build(person(), names=True)
    draft, hand = begin(skeleton), truth.index("left_hand")
    assert not any(draft.done) and not any(draft.parts)
    draft.put(hand, "hand", 0.5)
    assert (draft.parts[hand], draft.done[hand]) == ("hand", True)
    assert draft.confidence[hand] == pytest.approx(AGREED)
    draft.put(hand, "foot", 0.5)
    assert draft.parts[hand] == "foot" and draft.confidence[hand] == pytest.approx(0.4)
    draft.put(hand, "foot", 0.5, certain=True)
    assert draft.confidence[hand] == pytest.approx(0.5)


def test_without_a_name_shape_is_as_sure_as_it_says() -> None:
    skeleton, truth = build(person())
    draft, hand = begin(skeleton), truth.index("left_hand")
    draft.put(hand, "foot", 0.5)
    assert draft.confidence[hand] == pytest.approx(0.5)


def test_what_a_joint_hangs_on() -> None:
    skeleton, truth = build(person())
    draft, forearm = begin(skeleton), truth.index("left_forearm")
    draft.put(forearm, "forearm", 1.0)
    assert draft.on(truth.index("left_hand")) == "forearm" and draft.on(truth.index("root")) == ""

"""The middle: root, hips, spine, neck, head and tails."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kinema.roles.recognise import begin
from kinema.skeleton import Skeleton

from .rigs import Rows, bird, build, dog, person, snake, spider


def middle(skeleton: Skeleton, truth: list[str]) -> dict[str, list[str]]:
    """What the trunk holds, in the words of the truth."""
    trunk = begin(skeleton).trunk
    found = {part: [truth[joint] for joint in getattr(trunk, part)] for part in ("root", "hips", "spine", "neck")}
    head = [truth[trunk.head]] if trunk.head is not None else []
    return {**found, "head": head, "tail": [truth[joint] for tail in trunk.tails for joint in tail]}


@pytest.mark.parametrize("rows", [person(), dog(), bird(), spider()], ids=["person", "dog", "bird", "spider"])
@pytest.mark.parametrize("change", [{}, {"seed": 1, "frames": True}, {"names": True}], ids=str)
def test_each_joint_of_the_middle_is_in_its_place(rows: Rows, change: dict) -> None:
    skeleton, truth = build(rows, **change)
    for part, joints in middle(skeleton, truth).items():
        wanted = [role for role in truth if role == part]
        assert joints == wanted, part


def test_runs_go_from_the_body_outwards() -> None:
    skeleton, truth = build(dog(), seed=5)
    trunk = begin(skeleton).trunk
    for run in (trunk.hips[-1:] + trunk.spine + trunk.neck + [trunk.head], *trunk.tails):
        for above, joint in pairwise(run):
            assert joint is not None and skeleton.parents[joint] == above
    assert [truth[tail[0]] for tail in trunk.tails] == ["tail"]


def test_a_snake_is_all_spine_without_a_head_in_sight() -> None:
    skeleton, _ = build(snake())
    trunk = begin(skeleton).trunk
    assert trunk.head is None and not trunk.neck and not trunk.tails
    assert len(trunk.hips + trunk.spine) == skeleton.joint_count


def test_eyes_tell_the_head_of_a_long_neck() -> None:
    rows = [row for row in person() if row[0] != "head"]
    rows += [
        ("neck.2", "neck", (0, 1.56, 0.01)),
        ("head", "neck.2", (0, 1.64, 0.02)),
        ("left_eye", "head", (0.03, 1.7, 0.1)),
        ("right_eye", "head", (-0.03, 1.7, 0.1)),
    ]
    rows.append(("helper", "head", (0, 1.85, 0)))
    assert middle(*build(rows))["head"] == ["head"]
    assert middle(*build(rows))["neck"] == ["neck", "neck"]


def test_a_named_neck_parts_spine_from_neck_where_the_arms_hang_above_it() -> None:
    rows = [(n, "neck" if n.endswith("_shoulder") else a, p) for n, a, p in person()]
    order = sorted(rows, key=lambda row: row[0].endswith(("hand", "forearm", "upper_arm")) or "." in row[0][6:])
    assert len(order) == len(rows)
    skeleton, truth = build(rows, seed=0, names=True)
    found = middle(skeleton, truth)
    assert found["neck"] == ["neck"] and found["spine"] == ["spine"] * 3


def test_a_root_that_the_spine_calls_hips_below_is_none() -> None:
    rows: Rows = [("root", "", (0, 0, 0)), ("Pelvis", "root", (0, 1, 0))]
    rows += [(n, "Pelvis" if a == "hips" else a, p) for n, a, p in person() if n not in ("root", "hips")]
    skeleton, _ = build(rows, names=True)
    trunk = begin(skeleton).trunk
    assert [skeleton.names[joint] for joint in trunk.hips] == ["Pelvis"]
    assert [skeleton.names[joint] for joint in trunk.root] == ["root"]


@pytest.mark.parametrize(
    "beak",
    [
        [("face", "head", (0, 0.85, 0.46)), ("face.2", "face", (0, 0.84, 0.6))],
        [("face", "head", (0, 0.86, 0.46)), ("jaw", "head", (0, 0.83, 0.46)), ("jaw.2", "jaw", (0, 0.82, 0.55))],
        [("face", "head", (0, 0.95, 0.46)), ("face.2", "face", (0, 1.05, 0.5)), ("jaw", "head", (0, 0.83, 0.46))],
        [("jaw", "head", (0, 0.84, 0.5))],
    ],
    ids=["upper half", "both halves", "raised", "jaw"],
)
def test_a_beak_is_not_the_head(beak: Rows) -> None:
    rows = [row for row in bird() if row[0] != "jaw" and not row[0].endswith("_eye")]
    assert middle(*build(rows + beak))["head"] == ["head"]


def test_flukes_make_no_face() -> None:
    rows = [(f"spine.{n}", "" if n == 0 else f"spine.{n - 1}", (0.0, 1.0, 3.0 - n)) for n in range(7)]
    for side, x in (("left", 1.0), ("right", -1.0)):
        rows += [(f"{side}_fin", "spine.1", (0.3 * x, 0.9, 2.2)), (f"{side}_fin.2", f"{side}_fin", (1.0 * x, 0.7, 1.8))]
        rows += [
            (f"{side}_fin.3", "spine.6", (0.2 * x, 1.0, -3.1)),
            (f"{side}_fin.4", f"{side}_fin.3", (0.7 * x, 1.0, -3.4)),
        ]
    assert middle(*build(rows))["head"] == []

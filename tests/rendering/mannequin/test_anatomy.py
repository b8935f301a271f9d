"""Trunk and limbs."""

import pytest

from kinema import Skeleton
from kinema.rendering.mannequin.anatomy import MannequinBody
from kinema.rendering.mannequin.tree import flesh


@pytest.fixture(scope="module")
def dog() -> tuple[MannequinBody, Skeleton]:
    rows = [
        ("pelvis", None, (0, 0.5, 0)),
        ("tail1", "pelvis", (0, 0, -0.2)),
        ("tail2", "tail1", (0, -0.3, 0)),
        ("back", "pelvis", (0, 0, 0.3)),
        ("chest", "back", (0, 0, 0.3)),
        ("neck", "chest", (0, 0.1, 0.1)),
        ("head", "neck", (0, 0.1, 0.1)),
    ]
    for side, sign in (("l", 1), ("r", -1)):
        for name, parent in (("fore", "chest"), ("hind", "pelvis")):
            rows += [
                (f"{name}1_{side}", parent, (0.1 * sign, -0.02, 0)),
                (f"{name}2_{side}", f"{name}1_{side}", (0, -0.25, 0)),
                (f"{name}3_{side}", f"{name}2_{side}", (0, -0.2, 0)),
            ]
    names = [name for name, _, _ in rows]
    parents = [-1 if parent is None else names.index(parent) for _, parent, _ in rows]
    skeleton = Skeleton.create(names, parents, [offset for _, _, offset in rows])
    tree = flesh(skeleton.rest_pose)
    return MannequinBody(tree, list(range(len(tree.bones))), skeleton), skeleton


def ends(body: MannequinBody, skeleton: Skeleton, bones: list[int]) -> list[str]:
    return [skeleton.names[body.tree.bones[bone].end] if body.tree.bones[bone].end >= 0 else "tip" for bone in bones]


def test_the_trunk_runs_from_tail_to_head(dog: tuple[MannequinBody, Skeleton]):
    body, skeleton = dog
    assert ends(body, skeleton, body.trunk) == ["tail2", "tail1", "back", "chest", "neck", "head"] or ends(
        body, skeleton, body.trunk
    ) == ["tip", "tail2", "tail1", "back", "chest", "neck", "head"]
    assert body.nodes is not None and body.nodes[-1, 2] > body.nodes[0, 2]
    assert body.runs_back(0) and not body.runs_back(len(body.trunk) - 1)


def test_limbs_begin_at_the_side_of_the_trunk(dog: tuple[MannequinBody, Skeleton]):
    body, skeleton = dog
    assert set(ends(body, skeleton, sorted(body.connectors))) == {"fore1_l", "fore1_r", "hind1_l", "hind1_r"}
    assert len(body.attached) == 2
    for beside, under in body.attached.values():
        assert beside == pytest.approx(0.1) and under == pytest.approx(0.02, abs=1e-3)
    starts = body.leaves_trunk()
    assert len(starts) == 4 and {body.side(start) for start in starts} == {1, -1}
    assert body.reach[starts[0]] == pytest.approx(0.45 + 0.45 * 0.2)
    assert not set(body.apart(starts[0])) & {starts[0], *body.trunk}

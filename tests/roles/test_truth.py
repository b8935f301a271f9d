"""Roles of real skeletons against independent labels; the table is printed (`pytest -s`).

The columns: as the file is loaded (names, and what the file says about roles itself), by names alone, nameless (joints
called j0.. in a random order), and nameless with the file's first motion where it has one; then two that know nothing,
one that gives every joint the commonest role and one that goes by a rule of thumb. Each is the merged share of
`truth_measure`, with the strict one behind it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import load
from kinema.errors import FormatError, MissingError
from kinema.roles import PARTS

from .truth_measure import (
    Score,
    Truth,
    by_rule_of_thumb,
    carried,
    commonest,
    compared,
    merged,
    nameless,
    score,
    shuffled,
    truths,
    without_hints,
)

WAYS = ("loaded", "names", "nameless", "moving", "commonest", "rule")
BOUNDS = {"loaded": 0.95, "names": 0.95, "nameless": 0.85, "moving": 0.85}  # merged, over skeletons and over joints
FRAMES = 300  # of a motion


@pytest.fixture(scope="module")
def measured(data_dir: Path) -> dict[str, dict[str, Score]]:
    """For each truth file its scores; files whose format has no reader here are left out."""
    found = {}
    usual = commonest(truths())
    for truth in truths():
        try:
            asset = load(data_dir / truth.file)
        except (FormatError, MissingError) as error:
            if "unknown kind of file" in str(error) or isinstance(error, MissingError):
                continue
            raise
        skeleton = asset.skeleton
        assert skeleton is not None
        bare, labels = nameless(skeleton, np.random.default_rng(7))
        motion = carried(asset.motions[0].cut(0, FRAMES), bare, labels) if asset.motions else None
        found[truth.name] = {
            "loaded": score(skeleton, truth),
            "names": score(without_hints(skeleton), truth),
            "nameless": score(bare, truth, labels),
            "moving": score(bare, truth, labels, motion),
            "commonest": compared([usual] * skeleton.joint_count, truth, list(skeleton.names)),
            "rule": compared(by_rule_of_thumb(bare), truth, labels),
        }
    return found


def share(scores: list[Score], kind: str, *, over: str) -> float:
    """Average over skeletons (each counts the same) or over joints."""
    if over == "skeletons":
        return float(np.mean([getattr(s, kind) / s.joints for s in scores]))
    return sum(getattr(s, kind) for s in scores) / sum(s.joints for s in scores)


def test_roles_of_real_skeletons(measured: dict[str, dict[str, Score]]) -> None:
    print(table(measured))
    assert len(measured) >= 60
    for row in measured.values():
        for one in row.values():
            assert 0 <= one.strict <= one.merged <= one.joints == one.merged + len(one.wrong)
            assert one.hit <= one.certain <= one.joints


@pytest.mark.parametrize("over", ["skeletons", "joints"])
@pytest.mark.parametrize("way", list(BOUNDS))
def test_roles_are_right(measured: dict[str, dict[str, Score]], way: str, over: str) -> None:
    found = share([row[way] for row in measured.values()], "merged", over=over)
    assert found >= BOUNDS[way]
    for plain in ("commonest", "rule"):
        assert found > share([row[plain] for row in measured.values()], "merged", over=over) + 0.3


def test_a_motion_does_no_harm(measured: dict[str, dict[str, Score]]) -> None:
    rows = [(row["moving"].merged, row["nameless"].merged) for row in measured.values()]
    assert sum(moving for moving, _ in rows) > sum(still for _, still in rows)
    assert all(moving >= still - 1 for moving, still in rows)


def table(measured: dict[str, dict[str, Score]]) -> str:
    lines = ["", f"{'skeleton':<58}{'joints':>7}" + "".join(f"{way:>18}" for way in WAYS)]
    for name, row in measured.items():
        figures = "".join(f"{row[w].merged / row[w].joints:>10.1%} {row[w].strict / row[w].joints:>7.1%}" for w in WAYS)
        lines.append(f"{name[:57]:<58}{row['names'].joints:>7}{figures}")
        wrong = [f"{label} is {right}, said {said}" for label, said, right in row["names"].wrong]
        lines += ["    by names: " + "; ".join(wrong)] if wrong else []
    for over in ("skeletons", "joints"):
        figures = "".join(
            f"{share([r[w] for r in measured.values()], 'merged', over=over):>10.1%}"
            f" {share([r[w] for r in measured.values()], 'strict', over=over):>7.1%}"
            for w in WAYS
        )
        lines.append(f"{'mean over ' + over:<65}{figures}")
    hits = [[(row[way].hit, row[way].certain) for row in measured.values()] for way in WAYS]
    figures = "".join(f"{sum(h for h, _ in pairs) / sum(c for _, c in pairs):>10.1%}{'':>8}" for pairs in hits)
    lines.append(f"{f'of {sum(c for _, c in hits[0])} joints of body with one right answer':<65}{figures}")
    return "\n".join(lines)


@pytest.mark.parametrize("truth", truths(), ids=lambda truth: truth.name)
def test_labels_are_roles(truth: Truth) -> None:
    for roles in truth.parts.values():
        assert roles and {role.removeprefix("left_").removeprefix("right_") for role in roles} <= set(PARTS)
    certain = [next(iter(roles)) for roles in truth.parts.values() if len(roles) == 1]
    assert len(certain) >= 0.2 * len(truth.parts)


@pytest.mark.parametrize("truth", truths(), ids=lambda truth: truth.name)
def test_labels_are_of_the_joints_of_the_file(truth: Truth, data_dir: Path) -> None:
    try:
        skeleton = load(data_dir / truth.file).skeleton
    except (FormatError, MissingError) as error:
        pytest.skip(str(error))
    assert skeleton is not None and set(skeleton.names) == set(truth.parts)
    limbs = {role for roles in truth.parts.values() for role in roles if role.endswith(("thigh", "upper_arm", "leg"))}
    assert {merged(role).split("_")[0] for role in limbs} in ({"left", "right"}, {"left"}, set())


def test_shuffled_order_keeps_parents_first(rng: np.random.Generator) -> None:
    parents = np.array([-1, 0, 0, 1, 3, 2, -1, 6], dtype=np.int32)
    orders = {tuple(shuffled(parents, rng).tolist()) for _ in range(20)}
    assert len(orders) > 5
    for order in orders:
        assert sorted(order) == list(range(8))
        assert all(parents[joint] < 0 or order.index(parents[joint]) < order.index(joint) for joint in order)

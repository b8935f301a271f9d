"""Plans of bodies: which pairs are legs, arms, front legs and wings, and where hips, chest and up are."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.roles import rest_pose
from kinema.roles.body import BodyLayout
from kinema.roles.digits import FINGERS
from kinema.roles.limbs import LimbPair
from kinema.roles.recognise import begin

from .rigs import Rows, bird, build, dog, on_floor_root, person, renamed, snake, spider, turned

BODIES = {
    "person": (person(), "biped", {"left_thigh": "leg", "left_shoulder": "arm"}, "hips", "spine"),
    "dog": (dog(), "quadruped", {"left_thigh": "leg", "left_upper_arm": "front_leg", "left_ear": ""}, "hips", "spine"),
    "bird": (bird(), "winged", {"left_thigh": "leg", "left_upper_arm": "wing", "left_eye": ""}, "hips", "spine"),
    "spider": (spider(), "many-legged", {"left_leg": "leg", "left_eye": ""}, "hips", "hips"),
    "snake": (snake(), "legless", {}, "spine", "spine"),
}
Z_UP = (2**-0.5, 2**-0.5, 0, 0)


@pytest.mark.parametrize("body", list(BODIES))
@pytest.mark.parametrize("change", [{}, {"seed": 4, "frames": True}, {"seed": 9, "mirrored": True}], ids=str)
def test_plan_limbs_hips_and_chest(body: str, change: dict) -> None:
    rows, plan, kinds, hips, chest = BODIES[body]
    skeleton, truth = build(rows, **change)
    found = begin(skeleton).body
    assert found.plan == plan
    assert {truth[limb.roots[0]].replace("right", "left"): limb.kind for limb in found.limbs} == kinds
    assert (truth[found.hips], truth[found.chest]) == (hips, chest)
    assert np.allclose(found.up, [0, 1, 0])


@pytest.mark.parametrize("names", [False, True])
def test_a_reference_joint_on_the_floor_is_no_hips(names: bool) -> None:
    skeleton, truth = build(on_floor_root(), names=names)
    assert truth[begin(skeleton).body.hips] == truth[skeleton.roles.hips] == "hips"
    assert skeleton.roles.parts[truth.index("root")] == "root"
    stated = skeleton.with_hints({skeleton.names[truth.index("root")]: "hips"})
    assert truth[stated.roles.hips] == "root"


def test_of_two_spine_joints_the_upper_one_is_the_chest() -> None:
    skeleton, _ = build(person(), names=True)
    assert skeleton.names[begin(skeleton).body.chest] == "spine.3"


@pytest.mark.parametrize(
    ("rotation", "up"),
    [
        (Z_UP, [0, 0, 1]),
        ((0, 1, 0, 0), [0, -1, 0]),
        ((2**-0.5, 0, 0, 2**-0.5), [-1, 0, 0]),
    ],
    ids=["z up", "on the head", "on the side"],
)
def test_up_is_away_from_the_feet(rotation: tuple[float, ...], up: list[float]) -> None:
    found = begin(build(turned(person(), rotation))[0]).body
    assert found.plan == "biped" and np.allclose(found.up, up, atol=1e-6)


def test_names_outvote_an_unsure_shape_and_a_sure_shape_outvotes_names() -> None:
    bat = {"shoulder": "wing_1", "upper_arm": "wing_2", "forearm": "wing_3", "hand": "wing_4"}
    fingerless = [row for row in person() if row[0].split(".")[0].split("_")[-1] not in FINGERS]
    assert begin(build(renamed(fingerless, bat), names=True)[0]).body.plan == "winged"
    assert begin(build(renamed(dog(), {"upper_arm": "arm"}), names=True)[0]).body.plan == "quadruped"


def test_a_hand_without_a_body_has_no_limbs() -> None:
    rows: Rows = [("hand", "", (0, 0, 0))]
    for number, name in enumerate(("thumb", "index", "middle", "ring", "little")):
        above = "hand"
        for bone in range(3):
            rows.append((f"{name}.{bone}", above, (0.02 * number - 0.04, 0, 0.08 + 0.03 * bone)))
            above = f"{name}.{bone}"
    found = begin(build(rows)[0]).body
    assert found.plan == "unknown" and not found.of("leg", "arm", "front_leg", "wing")


def test_legs_and_arms_in_two_trees_are_read() -> None:
    rows = [(name, "" if name == "spine" else above, at) for name, above, at in person()]
    order = sorted(rows, key=lambda row: row[0] not in ("root", "hips"))
    for names in (False, True):
        skeleton, truth = build(order, names=names)
        found = begin(skeleton).body
        assert truth[found.hips] == "hips" and len(found.of("leg")) == 1


def test_which_limbs_have_joints_of_their_own() -> None:
    def of(plan: str, kind: str, votes: dict[str, float]) -> bool:
        limb = LimbPair((0, 1), -1, [0], 1.0, kind, votes)
        return BodyLayout([limb], plan, 0, 0, np.eye(3)[1], 1.0).segmented(limb)  # type: ignore[arg-type]

    assert of("biped", "leg", {}) and of("biped", "arm", {}) and of("quadruped", "front_leg", {})
    assert not of("many-legged", "leg", {"leg": 9.0}) and not of("legless", "fin", {}) and not of("biped", "", {})
    assert of("winged", "wing", {"arm": 2.0, "wing": 1.0}) and not of("winged", "wing", {"wing": 3.0})


@pytest.mark.parametrize("seed", [0, 4])
def test_legs_and_arms_may_hang_on_two_roots(seed: int) -> None:
    rows = [(name, "" if name == "spine" else parent, place) for name, parent, place in person()]
    skeleton, truth = build(rows, seed=seed)
    assert np.count_nonzero(skeleton.parents < 0) == 2
    found = begin(skeleton).body
    kinds = {truth[limb.roots[0]].replace("right", "left"): limb.kind for limb in found.limbs}
    assert (found.plan, kinds) == ("biped", {"left_thigh": "leg", "left_shoulder": "arm"})


def ring(count: int, word: str, drop: float = 0.4) -> Rows:
    """A body with pairs of limbs around it."""
    rows: Rows = [("hips", "", (0, 0.5, 0)), ("head", "hips", (0, 0.8, 0))]
    for number in range(count):
        turn = np.pi * (number + 0.5) / count
        for side, x in (("left", 1), ("right", -1)):
            above = "hips"
            for bone in range(4):
                reach = 0.1 + 0.15 * bone
                at = (reach * np.sin(turn) * x, 0.5 - drop * bone / 3, reach * np.cos(turn))
                rows.append((f"{side}_{word}.{number}{bone}", above, at))
                above = f"{side}_{word}.{number}{bone}"
    return rows


def test_an_octopus_has_many_legs_whatever_they_are_called() -> None:
    assert begin(build(ring(4, "arm"), names=True)[0]).body.plan == "many-legged"


def test_claws_beside_many_legs_are_arms() -> None:
    rows = spider()
    for side, x in (("left", 1), ("right", -1)):
        above = "head"
        for bone, z in enumerate((0.3, 0.45, 0.6)):
            rows.append((f"{side}_claw.{bone}", above, (0.08 * x, 0.33, z)))
            above = f"{side}_claw.{bone}"
    for names in (False, True):
        skeleton, truth = build(rows, names=names)
        kinds = {truth[limb.roots[0]].replace("right", "left"): limb.kind for limb in begin(skeleton).body.limbs}
        assert kinds["left_leg"] == "leg" and kinds["left_claw"] == "arm"


def test_legs_reach_lower_than_a_skirt() -> None:
    fingers = [row for row in person() if row[0].split(".")[0].split("_")[-1] not in FINGERS]
    rows = [(name, "spine.3" if name.endswith("upper_arm") else above, at) for name, above, at in fingers]
    rows = [row for row in rows if not row[0].endswith("shoulder")]
    for number, z in enumerate((0.1, -0.1)):
        for side, x in (("left", 1), ("right", -1)):
            rows.append((f"{side}_prop.{number}", "hips", (0.12 * x, 0.9, z)))
            rows.append((f"{side}_prop.{number}.2", f"{side}_prop.{number}", (0.15 * x, 0.45, 1.5 * z)))
    skeleton, truth = build(rows, seed=1)
    body = begin(skeleton).body
    assert {truth[limb.roots[0]].replace("right", "left") for limb in body.of("leg")} == {"left_thigh"}


@pytest.mark.parametrize("ahead", [1.0, -1.0])
def test_sides_by_name_tell_which_of_four_equal_legs_are_in_front(ahead: float) -> None:
    rows: Rows = [("trunk", "", (0, 0.4, 0))]
    for pair, z in (("a", 0.3), ("b", -0.3)):
        for side, x in (("left", 1), ("right", -1)):
            above = "trunk"
            for bone, (y, forth) in enumerate(((0.4, 0.0), (0.2, -0.15), (0.02, 0.0))):
                at = (0.1 * x * ahead, y, z + forth)
                rows.append((f"{side}_leg_{pair}.{bone}", above, at))
                above = f"{side}_leg_{pair}.{bone}"
    skeleton, _ = build(rows, names=True)
    body = begin(skeleton).body
    assert body.plan == "quadruped"
    assert {skeleton.names[root] for root in body.of("front_leg")[0].roots} == {
        f"{side}_leg_{'a' if ahead > 0 else 'b'}.0" for side in ("left", "right")
    }


def fish() -> Rows:
    rows: Rows = [("root", "", (0, 0.5, 0)), ("spine", "root", (0, 0.5, 0.1)), ("head", "spine", (0, 0.5, 0.35))]
    rows += [(f"tail.{n}", "root" if n == 0 else f"tail.{n - 1}", (0, 0.5, -0.15 - 0.15 * n)) for n in range(4)]
    rows.append(("fin", "spine", (0, 0.65, 0)))
    for side, x in (("left", 1), ("right", -1)):
        rows += [
            (f"{side}_fin", "spine", (0.06 * x, 0.45, 0.15)),
            (f"{side}_fin.2", f"{side}_fin", (0.15 * x, 0.4, 0.08)),
        ]
    return rows


@pytest.mark.parametrize(("rotation", "up"), [((1, 0, 0, 0), [0, 1, 0]), (Z_UP, [0, 0, 1])], ids=["y up", "z up"])
def test_short_pairs_beside_a_long_trunk_are_fins(rotation: tuple[float, ...], up: list[float]) -> None:
    skeleton, truth = build(turned(fish(), rotation))
    body = begin(skeleton).body
    assert body.plan == "legless" and {truth[limb.roots[0]][-3:] for limb in body.of("fin")} == {"fin"}
    assert np.allclose(body.up, up) and np.allclose(rest_pose(skeleton).up, up)
    assert np.allclose(
        rest_pose(skeleton).forward, rotations.rotate(np.array(rotation, float), np.array([0.0, 0, 1])), atol=1e-6
    )

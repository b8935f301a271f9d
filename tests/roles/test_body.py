"""Plans of bodies: which pairs are legs, arms, front legs and wings, and where hips, chest and up are."""

from __future__ import annotations

import numpy as np
import pytest

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

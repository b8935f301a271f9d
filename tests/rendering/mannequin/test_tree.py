"""Which bones carry flesh."""

from kinema import Skeleton
from kinema.rendering.mannequin.tree import MOST_BONES, flesh


def rig(*rows: tuple[str, str | None, tuple[float, float, float]]) -> Skeleton:
    names = [name for name, _, _ in rows]
    parents = [-1 if parent is None else names.index(parent) for _, parent, _ in rows]
    return Skeleton.create(names, parents, [offset for _, _, offset in rows])


def bones(skeleton: Skeleton) -> set[tuple[str, str]]:
    tree = flesh(skeleton.rest_pose)
    name = skeleton.names
    return {(name[bone.start], "tip" if bone.end < 0 else name[bone.end]) for bone in tree.bones}


def test_targets_and_bones_without_length_are_left_out():
    found = bones(
        rig(
            ("a", None, (0, 0, 0)),
            ("b", "a", (0, 1, 0)),
            ("same", "b", (0, 0, 0)),
            ("c", "same", (0, 1, 0)),
            ("pole_target", "a", (3, 0, 0)),
            ("c_end", "c", (0, 0.5, 0)),
        )
    )
    assert found == {("a", "b"), ("same", "c"), ("c", "c_end")}


def test_where_everything_is_called_like_what_steers_nothing_does():
    lamp = rig(
        ("light_foot", None, (0, 0, 0)), ("light_arm", "light_foot", (0, 1, 0)), ("light", "light_arm", (0, 1, 1))
    )
    assert {("light_foot", "light_arm"), ("light_arm", "light")} <= bones(lamp)


def test_the_bone_from_the_ground_to_the_hips_is_none():
    found = bones(
        rig(
            ("root", None, (0, 0, 0)),
            ("hips", "root", (0, 1, 0)),
            ("spine", "hips", (0, 0.1, 0.3)),
            ("neck", "spine", (0, 0, 0.3)),
            ("head", "neck", (0, 0, 0.2)),
            ("tail", "hips", (0, 0, -0.3)),
        )
    )
    assert ("root", "hips") not in found and ("hips", "spine") in found and ("hips", "tail") in found


def test_a_foot_on_a_target_continues_its_own_leg():
    rows = [("hips", None, (0, 1, 0)), ("chest", "hips", (0, 0, 1))]
    for side, x in (("L", 0.3), ("R", -0.3)):
        rows += [(f"thigh.{side}", "hips", (x, 0, 0)), (f"shin.{side}", f"thigh.{side}", (0, -0.5, 0))]
    rows += [("ik_foot.R", None, (-0.3, 0.1, 0)), ("ik_foot.L", None, (0.3, 0.1, 0))]
    found = bones(rig(*rows))
    assert {("shin.L", "ik_foot.L"), ("shin.R", "ik_foot.R")} <= found


def test_very_many_bones_are_thinned_from_their_ends():
    count = 3 * MOST_BONES
    comb = Skeleton.create(
        [f"j{k}" for k in range(count)],
        [-1, *[k - 1 if k % 2 else max(k - 2, 0) for k in range(1, count)]],
        [[0.1 * (k % 2), 0.1 * (1 - k % 2), 0] for k in range(count)],
    )
    tree = flesh(comb.rest_pose)
    assert len(tree.bones) == MOST_BONES
    assert all(above < bone for bone, above in enumerate(tree.above))

"""Orders and names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kinema.formats.trees import numbered, preorder, roles, unique_names, with_ancestors


def test_parents_come_first_and_children_in_order():
    assert preorder([3, 0], [[1, 2], [], [], [4], []]) == [3, 4, 0, 1, 2]
    assert preorder([], [[1], [0]]) == []


def test_a_deep_tree_is_no_problem():
    count = 100_000
    assert preorder([0], [[n + 1] if n + 1 < count else [] for n in range(count)]) == list(range(count))


@given(st.lists(st.sampled_from(["a", "b", "a.1", "", "node_1"])))
def test_names_become_unique_and_the_first_of_each_stays(names: list[str]):
    found = unique_names(names)
    assert len(set(found)) == len(names) and all(found)
    for name in set(names) - {""}:
        assert found[names.index(name)] == name


def test_numbers_do_not_clash_with_names_that_are_there():
    assert unique_names(["a", "a", "a_2", "a"], "_", 2) == ["a", "a_3", "a_2", "a_4"]
    assert len(set(unique_names(["x"] * 5000, "_", 2))) == 5000


def test_ancestors_of_some_nodes():
    assert with_ancestors([-1, 0, 1, 0], [2]) == {0, 1, 2}


def test_taken_names_get_a_number():
    taken = {"a"}
    assert [numbered(name, taken) for name in ("a", "b", "a")] == ["a_2", "b", "a_3"]


def test_roles_that_do_not_exist_are_left_out():
    assert roles({"a": "left_hand", "b": "wing nut", "c": None, "d": ["hips"]}) == {"a": "left_hand"}

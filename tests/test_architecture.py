"""The rules of docs/architecture.md: a room imports those above it in the table, and modules import in no circles."""

from __future__ import annotations

import ast
import graphlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kinema"

LATE = {
    ("kinema.formats", "kinema.formats.contents"): "saving checks an asset with functions that know the formats",
    ("kinema.formats", "kinema.formats.losses"): "saving says what is lost with functions that know the formats",
    ("kinema.engine.world", "kinema.engine.scene"): "World.save and World.load are those of the scene's files",
}
"""Imports within functions that close a circle inside a room, and why: at most three, and none between rooms."""


@cache
def rooms() -> list[set[str]]:
    """The rows of the table of rooms, top to bottom, as sets of names."""
    lines = (ROOT / "docs" / "architecture.md").read_text().splitlines()
    cells = [line.split("|")[1] for line in lines if re.match(r"\| `", line)]
    return [{name.rstrip("/") for name in re.findall(r"`([a-z_/]+)`", cell)} for cell in cells]


def rank(name: str) -> int:
    ranks = [index for index, row in enumerate(rooms()) if name in row]
    assert len(ranks) == 1, f"{name!r} must stand in the table of rooms once"
    return ranks[0]


@cache
def modules() -> dict[str, Path]:
    """The files of all modules by their names."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = ("kinema", *path.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(name: str) -> ast.Module:
    """The source of a module."""
    return ast.parse(modules()[name].read_text())


def at_run_time(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a module except those for type checking alone."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            left += node.orelse
        else:
            left += ast.iter_child_nodes(node)


def imports(tree: ast.Module, name: str, is_package: bool = False) -> Iterator[str]:
    """Modules that a module imports when it loads or when it runs; imports for type checking alone do not count.

    Relative imports and `importlib.import_module` of a fixed name count too.
    """
    for node in at_run_time(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = name.split(".")
            above = parts[: len(parts) - node.level + is_package] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for full in (f"{base}.{alias.name}" for alias in node.names):
                yield full if full in modules() else base
        elif isinstance(node, ast.Call) and "import_module" in (
            getattr(node.func, "attr", ""),
            getattr(node.func, "id", ""),
        ):
            yield from (one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str))


@cache
def graph() -> dict[str, set[str]]:
    """The modules that each module imports."""
    return {
        name: set(imports(tree(name), name, path.name == "__init__.py")) & modules().keys() - {name}
        for name, path in modules().items()
    }


def test_every_module_stands_in_the_table():
    for name in {name.split(".")[1] for name in modules() if name != "kinema"}:
        rank(name)


def test_no_arrow_points_up():
    wrong = []
    for name, others in graph().items():
        for other in others - {"kinema"}:
            if name != "kinema" and rank(other.split(".")[1]) > rank(name.split(".")[1]):
                wrong.append(f"{name} imports {other}")
    assert not wrong, "\n".join(sorted(wrong))


def test_modules_import_in_no_circles():
    late = set(LATE)
    edges = {name: {other for other in others if (name, other) not in late} for name, others in graph().items()}
    edges["kinema"] = set()  # the package names everything lazily
    try:
        graphlib.TopologicalSorter(edges).prepare()
    except graphlib.CycleError as error:
        pytest.fail("circle of imports: " + " <- ".join(error.args[1]))


def test_circles_that_are_allowed_are_needed_and_inside_a_room():
    assert len(LATE) <= 3
    for name, other in LATE:
        assert name.split(".")[1] == other.split(".")[1] and other in graph()[name], f"{name} -> {other}"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import kinema.control.command", "kinema.control.command"),
        ("from kinema.control import command", "kinema.control.command"),
        ("def f():\n    from kinema import control", "kinema.control"),
        ("from ..control import command", "kinema.control.command"),
        ("from . import tree", "kinema.roles.tree"),
        ("import importlib\nimportlib.import_module('kinema.control')", "kinema.control"),
    ],
)
def test_no_kind_of_import_is_overlooked(source: str, found: str):
    assert found in set(imports(ast.parse(source), "kinema.roles.module"))
    hidden = "if TYPE_CHECKING:\n" + "".join(f"    {line}\n" for line in source.splitlines())
    assert found not in set(imports(ast.parse(hidden), "kinema.roles.module"))


POSE_FREE = {"rotations", "kinematics", "kernels", "pose", "ik"}
"""Rooms under or beside `Pose`, which take a body's rotations and positions as arrays."""

NOUNS = {"Motion.create", "Skeleton.create", "Pose.from_model"}
"""What makes the nouns that carry both."""


def apart(tree: ast.Module) -> Iterator[str]:
    """Public functions that take or return a body's rotations and positions as two arrays instead of as a `Pose`.

    Compiled functions take arrays, as numba does.
    """

    def pair(names: list[str]) -> bool:
        body = [name for name in names if not name.startswith("root_")]  # a root is one frame
        moved = [name for name in body if re.search(r"(positions|translations)$", name)]
        return bool(moved) and any(name.endswith("rotations") for name in body)

    def visit(body: list[ast.stmt], within: str) -> Iterator[str]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from visit(node.body, f"{node.name}.")
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            if any("njit" in ast.unparse(decorator) for decorator in node.decorator_list):
                continue
            taken = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            given = [
                [ast.unparse(part) for part in inner.value.elts]
                for inner in ast.walk(node)
                if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Tuple)
            ]
            if any(pair(names) for names in (taken, *given)):
                yield within + node.name

    yield from visit(tree.body, "")


def test_a_body_goes_about_as_a_pose():
    wrong = [
        f"{name}: {function}"
        for name in modules()
        if not {*name.split(".")[1:2]} & POSE_FREE
        for function in apart(tree(name))
        if function not in NOUNS
    ]
    assert not wrong, "these pass rotations and positions apart:\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    "source",
    [
        "def f(local_rotations, positions): ...",
        "class A:\n    def f(self, *, rotations, translations): ...",
        "def f(pose):\n    return pose.global_rotations, pose.global_positions",
    ],
)
def test_bodies_that_are_passed_apart_are_found(source: str):
    assert len(list(apart(ast.parse(source)))) == 1
    hidden = re.sub(r"( *)def f", r"\1@njit\n\1def f", source)
    for other in (source.replace("def f", "def _f"), source.replace("rotations", "turns"), hidden):
        assert not list(apart(ast.parse(other)))


INTERFACE = {"Network", "Options"}
"""Classes that every task of learning has: one interface, found by these names."""


def test_one_name_is_of_one_class():
    found: dict[str, list[str]] = {}
    for name in modules():
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(name)
    twice = {name: places for name, places in found.items() if len(places) > 1 and name not in INTERFACE}
    assert not twice, "rename one of them after the thing it is, as TextLabel or MirrorPlane"

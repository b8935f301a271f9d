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
    ("kinema.retargeting.transfer", "kinema.retargeting.kernels"): "numba loads on first use",
}
"""Imports within functions that close a circle inside a room, and why: at most four, and none between rooms."""


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


def imports(source: str, name: str, is_package: bool = False) -> Iterator[str]:
    """Modules that a module imports when it loads or when it runs; imports for type checking alone do not count.

    Relative imports and `importlib.import_module` of a fixed name count too.
    """
    tree = ast.parse(source)
    typed = (node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    skipped = {inner for node in typed for part in node.body for inner in ast.walk(part)}
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = name.split(".")
            above = parts[: len(parts) - node.level + is_package] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for full in (f"{base}.{alias.name}" for alias in node.names):
                yield full if full in modules() else base
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str))


@cache
def graph() -> dict[str, set[str]]:
    """The modules that each module imports."""
    return {
        name: set(imports(path.read_text(), name, path.name == "__init__.py")) & modules().keys() - {name}
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
    assert len(LATE) <= 4
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
    assert found in set(imports(source, "kinema.roles.module"))
    hidden = "if TYPE_CHECKING:\n" + "".join(f"    {line}\n" for line in source.splitlines())
    assert found not in set(imports(hidden, "kinema.roles.module"))

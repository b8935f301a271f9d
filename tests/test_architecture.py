"""The arrows of docs/architecture.md: a room imports those above it in the table, never one below."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kinema"


def rooms() -> list[set[str]]:
    """The rows of the table of rooms, top to bottom, as sets of names."""
    lines = (ROOT / "docs" / "architecture.md").read_text().splitlines()
    cells = [line.split("|")[1] for line in lines if re.match(r"\| `", line)]
    return [{name.rstrip("/") for name in re.findall(r"`([a-z_/]+)`", cell)} for cell in cells]


def rank(name: str) -> int:
    ranks = [index for index, row in enumerate(rooms()) if name in row]
    assert len(ranks) == 1, f"{name!r} must stand in the table of rooms once"
    return ranks[0]


def imported(path: Path) -> set[str]:
    """Rooms that a module imports when it loads or when it runs; imports for type checking alone do not count."""
    found: set[str] = set()
    skipped: set[ast.AST] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            skipped.update(ast.walk(node))
        if node in skipped:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "kinema":
            parts = node.module.split(".")
            found.update([parts[1]] if len(parts) > 1 else [alias.name for alias in node.names])
        elif isinstance(node, ast.Import):
            found.update(alias.name.split(".")[1] for alias in node.names if alias.name.startswith("kinema."))
    return {name for name in found if (SOURCE / name).exists() or (SOURCE / f"{name}.py").exists()}


def test_every_module_stands_in_the_table():
    names = {path.stem if path.suffix == ".py" else path.name for path in SOURCE.iterdir()}
    for name in names - {"__init__", "__pycache__", "py"}:
        if (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").is_file():
            rank(name)


def test_no_arrow_points_up():
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        wrong += [
            f"{path.relative_to(SOURCE)} imports {name}" for name in sorted(imported(path)) if rank(name) > rank(room)
        ]
    assert not wrong, "\n".join(wrong)

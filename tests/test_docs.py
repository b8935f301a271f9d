"""The documentation: it builds, its examples run, and it tells of everything there is."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kinema.cli.main import COMMANDS
from kinema.formats import FORMATS

ROOT = Path(__file__).parents[1]
EXAMPLES = ("README.md", "docs/quickstart.md", "docs/exporting.md")


@pytest.mark.parametrize("page", EXAMPLES)
def test_python_examples_run(page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    subprocess.run([sys.executable, "-c", "\n".join(blocks)], cwd=tmp_path, check=True, capture_output=True)


def test_site_builds_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "conventions" / "index.html").is_file()


def test_every_command_and_every_suffix_is_documented() -> None:
    commands, formats = (ROOT / "docs/commands.md").read_text(), (ROOT / "docs/formats.md").read_text()
    assert [name for name in COMMANDS if f"`kinema {name}" not in commands] == []
    assert [suffix for suffix in FORMATS if f"`{suffix}`" not in formats] == []


def test_links_of_the_readme_lead_somewhere() -> None:
    for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text())
        assert [link for link in links if not (ROOT / link).exists()] == []


def test_docstrings_are_written_in_markdown() -> None:
    """Single backticks for code, which the reference turns into links; neither Sphinx roles nor double backticks."""
    foreign = re.compile(r":[a-z]+:`|(?<!`)``(?!`)")
    found = []
    for path in sorted(path for room in ("src", "tests", "examples") for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            text = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else None
            if isinstance(text, str) and foreign.search(text):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == [], "write `name`: neither ``name`` nor :role:`name`"

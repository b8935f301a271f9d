"""The documentation: it builds, its examples run, and it tells of everything there is."""

from __future__ import annotations

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

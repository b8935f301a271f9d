"""The pages of `integrations`: their commands run, their links lead somewhere, and every program has one."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from kinema import save
from kinema.cli.main import main
from kinema.formats import Asset
from kinema.formats.profiles import PROFILES
from kinema.mocap.procedural import Segment, generate
from kinema.rendering.mannequin.build import build_mannequin

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "integrations").glob("*.md"))
COMMANDS = [
    pytest.param(line, id=f"{page.stem}-{number}")
    for page in (*PAGES, ROOT / "docs" / "exporting.md")
    for number, line in enumerate(re.findall(r"^kinema .*$", page.read_text(), re.MULTILINE))
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the pages speak of: a clip, a folder of clips, a person with a body, an avatar."""
    folder = tmp_path_factory.mktemp("pages")
    walk = generate(script=[Segment("walk", 0.4)], fps=30).replace(name="walk")
    save(walk, folder / "walk.bvh")
    (folder / "takes").mkdir()
    save(walk, folder / "takes" / "a.bvh")
    save(walk, folder / "takes" / "b.glb")
    body = build_mannequin(walk.skeleton)
    save(Asset("person", "glb", walk.skeleton, (walk,), body), folder / "person.glb")
    save(body, folder / "avatar.vrm")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_the_pages_run(command: str, files: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(files)
    words = shlex.split(command)[1:]
    assert main([*words, "--force", "--json"]) == 0, capsys.readouterr().err
    assert '"outputs": []' not in capsys.readouterr().out


def test_python_of_the_pages_runs(files: Path) -> None:
    pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco")
    assert main(["convert", str(files / "walk.bvh"), str(files / "walk.xml"), "--for", "mujoco", "--force"]) == 0
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "integrations/mujoco.md").read_text(), re.DOTALL):
        done = subprocess.run([sys.executable, "-c", block], cwd=files, capture_output=True, text=True)
        assert done.returncode == 0 and "metres, after" in done.stdout, done.stderr


def test_every_program_has_a_page_and_every_page_a_line() -> None:
    overview = (ROOT / "integrations/README.md").read_text()
    for program in PROFILES:
        page = ROOT / "integrations" / f"{program}.md"
        assert f"({program}.md)" in overview and f"--for {program}" in page.read_text()
        assert "**Checked.**" in page.read_text(), "says what is known and what is not"
        assert f"| `{program}` |" in (ROOT / "docs/exporting.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []

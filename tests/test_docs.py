"""The documentation: it builds, its examples run, and it tells of everything there is."""

from __future__ import annotations

import ast
import importlib
import os
import re
import runpy
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from PIL import Image

import kinema
from kinema.cli.main import COMMANDS
from kinema.formats import FORMATS
from kinema.mocap.procedural import Segment, generate, humanoid
from kinema.rendering.mannequin.build import build_mannequin

ROOT = Path(__file__).parents[1]
EXAMPLES = (
    "README.md",
    "docs/index.md",
    "docs/quickstart.md",
    "docs/exporting.md",
    "docs/extending.md",
    "docs/inverse-kinematics.md",
)

LIMITED = """
import functools, kinema
kinema.play = functools.partial(kinema.play, port=0, seconds=0.5)
"""
"""Examples open a page and wait for somebody; here they end by themselves."""


def blocks_of(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=() if page == "README.md" else pytest.mark.slow) for page in EXAMPLES]
)
def test_python_examples_run(page: str, tmp_path: Path) -> None:
    blocks = blocks_of(page)
    assert blocks
    if "kinema.play(" in "".join(blocks):
        pytest.importorskip("viser", reason="the example needs the extra view")
    # The files that the pages name.
    script = [Segment("idle", 1.0), Segment("walk", 5.0), Segment("idle", 1.0)]
    kinema.save(generate(script=script, fps=30), tmp_path / "walk.bvh")
    kinema.save(build_mannequin(humanoid(arms_down=0.6)), tmp_path / "person.glb")
    code = "\n".join([LIMITED, *blocks])
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_first_examples_load_retarget_build_and_play_in_five_lines(page: str) -> None:
    lines = [line for line in blocks_of(page)[0].splitlines() if line]
    assert len(lines) == 5 and lines[0] == "import kinema"
    for done in ("kinema.load", ".retarget(", "kinema.build(", "kinema.play("):
        assert any(done in line for line in lines)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly: a link, an anchor or a name of the reference that leads nowhere is an error."""
    pytest.importorskip("mkdocs")
    pytest.importorskip("mkdocstrings")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_navigation() -> None:
    config = pytest.importorskip("mkdocs.config").load_config(str(ROOT / "mkdocs.yml"))

    def pages(entry: object) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        entries = entry.values() if isinstance(entry, dict) else entry
        return [page for part in entries for page in pages(part)]  # type: ignore[union-attr]

    listed = pages(config["nav"])
    assert sorted(listed) == sorted(str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md"))


def test_every_example_has_a_picture_and_its_source_in_the_gallery() -> None:
    gallery = (ROOT / "docs" / "gallery.md").read_text()
    paths = sorted((ROOT / "examples").glob("[0-9]*.*"))
    names = [path.stem for path in paths]
    assert names
    for name, path in zip(names, paths, strict=True):
        assert f"(images/gallery/{name}.webp)" in gallery, f"add {name} to docs/gallery.md"
        assert f'--8<-- "examples/{path.name}"' in gallery or path.suffix == ".ipynb"
        picture = ROOT / "docs" / "images" / "gallery" / f"{name}.webp"
        assert picture.is_file(), f"run: python scripts/gallery.py docs/images/gallery {name[:2]}"
        assert picture.stat().st_size < 60_000
    pictures = {path.stem for path in (ROOT / "docs" / "images" / "gallery").iterdir()}
    assert pictures == set(names)


@pytest.mark.slow
def test_pictures_of_the_gallery_are_made_by_running_the_examples(tmp_path: Path) -> None:
    for needed in ("moderngl", "torch", "nbclient"):
        pytest.importorskip(needed)
    subprocess.run([sys.executable, "scripts/gallery.py", str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    made = sorted(path.stem for path in tmp_path.iterdir())
    assert made == sorted(path.stem for path in (ROOT / "examples").glob("[0-9]*.*"))
    for path in tmp_path.iterdir():
        with Image.open(path) as picture:
            assert picture.width >= 640 and picture.convert("L").getextrema()[0] < 100, path.stem


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_kinema_holds_and_examples_import_is_in_the_reference(site: Path) -> None:
    inventory = (site / "objects.inv").read_bytes()
    lines = zlib.decompress(inventory.partition(b"zlib.\n")[2]).decode().splitlines()
    known = {line.split(" ")[0] for line in lines}
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    blocks = [block for page in pages for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)]
    blocks += [path.read_text() for path in (ROOT / "examples").glob("*.py")]
    wanted = {
        f"{node.module}.{alias.name}"
        for block in blocks
        for node in ast.walk(ast.parse(block))
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "kinema"
        for alias in node.names
    }
    # A function that bears the name of its module is listed as the module's: kinema.mocap.build.build.
    known |= {name.rpartition(".")[0] for name in known if len(set(name.split(".")[-2:])) == 1}
    entry = runpy.run_path(str(ROOT / "scripts" / "reference.py"))["entry"]
    wanted |= {entry(name) for name in kinema.__all__ if callable(getattr(kinema, name))}
    assert wanted and sorted(wanted - known) == []


def test_names_of_kinema_on_pages_exist() -> None:
    """Full names in backticks, such as `kinema.motion.Motion`; those of calls and of optional parts included."""
    missing = []
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for name in re.findall(r"`(kinema(?:\.\w+)+)", page.read_text()):
            if not exists(name):
                missing.append(f"{page.relative_to(ROOT)}: {name}")
    assert missing == []


def exists(name: str) -> bool:
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError as error:
            if not str(error.name).startswith("kinema"):
                pytest.skip(f"{name} needs {error.name}")
            continue
        for part in parts[count:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def test_links_in_docstrings() -> None:
    griffe = pytest.importorskip("griffe")
    links = runpy.run_path(str(ROOT / "scripts" / "reference.py"))
    text = '"""See `go`, `Thing`, `Thing.stop()`, `speed`, `np.sum` and `kinema.motion.Motion`."""'
    body = f"""class Thing:
    def go(self, speed):
        {text}
    def stop(self): ...
"""
    with griffe.temporary_visited_module(body, module_name="kinema") as module:
        links["link_docstrings"](module)
        written = module["Thing.go"].docstring.value
    found = re.findall(r'identifier="([^"]*)" optional>`([^`]*)`<', written)
    assert found == [
        ("kinema.Thing", "Thing"),
        ("kinema.Thing.stop", "Thing.stop()"),
        ("kinema.motion.Motion", "kinema.motion.Motion"),
    ], "a function's own name and its arguments are no links, nor is what another library holds"


def test_arguments_that_share_a_text_are_listed_one_by_one() -> None:
    griffe = pytest.importorskip("griffe")
    links = runpy.run_path(str(ROOT / "scripts" / "reference.py"))
    text = (
        "F.\n\n    Args:\n        a, b: numbers,\n            both. c: another. x: not one.\n        d: a last one.\n"
    )
    body = f'def f(a, b, c, d):\n    """{text}    """\n'
    with griffe.temporary_visited_module(body, module_name="kinema") as module:
        links["link_docstrings"](module)
        [section] = [one for one in module["f"].docstring.parse("google") if one.kind.value == "parameters"]
    assert {one.name: one.description for one in section.value} == {
        "a": "numbers,\nboth.",
        "b": "numbers,\nboth.",
        "c": "another. x: not one.",
        "d": "a last one.",
    }


def test_names_of_kinema_on_pages_become_links_outside_code_blocks() -> None:
    pytest.importorskip("griffe")
    links = runpy.run_path(str(ROOT / "scripts" / "reference.py"))
    page = "Use `kinema.load` or `kinema demo`.\n\n```\n`kinema.save`\n```\n"
    link = '<autoref identifier="kinema.load" optional>`kinema.load`</autoref>'
    assert links["on_page_markdown"](page) == page.replace("`kinema.load`", link)


def test_no_page_holds_a_conflict() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    marked = [page for page in pages if re.search(r"^(<{7}|>{7}) ", page.read_text(), re.MULTILINE)]
    assert marked == []


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
    foreign = re.compile(r":[a-z]+:`|(?<!`)``(?!`)|::$", re.MULTILINE)
    found = []
    for path in sorted(path for room in ("src", "tests", "examples") for path in (ROOT / room).rglob("*.py")):
        source = path.read_text()
        for node in ast.walk(ast.parse(source)) if foreign.search(source) else ():
            text = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else None
            if isinstance(text, str) and foreign.search(text):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == [], "write `name`: neither ``name`` nor :role:`name`"

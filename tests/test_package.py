"""What a user gets by installing: metadata, types, a program, and a fast import."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import kinema
from kinema.cli.main import EXTRA_OF_PACKAGE

ROOT = Path(__file__).parents[1]
HEAVY = ("torch", "numba", "viser", "scipy", "rich", "PIL")


def run_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert kinema.__version__ == project["version"] == metadata.version("kinema")


def test_program_points_at_main() -> None:
    (entry,) = metadata.entry_points(group="console_scripts", name="kinema")
    assert entry.value == "kinema.cli.main:main"
    assert callable(entry.load())


def test_types_are_shipped() -> None:
    assert (Path(kinema.__file__).parent / "py.typed").is_file()


def test_import_brings_nothing_heavy() -> None:
    loaded = run_python("import kinema, sys; print([m for m in sys.modules])")
    assert [name for name in HEAVY if f"'{name}'" in loaded] == []


def test_help_brings_nothing_heavy() -> None:
    code = "import sys; from kinema.cli.main import main; main(['--help']); print([m for m in sys.modules])"
    loaded = run_python(code)
    assert [name for name in HEAVY if f"'{name}'" in loaded] == []


def test_import_is_quick() -> None:
    # Processor time, which a busy machine doubles: 0.25 s on an idle one. The first import may write byte code.
    code = "import time; t = time.process_time(); import kinema; print(time.process_time() - t)"
    assert min(float(run_python(code)) for _ in range(3)) <= 0.75


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def names(wishes: Iterable[str]) -> set[str]:
    """Distributions of requirements such as `mkdocstrings[python]>=1.0`."""
    return {re.split(r"[\[<>=;]", wish)[0].strip().lower() for wish in wishes}


def test_every_extra_brings_what_the_program_asks_for() -> None:
    extras = {extra: names(wishes) for extra, wishes in project()["optional-dependencies"].items()}
    extras["window"] |= extras["render"]
    distributions = {"pxr": "usd-core", "imgui_bundle": "imgui-bundle", "dracopy": "dracopy"}
    for package, extra in EXTRA_OF_PACKAGE.items():
        assert distributions.get(package.lower(), package.lower()) in extras[extra], (package, extra)


def test_install_commands_in_messages_and_pages_name_extras_that_exist() -> None:
    extras = set(project()["optional-dependencies"])
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    found = {
        (page.name, extra)
        for page in pages
        for listed in re.findall(r"pip install ['\"](?:kinema|\.)\[([a-z,]+)\]", page.read_text())
        for extra in listed.split(",")
    }
    assert found and {extra for _, extra in found} <= extras
    own = [page for page in pages if page.suffix == ".py" and re.search(r"pip install '\.\[", page.read_text())]
    assert own == [], "messages say pip install 'kinema[extra]', which works from a clone and from an index"


def test_every_extra_is_used() -> None:
    known = {"dev", *EXTRA_OF_PACKAGE.values()}
    assert set(project()["optional-dependencies"]) == known


def test_claims_name_what_continuous_integration_runs() -> None:
    classifiers = project()["classifiers"]
    versions = [line.rpartition(" ")[2] for line in classifiers if re.search(r":: \d\.\d+$", line)]
    pinned = (ROOT / "constraints.txt").read_text().splitlines()[0:2]
    assert versions == ["3.11"] and "CPython 3.11, Linux" in " ".join(pinned)
    assert "torch==2.13.0" in (ROOT / "constraints.txt").read_text().splitlines()
    assert any(wish.startswith("torch>=") for wish in project()["optional-dependencies"]["learn"])


def test_constraints_pin_every_dependency() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = {line.split("==")[0] for line in lines if line and not line.startswith("#")}
    extras = project()["optional-dependencies"]
    wanted = names([*project()["dependencies"], *(wish for wishes in extras.values() for wish in wishes)])
    assert wanted - pins - {"kinema"} == set()


@pytest.mark.parametrize("script", ["scripts/setup.sh", "scripts/apt.sh", "scripts/chromium.sh", ".ci/run"])
def test_scripts_are_executable_bash(script: str) -> None:
    path = ROOT / script
    assert path.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(path)], check=True)

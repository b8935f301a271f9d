"""The recipes of CONTRIBUTING.md, followed literally in a copy of the package; and what they ask for, looked up."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kinema"

COVERED = {
    "control/leg_limits.py",
    "control/stage.py",
    "arrays.py",
    "formats/checks.py",
    "formats/fbx/clock.py",
    "formats/gltf/reader.py",
    "formats/images.py",
    "formats/robot/frame.py",
    "formats/robot/hinges.py",
    "formats/robot/table_writer.py",
    "rendering/view.py",
    "roles/clues.py",
    "roles/model.py",
    "session/marks.py",
    "session/target.py",
    "viewer/colors.py",
    "viewer/instances.py",
    "window/events.py",
    "rendering/gpu_surface.py",
    "terrain/kernels.py",
    "mocap/creatures/caption_words.py",
    "mocap/creatures/common_words.py",
}
"""Modules that the tests of the modules around them cover: types, constants, parts of a reader, tables of words."""

DATABASE = """
import kinema
script = [kinema.Segment("idle", 2), kinema.Segment("walk", 4)]
takes = [kinema.perform(script=script, fps=30, seed=seed, name=str(seed)) for seed in range(3)]
database = kinema.build(takes)
"""


class Copy:
    """A copy of the package, of links to its files; what a recipe changes is a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for place, folders, files in os.walk(SOURCE):
            target = folder / "src" / "kinema" / Path(place).relative_to(SOURCE)
            target.mkdir(parents=True)
            # Compiled kernels are kept beside their files: with links to them nothing is compiled again.
            for name in [*files, *(["__pycache__"] if "__pycache__" in folders else [])]:
                (target / name).symlink_to(Path(place) / name)
            folders[:] = [name for name in folders if name != "__pycache__"]

    def copy(self, original: str, new: str, **renamed: str) -> None:
        """Copy a file that a recipe names, with other names for what is in it."""
        text = (self.folder / original).read_text()
        for name, other in renamed.items():
            assert name in text, f"{original} has no {name}"
            text = text.replace(name, other)
        (self.folder / original).with_name(new).write_text(text)

    def edit(self, place: str, change: Callable[[str], str]) -> None:
        """Register something in the file that a recipe names."""
        path = self.folder / place
        text = path.read_text()
        changed = change(text)
        assert changed != text, f"{place} has no such place"
        path.unlink()
        path.write_text(changed)

    def run(self, code: str) -> str:
        """What a program prints that uses the copy."""
        environment = os.environ | {"PYTHONPATH": str(self.folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=self.folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def package(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def recipe(title: str) -> list[str]:
    """The paths that the first two steps of a recipe name: what is copied, and where it is registered."""
    section = (ROOT / "CONTRIBUTING.md").read_text().partition(f"## {title}\n")[2].partition("\n## ")[0]
    copied, registered = re.findall(r"^[12]\. (.*?)(?=^\d\. |\n\n|\Z)", section, re.DOTALL | re.MULTILINE)
    paths = [re.findall(r"`(src/kinema/[\w/.]+)`", step) for step in (copied, registered)]
    assert paths[0] and all((ROOT / path).exists() for step in paths for path in step), section
    return [paths[0][0], paths[1][0] if paths[1] else paths[0][0]]


def after(anchor: str, line: str) -> Callable[[str], str]:
    """Insert a line after the first line that begins with `anchor`."""
    place = re.compile(rf"^{re.escape(anchor)}.*\n", re.MULTILINE)
    return lambda text: place.sub(lambda found: f"{found[0]}{line}\n", text, count=1)


def test_a_file_format(package: Copy) -> None:
    original, table = recipe("A file format")
    package.copy(original, "toy.py")
    package.edit(table, after("_READ_ONLY:", 'register(Format("toy", (".toy",), "kinema.formats.toy"))'))
    code = "import kinema; m = kinema.perform(script=[kinema.Segment('walk', 1)]); kinema.save(m, 'a.toy')"
    assert package.run(f"{code}; print(len(kinema.load_motion('a.toy')) == len(m))") == "True\n"


@pytest.mark.slow
def test_an_export_profile(package: Copy) -> None:
    _, table = recipe("An export profile")
    entry = re.compile(r'( +Profile\(\n +)"blender"(.*?\n        \),\n)', re.DOTALL)
    package.edit(table, lambda text: entry.sub(r'\1"blender"\2\1"toy"\2', text, count=1))
    code = "import kinema; from kinema.face.files import ProfileChoice; "
    code += "m = kinema.perform(script=[kinema.Segment('walk', 1)])"
    code += "; kinema.save(m, 'a.bvh'); print(kinema.convert('a.bvh', 'b.glb', profile=ProfileChoice('toy'))[0].status)"
    assert package.run(code) == "written\n"


def test_a_feature(package: Copy) -> None:
    _, table = recipe("A feature")
    copied = re.search(r'^@kind\("trajectory.speed".*?(?=^@kind)', (ROOT / table).read_text(), re.S | re.M)
    assert copied is not None
    package.edit(table, lambda text: text + "\n\n" + copied[0].replace("trajectory.speed", "toy").rstrip() + "\n")
    code = DATABASE + "from kinema.features import Feature, FeatureSpec, extract\n"
    code += "print(extract(database, FeatureSpec((Feature('a', 'toy'),), database.skeleton), [10, 20]).shape)"
    assert package.run(code) == "(2, 1)\n"


@pytest.mark.slow
def test_a_controller_family(package: Copy) -> None:
    original, table = recipe("A controller family")
    package.copy(original, "toy.py", MotionMatching="Toy")
    package.edit(table, after("FAMILIES:", 'FAMILIES["toy"] = Toy'))
    package.edit(table, after("from kinema.control.motion_matching", "from kinema.control.toy import Toy"))
    assert "Controller Toy" in package.run(DATABASE + "print(kinema.controller(database, 'toy'))")


@pytest.mark.slow
def test_a_stage(package: Copy) -> None:
    original, table = recipe("A stage")
    package.copy(original, "toy.py", Adjustment="Toy")
    package.edit(table, lambda text: text.replace("= Adjustment(trajectory,", "= Toy(trajectory,"))
    package.edit(table, after("from kinema.control.motion_matching", "from kinema.control.toy import Toy"))
    code = DATABASE + "c = kinema.controller(database); c.step(kinema.Command((0, 0, 1.0)), 0.1); print(c)"
    assert "Toy, FootLock" in package.run(code)


@pytest.mark.slow
def test_a_learning_task(package: Copy) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
    original, table = recipe("A learning task")
    package.copy(original, "toy.py", AutoencoderTask="ToyTask")
    package.edit(table, after("TASKS:", '    "toy": ListedTask("toy:ToyTask", "a copy"),'))
    report = package.run(DATABASE + "print(kinema.train('toy', database, 'run', steps=20).steps)")
    assert report == "20\n"


@pytest.mark.slow
def test_a_command(package: Copy) -> None:
    original, table = recipe("A command")
    package.copy(original, "toy.py")
    package.edit(table, after('    "doctor":', '    "toy": "a copy",'))
    code = "from kinema.cli.main import main; main(['toy', '--json']); main(['--help'])"
    shown = package.run(code)
    assert '"checks"' in shown and "toy" in shown


def test_every_module_has_tests_of_its_name() -> None:
    modules = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if path.name != "__init__.py"}
    missing = {name for name in modules if not (ROOT / "tests" / name).with_name(f"test_{Path(name).name}").is_file()}
    assert missing - COVERED == set(), "write tests/x/test_y.py for each src/kinema/x/y.py"


def test_every_command_is_a_function_of_kinema() -> None:
    import kinema
    from kinema.cli.main import COMMANDS

    assert [name for name in COMMANDS if not callable(getattr(kinema, name, None))] == [], "add it to src/kinema/face/"


def test_every_parser_is_fuzzed() -> None:
    from kinema.formats import FORMATS

    targets = (ROOT / "tests" / "fuzz" / "targets.py").read_text()
    modules = [entry.module.split(".") for entry in FORMATS.values()]
    rooms = {module[2] if module[1] == "formats" else module[1] for module in modules}
    assert {room for room in rooms if f"{room}." not in targets} == set(), (
        "add them to TARGETS in tests/fuzz/targets.py"
    )


def test_every_format_of_scenes_is_fuzzed() -> None:
    from kinema.worlds.files import FORMATS

    targets = (ROOT / "tests" / "fuzz" / "targets.py").read_text()
    names = {form.suffix.removeprefix(".").replace(".", "_") for form in FORMATS} - {"meta_json"}  # which is in .sog
    assert {name for name in names if f'"{name}": Target' not in targets} == set(), "add them to TARGETS"

"""Families, formats and features of one's own: from a file, a package on the path, an installed package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import formats, plugins
from kinema.cli.main import main
from kinema.errors import FormatError, UsageError
from kinema.features import Feature, FeatureSpec, extract
from kinema.features.kinds import KINDS

FAMILY = """
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kinema.control.family import Moment


@dataclass
class Statue:
    database: object
    spec: object = None
    diagnostics: dict = field(default_factory=dict)

    def __post_init__(self):
        self.skeleton, self.translated = self.database.skeleton, self.database.translated
        self.contact_joints, self.count = self.database.contact_joints, 1

    def reset(self, count):
        self.count = count

    def select(self, keep, added):
        self.count = len(keep) + added

    def replan(self, query):
        return query.due & False

    def advance(self, query, dt):
        self.velocity = query.commands.velocity

    def sample(self, offset=0.0, rows=slice(None)):
        pose = self.database.pose(np.zeros(self.count, np.int64))
        velocity = getattr(self, "velocity", np.zeros((self.count, 3), np.float32))[rows]
        return Moment(pose[rows], velocity, np.zeros(len(velocity), np.float32))


class NoFamily:
    def __init__(self, database):
        self.skeleton = database.skeleton
"""

FEATURES = """
import numpy as np

from kinema.features.kinds import kind
from kinema.features.presets import motion_matching


@kind("hip height", "none", (1.0,), "frame")
def hip_height(frames, feature):
    return np.ascontiguousarray(frames.pose.model_positions[:, :1, 1], np.float32)


def spec(skeleton):
    return motion_matching(skeleton, times=(0.5, 1.0))
"""

FORMAT = """
import numpy as np

from kinema import Motion, Skeleton
from kinema.formats import Asset


def read(source, **options):
    heights = [float(line) for line in source.read().split()]
    skeleton = Skeleton.create(["root"], [-1], [[0, 0, 0]])
    turned = np.tile(np.float32([1, 0, 0, 0]), (len(heights), 1, 1))
    moved = np.float32([[[0, height, 0]] for height in heights])
    motion = Motion.create(skeleton, turned, moved, fps=30.0)
    return Asset(source.path, "toy", skeleton, (motion,))
"""

MODULES = {"families": FAMILY, "features": FEATURES, "toy": FORMAT}


@pytest.fixture(scope="module")
def database() -> kinema.MotionDatabase:
    return kinema.build(kinema.perform(script=[kinema.Segment("idle", 2), kinema.Segment("walk", 4)], fps=30.0))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package on the path that declares what it brings, as pip would install it."""
    folder, info = tmp_path / "mine", tmp_path / "mine-1.0.dist-info"
    folder.mkdir()
    info.mkdir()
    (folder / "__init__.py").write_text("")
    for name, text in MODULES.items():
        (folder / f"{name}.py").write_text(text)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        textwrap.dedent("""\
            [kinema.families]
            statue = mine.families:Statue

            [kinema.features]
            hip height = mine.features:hip_height
            early = mine.features:spec

            [kinema.formats]
            toy = mine.toy
            """)
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    KINDS.pop("hip height", None)
    formats.FORMATS.pop(".toy", None)
    for name in [name for name in sys.modules if name == "mine" or name.startswith("mine.")]:
        del sys.modules[name]


@pytest.mark.parametrize("name", ["mine/families.py:Statue", "mine.families:Statue", "statue"])
def test_a_family_is_named(package: Path, database: kinema.MotionDatabase, monkeypatch, name: str) -> None:
    monkeypatch.chdir(package)
    controller = kinema.controller(database, name)
    assert type(controller.family).__name__ == "Statue" and controller.foot_lock is not None
    for _ in range(60):
        pose = controller.step(kinema.Command((0, 0, 1.0)), 1 / 60)
    assert pose.root_positions[0, 2] > 0.5


def test_a_family_is_a_class_too(package: Path, database: kinema.MotionDatabase) -> None:
    from mine.families import Statue  # pyright: ignore[reportMissingImports]

    assert isinstance(kinema.controller(database, Statue).family, Statue)


def test_commands_take_a_family(package: Path, database: kinema.MotionDatabase, capsys) -> None:
    database.save(package / "walk.db")
    family, data = f"{package / 'mine' / 'families.py'}:Statue", str(package / "walk.db")
    evaluate = ["evaluate", family, "--data", data, "--tracks", "slow", "--seconds", "2", "--seeds", "1", "--json"]
    assert main(evaluate) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["name"] for row in rows] == ["ground truth", "slow", "sliding statue"]
    pytest.importorskip("viser")
    assert main(["play", "--family", family, "--data", data, "--port", "0", "--seconds", "0.2"]) == 0


@pytest.mark.parametrize("name", ["mine/features.py:spec", "mine.features:spec", "early"])
def test_features_are_named(package: Path, database: kinema.MotionDatabase, monkeypatch, name: str) -> None:
    monkeypatch.chdir(package)
    controller = kinema.controller(database, features=name)
    assert controller.family.times == (0.5, 1.0)


def test_a_kind_of_feature_of_an_installed_package(package: Path, database: kinema.MotionDatabase) -> None:
    spec = FeatureSpec((Feature("height", "hip height"),), database.skeleton)
    values = extract(database, spec, np.arange(3))
    np.testing.assert_allclose(values[:, 0], database.pose(np.arange(3)).global_positions[:, 0, 1], atol=0.02)


def test_a_kind_of_feature_of_a_file(package: Path, database: kinema.MotionDatabase) -> None:
    plugins.load_module(str(package / "mine" / "features.py"))
    assert FeatureSpec((Feature("height", "hip height"),), database.skeleton).dim == 1


def test_a_format_of_an_installed_package(package: Path) -> None:
    (package / "jump.toy").write_text("0 0.1 0.3")
    code = "import kinema; print(len(kinema.load_motion('jump.toy')))"
    path = os.pathsep.join([str(package), str(Path(kinema.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=package, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.stdout == "3\n", done.stderr


def test_a_format_of_a_file(package: Path) -> None:
    formats.register(formats.Format("toy", (".toy",), str(package / "mine" / "toy.py")))
    (package / "jump.toy").write_text("0 0.1 0.3")
    motion = kinema.load_motion(package / "jump.toy")
    np.testing.assert_allclose(motion[:].global_positions[:, 0, 1], [0, 0.1, 0.3], atol=1e-6)
    with pytest.raises(FormatError, match="only read"):
        kinema.save(motion, package / "other.toy")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.py:Statue", "gone.py: no such file"),
        ("mine/families.py:Stone", "mine/families.py has no 'Stone'; it offers Statue, NoFamily"),
        ("mine/families.py", "name an object in it, as in mine/families.py:NAME; it offers Statue, NoFamily"),
        ("mine.families:Stone", "mine.families has no 'Stone'; it offers Statue, NoFamily"),
        ("nowhere.families:Statue", "there is no module nowhere.families on Python's path"),
        ("stone", "no 'stone' among the families; there are motion-matching, mann, perceptron, pfnn, bird/perceptron"),
        ("mine/families.py:NoFamily", "makes a NoFamily, not a controller family: no translated, contact_joints"),
        ("mine/toy.py:np", "is a module, not a class"),
        ("broken.py:Statue", "broken.py cannot be loaded: NameError: name 'y' is not defined (line 2)"),
        ("needy.py:Statue", "needy.py cannot be loaded: No module named 'nothing_there'"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(package: Path, database, monkeypatch, name: str, said: str) -> None:
    monkeypatch.chdir(package)
    Path("broken.py").write_text("x = 1\ny\n")
    Path("needy.py").write_text("import nothing_there\n")
    with pytest.raises(UsageError) as error:
        kinema.controller(database, name)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_a_wrong_name_is_a_wrong_argument(capsys) -> None:
    assert main(["evaluate", "gone.py:Statue"]) == 2
    assert capsys.readouterr().err == "kinema: error: gone.py: no such file\n"

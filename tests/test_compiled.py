"""Kernels on disk: what is changed is compiled again, and what is not is read back."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from numba.core.caching import NullCache

from kinema.compiled import njit

SOURCE = Path(__file__).parents[1] / "src" / "kinema"

FACTOR = "FACTOR = 2.0\n"
INNER = """
from kinema.compiled import njit

@njit
def twice(x):
    return 2.0 * x
"""
OUTER = """
from typing import NamedTuple
from kinema.compiled import njit
from kinema.factor import FACTOR
from kinema.inner import twice
from kinema.pairs import Pair
from kinema.same import same

@njit
def total(pair):
    return FACTOR * twice(same(pair.one))
"""
SAME = """
from numba.extending import overload

def same(x):
    return x

@overload(same)
def compiled(x):
    return lambda x: x
"""
PAIRS = """
from typing import NamedTuple

class Pair(NamedTuple):
    one: float
    other: float
"""
CALL = "from kinema import outer; print(outer.total(outer.Pair(3.0, 5.0)), *outer.total.stats.cache_hits.values())"


@njit
def _scaled(x, by):
    return by * x


@njit
def _sums(x):
    return _scaled(x, 2) + _scaled(x, 3) + _scaled(x, by=4)


def test_a_number_in_the_source_is_no_type_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for kernel in (_scaled, _sums):
        monkeypatch.setattr(kernel, "_cache", NullCache())  # code from the disk would have compiled nothing
    assert _sums(1.5) == 13.5
    assert len(getattr(_scaled, "signatures")) == 1  # noqa: B009


@pytest.mark.slow
def test_code_on_the_disk_is_found(tmp_path: Path) -> None:
    ask = "from kinema.compiled import is_cached; from kinema import kernels; print(is_cached(kernels.wrap))"
    use = f"{ask}; kernels.wrap(4.0); print(is_cached(kernels.wrap), is_cached(kernels.unit), is_cached(print))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", use], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True", "False", "True"]
    again = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
    assert again.stdout.split() == ["True"]


class Package:
    """A small package named `kinema`: kernels in two files, and in others what these use."""

    def __init__(self, folder: Path) -> None:
        self.source, self.cache = folder / "kinema", folder / "cache"

    def write(self) -> Package:
        self.source.mkdir()
        shutil.copy(SOURCE / "compiled.py", self.source)
        for name, text in {
            "__init__": "",
            "factor": FACTOR,
            "inner": INNER,
            "outer": OUTER,
            "pairs": PAIRS,
            "same": SAME,
        }.items():
            (self.source / f"{name}.py").write_text(text)
        return self

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.source / f"{name}.py"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def run(self, code: str = CALL, **settings: str) -> str:
        """What a new process prints: the total, and how many kernels it did not have to compile."""
        paths = {"PYTHONPATH": str(self.source.parent), "XDG_CACHE_HOME": str(self.cache), "HOME": str(self.cache)}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment = {**kept, **paths, "PYTHONDONTWRITEBYTECODE": "1", **settings}
        ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.strip()

    def folders(self) -> set[str]:
        """Modules with cached code."""
        return {path.parent.name for path in self.source.parent.rglob("*.nbc")}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Package:
    made = Package(tmp_path_factory.mktemp("compiled")).write()
    assert made.run() == "12.0"
    return made


@pytest.fixture
def package(compiled: Package, tmp_path: Path) -> Package:
    """The package after its first run."""
    shutil.copytree(compiled.source, tmp_path / "kinema")
    return Package(tmp_path)


def test_unchanged_kernels_are_read_back(package: Package) -> None:
    assert package.run() == "12.0 1"


def test_processes_that_start_together_compile_each_kernel_once(package: Package) -> None:
    package.edit("inner", "2.0 * x", "sum([x for n in range(3)]) - x")  # it takes a while
    count = "print(sum(sum(kernel.stats.cache_misses.values()) for kernel in (inner.twice, outer.total)))"
    code = f"from kinema import inner, outer; outer.total(outer.Pair(3.0, 5.0)); {count}"
    with ThreadPoolExecutor() as started:
        assert sorted(started.map(package.run, [code] * 3)) == ["0", "0", "2"]


def test_a_process_that_was_suspended_is_not_waited_for(package: Package) -> None:
    package.edit("inner", "2.0 * x", "3.0 * x")
    code = "import fcntl; from pathlib import Path; from kinema import compiled, outer; cache = outer.total._cache"
    code += "; cache._impl.locator.ensure_cache_path(); name = f'{cache._impl.filename_base}.lock'"
    code += "; other = open(Path(cache.cache_path, name), 'w'); fcntl.flock(other, fcntl.LOCK_EX)"
    assert package.run(f"{code}; compiled._PATIENCE = 0.1; print(outer.total(outer.Pair(3.0, 5.0)))") == "18.0"


def test_a_kernel_that_fails_to_compile_keeps_nobody_waiting(package: Package) -> None:
    package.edit("inner", "2.0 * x", "x.nothing")
    code = "from kinema import outer\nfor _ in range(2):\n    try:\n        outer.total(outer.Pair(3.0, 5.0))\n"
    code += "    except Exception as error:\n        print(type(error).__name__)"
    assert package.run(code).split() == ["TypingError"] * 2


@pytest.mark.parametrize(
    ("module", "old", "new", "total"),
    [
        pytest.param("outer", "FACTOR * twice", "1.0 + FACTOR * twice", "13.0", marks=pytest.mark.slow),
        ("inner", "2.0 * x", "3.0 * x", "18.0"),
        pytest.param("factor", "2.0", "4.0", "24.0", marks=pytest.mark.slow),
        ("same", "lambda x: x", "lambda x: x + 1.0", "16.0"),
        ("pairs", "    one: float\n    other: float", "    other: float\n    one: float", "20.0"),
    ],
)
def test_a_change_in_any_file_that_a_kernel_uses_shows(
    package: Package, module: str, old: str, new: str, total: str
) -> None:
    before = package.folders()
    package.edit(module, old, new)
    assert package.run() == total
    after = package.folders()
    assert before != after and len(before) == len(after), "code of the version before is deleted"


def test_a_type_that_was_renamed_is_no_obstacle(package: Package) -> None:
    package.edit("pairs", "class Pair", "class Two")
    package.edit("outer", "import Pair", "import Two as Pair")
    assert package.run() == "12.0"


@pytest.mark.parametrize("suffix", [pytest.param("nbi", marks=pytest.mark.slow), "nbc"])
def test_a_damaged_file_is_replaced(package: Package, suffix: str) -> None:
    for path in package.source.rglob(f"*.{suffix}"):
        path.write_bytes(path.read_bytes()[:-20])
    assert package.run() == "12.0"
    assert package.run() == "12.0 1"


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_replaced_by_that_of_the_user(tmp_path: Path) -> None:
    package = Package(tmp_path).write()
    (package.source / "__pycache__").write_text("no folder")
    assert package.run() == "12.0" and package.run() == "12.0 1"
    assert [*package.cache.rglob("*.nbc")]


@pytest.mark.slow
def test_the_folder_of_the_environment_comes_first(tmp_path: Path) -> None:
    package = Package(tmp_path).write()
    chosen = tmp_path / "chosen"
    assert package.run(NUMBA_CACHE_DIR=str(chosen)) == "12.0"
    assert package.run(NUMBA_CACHE_DIR=str(chosen)) == "12.0 1"
    assert [*chosen.rglob("*.nbc")] and not [*package.source.rglob("*.nbc")]


def test_without_compilation_kernels_are_functions(tmp_path: Path) -> None:
    code = "from kinema import outer; print(outer.total(outer.Pair(3.0, 5.0)))"
    assert Package(tmp_path).write().run(code, NUMBA_DISABLE_JIT="1") == "12.0"


def kernel_modules() -> list[str]:
    files = [path for path in SOURCE.rglob("*.py") if re.search(r"import njit$", path.read_text(), re.MULTILINE)]
    return sorted(".".join(("kinema", *path.relative_to(SOURCE).with_suffix("").parts)) for path in files)


def test_the_stamps_of_all_kernels_are_the_same_in_every_process() -> None:
    names = kernel_modules()
    assert len(names) > 10
    code = f"import importlib\nfrom kinema.compiled import stamp\nfor name in {names}:\n"
    code += "    importlib.import_module(name)\n    print(name, stamp(name))"
    seen = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        seen.add(subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE).stdout)
    assert len(seen) == 1 and len(seen.pop().splitlines()) == len(names)


def test_all_kernels_are_compiled_with_this_cache() -> None:
    for path in SOURCE.rglob("*.py"):
        source = path.read_text()
        if "numba" in source and path.name not in ("compiled.py", "by_reference.py", "prefetch.py"):
            tree = ast.parse(source)
            named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            named |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
            assert not {name for name in named if name and name.split(".")[0] == "numba"}, path

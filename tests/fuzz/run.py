"""Fuzz one parser for a while: `python tests/fuzz/run.py bvh 60`. A find ends it with an error and a `crash-*`.

A third argument is the most inputs to try. Without arguments the names of the parsers are printed.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

_ALONE = "--alone"


def main(*arguments: str) -> int:
    if not arguments:
        import targets

        print(*targets.TARGETS)
        return 0
    # A process is born with the largest memory that its parent ever had, and the limit below would count it.
    if arguments[-1] != _ALONE:
        return subprocess.run([sys.executable, __file__, *arguments, _ALONE]).returncode
    fuzz(*arguments[:-1])
    return 0


def fuzz(name: str, seconds: str, runs: str = "-1") -> None:
    import atheris
    import targets

    # Branches are counted in the parser's own modules only: compiled kernels cannot be instrumented.

    modules = targets.TARGETS[name].modules
    for module in modules:
        sys.modules.pop(module, None)
    with atheris.instrument_imports(include=list(modules)):
        for module in modules:
            importlib.import_module(module)
    importlib.reload(targets)
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(targets.TARGETS[name].seeds()):
            (Path(corpus) / str(number)).write_bytes(seed)
        atheris.Setup(
            [
                sys.argv[0],
                f"-max_total_time={seconds}",
                f"-runs={runs}",
                "-timeout=10",
                "-rss_limit_mb=2048",
                "-max_len=65536",
                "-seed=1",
                "-verbosity=1",
                corpus,
            ],
            lambda data: targets.attempt(name, data),
        )
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

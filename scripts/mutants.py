"""How many small faults the nearest tests notice.

    .venv/bin/python scripts/mutants.py --seed 1 --count 300 --jobs 2 --into out/mutants.jsonl
    .venv/bin/python scripts/mutants.py --seed 1 --again out/mutants.jsonl   # the survivors, after tests were added

Each mutant is one change at one place of the mathematical code, drawn by the seed: an operator or a comparison
exchanged, a number or an index changed, a sign or a `not` dropped, a function exchanged for its opposite. The tests of
the module of the same name run first, then those of its folder. A mutant that only tests against stored pictures or
numbers notice counts apart. Results are appended to a file, and a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
PLACES = ("rotations.py", "kinematics.py", "ik", "metrics", "control", "retargeting", "features")
STORED = ("golden", "snapshot", "stored", "reference_picture")
SMALLEST = 1e-4  # numbers below it guard divisions: changes of them make no difference
PATIENCE = 900  # seconds of processor time after which a mutant counts as noticed: four times what a folder takes
WAITING = 3600  # seconds after which one that waits for ever counts as noticed

OPERATORS: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*"}
OPERATORS |= {ast.Mod: "//", ast.FloorDiv: "/", ast.BitAnd: "|", ast.BitOr: "&"}
SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}
SIGNS |= {ast.FloorDiv: "//", ast.BitAnd: "&", ast.BitOr: "|"}
COMPARISONS: dict[type[ast.cmpop], str] = {ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<"}
COMPARISONS |= {ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is"}
OPPOSITES = {"minimum": "maximum", "min": "max", "sin": "cos", "any": "all", "ceil": "floor", "arcsin": "arccos"}
OPPOSITES |= {new: old for old, new in OPPOSITES.items()}


@dataclass(frozen=True)
class Mutant:
    """One change: in the module `path`, the text between two offsets (in bytes) is replaced by `new`."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str


@dataclass(frozen=True)
class Result:
    """What the tests said about a mutant: "module", "folder", "stored" (noticed by those tests) or "survived"."""

    mutant: Mutant
    verdict: str


def main() -> None:
    """Draw mutants, try them, and print the share that was noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="draw by this seed (default: 1)")
    parser.add_argument("--count", type=int, default=300, help="how many mutants (default: 300)")
    parser.add_argument("--jobs", type=int, default=2, help="how many to try at once (default: 2)")
    parser.add_argument("--into", type=Path, default=Path("out/mutants.jsonl"), help="file of the results")
    parser.add_argument("--again", type=Path, help="try the survivors in this file once more")
    parser.add_argument("--nearest", action="store_true", help="only the tests of the module of the same name")
    options = parser.parse_args()
    if options.again:
        known = [result for result in read(options.again) if result.verdict == "survived"]
        mutants, done = [moved(result.mutant) for result in known], list[Result]()
        options.into = options.again.with_suffix(".again.jsonl")
        options.into.unlink(missing_ok=True)
    else:
        mutants = random.Random(options.seed).sample(sorted(candidates(), key=repr), options.count)
        done = read(options.into) if options.into.exists() else []
    options.into.parent.mkdir(parents=True, exist_ok=True)
    tried = {result.mutant for result in done}
    for result in attempts([mutant for mutant in mutants if mutant not in tried], options.jobs, options.nearest):
        done.append(result)
        with options.into.open("a") as file:
            file.write(json.dumps(asdict(result)) + "\n")
        mutant = result.mutant
        print(f"{result.verdict:9} {mutant.path}:{mutant.line}  {mutant.old!r} -> {mutant.new!r}", flush=True)
        print(summary(done), file=sys.stderr)


def read(path: Path) -> list[Result]:
    """The results in a file."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [Result(Mutant(**row["mutant"]), row["verdict"]) for row in rows]


def summary(done: list[Result]) -> str:
    """The share that was noticed, with its 95 % interval (Wilson)."""
    total, caught = len(done), sum(result.verdict != "survived" for result in done)
    share, z = caught / total, 1.96
    middle, width = share + z * z / (2 * total), z * (share * (1 - share) / total + z * z / (4 * total**2)) ** 0.5
    low, high = ((middle + side * width) / (1 + z * z / total) for side in (-1, 1))
    stored = sum(result.verdict == "stored" for result in done)
    return f"{caught} of {total} noticed: {share:.1%} [{low:.1%} to {high:.1%}], {stored} by stored results only"


def candidates() -> Iterator[Mutant]:
    """Every change at every place."""
    for place in PLACES:
        top = ROOT / "src/kinema" / place
        for path in [top] if top.is_file() else sorted(top.glob("*.py")):
            yield from changes(str(path.relative_to(ROOT)), path.read_bytes())


def changes(path: str, source: bytes) -> Iterator[Mutant]:
    """The changes of one module. Errors, annotations and what `kinema --help` shows are left alone."""
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def span(node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset

    def mutant(node: ast.expr, start: int, end: int, new: str) -> Mutant:
        return Mutant(path, node.lineno, start, end, source[start:end].decode(), new)

    def sign(left: ast.expr, right: ast.expr, old: str) -> tuple[int, int]:
        begin = span(left)[1]
        at = source.index(old.encode(), begin, span(right)[0])
        return at, at + len(old)

    for node in expressions(ast.parse(source)):
        match node:
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                yield mutant(node, *sign(left, right, SIGNS[type(op)]), OPERATORS[type(op)])
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
                middle = source[span(left)[1] : span(right)[0]].decode()
                old = middle.strip(" ()\n")
                yield mutant(node, *sign(left, right, old), COMPARISONS[type(op)])
            case ast.BoolOp(op=op, values=[left, right, *_]):
                old, new = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                yield mutant(node, *sign(left, right, old), new)
            case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert() as op):
                begin = span(node)[0]
                yield mutant(node, begin, begin + (3 if isinstance(op, ast.Not) else 1), "")
            case ast.Constant(value=bool(value)):
                yield mutant(node, *span(node), str(not value))
            case ast.Constant(value=int(value)):
                yield mutant(node, *span(node), str(value + 1))
            case ast.Constant(value=float(value)) if not 0 < value < SMALLEST:
                yield mutant(node, *span(node), repr(1.5 * value if value else 1.0))
            case ast.Attribute(attr=name) | ast.Name(id=name) if name in OPPOSITES:
                yield mutant(node, span(node)[1] - len(name), span(node)[1], OPPOSITES[name])
            case _:
                pass


def expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions below a node that compute something."""
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.expr):
        yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from expressions(child)


def moved(mutant: Mutant) -> Mutant:
    """The same change where it stands today, if the module changed since."""
    source = (ROOT / mutant.path).read_bytes()
    same = [m for m in changes(mutant.path, source) if (m.old, m.new) == (mutant.old, mutant.new)]
    if not same:
        return mutant
    return min(same, key=lambda m: abs(m.start - mutant.start))


def attempts(mutants: list[Mutant], jobs: int, nearest: bool) -> Iterator[Result]:
    """The results of mutants, each tried in a copy of the sources, several at once."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        free: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            copy = Path(folder) / str(job)
            for part in ("src", "tests", "examples", "docs", "scripts"):
                shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copy(ROOT / "pyproject.toml", copy)
            free.put(copy)

        def attempt(mutant: Mutant) -> Result:
            copy = free.get()
            try:
                return Result(mutant, verdict(mutant, copy, nearest))
            finally:
                shutil.copy(ROOT / mutant.path, copy / mutant.path)
                free.put(copy)

        yield from pool.map(attempt, mutants)


def verdict(mutant: Mutant, copy: Path, nearest: bool) -> str:
    """What the tests say about a mutant in a copy of the sources; with `nearest`, those of its module alone."""
    source = (ROOT / mutant.path).read_bytes()
    (copy / mutant.path).write_bytes(source[: mutant.start] + mutant.new.encode() + source[mutant.end :])
    path = Path(mutant.path).relative_to("src/kinema")
    own = Path("tests") / path.parent / f"test_{path.name}"
    rounds = [("module", str(own))] if (copy / own).exists() else []
    if path.parent != Path() and not (nearest and rounds):
        rounds.append(("folder", str(own.parent)))
    for name, tests in rounds:
        noticed = run(tests, copy)
        if noticed is not None:
            return "stored" if noticed and all(any(s in test for s in STORED) for test in noticed) else name
    return "survived"


def run(tests: str, copy: Path) -> list[str] | None:
    """The tests that fail, None if all pass. A run that ends otherwise, or never, has noticed too."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", tests]
    data = os.environ.get("KINEMA_DATA", str(ROOT.parent / "shared" / "data"))
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "KINEMA_DATA": data}
    try:
        ended = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=WAITING, preexec_fn=limit
        )
    except subprocess.TimeoutExpired:
        return []
    if ended.returncode == 0:
        return None
    return [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]


def limit() -> None:
    """Ends this process after `PATIENCE`."""
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))


if __name__ == "__main__":
    main()

"""Entry point: chooses the command, parses its arguments and turns errors into one line and an exit code.

Exit codes: 0 success, 1 something failed, 2 wrong arguments, 128 + N ended by signal N (130 by Ctrl-C), 141 the reader
of standard output has closed it. The module of a command is imported only when the command is called.

To add a command: copy `doctor.py`, then add one line to `COMMANDS`.
"""

import argparse
import contextlib
import difflib
import errno
import importlib
import importlib.util
import io
import os
import re
import signal
import sys
import textwrap
from collections.abc import Sequence
from typing import Any, NoReturn, Protocol, cast

import kinema
from kinema import unfinished
from kinema.cli import common
from kinema.errors import KinemaError, MissingError, UsageError, one_line
from kinema.interruption import SignalGuard


class CommandModule(Protocol):
    """The contents of a module of `kinema.cli` that holds a command; `needs` may be left out."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def needs(self, args: argparse.Namespace) -> Sequence[str]:
        """Packages beyond the core that the command imports with these arguments."""
        ...

    def run(self, args: argparse.Namespace) -> int: ...


COMMANDS = {  # modules of kinema.cli, and a line on what each does
    "demo": "the whole pipeline unattended: motion, database, controller, film, metrics",
    "play": "steer a character in the browser",
    "view": "look at motion and character files",
    "render": "films and pictures of motion and character files",
    "info": "joints, frames, rate, size, roles and warnings of files",
    "convert": "one file, many, a folder or a zip into another format",
    "retarget": "motion of any skeleton onto any other",
    "generate": "new motion for any skeleton, from words or numbers",
    "edit": "make a part of a motion anew: gaps, joints, more seconds",
    "correspond": "which joint and which moment of one skeleton is which of another",
    "condition": "control packs for video models: skeletons, depth, normals, masks, cameras",
    "clips": "training clips of characters in scenes, for image and video models",
    "scene": "captured scenes: what is in them, other formats, made worlds, pictures",
    "build": "make a motion database out of files",
    "label": "phases of a motion database, and a picture of them",
    "augment": "drive a controller under balanced commands: training data for networks",
    "train": "fit a model to a motion database; --watch shows it while it learns",
    "evaluate": "drive a character along standard tracks and print all metrics",
    "bench": "measure this installation, each figure beside a baseline",
    "doctor": "what this machine has, and what each missing part costs you",
}

EXTRA_OF_PACKAGE = {
    "torch": "learn",
    "accelerate": "learn",
    "safetensors": "learn",
    "tensorboard": "learn",
    "viser": "view",
    "websockets": "view",
    "moderngl": "render",
    "av": "render",
    "glfw": "window",
    "imgui_bundle": "window",
    "pxr": "formats",
    "DracoPy": "formats",
    "zstandard": "formats",
    "tokenizers": "sentences",
}
"""The extra to install for a missing package."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with `argv` (default: the process arguments) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _prepare_output()
    guard = SignalGuard(_say_interrupted)
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain again when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 141
    finally:
        if argv is not None or not guard.number:  # otherwise the end of the process is guarded, too
            guard.close()
    if guard.number not in (0, signal.SIGINT):
        code = 128 + guard.number
    if argv is None and guard.number:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        unfinished.end_now(code)  # what was cut off in its making, such as a graphics context, may not be taken down
    return code


def _say_interrupted() -> None:
    """The last line of a program that is ended by force; shows the cursor, which a progress bar hides."""
    shown = "\x1b[?25h" if sys.stderr.isatty() else ""
    os.write(2, f"{shown}kinema: error: interrupted\n".encode())


def _prepare_output() -> None:
    if sys.stdout is None:  # the caller closed it
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (stays open as long as the program runs)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        # A name that the terminal cannot show must not end the program.
        sys.stdout.reconfigure(errors="backslashreplace")


def _dispatch(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(overview())
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        print(f"kinema {kinema.__version__}")
        return 0
    if arguments[0] not in COMMANDS:
        return _fail(_unknown(arguments[0]), code=2)
    return _run(arguments[0], arguments[1:])


def overview() -> str:
    """The text of `kinema --help`."""
    width = max(map(len, COMMANDS))
    rows = "\n".join(f"  {name:<{width}}  {summary}" for name, summary in COMMANDS.items())
    return textwrap.dedent(
        """\
        usage: kinema COMMAND [options]

        Motion files in, a character that obeys you out.

        commands:
        {rows}

        kinema COMMAND --help   the options of a command, with an example
        kinema --version        the version

        example:
          kinema info walk.bvh
        """
    ).format(rows=rows)[:-1]


def _run(name: str, arguments: Sequence[str]) -> int:
    try:
        module = cast(CommandModule, importlib.import_module(f"kinema.cli.{name}"))
        args = _parser(name, module).parse_args(arguments)
        check_packages(name, module.needs(args) if hasattr(module, "needs") else ())
        code = module.run(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        raise  # an OSError that `main` handles
    except (KeyboardInterrupt, Exception) as error:
        explained = explain(error, name)
        if explained is None or ("--debug" in arguments and not isinstance(error, KeyboardInterrupt)):
            raise
        return _fail(*explained)


def explain(error: BaseException, name: str) -> tuple[str, int] | None:
    """The line and the exit code for an error of a command; None for an error that is a bug."""
    interruption = error if isinstance(error, KeyboardInterrupt) else error.__cause__  # where compiled code returned
    if isinstance(interruption, KeyboardInterrupt):
        return "interrupted", 128 + getattr(interruption, "number", signal.SIGINT)
    match error:
        case UsageError():
            return str(error), 2
        case KinemaError():
            return str(error), 1
        case ModuleNotFoundError():
            extra = EXTRA_OF_PACKAGE.get((error.name or "").partition(".")[0])
            return None if extra is None else (_needs(name, f"the package {error.name}", extra), 1)
        case OSError():
            return describe_os_error(error), 1
        case MemoryError():
            return f"out of memory{f': {error}' if str(error) else ''}", 1
    return None


def check_packages(name: str, packages: Sequence[str]) -> None:
    """Raise `MissingError` before a command begins its work if it needs a package that is not installed."""
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    if missing:
        extras = dict.fromkeys(EXTRA_OF_PACKAGE[package] for package in missing)
        raise MissingError(_needs(name, ", ".join(missing), ",".join(extras)))


def _needs(name: str, what: str, extra: str) -> str:
    return f"`kinema {name}` needs {what}: pip install 'kinema[{extra}]'"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line, like every other error. Values may begin with a minus."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._negative_number_matcher = re.compile(r"-\.?\d")  # as from Python 3.14 on

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[argparse.Namespace, list[str]]:
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:  # here, not in the parser around a sub-command, whose help does not list the options
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (`{self.prog} --help` lists the options)")


def _parser(name: str, module: CommandModule) -> argparse.ArgumentParser:
    parser = _Parser(
        prog=f"kinema {name}",
        description=textwrap.dedent(module.HELP).strip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    common.add_common(parser)
    return parser


def describe_os_error(error: OSError) -> str:
    """One line for an error of the operating system, with the file or port it concerns when known."""
    reason = (error.strerror or str(error) or type(error).__name__).splitlines()[0]
    if error.errno == errno.ENOSPC:
        reason = "the disk is full (nothing that was there before has been touched)"
    return f"{error.filename}: {reason}" if error.filename else reason


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, COMMANDS, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"there is no command {name!r}{hint}; the commands are {', '.join(COMMANDS)}"


def _fail(message: str, code: int = 1) -> int:
    print(f"kinema: error: {one_line(message)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())

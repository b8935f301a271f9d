"""Entry point: chooses the command, parses its arguments and turns errors into one line and an exit code.

Exit codes: 0 success, 1 something failed, 2 wrong arguments, 130 interrupted, 141 the reader of standard output has
closed it. The module of a command is imported only when the command is called.

To add a command: copy `doctor.py`, then add one line to `COMMANDS`.
"""

import argparse
import difflib
import errno
import importlib
import importlib.util
import io
import os
import sys
import textwrap
from collections.abc import Sequence
from typing import NamedTuple, NoReturn, Protocol, cast

import kinema
from kinema.cli.common import UsageError
from kinema.errors import KinemaError, MissingError, one_line


class Command(NamedTuple):
    """The module of a command and a line on what it does."""

    module: str
    summary: str


class CommandModule(Protocol):
    """The contents of a module of `kinema.cli` that holds a command; `needs` may be left out."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def needs(self, args: argparse.Namespace) -> Sequence[str]:
        """Packages beyond the core that the command imports with these arguments."""
        ...

    def run(self, args: argparse.Namespace) -> int: ...


COMMANDS: dict[str, Command] = {
    "demo": Command("kinema.cli.demo", "the whole pipeline unattended: motion, database, controller, film, metrics"),
    "play": Command("kinema.cli.play", "steer a character in the browser"),
    "view": Command("kinema.cli.view", "look at motion and character files"),
    "render": Command("kinema.cli.render", "films and pictures of motion and character files"),
    "info": Command("kinema.cli.info", "joints, frames, rate, size, roles and warnings of files"),
    "convert": Command("kinema.cli.convert", "one file, many, a folder or a zip into another format"),
    "retarget": Command("kinema.cli.retarget", "motion of any skeleton onto any other"),
    "build": Command("kinema.cli.build", "make a motion database out of files"),
    "train": Command("kinema.cli.train", "fit a model to a motion database; --watch shows it while it learns"),
    "evaluate": Command("kinema.cli.evaluate", "drive a character along standard tracks and print all metrics"),
    "bench": Command("kinema.cli.bench", "measure this installation, each figure beside a yardstick"),
    "doctor": Command("kinema.cli.doctor", "what this machine has, and what each missing part costs you"),
}

EXTRA_OF_PACKAGE = {
    "torch": "learn",
    "safetensors": "learn",
    "viser": "view",
    "websockets": "view",
    "moderngl": "render",
    "av": "render",
    "glfw": "window",
    "imgui_bundle": "window",
    "pxr": "formats",
    "DracoPy": "formats",
}
"""The extra to install for a missing package."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with `argv` (default: the process arguments) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _prepare_output()
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Python would complain again when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141


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
    rows = "\n".join(f"  {name:<{width}}  {command.summary}" for name, command in COMMANDS.items())
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
        module = cast(CommandModule, importlib.import_module(COMMANDS[name].module))
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
    match error:
        case KeyboardInterrupt():
            return "interrupted", 130
        case SystemError() if isinstance(error.__cause__, KeyboardInterrupt):  # Ctrl-C as compiled code returned
            return "interrupted", 130
        case KinemaError():
            return str(error), 2 if isinstance(error, UsageError) else 1
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
    return f"`kinema {name}` needs {what}: pip install '.[{extra}]' in a clone of Kinema"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line, like every other error."""

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
    common = parser.add_argument_group("every command")
    common.add_argument("--json", action="store_true", help="print JSON on standard output and nothing else there")
    common.add_argument("--debug", action="store_true", help="show the full traceback of an error")
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

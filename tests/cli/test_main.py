"""The program: help, exit codes, one-line errors."""

from __future__ import annotations

import argparse
import errno
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from kinema.cli import main as program
from kinema.cli.main import COMMANDS, main
from kinema.errors import KinemaError, UsageError


def fake_command(monkeypatch: pytest.MonkeyPatch, run) -> None:
    """Makes `kinema fake` run the given function."""
    module = SimpleNamespace(HELP="Fake.\n\nexample:\n  kinema fake", add_arguments=lambda parser: None, run=run)
    monkeypatch.setitem(COMMANDS, "fake", "fake")
    monkeypatch.setitem(sys.modules, "kinema.cli.fake", module)


def raiser(error: BaseException):
    def run(args: argparse.Namespace) -> int:
        raise error

    return run


def test_overview_lists_every_command(capsys) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {name}" in out and summary in out for name, summary in COMMANDS.items())
    assert "example:" in out


def test_no_command_shows_the_overview_and_is_wrong_usage(capsys) -> None:
    assert main([]) == 2
    assert "commands:" in capsys.readouterr().out


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help_with_an_example(name: str, capsys) -> None:
    importlib.import_module(f"kinema.cli.{name}")
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert f"  kinema {name}" in out.split("example", 1)[1]
    assert "--json" in out and "--debug" in out


def test_unknown_command_suggests_the_nearest(capsys) -> None:
    assert main(["biuld"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("kinema: error: there is no command 'biuld' (did you mean 'build'?)")
    assert captured.err.count("\n") == 1


def test_wrong_option_is_exit_2(capsys) -> None:
    assert main(["doctor", "--nonsense"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    assert captured.err.startswith("kinema: error: unrecognized arguments: --nonsense (`kinema doctor --help`")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KinemaError("walk.bvh, line 3: broken"), 1, "kinema: error: walk.bvh, line 3: broken"),
        (UsageError("these do not fit"), 2, "kinema: error: these do not fit"),
        (KeyboardInterrupt(), 130, "kinema: error: interrupted"),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "a.bvh"),
            1,
            "kinema: error: a.bvh: No such file or directory",
        ),
        (OSError(errno.EADDRINUSE, "Address already in use"), 1, "kinema: error: Address already in use"),
        (MemoryError(), 1, "kinema: error: out of memory"),
        (
            ModuleNotFoundError("No module named 'viser'", name="viser.extras"),
            1,
            "kinema: error: `kinema fake` needs the package viser.extras: pip install 'kinema[view]'",
        ),
    ],
)
def test_errors_are_one_line_and_a_code(error, code, line, monkeypatch, capsys) -> None:
    fake_command(monkeypatch, raiser(error))
    assert main(["fake"]) == code
    captured = capsys.readouterr()
    assert captured.err == line + "\n"
    assert captured.out == ""


def test_full_disk_says_so(monkeypatch, capsys) -> None:
    fake_command(monkeypatch, raiser(OSError(errno.ENOSPC, "No space left on device", "out.glb")))
    assert main(["fake"]) == 1
    assert capsys.readouterr().err.startswith("kinema: error: out.glb: the disk is full")


def test_debug_shows_the_error_itself(monkeypatch) -> None:
    fake_command(monkeypatch, raiser(KinemaError("x")))
    with pytest.raises(KinemaError):
        main(["fake", "--debug"])


def test_ctrl_c_that_compiled_code_turned_into_another_error(monkeypatch, capsys) -> None:
    error = SystemError("returned a result with an exception set")
    error.__cause__ = KeyboardInterrupt()
    fake_command(monkeypatch, raiser(error))
    assert main(["fake"]) == 130
    assert capsys.readouterr().err == "kinema: error: interrupted\n"
    fake_command(monkeypatch, raiser(SystemError("a bug")))
    with pytest.raises(SystemError):
        main(["fake"])


def test_a_bug_is_not_hidden(monkeypatch) -> None:
    fake_command(monkeypatch, raiser(ZeroDivisionError("bug")))
    with pytest.raises(ZeroDivisionError):
        main(["fake"])


def test_missing_package_that_is_no_extra_is_a_bug(monkeypatch) -> None:
    fake_command(monkeypatch, raiser(ModuleNotFoundError("No module named 'kinema.oops'", name="kinema.oops")))
    with pytest.raises(ModuleNotFoundError):
        main(["fake"])


def test_exit_code_is_the_commands_own(monkeypatch) -> None:
    fake_command(monkeypatch, lambda args: 1)
    assert main(["fake"]) == 1


@pytest.mark.parametrize("arguments", [["doctor", "--json"], ["--help"]])
def test_reader_that_goes_away_is_no_traceback(arguments: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "kinema.cli.main", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(timeout=60) == 141
    assert err == b""


def test_closed_output_is_no_error() -> None:
    line = f"'{sys.executable}' -m kinema.cli.main --version >&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_version(capsys) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("kinema ")


def test_os_error_without_a_text() -> None:
    assert program.describe_os_error(OSError()) == "OSError"
    assert os.sep not in program.describe_os_error(OSError(errno.EACCES, "Permission denied"))


FILMED = ["retarget", "gone.bvh", "--to", "gone.glb", "-o", "x.glb", "--render", "x.gif"]
MISSING = {
    "play": (["play"], "viser, websockets", "view"),
    "play in a window": (["play", "--window"], "moderngl, glfw, imgui_bundle", "render,window"),
    "view": (["view", "gone.bvh"], "viser, websockets", "view"),
    "render": (["render", "gone.bvh", "-o", "x.mp4"], "moderngl, av", "render"),
    "render a picture": (["render", "gone.bvh", "-o", "x.png"], "moderngl", "render"),
    "retarget": (FILMED, "moderngl, av", "render"),
    "convert": (["convert", "gone.bvh", "x.usda"], "pxr", "formats"),
    "convert a folder": (["convert", "gone", "out", "--to", "usdz"], "pxr", "formats"),
    "retarget to USD": (["retarget", "gone", "--to", "a.glb", "-o", "out", "--to-format", "usdc"], "pxr", "formats"),
    "info": (["info", "gone.bvh", "--roles", "--picture", "x.png"], "moderngl", "render"),
    "train": (["train", "none", "--data", "gone.db", "-o", "run"], "torch, safetensors, accelerate", "learn"),
}


@pytest.mark.parametrize("case", list(MISSING))
def test_missing_packages_are_reported_before_the_work(case: str, monkeypatch, capsys) -> None:
    arguments, packages, extra = MISSING[case]
    find = importlib.util.find_spec
    absent = set(program.EXTRA_OF_PACKAGE)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name in absent else find(name, *rest))
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    expected = f"`kinema {arguments[0]}` needs {packages}: pip install 'kinema[{extra}]'"
    assert captured.err == f"kinema: error: {expected}\n"


def test_what_is_not_used_need_not_be_there(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda *_: None)
    for arguments in (
        ["info", "gone.bvh"],
        ["convert", "gone.bvh", "x.glb"],
        ["retarget", "gone.bvh", "--to", "gone.glb", "-o", str(tmp_path / "x.glb")],
    ):
        assert main(arguments) == 1


def test_every_package_of_an_extra_is_known() -> None:
    """Packages that pyproject.toml lists, by the names to import them."""
    data = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    names = {"usd-core": "pxr", "imgui-bundle": "imgui_bundle"}
    for extra in ("learn", "view", "render", "window", "formats"):
        listed = {re.split(r"[<>=\[]", one)[0] for one in data["project"]["optional-dependencies"][extra]}
        packages = {names.get(one, one) for one in listed} - {"kinema", "rich", "glcontext"}
        assert packages == {name for name, of in program.EXTRA_OF_PACKAGE.items() if of == extra}

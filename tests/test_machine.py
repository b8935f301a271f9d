"""What the machine has."""

from __future__ import annotations

import shutil
import sys

from kinema import machine


def checks() -> dict[str, machine.Check]:
    return {check.name: check for check in machine.check_machine()}


def test_needed_parts_are_found_here() -> None:
    assert all(check.found for check in machine.check_machine() if check.needed)


def test_what_is_found_costs_nothing_and_what_is_missing_says_what() -> None:
    for check in machine.check_machine():
        assert check.detail
        assert bool(check.costs) == (not check.found), check


def test_missing_package(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    check = checks()["viser"]
    assert not check.found
    assert check.install == "pip install 'kinema[view]'"


def test_libraries_of_formats_are_told(monkeypatch) -> None:
    for module in ("pxr", "DracoPy"):
        monkeypatch.setitem(sys.modules, module, None)
    found = checks()
    assert ".usdz" in found["usd-core"].costs and "Draco" in found["DracoPy"].costs
    assert "[formats]" in found["usd-core"].install


def test_browser_named_by_the_environment_wins(monkeypatch, tmp_path) -> None:
    browser = tmp_path / "mychrome"
    browser.write_text("#!/bin/sh\necho 'MyChrome 1.0'\n")
    browser.chmod(0o755)
    monkeypatch.setenv("KINEMA_CHROMIUM", str(browser))
    assert machine.find_browser() == str(browser)
    assert checks()["chromium"].detail == "MyChrome 1.0"


def test_no_browser(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv("KINEMA_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    check = checks()["chromium"]
    assert not check.found and "apt-get install chromium" in check.install


def test_numba_cache_follows_the_environment(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "not" / "there" / "yet"))
    assert checks()["numba cache"].found


def test_unwritable_numba_cache_is_told(monkeypatch) -> None:
    monkeypatch.setattr(machine.os, "access", lambda *_: False)
    check = checks()["numba cache"]
    assert not check.found and "NUMBA_CACHE_DIR" in check.install


def test_nearly_full_disk_is_told(monkeypatch) -> None:
    usage = shutil.disk_usage("/")._replace(free=1024)
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: usage)
    assert not checks()["disk"].found


def test_graphics_say_what_draws_or_what_is_missing(monkeypatch) -> None:
    from kinema.errors import MissingError
    from kinema.rendering import context

    info = context.GraphicsInfo("llvmpipe", "Mesa", "4.5", software=True)
    monkeypatch.setattr(context, "probe", lambda: info)
    assert checks()["graphics"].detail == "llvmpipe, OpenGL 4.5 (software)"

    def missing() -> None:
        raise MissingError("no OpenGL 3.3 driver works without a display (no EGL): sudo apt-get install libegl1")

    monkeypatch.setattr(context, "probe", missing)
    check = checks()["graphics"]
    assert not check.found and "libegl1" in check.install and "no EGL" in check.detail
    monkeypatch.setitem(sys.modules, "moderngl", None)
    assert checks()["graphics"].install == "pip install 'kinema[render]'"

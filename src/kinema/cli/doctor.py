"""`kinema doctor`: what this machine has."""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

import kinema
from kinema.cli import common

if TYPE_CHECKING:
    from kinema.machine import Check

HELP = """
Show what this machine has, what each missing part costs you, and the command that installs it. The exit code is 1
only if a part is missing that nothing works without.

example:
  kinema doctor
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # nothing to choose


def run(args: argparse.Namespace) -> int:
    checks = kinema.doctor()
    if args.json:
        common.print_json({"checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            _print(check)
    return 1 if any(check.needed and not check.found for check in checks) else 0


def _print(check: "Check") -> None:
    print(f"  {'ok' if check.found else '--':<3}{check.name:<18}{check.detail}")
    for label, text in (("costs you", check.costs), ("to get it", check.install)):
        if text:
            print(f"     {'':<18}{label}: {text}")

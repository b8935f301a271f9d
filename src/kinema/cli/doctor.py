"""`kinema doctor`: what this machine has."""

import argparse
from dataclasses import asdict

from kinema.cli import common

HELP = """
Show what this machine has, what each missing part costs you, and the command that installs it. The exit code is 1
only if a part is missing that nothing works without.

example:
  kinema doctor
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # nothing to choose


def run(args: argparse.Namespace) -> int:
    from kinema.machine import check_machine

    checks = check_machine()
    if args.json:
        common.print_json({"checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            print(f"  {'ok' if check.found else '--':<3}{check.name:<18}{check.detail}")
            if check.costs:
                print(f"     {'':<18}costs you: {check.costs}")
            if check.install:
                print(f"     {'':<18}to get it: {check.install}")
    return 1 if any(check.needed and not check.found for check in checks) else 0

"""`tablature lint`: the findings of a design as text or JSON, and an exit code for scripts."""

import sys
from argparse import Namespace

from tablature.design.module import DEFAULT_PEAK_WRITES
from tablature.errors import InputError
from tablature.lint import lint
from tablature.lint.reporting import as_data, as_text, reference

from .arguments import Subcommands, add_command, add_modules, positive, write_json
from .loading import load_design


def add(commands: Subcommands) -> None:
    parser = add_command(commands, "lint", "Check the design of the tables a module declares.", run)
    add_modules(parser, "*")
    parser.add_argument("--json", action="store_true", help="write the findings as JSON")
    parser.add_argument(
        "--peak-writes",
        type=positive,
        default=DEFAULT_PEAK_WRITES,
        metavar="N",
        help="items of one entity written per second at the most, from which shards are counted (default: %(default)s)",
    )
    parser.add_argument("--reference", action="store_true", help="write the reference page of all checks instead")


def run(options: Namespace) -> int:
    """1 where an error or a warning stands."""
    if options.reference:
        sys.stdout.write(reference())
        return 0
    if not options.modules:
        raise InputError("Name a module that declares tables, or ask for --reference.")
    report = lint(load_design(options.modules, peak_writes=options.peak_writes))
    if options.json:
        write_json(as_data(report))
    else:
        sys.stdout.write(as_text(report) + "\n")
    return int(report.fails)

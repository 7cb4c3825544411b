"""Proves the promise: `run.py [part ...]` runs the proofs and prints what each found; `--write` keeps it in the docs.

Exits with 1 when a claim doesn't hold.
"""

import argparse
import importlib
import re
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from report import Report

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "promise.md"
PARTS = {"lost": "nothing_lost", "invented": "nothing_invented"}
BLOCK = re.compile(r"(<!-- figures of {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)


def prove(part: str) -> Report:
    """Each part is a module with a function `prove` that takes nothing and returns a report."""
    report: Report = importlib.import_module(PARTS[part]).prove()
    return report


def write(part: str, report: Report) -> None:
    """Replace the figures of this part in the page."""
    block = re.compile(BLOCK.pattern.replace("{name}", part), re.DOTALL)
    result = f"Measured on {datetime.now(UTC):%Y-%m-%d}.\n\n{report.as_markdown()}\n"
    page, replaced = block.subn(lambda match: match[1] + result + match[2], PAGE.read_text("utf-8"))
    if replaced != 1:
        raise SystemExit(f"{PAGE.name} has no block for the figures of {part}.")
    PAGE.write_text(page, "utf-8")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("parts", nargs="*", choices=[*PARTS, []], help="by default all of them")
    asked.add_argument("--write", action="store_true", help=f"keep the figures in docs/explanation/{PAGE.name}")
    given = asked.parse_args()
    # Whoever stops it stops everything that it has started, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    held = True
    for part in given.parts or PARTS:
        report = prove(part)
        sys.stdout.write(report.as_text() + "\n")
        sys.stdout.flush()
        if given.write:
            write(part, report)
        held = held and report.holds
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())

"""Puts the product under load and reports what it did: `make load`, or with `SOAK=1` for twenty minutes.

Exits with 1 where the server answered with a fault of its own, or where something leaks in a soak.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from documented import write_block
from driver import Driver, driven
from installation import Installation, served
from leaks import verdicts
from report import Report
from sampling import Sampler, processor_seconds
from workload import BARE, PROFILES

BARE_SECONDS, SOAK_SECONDS, SAMPLE_SECONDS = 3.0, 1200.0, 5.0


def main() -> int:
    options = arguments()
    with ExitStack() as stack:
        installation = stack.enter_context(product(options))
        driver = stack.enter_context(driven(installation, options.clients, options.seed))
        reports = [measured(driver, installation, profile, options) for profile in options.profile]
    for report in reports:
        sys.stdout.write(f"## {report.profile}\n\n{report.as_markdown()}\n")
        if options.write:
            write_block("soak" if options.soak else report.profile, report.as_markdown())
    if options.json:
        options.json.write_text(json.dumps([report.as_json() for report in reports], indent=1))
    return 0 if all(holds(report, soak=options.soak) for report in reports) else 1


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", choices=PROFILES, nargs="+", default=["read-mostly"])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--soak", action="store_true", help="for twenty minutes; fails where something leaks")
    parser.add_argument("--short", action="store_true", help="begin as soon as there is something to read")
    parser.add_argument("--url", help="a product that runs already; ALMANAC_ADMIN_TOKEN is then its fixed token")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--write", action="store_true", help="also write the figures into docs/reference/load.md")
    options = parser.parse_args()
    if options.soak:
        options.seconds = max(options.seconds, SOAK_SECONDS)
    return options


@contextmanager
def product(options: argparse.Namespace) -> Iterator[Installation]:
    if options.url:
        yield Installation(options.url.rstrip("/"), os.environ.get("ALMANAC_ADMIN_TOKEN", ""))
        return
    with (
        tempfile.TemporaryDirectory(prefix="almanac-load-", ignore_cleanup_errors=True) as folder,
        served(Path(folder), whole_demo=not options.short) as installation,
    ):
        yield installation


def measured(driver: Driver, installation: Installation, profile: str, options: argparse.Namespace) -> Report:
    """The profile between two measurements of the bare server, since machines are seldom quiet."""
    bare_seconds = min(BARE_SECONDS, options.seconds / 2)
    before = driver.order(BARE, bare_seconds)
    sampler = Sampler(installation, min(SAMPLE_SECONDS, options.seconds / 12)) if installation.process else None
    used = processor_seconds(installation) if sampler else None
    if sampler:
        sampler.start()
    figures = driver.order(profile, options.seconds)
    samples = sampler.stop() if sampler else None
    spent = used and tuple(now - then for now, then in zip(processor_seconds(installation), used, strict=True))
    after = driver.order(BARE, bare_seconds)
    bare_rate = (before.answers + after.answers) / (before.seconds + after.seconds)
    return Report(profile, options.clients, figures, bare_rate, samples, spent)


def holds(report: Report, *, soak: bool) -> bool:
    leaks = soak and report.samples is not None and any(verdict.leaks for verdict in verdicts(report.samples))
    return not report.figures.server_faults and not leaks


if __name__ == "__main__":
    sys.exit(main())

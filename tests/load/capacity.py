"""What each user action costs, in DynamoDB capacity units and in statements to PostgreSQL, as a page of the reference.

`--write` writes docs/reference/capacity.md; `--check` says whether it is current, and a test of the default suite asks.
"""

import argparse
import asyncio
import gc
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from content import bring_stories, publish_sittings
from counting import Work, counting
from documented import REFERENCE
from served_here import CountedPerson, counted_person, opened, serving
from workload import ACTIONS
from writing import settle_in

from almanac.kit.clock import FixedClock

PAGE = REFERENCE / "capacity.md"
SITTINGS = 2
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
INTRODUCTION = """\
<!-- Written by `python tests/load/capacity.py --write` from a run of every action; edit that instead. -->
# What each action costs

Each action of the [load driver](load.md) was done once in a small installation, and everything it caused was counted:
calls to the tables, the capacity units that DynamoDB charges for them (with their indexes, and twice for transactions),
and statements to PostgreSQL. *Then* is what the worker does because of it. A read unit is 4 KB read consistently, or
8 KB otherwise; a write unit is 1 KB. With on-demand capacity, multiply units by the price of a million of them.

The figures are the same in every run; a change that costs more shows here, in review. How they stay as data grows is
in [load.md](load.md).

| action | calls | read units | write units | statements | then: read | then: write |
|---|---|---|---|---|---|---|
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--database", help="the address of an empty, migrated PostgreSQL database to count in")
    options = parser.parse_args()
    # As `almanac` does once its modules are loaded: what stays for ever is not looked through again and again.
    gc.freeze()
    with tempfile.TemporaryDirectory(prefix="almanac-capacity-", ignore_cleanup_errors=True) as folder:
        # As root, PostgreSQL runs under an account of its own that must be able to pass through.
        Path(folder).chmod(0o755)
        text = asyncio.run(page(Path(folder) / "data", options.database))
    if options.write:
        PAGE.write_text(text, "utf-8")
    elif options.check:
        return told_difference(text)
    else:
        sys.stdout.write(text)
    return 0


async def page(folder: Path, database_url: str | None) -> str:
    async with opened(folder, database_url, FixedClock(NOON)) as services:
        await bring_stories(services)
        await publish_sittings(services, SITTINGS)
        with counting(services) as meter:
            async with serving(services) as url, counted_person(services, meter, url) as person:
                await settle_in(person)
                await do_everything(person)
                return INTRODUCTION + "".join(rows(person))


async def do_everything(person: CountedPerson, *, rounds: int = 2) -> None:
    """Every action twice: one may also fill a cache, so that the least counts.

    What the installation does by itself meanwhile only ever adds to an action.
    """
    least: dict[str, Work] = {}
    for _ in range(rounds):
        for number, action in enumerate(ACTIONS):
            # Each chooses by itself: how many there are to choose from isn't the same in every run.
            person.chance.seed(number)
            await action.do(person)
        for name, work in person.asked.items():
            least[name] = _least(least.get(name, work), work)
    person.asked.update(least)
    if faults := {name: timings.faults for name, timings in person.book.items() if timings.faults}:
        raise RuntimeError(f"Something was refused, so its cost is not known: {faults}")


def _least(work: Work, other: Work) -> Work:
    """The least of each figure: one time may have filled a cache, and during the other something else was stated."""
    return Work(
        calls=min(work.calls, other.calls),
        read_units=min(work.read_units, other.read_units),
        write_units=min(work.write_units, other.write_units),
        seconds=min(work.seconds, other.seconds),
        statements=min(work.statements, other.statements, key=len),
    )


def rows(person: CountedPerson) -> list[str]:
    return [row(name, work, person.followed[name]) for name, work in sorted(person.asked.items())]


def row(name: str, work: Work, then: Work) -> str:
    figures = (work.calls, work.read_units, work.write_units, len(work.statements), then.read_units, then.write_units)
    return f"| {name} | {' | '.join(f'{figure:g}' for figure in figures)} |\n"


def told_difference(text: str) -> int:
    existing = PAGE.read_text("utf-8").splitlines() if PAGE.exists() else []
    changed = [line for line in text.splitlines() if line not in existing]
    gone = [line for line in existing if line not in text.splitlines()]
    if not changed and not gone:
        return 0
    sys.stderr.writelines(f"{line}\n" for line in ["Costs now:", *changed, "and in docs/reference/capacity.md:", *gone])
    sys.stderr.write("If that is meant, run `python tests/load/capacity.py --write`.\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())

"""Proves that nothing is invented: every statement of the demo is supported, and injected faults are found.

`nothing_invented.py` alone prints the table of faults by kind; each miss is named, so that it can be looked at.
"""

import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from nothing_invented_artefacts import Statement, statements
from nothing_invented_faults import faults_in
from report import Report

from almanac.accounts.model import Principal
from almanac.accounts.service import first_run_link
from almanac.bootstrap import DEMO, make_worker, open_services
from almanac.config import Settings
from almanac.services import Services

SEED = 20261116
MOST_OF_A_KIND = 150
LONGEST_LOAD = 900
DANGLING = "a reference that leads nowhere"
# What of a hundred faults must be found; the wording of a name or the opposite of a sentence has no such sure sign.
LEAST_FOUND = {"another name": 0.9, "the opposite": 0.9}
LEAST_FOUND_OF_OTHERS = 0.95


@dataclass
class Tally:
    """Faults of one kind: how many were put in, and the wordings that nobody noticed."""

    tried: int = 0
    missed: list[str] = field(default_factory=list)

    @property
    def found(self) -> int:
        return self.tried - len(self.missed)

    @property
    def recall(self) -> float:
        return self.found / self.tried if self.tried else 1.0


def unsupported(statements: Iterable[Statement]) -> list[Statement]:
    """The statements of the demo that their sources don't support, or contradict if a person wrote them."""
    return [statement for statement in statements if statement.is_wrong]


def left_to_a_reader(statements: Iterable[Statement]) -> list[Statement]:
    """The statements that a person wrote and that a person must read, since words of them are not in the source."""
    return [statement for statement in statements if not statement.is_wrong and not statement.holds(statement.text)]


def inject(statements: Sequence[Statement], *, most: int = MOST_OF_A_KIND, seed: int = SEED) -> dict[str, Tally]:
    """Faults of every kind in statements chosen by chance, the same for the same seed."""
    chance = random.Random(seed)
    tallies: dict[str, Tally] = {}
    taken: Counter[tuple[str, str]] = Counter()
    held = [statement for statement in statements if statement.holds(statement.text)]
    for statement in chance.sample(held, len(held)):
        for kind, faulty in faults_in(statement, chance):
            if taken[kind, statement.desk] < most:
                taken[kind, statement.desk] += 1
                _try(tallies.setdefault(kind, Tally()), statement.holds(faulty), faulty)
        if statement.holds_elsewhere is not None and taken[DANGLING, statement.desk] < most:
            taken[DANGLING, statement.desk] += 1
            _try(tallies.setdefault(DANGLING, Tally()), statement.holds_elsewhere(), statement.text)
    return tallies


def _try(tally: Tally, unnoticed: bool, faulty: str) -> None:
    tally.tried += 1
    if unnoticed:
        tally.missed.append(faulty)


async def load_demo(services: Services) -> Principal:
    """The whole demo, as a worker loads it; the answer is whose it is."""
    user = (await first_run_link(services.accounts)).user
    await DEMO.queue(services, user.id)
    worker = asyncio.create_task(make_worker(services).run())
    async with asyncio.timeout(LONGEST_LOAD):
        while not await DEMO.is_complete(services):  # noqa: ASYNC110 - it is complete in another process's words
            await asyncio.sleep(0.5)
    worker.cancel()
    with suppress(asyncio.CancelledError):
        await worker
    return Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="console")


async def said_by_the_demo() -> list[Statement]:
    """Every statement of a demo that is loaded for this."""
    with tempfile.TemporaryDirectory(prefix="almanac-prove-", ignore_cleanup_errors=True) as folder:
        async with open_services(Settings(data=Path(folder), mail_url="memory:")) as services:
            return await statements(services, await load_demo(services))


def report_on(statements: Sequence[Statement], wrong: Sequence[Statement], tallies: dict[str, Tally]) -> Report:
    """What was found, as claims."""
    report = Report("Nothing invented")
    for artefact, count in sorted(Counter(item.artefact for item in statements).items()):
        faults = [item.text for item in wrong if item.artefact == artefact]
        sentence = f"Of each {artefact}, everything stated is supported by its sources"
        report.claim(sentence, f"{count - len(faults)} of {count}", holds=not faults, detail="\n".join(faults))
    doubted = len(left_to_a_reader(statements))
    report.claim("Left for a person to read, of what people wrote for the demo", f"{doubted} of {len(statements)}")
    for kind, tally in tallies.items():
        least = LEAST_FOUND.get(kind, LEAST_FOUND_OF_OTHERS)
        figure = f"{tally.found} of {tally.tried} ({tally.recall:.1%})"
        report.claim(
            f"Injected: {kind}, and found", figure, holds=tally.recall >= least, detail="\n".join(tally.missed)
        )
    result, tried = sum(tally.found for tally in tallies.values()), sum(tally.tried for tally in tallies.values())
    report.claim("Of all injected faults found (recall)", f"{result / tried:.1%}")
    report.claim("Of all alarms justified (precision)", f"{result / (result + len(wrong)):.1%}", holds=not wrong)
    return report


def prove() -> Report:
    """The demo as it is, and with faults in it."""
    statements = asyncio.run(said_by_the_demo())
    return report_on(statements, unsupported(statements), inject(statements))


if __name__ == "__main__":
    result = asyncio.run(said_by_the_demo())
    tallied = inject(result)
    sys.stdout.write(report_on(result, unsupported(result), tallied).as_text() + "\n")
    for name, tally in tallied.items():
        sys.stdout.writelines(f"missed, {name}: {line}\n" for line in tally.missed)

"""Checks of acceptances themselves: each needs a reason, and something to accept."""

from collections.abc import Iterator

from tablature.design.declared import Accepted
from tablature.design.module import Design

from .checks import Spot, check

_SHORTEST_REASON = 10


@check(
    "TAB901",
    "An acceptance gives no reason",
    "error",
    why="An accepted finding is a decision. Without a reason nobody can tell later whether it still holds.",
    fix="Say in a sentence why the finding is right to stay.",
)
def no_reason(design: Design) -> Iterator[Spot]:
    for entry in design.accepted:
        if not has_reason(entry):
            yield Spot(f"{entry.code} {entry.subject}", "Its reason is empty or too short to be one.")


def has_reason(entry: Accepted) -> bool:
    return len(entry.reason.strip()) >= _SHORTEST_REASON


@check(
    "TAB902",
    "An acceptance matches nothing",
    "warning",
    why="What it accepted was cured, renamed or never there. Left in place, it would silently accept the next "
    "finding that happens to have the same name.",
    fix="Remove it, or correct its code and subject.",
)
def idle(_: Design) -> Iterator[Spot]:
    """Found by the run itself, which alone knows what was matched."""
    return iter(())


def idle_spots(entries: list[Accepted]) -> Iterator[Spot]:
    for entry in entries:
        yield Spot(f"{entry.code} {entry.subject}", "There is no such finding.")


CHECKS = (no_reason, idle)

"""What a check is and what it finds; the checks themselves are grouped by subject in the modules beside this one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tablature.design.module import Design

Severity = Literal["error", "warning", "advice"]


@dataclass(frozen=True, slots=True)
class Spot:
    """One place a check objects to: what is wrong there and, where it can be said, the concrete cure."""

    subject: str
    message: str
    cure: str = ""


Find = Callable[[Design], Iterator[Spot]]


@dataclass(frozen=True)
class Check:
    """One rule of good design, under a code that never changes its meaning."""

    code: str
    title: str
    severity: Severity
    why: str
    fix: str
    find: Find


def check(code: str, title: str, severity: Severity, *, why: str, fix: str) -> Callable[[Find], Check]:
    """Make a check of a function that looks for its spots."""

    def made(find: Find) -> Check:
        return Check(code, title, severity, why, fix, find)

    return made

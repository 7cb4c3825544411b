"""What people may know about models: which one writes what, what this month took, and whether work is paused."""

from dataclasses import dataclass

from almanac.llm.budget import Budget
from almanac.llm.choices import EXTRACTIVE, Choices
from almanac.llm.ledger import MonthOfUse


@dataclass(frozen=True, slots=True)
class Assignment:
    """Who writes a step; `what` is its name, or what the model is for."""

    what: str
    model: str


@dataclass(frozen=True, slots=True)
class Models:
    """The reading side of the gateway, for the page, the API, the command line and the doctor."""

    choices: Choices
    budget: Budget

    async def month(self, named: str | None = None) -> MonthOfUse:
        """One month of the ledger, such as `2026-03`; by default the present one."""
        return await self.budget.month(named)

    def assignments(self) -> list[Assignment]:
        """The default first, then the steps that differ from it, then vectors."""
        choices = self.choices
        named = [("every step", choices.default), *sorted(choices.steps.items())]
        lines = [Assignment(what, str(model or EXTRACTIVE)) for what, model in named]
        if choices.embedding is not None:
            lines.append(Assignment("vectors for search", str(choices.embedding)))
        return lines

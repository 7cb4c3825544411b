"""`almanac models`: which model writes what, and what a month of it took."""

from dataclasses import asdict
from typing import Annotated

import typer

from almanac.cli.boundary import run, services_for_command
from almanac.llm.assembly import ModelAssignment
from almanac.llm.store import MonthlyUse
from almanac.terminal import AsJson, print_json, print_line, print_table

Month = Annotated[str | None, typer.Option("--month", help="A month such as 2026-03; by default the present one.")]


def models(month: Month = None, as_json: AsJson = False) -> None:
    """Which model writes which step, and what a month of it took."""

    async def command() -> None:
        async with services_for_command() as services:
            use, assignments = await services.models.month(month), services.models.assignments()
        if as_json:
            print_json({"assignments": assignments, "unpriced": use.unpriced, **asdict(use)})
        else:
            _tell(use, assignments)

    run(command)


def _tell(use: MonthlyUse, assignments: list[ModelAssignment]) -> None:
    print_table(("what", "by"), [(line.what, line.model) for line in assignments], empty="Nothing is set.")
    cap = f" of ${use.cap:,.2f}" if use.cap is not None else ", no cap"
    print_line(f"\n{use.start:%B %Y}: ${use.spent:,.2f}{cap}")
    if use.paused_until:
        print_line(f"Paused until {use.paused_until:%-d %B %Y}, or until ALMANAC_LLM_MONTHLY_CAP is raised.")
    columns = ("desk", "step", "model", "uses", "remembered", "failed", "tokens in", "tokens out", "cost")
    rows = [
        (
            line.desk,
            line.step,
            line.model,
            line.uses,
            line.cached,
            line.failed,
            line.input_tokens,
            line.output_tokens,
            "not known" if line.unpriced else f"${line.cost:,.4f}",
        )
        for line in use.steps
    ]
    print_table(columns, rows, empty="Nothing was written this month.")

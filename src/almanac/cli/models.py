"""`almanac models`: the model of each step, and a month of usage."""

from dataclasses import asdict
from typing import Annotated

import typer

from almanac.cli.runtime import with_services
from almanac.llm.assembly import ModelAssignment
from almanac.llm.store import MonthlyUse
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, print_table

Month = Annotated[str | None, typer.Option("--month", help="A month such as 2026-03; by default the current one.")]


@with_services
async def models(services: Services, month: Month = None, as_json: AsJson = False) -> None:
    """Show which model writes which step, and a month of usage and cost."""
    use, assignments = await services.models.month(month), services.models.assignments()
    if as_json:
        print_json({"assignments": assignments, "unpriced": use.unpriced, **asdict(use)})
    else:
        _print_usage(use, assignments)


def _print_usage(use: MonthlyUse, assignments: list[ModelAssignment]) -> None:
    print_table(("what", "by"), [(line.what, line.model) for line in assignments], empty="No models configured.")
    cap = f" of ${use.cap:,.2f}" if use.cap is not None else ", no cap"
    print_line(f"\n{use.start:%B %Y}: ${use.spent:,.2f}{cap}")
    if use.paused_until:
        print_line(f"Paused until {use.paused_until:%-d %B %Y}, or until ALMANAC_LLM_MONTHLY_CAP is raised.")
    columns = ("desk", "step", "model", "uses", "cached", "failed", "tokens in", "tokens out", "cost")
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
            "unknown" if line.unpriced else f"${line.cost:,.4f}",
        )
        for line in use.steps
    ]
    print_table(columns, rows, empty="No usage this month.")

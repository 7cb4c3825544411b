"""`almanac why`: ask from a terminal why something is as it is."""

from typing import TYPE_CHECKING, Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.accounts.service import get_user_by_email
from almanac.cli.runtime import with_services
from almanac.desks import enabled_desks
from almanac.errors import NotFound
from almanac.kit.lazy import lazy_module
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line
from almanac.why import TraceStep, WhyTrace

# What says rights and jobs in words brings the templates along, which no other command needs.
if TYPE_CHECKING:
    from almanac.web import why_answer
else:
    why_answer = lazy_module("almanac.web.why_answer")

_MARKS = {"done": "+", "waiting": "-", "failed": "!", "running": ">", "plain": "·"}


@with_services
async def why(
    services: Services,
    about: Annotated[
        list[str],
        typer.Argument(metavar="THING", help="A customer, address, habit, meeting or sentence, or such as job:12."),
    ],
    email: Annotated[
        str | None, typer.Option("--as", help="Ask as this person; habits are shown to their owner alone.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Explain why something is as it is, and what comes next."""
    principal = CONSOLE
    if email:
        user = await get_user_by_email(services.accounts, CONSOLE, email)
        principal = user.as_principal("console", desks=services.accounts.desks)
    answer = await why_answer.answer_why(services, enabled_desks(services.settings), principal, " ".join(about))
    traces = [answer.trace] if answer.trace else answer.choices
    if not traces:
        raise NotFound("Nothing has this name; `almanac search` finds things by their words.")
    if as_json:
        print_json([_fields(trace) for trace in traces])
    elif answer.trace:
        _print_trace(answer.trace)
    else:
        for trace in traces:
            print_line(f"{trace.subject.about}  {trace.subject.title}: {trace.summary}")
        print_line("Ask about one of them, such as: almanac why " + traces[0].subject.about)


def _fields(trace: WhyTrace) -> dict[str, object]:
    return {
        "about": trace.subject.about,
        "kind": trace.subject.kind,
        "title": trace.subject.title,
        "state": trace.state,
        "tone": trace.tone,
        "href": trace.href,
        "steps": trace.steps,
        "next_step": trace.next_step,
        "actions": trace.actions,
    }


def _print_trace(trace: WhyTrace) -> None:
    print_line(f"{trace.subject.title}: {trace.state}")
    for step in trace.steps:
        print_line(_step_line(step))
    if trace.next_step:
        print_line(trace.next_step)


def _step_line(step: TraceStep) -> str:
    when = f"{step.moment:%Y-%m-%d %H:%M} " if step.moment else f"{step.day} " if step.day else ""
    quote = f" “{step.quote}”" if step.quote else ""
    group = f"{step.group}: " if step.group else ""
    return f"  {_MARKS[step.tone]} {when}{group}{step.sentence}{quote}"

"""Commands that draft, decide, send and settle reminders."""

from collections.abc import Awaitable, Callable
from typing import Annotated, cast, get_args

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.desks.reminders.api.decisions import ReminderStatusBody
from almanac.desks.reminders.api.drafts import DraftOutcomeBody
from almanac.desks.reminders.api.schemas import ReminderDraftBody
from almanac.desks.reminders.commands.arguments import (
    Customer,
    DraftArgument,
    NoteOption,
    parse_required_moment,
    print_one,
    print_rows,
    show_progress,
)
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.pipeline.dispatch import ReminderStatus
from almanac.desks.reminders.pipeline.drafts import MAX_BATCH_SIZE, WritingMethod, draft_many
from almanac.errors import InputError
from almanac.mail.model import MailSettlement
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_line

Decide = Callable[[Services], Awaitable[ReminderDraft]]
ByModel = Annotated[bool, typer.Option("--by-model", help="Have the model write it instead of the template.")]


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add them to the desk's commands."""
    _add_draft(app, run)
    _add_draft_due(app, run)
    _add_list(app, run)
    _add_decisions(app, run)
    _add_undo(app, run)
    _add_send(app, run)


def _how(by_model: bool) -> WritingMethod:
    return "model" if by_model else "template"


def _print_draft(draft: ReminderDraft, *, as_json: bool) -> None:
    body = ReminderDraftBody.from_model(draft)
    if as_json:
        print_one(body)
    else:
        reason = body.reason or body.outdated
        print_line(f"{body.id}: the {body.reminder_type} reminder is {body.status}.{f' {reason}' if reason else ''}")


def _decide(run: Run, decide: Decide, *, as_json: bool) -> None:
    async def work(services: Services) -> None:
        _print_draft(await decide(services), as_json=as_json)

    run(work)


def _add_draft(app: typer.Typer, run: Run) -> None:
    @app.command("draft")
    def draft(
        customer: Customer,
        level: Annotated[str | None, typer.Option("--level", help="Fails unless this level is next.")] = None,
        currency: Annotated[
            str | None, typer.Option("--currency", help="Required if they owe in several currencies.")
        ] = None,
        by_model: ByModel = False,
        as_json: AsJson = False,
    ) -> None:
        """Draft the next reminder of a customer."""
        _decide(
            run,
            lambda services: service.draft_reminder(
                services, CONSOLE, customer, currency=currency, level=level, how=_how(by_model)
            ),
            as_json=as_json,
        )

    @app.command("redraft")
    def redraft(draft: DraftArgument, by_model: ByModel = False, as_json: AsJson = False) -> None:
        """Rewrite a draft from what is owed now."""
        _decide(run, lambda services: service.redraft(services, CONSOLE, draft, how=_how(by_model)), as_json=as_json)


def _add_draft_due(app: typer.Typer, run: Run) -> None:
    @app.command("draft-due")
    def draft_due(by_model: ByModel = False, as_json: AsJson = False) -> None:
        """Draft for every customer who is due, as the daily schedule does."""

        async def work(services: Services) -> None:
            due, outcomes = await service.list_due_customers(services, CONSOLE, limit=None), []
            with show_progress("Drafting", quiet=as_json) as progress:
                for start in range(0, len(due), MAX_BATCH_SIZE):
                    some = due[start : start + MAX_BATCH_SIZE]
                    outcomes += await draft_many(services, CONSOLE, some, progress, how=_how(by_model), automatic=True)
            bodies = [DraftOutcomeBody.from_model(outcome) for outcome in outcomes]
            columns = {"customer_id": "Customer", "currency": "", "draft_id": "Draft", "reason": "Why there is none"}
            print_rows(bodies, columns, as_json=as_json, empty="Nobody is due; see `almanac reminders plan --all`.")

        run(work)


def _add_list(app: typer.Typer, run: Run) -> None:
    @app.command("drafts")
    def list_drafts(
        status: Annotated[str, typer.Option("--status", help="draft, approved, unknown, failed, …")] = "draft",
        as_json: AsJson = False,
    ) -> None:
        """List drafts in one status, oldest first, up to 200; by default those pending approval."""
        if status not in get_args(DraftState):
            raise InputError(f"A draft is one of {', '.join(get_args(DraftState))}.")

        async def work(services: Services) -> None:
            page = await service.list_drafts(services, CONSOLE, cast("DraftState", status), limit=200)
            columns = {
                "id": "Id",
                "customer_name": "Customer",
                "reminder_type": "Level",
                "overdue_amount": "Owed",
                "currency": "",
                "outdated": "What changed",
            }
            bodies = [ReminderDraftBody.from_model(draft) for draft in page.items]
            print_rows(bodies, columns, as_json=as_json, empty=f"There are no reminders with status {status}.")

        run(work)

    @app.command("show")
    def show_draft(draft: DraftArgument, as_json: AsJson = False) -> None:
        """Show a draft as it would be sent."""

        async def work(services: Services) -> None:
            body = ReminderDraftBody.from_model(await service.get_draft(services, CONSOLE, draft))
            if as_json:
                print_one(body)
            else:
                print_line(f"To: {', '.join(body.recipients)}\nSubject: {body.email_subject}\n\n{body.email_content}")

        run(work)


def _add_decisions(app: typer.Typer, run: Run) -> None:
    @app.command("approve")
    def approve(
        draft: DraftArgument,
        seen: Annotated[str | None, typer.Option("--seen", help="The content_hash of what you reviewed.")] = None,
        note: NoteOption = "",
        as_json: AsJson = False,
    ) -> None:
        """Approve a draft as it is now, or as reviewed; `send` sends it."""

        async def decided(services: Services) -> ReminderDraft:
            current = await service.get_draft(services, CONSOLE, draft)
            return await service.approve_draft(services, CONSOLE, draft, seen=seen or current.content_hash, note=note)

        _decide(run, decided, as_json=as_json)

    @app.command("reject")
    def reject(
        draft: DraftArgument,
        note: Annotated[str, typer.Argument(help="Why it is rejected.")],
        as_json: AsJson = False,
    ) -> None:
        """Reject a draft with a note for its author."""

        async def decided(services: Services) -> ReminderDraft:
            current = await service.get_draft(services, CONSOLE, draft)
            return await service.reject_draft(services, CONSOLE, draft, seen=current.content_hash, note=note)

        _decide(run, decided, as_json=as_json)

    @app.command("snooze")
    def snooze(
        draft: DraftArgument,
        until: Annotated[str, typer.Argument(help="A date or time, such as 2026-03-31.")],
        as_json: AsJson = False,
    ) -> None:
        """Snooze a draft until a given time."""
        moment = parse_required_moment(until)
        _decide(run, lambda services: service.snooze_draft(services, CONSOLE, draft, until=moment), as_json=as_json)


def _add_undo(app: typer.Typer, run: Run) -> None:
    @app.command("reopen")
    def reopen(draft: DraftArgument, as_json: AsJson = False) -> None:
        """Undo an approval, a rejection or a snooze."""
        _decide(run, lambda services: service.reopen_draft(services, CONSOLE, draft), as_json=as_json)

    @app.command("cancel")
    def cancel(
        draft: DraftArgument,
        why: Annotated[str, typer.Argument(help="Why it is cancelled.")],
        as_json: AsJson = False,
    ) -> None:
        """Cancel a draft for good; its level is free again."""
        _decide(run, lambda services: service.cancel_draft(services, CONSOLE, draft, why=why), as_json=as_json)


def _add_send(app: typer.Typer, run: Run) -> None:
    @app.command("send")
    def send(draft: DraftArgument, as_json: AsJson = False) -> None:
        """Send an approved draft now, once."""

        async def work(services: Services) -> None:
            _print_status(await service.send_draft(services, CONSOLE, draft), as_json=as_json)

        run(work)

    @app.command("settle")
    def settle(
        draft: DraftArgument,
        outcome: Annotated[str, typer.Argument(help="sent or not_sent")],
        why: Annotated[str, typer.Argument(help="How you know.")],
        as_json: AsJson = False,
    ) -> None:
        """Record whether a reminder in doubt was sent."""
        if outcome not in get_args(MailSettlement):
            raise InputError("It was sent or not_sent.")

        async def work(services: Services) -> None:
            settled = await service.settle_draft(services, CONSOLE, draft, cast("MailSettlement", outcome), why=why)
            _print_status(settled, as_json=as_json)

        run(work)


def _print_status(status: ReminderStatus, *, as_json: bool) -> None:
    body = ReminderStatusBody.from_model(status)
    if as_json:
        print_one(body)
    else:
        print_line(f"{body.id} is {body.status}.{f' {body.reason}' if body.reason else ''}")

"""What every step of the desk shares: the rules in force, the context of a decision, and one way to change a draft."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from almanac.accounts.model import CONSOLE, Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import publish_events
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.eligibility import Case
from almanac.desks.reminders.model.ladder import LadderRules
from almanac.desks.reminders.model.outbox import DraftEventRecorder, EventAction, OutboxEntry
from almanac.errors import NotAllowed
from almanac.kit.messages import gettext
from almanac.saved.owners import find_active_owner
from almanac.services import Services

# Folders of the object store. Whatever is in them names customers, so erasing a customer clears them.
PLANS_FOLDER, WRITINGS_FOLDER, IMPORTS_FOLDER = "reminders/plans", "reminders/writings", "reminders/imports"
BATCHES_FOLDER = "reminders/batches"


@dataclass(frozen=True, slots=True)
class DecisionContext:
    """The rules and the time of a decision. A batch shares one; its events collect in `unpublished` until the end."""

    rules: LadderRules
    now: datetime
    unpublished: list[OutboxEntry] = field(default_factory=list)


DraftUpdate = Callable[[ReminderDraft, Case, DecisionContext], ReminderDraft]


async def load_rules(services: Services) -> LadderRules:
    """The ladder's rules in force, in the installation's time zone."""
    return await store.get_rules(services.tables, time_zone=services.settings.time_zone)


async def load_decision_context(services: Services) -> DecisionContext:
    """The context of a decision made now."""
    return DecisionContext(await load_rules(services), services.clock.now())


async def update_draft(
    services: Services,
    by: Principal,
    draft_id: str,
    change: DraftUpdate,
    action: EventAction,
    why: str = "",
    *,
    expected: int | None = None,
    context: DecisionContext | None = None,
) -> ReminderDraft:
    """Change a draft in one transaction with its event, then publish the event.

    `action` names the event, or decides by the draft before and after. With a `context` the event is left for the
    caller to publish. `expected` is the version that was seen; another version is a Conflict.
    """
    used = context or await load_decision_context(services)
    recorder = DraftEventRecorder(by, action, used.now, why)
    changed = await store.change_draft(
        services.tables,
        draft_id,
        lambda draft, case: change(draft, case, used),
        rules=used.rules,
        now=used.now,
        expected=expected,
        record_event=recorder,
    )
    if context is None:
        await publish_events(services, recorder.entry)
    elif recorder.entry is not None:
        context.unpublished.append(recorder.entry)
    return changed


async def load_requester(services: Services, user_id: str) -> Principal:
    """The person who asked for a job, with the permissions they have now. NotAllowed if the account is closed."""
    if user_id == CONSOLE.user_id:
        return CONSOLE
    person = await find_active_owner(services.accounts, user_id)
    if person is None:
        raise NotAllowed(gettext("The account of the person who asked for this is closed; start it again."))
    return person

"""Customers: add, edit, list, erase, and opt out. Unsent reminders follow every change at once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from almanac.accounts.model import AUTOMATION, Principal
from almanac.audit.model import AuditAction, AuditSubject
from almanac.desks.reminders import store
from almanac.desks.reminders.events import CUSTOMER_OPTED_OUT, publish_events, record_change
from almanac.desks.reminders.formats.rows import LANGUAGE_PATTERN, MAX_NAME, MAX_NOTES, MAX_RECIPIENTS
from almanac.desks.reminders.indexing import index_customers
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.outbox import make_outbox_entry
from almanac.desks.reminders.permissions import READ, WRITE
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.pipeline.dispatch import withdraw_blocked_mails
from almanac.desks.reminders.pipeline.erasure import erase_customer_data
from almanac.desks.reminders.store.table import CUSTOMER_ID_PATTERN
from almanac.desks.reminders.urls import parse_opt_out_token
from almanac.errors import Conflict, FieldErrors, InputError, StaleEdit
from almanac.kit.ids import Seed
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.kit.retry import retry_on_conflict
from almanac.kit.text import one_line
from almanac.kit.time_zones import describe_unknown_zone
from almanac.mail.message import Address
from almanac.services import Services

_OPT_OUT_ATTEMPTS = 20
_CONFLICT_SENTENCE = gettext("Others are changing this right now; open the link again in a moment.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerEdit:
    """What to change about a customer; None leaves a field as it is, an empty text clears it."""

    name: str | None = None
    email: str | None = None
    more_recipients: tuple[str, ...] | None = None
    language: str | None = None
    time_zone: str | None = None
    opted_out: bool | None = None
    never_remind: bool | None = None
    notes: str | None = None


async def get_customer(services: Services, by: Principal, customer_id: str) -> Customer:
    by.require(READ)
    return await store.get_customer(services.tables, customer_id)


async def customer_exists(services: Services, by: Principal, name: str) -> bool:
    """Whether a customer has this id."""
    by.require(READ)
    return bool(CUSTOMER_ID_PATTERN.fullmatch(name) and await store.find_customers(services.tables, [name]))


async def list_customers(
    services: Services,
    by: Principal,
    *,
    name_prefix: str = "",
    descending: bool = False,
    limit: int = 50,
    cursor: str | None = None,
) -> Page[Customer]:
    """Customers by name, optionally only names with this beginning, or from the last name backwards."""
    by.require(READ)
    return await store.list_customers(
        services.tables, name_prefix=name_prefix, descending=descending, limit=limit, cursor=cursor
    )


async def add_customer(
    services: Services, by: Principal, customer_id: str, edit: CustomerEdit, *, seed: Seed | None = None
) -> Customer:
    """Add a customer under a chosen id; Conflict if it is taken, unless an earlier try of the request took it."""
    by.require(WRITE)
    customer = apply_customer_edit(Customer(id=customer_id, name="", created_at=services.clock.now()), edit)
    try:
        added = await store.create_customer(services.tables, customer, now=services.clock.now())
    except Conflict:
        added = await store.get_customer(services.tables, customer_id)
        if not (seed and seed.is_repeated) or apply_customer_edit(added, edit) != added:
            raise
    await index_customers(services, [added])
    await record_change(services, by, "customer.added", "customer", added.id)
    return added


async def edit_customer(
    services: Services, by: Principal, customer_id: str, edit: CustomerEdit, *, expected: int
) -> Customer:
    """Change a customer if it is still at version `expected`, else StaleEdit. Open drafts are updated."""
    by.require(WRITE)
    current = await store.get_customer(services.tables, customer_id)
    if current.version != expected:
        raise StaleEdit(
            gettext("Somebody else changed this customer first; load it again."), current=str(current.version)
        )
    if current.erased_at is not None:
        raise Conflict(gettext("The customer's data was erased; it can't be edited any more."))
    changed = apply_customer_edit(current, edit)
    if changed == current:
        return current
    saved = await store.save_customer(services.tables, changed)
    rules = await load_rules(services)
    await store.refresh_open_drafts(services.tables, customer_id, rules=rules, now=services.clock.now())
    await withdraw_blocked_mails(services, customer_id)
    await index_customers(services, [saved])
    await record_change(services, by, "customer.changed", "customer", customer_id, version=saved.version)
    return saved


async def erase_customer(services: Services, by: Principal, customer_id: str) -> Customer:
    """Erase everything personal on request; amounts and what prevents a second reminder stay."""
    by.require(WRITE)
    return await erase_customer_data(services, by, customer_id)


def apply_customer_edit(customer: Customer, edit: CustomerEdit) -> Customer:
    """The customer with the edit. FieldErrors with one sentence for each invalid field."""
    errors: dict[str, str] = {}

    def checked(field: str, check: Callable[[], None]) -> None:
        try:
            check()
        except (InputError, ValueError, OSError) as error:
            errors[field] = error.sentence if isinstance(error, InputError) else f"{error}"

    more = tuple(filter(None, (text.strip() for text in edit.more_recipients or ())))
    checked("name", lambda: _check_name(edit.name if edit.name is not None else customer.name))
    checked("email", lambda: _check_address(edit.email))
    checked("more_recipients", lambda: _check_addresses(more))
    checked("language", lambda: _check_language(edit.language))
    checked("time_zone", lambda: _check_zone(edit.time_zone))
    checked("notes", lambda: _check_notes(edit.notes))
    if errors:
        raise FieldErrors(errors)
    return replace(
        customer,
        name=customer.name if edit.name is None else one_line(edit.name),
        email=customer.email if edit.email is None else _parse_optional_email(edit.email),
        more_recipients=customer.more_recipients if edit.more_recipients is None else tuple(map(_parse_email, more)),
        language=edit.language or customer.language,
        time_zone=customer.time_zone if edit.time_zone is None else edit.time_zone.strip() or None,
        opted_out=customer.opted_out if edit.opted_out is None else edit.opted_out,
        never_remind=customer.never_remind if edit.never_remind is None else edit.never_remind,
        notes=customer.notes if edit.notes is None else edit.notes.strip(),
    )


def _check_name(name: str) -> None:
    if not 1 <= len(one_line(name)) <= MAX_NAME:
        raise InputError(gettext("Enter a name of up to %(limit)s characters.", limit=MAX_NAME))


def _check_notes(notes: str | None) -> None:
    if notes and len(notes) > MAX_NOTES:
        raise InputError(gettext("Notes have at most %(limit)s characters.", limit=f"{MAX_NOTES:,}"))


def _check_address(email: str | None) -> None:
    if email and email.strip():
        _parse_email(email)


def _check_addresses(emails: tuple[str, ...]) -> None:
    if len(emails) > MAX_RECIPIENTS:
        raise InputError(gettext("A reminder goes to at most %(limit)s more addresses.", limit=MAX_RECIPIENTS))
    for email in emails:
        _parse_email(email)


def _check_language(language: str | None) -> None:
    if language and not LANGUAGE_PATTERN.fullmatch(language):
        raise InputError(gettext("This isn't a language; use a code such as en."))


def _check_zone(zone: str | None) -> None:
    try:
        ZoneInfo(zone.strip()) if zone and zone.strip() else None
    except (ValueError, OSError, KeyError):
        raise InputError(describe_unknown_zone(zone or "")) from None


def _parse_optional_email(email: str) -> str | None:
    return _parse_email(email) if email.strip() else None


def _parse_email(email: str) -> str:
    return Address.parse(email).email


async def opt_out(services: Services, token: str) -> Customer:
    """Opt out with the signed link in a mail; unsent reminders are withdrawn. Repeating it is fine."""
    customer_id = parse_opt_out_token(services, token)
    now = services.clock.now()
    deed = AuditAction(AUTOMATION.actor, CUSTOMER_OPTED_OUT, AuditSubject("reminders.customer", customer_id))
    entry = make_outbox_entry(now, deed)

    async def attempt() -> tuple[Customer, bool]:
        customer = await store.get_customer(services.tables, customer_id)
        if customer.opted_out:
            return customer, False
        return await store.save_customer(services.tables, replace(customer, opted_out=True), entry), True

    customer, changed = await retry_on_conflict(
        attempt, conflict=StaleEdit, attempts=_OPT_OUT_ATTEMPTS, sentence=_CONFLICT_SENTENCE
    )
    if changed:
        await store.refresh_open_drafts(services.tables, customer_id, rules=await load_rules(services), now=now)
        await withdraw_blocked_mails(services, customer_id)
        await publish_events(services, entry)
    return customer

"""Templates: list them, save a new version, and preview the letter for a real customer."""

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import record_change
from almanac.desks.reminders.model import transitions
from almanac.desks.reminders.model.draft import (
    DebtFacts,
    LetterWording,
    ReminderDraft,
    ReminderTemplate,
    check_template_id,
)
from almanac.desks.reminders.model.eligibility import Case
from almanac.desks.reminders.model.ladder import UNSENT_STATES
from almanac.desks.reminders.permissions import READ, WRITE
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.store.drafts import iterate_drafts
from almanac.desks.reminders.store.templates import add_template_version, list_active_templates
from almanac.desks.reminders.writer.letters import write_from_template
from almanac.desks.reminders.writer.templates import (
    SHIPPED,
    TemplateText,
    check_template,
    get_sender_name,
    shipped_template,
    store_shipped_template,
)
from almanac.errors import AlmanacError, Conflict, FieldErrors, NotFound, StaleEdit
from almanac.kit.ids import Seed
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.services import Services

_MAX_TEMPLATE_NAME = 200


async def list_templates(services: Services, by: Principal) -> list[ReminderTemplate]:
    """The newest version of every template, shipped ones included."""
    by.require(READ)
    stored = {template.id: template for template in await list_active_templates(services.tables)}
    shipped = {name: template for name in SHIPPED if (template := shipped_template(name)) is not None}
    return [template for _, template in sorted({**shipped, **stored}.items())]


async def list_template_versions(services: Services, by: Principal, template_id: str) -> list[ReminderTemplate]:
    """All versions of a template, the newest first. NotFound if there is none."""
    by.require(READ)
    versions = await store.list_template_versions(services.tables, template_id)
    shipped = shipped_template(template_id)
    if not versions and shipped is None:
        raise NotFound(gettext("Template %(template_id)s doesn't exist; check its id.", template_id=template_id[:60]))
    return versions or ([shipped] if shipped else [])


async def get_template(
    services: Services, by: Principal, template_id: str, version: int | None = None
) -> ReminderTemplate:
    """One version of a template, by default the newest. NotFound if there is none."""
    versions = await list_template_versions(services, by, template_id)
    template = (
        versions[0]
        if version is None
        else next((candidate for candidate in versions if candidate.version == version), None)
    )
    if template is None:
        raise NotFound(
            gettext(
                "The template %(template_id)s has no version %(version)s.",
                template_id=template_id[:60],
                version=version,
            )
        )
    return template


async def save_template(
    services: Services,
    by: Principal,
    template_id: str,
    text: TemplateText,
    *,
    name: str = "",
    expected: int,
    seed: Seed | None = None,
) -> ReminderTemplate:
    """Add a version if `expected` is still the newest, else StaleEdit; 0 creates a template.

    A version that an earlier try of the request added is returned.
    Unsent drafts of older versions must be rewritten before approval.
    """
    by.require(WRITE)
    check_template(text)
    if len(name) > _MAX_TEMPLATE_NAME:
        raise FieldErrors({"name": gettext("A name has at most %(limit)s characters.", limit=_MAX_TEMPLATE_NAME)})
    newest = await _find_newest(services, check_template_id(template_id))
    current = newest.version if newest else 0
    if (
        seed
        and seed.is_repeated
        and newest
        and (newest.version, newest.subject, newest.body)
        == (
            expected + 1,
            text.subject,
            text.body,
        )
    ):
        await _outdate_drafts(services, newest)
        return newest
    if current != expected:
        raise StaleEdit(
            gettext("Somebody else saved a version first; review it and repeat your change."), current=str(current)
        )
    if newest is not None and newest.created_at is None:
        await store_shipped_template(services, newest)
    saved = await add_template_version(
        services.tables,
        ReminderTemplate(
            id=template_id,
            version=expected + 1,
            name=one_line(name) or (newest.name if newest else template_id),
            subject=text.subject,
            body=text.body,
            kind=newest.kind if newest else "",
        ),
    )
    await record_change(services, by, "template.saved", "template", template_id, version=saved.version)
    await _outdate_drafts(services, saved)
    return saved


async def _find_newest(services: Services, template_id: str) -> ReminderTemplate | None:
    versions = await store.list_template_versions(services.tables, template_id)
    return versions[0] if versions else shipped_template(template_id)


async def _outdate_drafts(services: Services, template: ReminderTemplate) -> None:
    """Mark unsent drafts of older versions as outdated; their approvals are withdrawn."""
    rules, now = await load_rules(services), services.clock.now()

    def outdated(draft: ReminderDraft, _: Case) -> ReminderDraft:
        return transitions.mark_outdated(draft, transitions.TEMPLATE_CHANGED) if draft.state in UNSENT_STATES else draft

    for state in sorted(UNSENT_STATES):
        for draft in [item async for item in iterate_drafts(services.tables, state)]:
            if draft.wording.template_id == template.id and draft.wording.template_version != template.version:
                try:
                    await store.change_draft(services.tables, draft.id, outdated, rules=rules, now=now)
                except AlmanacError:
                    # It was sent, removed or taken by another program meanwhile; sending checks the version again.
                    continue


async def preview_template(
    services: Services,
    by: Principal,
    template_id: str,
    customer_id: str,
    *,
    text: TemplateText | None = None,
    currency: str | None = None,
) -> LetterWording:
    """The letter that a template, or an unsaved text, makes for a customer now."""
    by.require(READ)
    stored = await get_template(services, by, template_id) if text is None else None
    if text is not None:
        check_template(text)
    template = stored or ReminderTemplate(
        id=template_id,
        version=0,
        name=template_id,
        subject=text.subject if text else "",
        body=text.body if text else "",
    )
    case = await _choose_overdue_case(services, customer_id, currency)
    facts = DebtFacts.from_debt(case.debt(await load_rules(services), services.clock.now()))
    level = SHIPPED.get(template_id, (template.kind.removesuffix("_reminder") or "first", ""))[0]
    return write_from_template(template, case.customer, facts, level=level, sender_name=get_sender_name(services))


async def _choose_overdue_case(services: Services, customer_id: str, currency: str | None) -> Case:
    rules, now = await load_rules(services), services.clock.now()
    cases = await store.read_cases(services.tables, customer_id)
    overdue = [case for case in cases if case.debt(rules, now) and currency in (None, case.currency)]
    if not overdue:
        raise Conflict(gettext("This customer has nothing overdue; choose another one for the preview."))
    return overdue[0]

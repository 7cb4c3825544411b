"""Templates: list them, look at one, save a new version, and see what it makes for a real customer."""

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model import moves
from almanac.desks.reminders.model.deciding import Case
from almanac.desks.reminders.model.draft import Draft, Facts, Wording
from almanac.desks.reminders.model.ladder import UNSENT_STATES
from almanac.desks.reminders.model.template import Template, check_template_id
from almanac.desks.reminders.sending.deciding import READ, WRITE, rules_of
from almanac.desks.reminders.service.noting import note
from almanac.desks.reminders.store.reading import each_draft
from almanac.desks.reminders.store.templates import active_templates, add_template_version, template_versions
from almanac.desks.reminders.writer.composing import from_template
from almanac.desks.reminders.writer.shipped import SHIPPED, shipped_text, template_id
from almanac.desks.reminders.writer.templating import TemplateText, check_template
from almanac.desks.reminders.writer.values import base_language
from almanac.errors import AlmanacError, Conflict, FieldErrors, NotFound, StaleEdit
from almanac.kit.text import one_line
from almanac.mail.address import Address
from almanac.services import Services

_LONGEST_NAME = 200


async def list_templates(services: Services, by: Principal) -> list[Template]:
    """The newest version of every template, also of those that come with Almanac and were not used yet."""
    by.require(READ)
    stored = {template.id: template for template in await active_templates(services.tables)}
    shipped = {name: template for name in SHIPPED if (template := shipped_template(name)) is not None}
    return [template for _, template in sorted({**shipped, **stored}.items())]


async def list_versions(services: Services, by: Principal, of: str) -> list[Template]:
    """All versions of a template, the newest first."""
    by.require(READ)
    found = await template_versions(services.tables, of)
    shipped = shipped_template(of)
    if not found and shipped is None:
        raise NotFound(f"There is no template {of[:60]}; check its id.")
    return found or ([shipped] if shipped else [])


async def get_template(services: Services, by: Principal, of: str, version: int | None = None) -> Template:
    """One version of a template, or the newest one."""
    versions = await list_versions(services, by, of)
    found = versions[0] if version is None else next((one for one in versions if one.version == version), None)
    if found is None:
        raise NotFound(f"The template {of[:60]} has no version {version}.")
    return found


async def save_template(
    services: Services, by: Principal, of: str, text: TemplateText, *, name: str = "", expected: int
) -> Template:
    """A new version, written on version `expected`; 0 begins a new template. Unsent drafts of older ones go stale."""
    by.require(WRITE)
    check_template(text)
    if len(name) > _LONGEST_NAME:
        raise FieldErrors({"name": f"A name has at most {_LONGEST_NAME} characters."})
    newest = await _newest(services, check_template_id(of))
    current = newest.version if newest else 0
    if current != expected:
        raise StaleEdit("Somebody else saved a version first; look at it and repeat your change.", current=str(current))
    if newest is not None and newest.created_at is None:
        await keep_template(services, newest)
    saved = await add_template_version(
        services.tables,
        Template(
            id=of,
            version=expected + 1,
            name=one_line(name) or (newest.name if newest else of),
            subject=text.subject,
            body=text.body,
            kind=newest.kind if newest else "",
        ),
    )
    await note(services, by, "template.saved", "template", of, version=saved.version)
    await _outdate_drafts(services, saved)
    return saved


async def _newest(services: Services, of: str) -> Template | None:
    versions = await template_versions(services.tables, of)
    return versions[0] if versions else shipped_template(of)


async def _outdate_drafts(services: Services, template: Template) -> None:
    """What rests on an older version must be written anew; its approval is void."""
    rules, now = await rules_of(services), services.clock.now()

    def outdated(draft: Draft, _: Case) -> Draft:
        return moves.outdate(draft, moves.TEMPLATE_CHANGED) if draft.state in UNSENT_STATES else draft

    for state in sorted(UNSENT_STATES):
        for draft in [one async for one in each_draft(services.tables, state)]:
            if draft.wording.template_id == template.id and draft.wording.template_version != template.version:
                try:
                    await store.change_draft(services.tables, draft.id, outdated, rules=rules, now=now)
                except AlmanacError:
                    # It was sent, removed or taken by another program meanwhile; sending looks at the version again.
                    continue


async def keep_template(services: Services, template: Template) -> Template:
    """Store a text that comes with Almanac as it is now, so that its version never changes afterwards."""
    try:
        return await add_template_version(services.tables, template)
    except StaleEdit:
        return (await template_versions(services.tables, template.id))[0]


async def template_for(services: Services, level: str, language: str) -> Template:
    """The template of a level in a language; English where there is none in it."""
    for name in dict.fromkeys((template_id(level, base_language(language)), template_id(level))):
        stored = await template_versions(services.tables, name)
        found = next((one for one in stored if one.active), None) if stored else shipped_template(name)
        if found is not None:
            return found
    raise NotFound(f"There is no template {template_id(level)} for the level {level}; save one.")


def shipped_template(of: str) -> Template | None:
    text = shipped_text(of)
    if text is None:
        return None
    level, language = SHIPPED[of]
    name = f"{level.capitalize()} reminder" + (f" ({language})" if language != "en" else "")
    return Template(id=of, version=1, name=name, subject=text.subject, body=text.body, kind=f"{level}_reminder")


def sender_name(services: Services) -> str:
    """The name that letters are signed with: that of the sender's address."""
    sender = Address.parse(services.settings.mail_from)
    return sender.name or sender.email


async def preview_template(
    services: Services,
    by: Principal,
    of: str,
    customer_id: str,
    *,
    text: TemplateText | None = None,
    currency: str | None = None,
) -> Wording:
    """What the template, or a text that is not saved yet, makes for a customer as the ledger stands."""
    by.require(READ)
    known = await get_template(services, by, of) if text is None else None
    if text is not None:
        check_template(text)
    template = known or Template(
        id=of, version=0, name=of, subject=text.subject if text else "", body=text.body if text else ""
    )
    case = await _case(services, customer_id, currency)
    facts = Facts.of(case.debt(await rules_of(services), services.clock.now()))
    level = SHIPPED.get(of, (template.kind.removesuffix("_reminder") or "first", ""))[0]
    return from_template(template, case.customer, facts, level=level, sender_name=sender_name(services))


async def _case(services: Services, customer_id: str, currency: str | None) -> Case:
    rules, now = await rules_of(services), services.clock.now()
    cases = await store.read_cases(services.tables, customer_id)
    owing = [case for case in cases if case.debt(rules, now) and currency in (None, case.currency)]
    if not owing:
        raise Conflict("Nothing of this customer is overdue; choose another one for the preview.")
    return owing[0]

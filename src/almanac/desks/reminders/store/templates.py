"""Templates in the table: a version is added and never changed."""

from almanac.desks.reminders.model.draft import ReminderTemplate
from almanac.desks.reminders.store import table
from almanac.errors import StaleEdit
from almanac.kit.messages import gettext
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists

_STALE_TEMPLATE = gettext("Somebody else saved a version of this template first; review it and repeat your change.")
ACTIVE = "active"


async def list_template_versions(tables: AsyncDatabase, template_id: str) -> list[ReminderTemplate]:
    """All versions of a template, the newest first."""
    query = table.EmailTemplate.versions(template_id=template_id)
    versions = [to_template(item) async for item in tables.each(query)]
    return sorted(versions, key=lambda template: template.version, reverse=True)


async def find_active_template(tables: AsyncDatabase, template_id: str) -> ReminderTemplate | None:
    """The newest version in use, or None."""
    return next((version for version in await list_template_versions(tables, template_id) if version.active), None)


async def list_active_templates(tables: AsyncDatabase) -> list[ReminderTemplate]:
    """The newest version in use of every template that is stored, by id."""
    newest: dict[str, ReminderTemplate] = {}
    async for item in tables.each(table.EmailTemplate.with_status(status=ACTIVE), page=100):
        current = newest.get(item.template_id)
        if current is None or current.version < item.version:
            newest[item.template_id] = to_template(item)
    return [newest[name] for name in sorted(newest)]


async def add_template_version(tables: AsyncDatabase, template: ReminderTemplate) -> ReminderTemplate:
    """Store a new version; StaleEdit if its number is taken."""
    try:
        return to_template(await tables.create(_template_item(template)))
    except AlreadyExists as error:
        raise StaleEdit(_STALE_TEMPLATE, current=str(template.version)) from error


def to_template(item: table.EmailTemplate) -> ReminderTemplate:
    return ReminderTemplate(
        id=item.template_id,
        version=item.version,
        name=item.template_name or item.template_id,
        subject=item.subject_template,
        body=item.body_template,
        kind=item.template_type or "",
        active=item.status == ACTIVE,
        created_at=item.created_date,
    )


def _template_item(template: ReminderTemplate) -> table.EmailTemplate:
    return table.EmailTemplate(
        template_id=template.id,
        version=template.version,
        template_name=template.name,
        template_type=template.kind or None,
        subject_template=template.subject,
        body_template=template.body,
        status=ACTIVE if template.active else "retired",
    )

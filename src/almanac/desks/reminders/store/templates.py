"""Templates in the table: versions are added, never changed."""

from almanac.desks.reminders import table
from almanac.desks.reminders.model.template import Template
from almanac.errors import StaleEdit
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists

_CHANGED = "Somebody else saved a version of this template first; look at it and repeat your change."
ACTIVE = "active"


async def template_versions(tables: AsyncDatabase, template_id: str) -> list[Template]:
    """All versions of a template, the newest first."""
    query = table.EmailTemplate.versions(template_id=template_id)
    found = [template_from(item) async for item in tables.each(query)]
    return sorted(found, key=lambda template: template.version, reverse=True)


async def latest_template(tables: AsyncDatabase, template_id: str) -> Template | None:
    """The newest version of a template that is in use."""
    return next((one for one in await template_versions(tables, template_id) if one.active), None)


async def active_templates(tables: AsyncDatabase) -> list[Template]:
    """The newest version in use of every template that is stored, by id."""
    newest: dict[str, Template] = {}
    async for item in tables.each(table.EmailTemplate.with_status(status=ACTIVE), page=100):
        known = newest.get(item.template_id)
        if known is None or known.version < item.version:
            newest[item.template_id] = template_from(item)
    return [newest[name] for name in sorted(newest)]


async def add_template_version(tables: AsyncDatabase, template: Template) -> Template:
    """A new version; a number that is taken already is a StaleEdit."""
    try:
        return template_from(await tables.create(_stored(template)))
    except AlreadyExists as error:
        raise StaleEdit(_CHANGED, current=str(template.version)) from error


def template_from(item: table.EmailTemplate) -> Template:
    return Template(
        id=item.template_id,
        version=item.version,
        name=item.template_name or item.template_id,
        subject=item.subject_template,
        body=item.body_template,
        kind=item.template_type or "",
        active=item.status == ACTIVE,
        created_at=item.created_date,
    )


def _stored(template: Template) -> table.EmailTemplate:
    return table.EmailTemplate(
        template_id=template.id,
        version=template.version,
        template_name=template.name,
        template_type=template.kind or None,
        subject_template=template.subject,
        body_template=template.body,
        status=ACTIVE if template.active else "retired",
    )

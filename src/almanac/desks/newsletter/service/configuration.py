"""Step 1: begin a newsletter, configure it, begin another like it, and list one's own."""

from dataclasses import replace
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.configuration import ConfigurationEdit, configured, edited
from almanac.desks.newsletter.model.newsletter import FullNewsletter, Newsletter
from almanac.desks.newsletter.model.retrieval_plan import retrieval_plan
from almanac.desks.newsletter.model.schedule import next_runs, rhythm_of
from almanac.desks.newsletter.service.access import check_version, open_newsletter
from almanac.kit.paging import Page
from almanac.services import Services

_COPY_MARK = " (copy)"


async def create(services: Services, principal: Principal, edit: ConfigurationEdit) -> Newsletter:
    """A new newsletter of one's own; a person may have any number."""
    return await store.create_newsletter(
        services.tables,
        configured(edit),
        owner_id=principal.user_id,
        owner_email=principal.email,
        owner_name=principal.name,
        now=services.clock.now(),
    )


async def edit_configuration(
    services: Services, principal: Principal, code: str, edit: ConfigurationEdit, *, expected: int
) -> FullNewsletter:
    """Change the configuration. Steps done before stay; what they rest on has changed, and that is shown."""
    full = await open_newsletter(services, principal, code)
    check_version(expected, full.newsletter.version)
    configuration = edited(full.newsletter.configuration, edit)
    if configuration == full.newsletter.configuration:
        return full
    saved = await store.save_configuration(services.tables, code, configuration, expected=expected)
    return replace(full, newsletter=saved)


async def duplicate(services: Services, principal: Principal, code: str, *, title: str | None = None) -> Newsletter:
    """A new newsletter with the same configuration and topics, to begin the next issue from."""
    full = await open_newsletter(services, principal, code)
    old = full.newsletter.configuration
    edit = ConfigurationEdit(title=title or old.title[: 200 - len(_COPY_MARK)] + _COPY_MARK)
    made = await store.create_newsletter(
        services.tables,
        edited(old, edit),
        owner_id=principal.user_id,
        owner_email=principal.email,
        owner_name=principal.name,
        now=services.clock.now(),
        made_from=code,
    )
    if full.topics.selected:
        await store.save_topics(services.tables, made.code, expected=0, selected=full.topics.selected)
    return made


async def list_own(
    services: Services, principal: Principal, *, limit: int = 25, cursor: str | None = None
) -> Page[Newsletter]:
    """One's own newsletters, the latest first."""
    return await store.list_newsletters(services.tables, principal.user_id, limit=limit, cursor=cursor)


def upcoming_runs(services: Services, newsletter: Newsletter) -> list[datetime]:
    """When the next three issues are due."""
    configuration = newsletter.configuration
    zone = services.settings.time_zone
    rhythm = rhythm_of(configuration.frequency, configuration.schedule, time_zone=zone)
    return next_runs(rhythm, services.clock.now())


def plan_of(services: Services, newsletter: Newsletter) -> tuple[int, int]:
    """How many chunks a retrieval would take now, and of how many days."""
    plan = retrieval_plan(newsletter.configuration, services.clock.now())
    return plan.chunks, plan.days

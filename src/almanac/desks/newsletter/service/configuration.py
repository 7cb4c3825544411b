"""Step 1: begin a newsletter, configure it, begin another like it, and list one's own."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from almanac.accounts.model import Principal
from almanac.desks.newsletter import series_store, store
from almanac.desks.newsletter.events import record
from almanac.desks.newsletter.indexing import as_found, index_newsletter
from almanac.desks.newsletter.model.configuration import (
    LONGEST_TITLE,
    Configuration,
    ConfigurationEdit,
    configured,
    edited,
)
from almanac.desks.newsletter.model.newsletter import FullNewsletter, Newsletter
from almanac.desks.newsletter.model.schedule import next_runs, rhythm_of
from almanac.desks.newsletter.model.series import Series, once_only, rescheduled
from almanac.desks.newsletter.model.topics import chosen_topics
from almanac.desks.newsletter.service.access import check_version, open_newsletter
from almanac.kit.ids import Seed
from almanac.kit.paging import Page
from almanac.services import Services
from tablature import Write

_COPY_MARK = " (copy)"


async def create(
    services: Services,
    principal: Principal,
    edit: ConfigurationEdit,
    *,
    topics: Sequence[str] = (),
    seed: Seed | None = None,
) -> Newsletter:
    """A new newsletter of one's own; a person may have any number, but one for each seed."""
    return await _begin(services, principal, configured(edit), topics=chosen_topics(topics), seed=seed)


async def edit_configuration(
    services: Services, principal: Principal, code: str, edit: ConfigurationEdit, *, expected: int
) -> FullNewsletter:
    """Change the configuration. Steps done before stay; what they rest on has changed, and that is shown."""
    full = await open_newsletter(services, principal, code)
    check_version(expected, full.newsletter.version)
    configuration = edited(full.newsletter.configuration, edit)
    if configuration == full.newsletter.configuration:
        return full
    along: list[Write[Any]] = []
    if configuration.schedule != full.newsletter.configuration.schedule:
        series = await series_store.get_series(services.tables, code)
        along = _rescheduling(services, series, configuration)
    saved = await store.save_configuration(services.tables, code, configuration, expected=expected, along=along)
    changed = replace(full, newsletter=saved)
    await index_newsletter(services, changed)
    return changed


async def duplicate(
    services: Services, principal: Principal, code: str, *, title: str | None = None, seed: Seed | None = None
) -> Newsletter:
    """A new newsletter with the same configuration and topics, to begin the next issue from."""
    full = await open_newsletter(services, principal, code)
    old = full.newsletter.configuration
    edit = ConfigurationEdit(title=title or old.title[: LONGEST_TITLE - len(_COPY_MARK)] + _COPY_MARK)
    return await _begin(
        services, principal, once_only(edited(old, edit)), made_from=code, topics=full.topics.selected, seed=seed
    )


async def _begin(
    services: Services,
    principal: Principal,
    configuration: Configuration,
    *,
    made_from: str | None = None,
    topics: Sequence[str] = (),
    seed: Seed | None = None,
) -> Newsletter:
    """Create it, with its topics, and its series where it has a schedule, and enter that into the audit log."""

    def along(code: str) -> list[Write[Any]]:
        chosen = [store.topics_write(code, topics)] if topics else []
        return [*_rescheduling(services, Series(code=code), configuration), *chosen]

    async with services.database.unit() as unit:
        made = await store.create_newsletter(
            services.tables,
            configuration,
            owner_id=principal.user_id,
            owner_email=principal.email,
            owner_name=principal.name,
            now=services.clock.now(),
            made_from=made_from,
            seed=seed,
            along=along,
        )
        await record(unit, services, principal.actor, "newsletter.created", made.code)
        await services.search.put(unit, as_found(FullNewsletter(newsletter=made)))
    return made


def _rescheduling(services: Services, series: Series, configuration: Configuration) -> list[Write[Any]]:
    """What to write so that the series follows the configuration; nothing where it does, or never was one."""
    changed = rescheduled(series, configuration.schedule, services.clock.now())
    return [series_store.series_write(changed)] if changed != series else []


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

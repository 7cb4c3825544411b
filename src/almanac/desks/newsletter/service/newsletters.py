"""Whole newsletters: create, configure, duplicate, list, search, complete and delete."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from almanac.accounts.model import Principal
from almanac.citations.store import delete_citations
from almanac.desks.newsletter.events import record_action
from almanac.desks.newsletter.indexing import KIND, index_newsletter, to_document
from almanac.desks.newsletter.jobs import SWEEP
from almanac.desks.newsletter.model.configuration import (
    MAX_TITLE_LENGTH,
    Configuration,
    ConfigurationEdit,
    apply_configuration_edit,
    new_configuration,
)
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter, Newsletter
from almanac.desks.newsletter.model.readable_draft import DESK
from almanac.desks.newsletter.model.schedule import list_next_runs, schedule_or_default
from almanac.desks.newsletter.model.series import IssueSeries, deactivate_schedule, reschedule
from almanac.desks.newsletter.model.topics import clean_topics
from almanac.desks.newsletter.pipeline.export import complete_if_ready
from almanac.desks.newsletter.service.access import check_version, open_newsletter
from almanac.desks.newsletter.service.steps import cancel_step
from almanac.desks.newsletter.store import archive as archive_store
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store import series as series_store
from almanac.desks.newsletter.store import topics as topic_store
from almanac.desks.newsletter.store.objects import export_prefix
from almanac.errors import Conflict, StaleEdit
from almanac.kit.ids import Seed
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.reader.store import delete_document_verdicts
from almanac.services import Services
from tablature import Write

_COPY_MARK = " (copy)"
# A deletion takes seconds; anything left after this long was interrupted.
_SWEPT_AFTER = timedelta(minutes=5)
MAX_SEARCHED = 1000
_PAGE = 100
ORDERS: Mapping[str, Callable[[Newsletter], Any]] = {
    "title": lambda newsletter: newsletter.title.casefold(),
    "code": lambda newsletter: newsletter.code,
    "status": lambda newsletter: newsletter.status,
    "step": lambda newsletter: newsletter.current_step,
    "updated": lambda newsletter: newsletter.updated_at,
}


async def create_newsletter(
    services: Services,
    principal: Principal,
    edit: ConfigurationEdit,
    *,
    topics: Sequence[str] = (),
    seed: Seed | None = None,
) -> Newsletter:
    """Create a newsletter for the principal. With the same seed it is created once."""
    return await _create_newsletter(
        services, principal, new_configuration(edit), topics=clean_topics(topics), seed=seed
    )


async def edit_configuration(
    services: Services, principal: Principal, code: str, edit: ConfigurationEdit, *, expected: int
) -> FullNewsletter:
    """Change the configuration. Steps that are done are kept and shown as out of date."""
    full = await open_newsletter(services, principal, code)
    check_version(expected, full.newsletter.version)
    configuration = apply_configuration_edit(full.newsletter.configuration, edit)
    if configuration == full.newsletter.configuration:
        return full
    extra_writes: list[Write[Any]] = []
    if configuration.schedule != full.newsletter.configuration.schedule:
        series = await series_store.get_series(services.tables, code)
        extra_writes = _series_writes(services, series, configuration)
    saved = await newsletter_store.save_configuration(
        services.tables, code, configuration, expected=expected, extra_writes=extra_writes
    )
    changed = replace(full, newsletter=saved)
    await index_newsletter(services, changed)
    return changed


async def duplicate_newsletter(
    services: Services, principal: Principal, code: str, *, title: str | None = None, seed: Seed | None = None
) -> Newsletter:
    """Create a newsletter with the same configuration and topics, for the next issue."""
    full = await open_newsletter(services, principal, code)
    old = full.newsletter.configuration
    edit = ConfigurationEdit(title=title or old.title[: MAX_TITLE_LENGTH - len(_COPY_MARK)] + _COPY_MARK)
    return await _create_newsletter(
        services,
        principal,
        deactivate_schedule(apply_configuration_edit(old, edit)),
        made_from=code,
        topics=full.topics.selected,
        seed=seed,
    )


async def _create_newsletter(
    services: Services,
    principal: Principal,
    configuration: Configuration,
    *,
    made_from: str | None = None,
    topics: Sequence[str] = (),
    seed: Seed | None = None,
) -> Newsletter:
    """Create the newsletter with its topics and, if it has a schedule, its series, and audit it."""

    def extra_writes(code: str) -> list[Write[Any]]:
        chosen = [topic_store.new_topics_write(code, topics)] if topics else []
        return [*_series_writes(services, IssueSeries(code=code), configuration), *chosen]

    async with services.database.unit() as unit:
        newsletter = await newsletter_store.create_newsletter(
            services.tables,
            configuration,
            owner_id=principal.user_id,
            owner_email=principal.email,
            owner_name=principal.name,
            now=services.clock.now(),
            made_from=made_from,
            seed=seed,
            extra_writes=extra_writes,
        )
        await record_action(unit, services, principal.actor, "newsletter.created", newsletter.code)
        await services.search.put(unit, to_document(FullNewsletter(newsletter=newsletter)))
    return newsletter


def _series_writes(services: Services, series: IssueSeries, configuration: Configuration) -> list[Write[Any]]:
    """The writes that make the series follow the configuration; none if it already does."""
    changed = reschedule(series, configuration.schedule, services.clock.now())
    return [series_store.new_series_write(changed)] if changed != series else []


async def list_own_newsletters(
    services: Services, principal: Principal, *, limit: int = 25, cursor: str | None = None
) -> Page[Newsletter]:
    """The principal's newsletters, the latest first."""
    return await newsletter_store.list_newsletters(services.tables, principal.user_id, limit=limit, cursor=cursor)


def list_upcoming_runs(services: Services, newsletter: Newsletter) -> list[datetime]:
    """When the next three issues are due."""
    configuration = newsletter.configuration
    zone = services.settings.time_zone
    schedule = schedule_or_default(configuration.frequency, configuration.schedule, time_zone=zone)
    return list_next_runs(schedule, services.clock.now())


async def complete_newsletter(services: Services, principal: Principal, code: str, *, expected: int) -> FullNewsletter:
    """Complete the draft. Raises Conflict if sentences are unsupported, sections are missing or a step is running."""
    full = await open_newsletter(services, principal, code)
    if expected != full.draft.draft.version:
        raise StaleEdit(
            gettext("The draft changed after you opened it; review it again."), str(full.draft.draft.version)
        )
    if any(full.step_state(step).status == "processing" for step in STEPS):
        raise Conflict(gettext("A step is still running; wait for it or cancel it first."))
    completed, obstacles = await complete_if_ready(services, full, principal.actor)
    if obstacles:
        raise Conflict(
            " ".join(obstacle.sentence for obstacle in obstacles[:3]),
            sections=[obstacle.section for obstacle in obstacles],
        )
    return completed


async def delete_newsletter(services: Services, principal: Principal, code: str) -> None:
    """Delete the newsletter's items, all or none, and its files; nothing else in the shared table is touched."""
    full = await open_newsletter(services, principal, code)
    for step in STEPS:
        if full.step_state(step).status == "processing":
            await cancel_step(services, principal, code, step)
    # Objects can't be deleted in the table's transaction; this job removes what a crash leaves.
    await services.jobs.defer(SWEEP, {"code": code}, schedule_at=services.clock.now() + _SWEPT_AFTER)
    async with services.database.unit() as unit:
        await record_action(unit, services, principal.actor, "newsletter.deleted", code)
        await delete_citations(unit, code)
        await delete_document_verdicts(unit, DESK, code)
        await archive_store.withdraw_issue(unit, code, services.clock.now())
        await newsletter_store.delete_newsletter(services.tables, code)
        await services.search.remove(unit, KIND.name, [code])
    await services.objects.delete_prefix(export_prefix(code))


@dataclass(frozen=True, slots=True)
class NewsletterSearch:
    """The matches.

    `by_status` counts them before the status filter; `is_cut` means that older ones were not searched.
    """

    items: list[Newsletter]
    by_status: Counter[str] = field(default_factory=Counter)
    is_cut: bool = False


async def search_own_newsletters(
    services: Services, principal: Principal, *, status: str = "", text: str = "", order: str = "-updated"
) -> NewsletterSearch:
    """The principal's newsletters by status and by words of title or code, among the latest thousand."""
    newsletters, is_cut = await _list_latest(services, principal)
    words = text.casefold().split()
    matching = [newsletter for newsletter in newsletters if _matches(newsletter, words)]
    counts = Counter[str](newsletter.status for newsletter in matching)
    key = ORDERS.get(order.removeprefix("-"), ORDERS["updated"])
    chosen = sorted(
        (newsletter for newsletter in matching if status in ("", newsletter.status)),
        key=key,
        reverse=order.startswith("-"),
    )
    return NewsletterSearch(chosen, counts, is_cut)


def _matches(newsletter: Newsletter, words: Sequence[str]) -> bool:
    text = f"{newsletter.title} {newsletter.code}".casefold()
    return all(word in text for word in words)


async def _list_latest(services: Services, principal: Principal) -> tuple[list[Newsletter], bool]:
    newsletters: list[Newsletter] = []
    cursor: str | None = None
    while len(newsletters) < MAX_SEARCHED:
        listed = await list_own_newsletters(services, principal, limit=_PAGE, cursor=cursor)
        newsletters += listed.items
        cursor = listed.next_cursor
        if cursor is None:
            return newsletters, False
    return newsletters, True


async def get_series(services: Services, principal: Principal, code: str) -> IssueSeries:
    """When the next issue is due, and the outcome of the last ones."""
    await open_newsletter(services, principal, code)
    return await series_store.get_series(services.tables, code)

"""Brings the invented stories day by day as a task would have found them, and takes them away again."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from almanac.demo import DemoContent, DemoRun
from almanac.desks.news.demo.stories import OUTLETS, DemoArticle, DemoStory, article_of, stories, told_by
from almanac.desks.news.indexing import KIND, index_stories
from almanac.desks.news.model.canonical_urls import canonical_url_and_domain, url_hash
from almanac.desks.news.model.links import LinkCause, LinkStatus
from almanac.desks.news.model.tasks import LinkSource, LinkSourceKind, QueryTask, TaskEdit
from almanac.desks.news.service import tasks
from almanac.desks.news.store import articles, links
from almanac.desks.news.store import tasks as store
from almanac.desks.news.store.articles import NewArticle
from almanac.desks.news.store.links import FinalStatus, NewLink
from almanac.errors import NotFound
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services

STORY, LINK, TASK = "news item", "link", "task"
NAME = "Renewable energy in ASEAN (demo)"
MORNING, LASTS = time(6, 30, tzinfo=UTC), timedelta(minutes=2)
READ = FinalStatus(LinkStatus.COMPLETED)
UNREAD = {
    "members-only": FinalStatus(
        LinkStatus.FAILED, LinkCause.NO_ARTICLE, "The page has no article: it asks for a subscription."
    ),
    "withdrawn": FinalStatus(LinkStatus.FAILED, LinkCause.GONE, "The page is gone (404)."),
    "private/draft": FinalStatus(
        LinkStatus.BLOCKED, LinkCause.ROBOTS, "The site's robots.txt asks programs not to read it."
    ),
}


async def bring_stories(run: DemoRun) -> None:
    """One run of the task for each day, with the stories of that day; what is there already stays as it is."""
    task = await _task(run)
    by_day: dict[int, list[DemoStory]] = {}
    for story in stories():
        by_day.setdefault(story.ago, []).append(story)
    for done, (ago, day_stories) in enumerate(by_day.items()):
        await run.ledger.progress(done, len(by_day), gettext("Adding stories"))
        if all(story.key in run.made(STORY) for story in day_stories):
            continue
        await _bring_day(run, task, run.day - timedelta(days=ago), day_stories)


async def remove_stories(content: DemoContent) -> None:
    """The stories with their links, and the task; what somebody removed before is fine."""
    services = content.services
    ids = [int(made) for made in content.made(LINK).values()]
    async with services.database.unit() as unit:
        await links.delete_links(unit, ids, [domain for _, domain in OUTLETS.values()])
        await services.search.remove(unit, KIND.name, [str(link_id) for link_id in ids])
    for name in content.made(TASK).values():
        try:
            await tasks.delete_task(services, content.owner, name)
        except NotFound:
            continue


async def _task(run: DemoRun) -> QueryTask:
    """The demo's task. It has no schedule: its sources are invented, so asking them would only fail."""
    for task in await tasks.list_tasks(run.services):
        if task.task_name == NAME:
            return task
    await run.note(TASK, NAME, NAME)
    sources = tuple(
        LinkSource(kind=LinkSourceKind.FEED, address=f"https://{domain}/feed.xml", title=title)
        for title, domain in OUTLETS.values()
    )
    edit = TaskEdit(task_name=NAME, prompt_template="ASEAN renewable energy news {month}", sources=sources)
    return await tasks.create_task(run.services, run.owner, edit)


async def _bring_day(run: DemoRun, task: QueryTask, day: date, day_stories: Sequence[DemoStory]) -> None:
    """Everything of a day in one transaction. Links are noted before it ends, so that none is ever left behind."""
    services = run.services
    # Today's run has ended, also where the demo is brought before the morning's hour.
    now = min(datetime.combine(day, MORNING), services.clock.now() - LASTS)
    made: dict[str, str] = {}
    async with services.database.unit() as unit:
        run_id, _ = await store.start_run(unit, task.id, trigger="schedule", job_id=None, now=now)
        await links.ensure_domains(unit, [domain for _, domain in OUTLETS.values()], now)
        hashes: list[str] = []
        for story in day_stories:
            tellings = [told_by(story, outlet, run.day) for outlet in story.outlets]
            hashes += [article.link.url_hash for article in tellings]
            made |= await _bring_story(unit, services, tellings, now)
        made |= await _bring_unread(unit, day, hashes, now)
        await links.credit_links(unit, hashes, task_id=task.id, run_id=run_id, now=now)
        await store.add_run_counts(
            unit, run_id, total=len(made) + len(day_stories), added=len(made), duplicate=len(day_stories)
        )
        await store.finish_run(unit, run_id, task.id, problems=(), status="done", now=now + LASTS)
        await run.note_all(LINK, made)
    await run.note_all(STORY, {story.key: story.key for story in day_stories})


async def _bring_story(
    unit: Unit, services: Services, tellings: Sequence[DemoArticle], now: datetime
) -> dict[str, str]:
    """One story from every outlet that tells it; it is found once, by its first article."""
    made: dict[str, str] = {}
    written: list[NewArticle] = []
    cluster = 0
    for article in tellings:
        link_id = await links.add_finished_link(unit, article.link, READ, task=NAME, now=now)
        cluster = cluster or link_id
        made[article.link.url] = str(link_id)
        written.append(article_of(article, link_id, cluster))
    await articles.upsert_articles(unit, written, now)
    await index_stories(unit, services.search, [cluster])
    return made


async def _bring_unread(unit: Unit, day: date, hashes: list[str], now: datetime) -> dict[str, str]:
    """On some days a link that could not be read, so that the queue has reasons to show."""
    made: dict[str, str] = {}
    domains = [domain for _, domain in OUTLETS.values()]
    for at, (path, end) in enumerate(UNREAD.items()):
        if day.toordinal() % 4 != at:
            continue
        canonical, domain = canonical_url_and_domain(f"https://{domains[at]}/{path}/{day:%Y%m%d}")
        link = NewLink(
            url=canonical,
            canonical_url=canonical,
            url_hash=url_hash(canonical),
            raw_hash=url_hash(canonical),
            domain=domain,
            title=path.replace("-", " ").capitalize(),
        )
        hashes.append(link.url_hash)
        made[canonical] = str(await links.add_finished_link(unit, link, end, task=NAME, now=now))
    return made

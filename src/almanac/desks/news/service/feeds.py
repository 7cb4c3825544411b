"""Lists that other programs read: feeds in as OPML, feeds and stories out."""

from collections.abc import Sequence
from urllib.parse import urlencode

from almanac.accounts.model import Principal
from almanac.desks.news.formats.opml import parse_opml, render_opml
from almanac.desks.news.model.articles import NewsArticle
from almanac.desks.news.model.tasks import TaskEdit
from almanac.desks.news.service.articles import StoryFilter, find_articles
from almanac.desks.news.service.tasks import create_task, edit_task, list_tasks
from almanac.desks.news.store import tasks as store
from almanac.feeds.model import EPOCH, Feed, FeedItem, common_language
from almanac.kit.messages import gettext, pgettext, translate
from almanac.services import Services

IMPORTED = "Imported feeds"
ITEMS = 50


async def export_opml(services: Services) -> bytes:
    """Every feed of every task."""
    return render_opml(await list_tasks(services))


async def import_opml(
    services: Services, principal: Principal, content: bytes, *, task_name: str = IMPORTED, schedule: str = "hourly"
) -> int:
    """Add the feeds of a list to a task, which is made where there is none; returns how many feeds the list names."""
    brought = parse_opml(content)
    async with services.database.unit() as unit:
        task = await store.find_task(unit, task_name)
    if task is None:
        edit = TaskEdit(task_name=task_name, prompt_template=task_name, schedule=schedule, sources=brought)
        await create_task(services, principal, edit)
    else:
        every = {(source.kind, source.address): source for source in (*brought, *task.sources)}
        await edit_task(services, principal, task_name, TaskEdit(sources=tuple(every.values())), expected=task.version)
    return len(brought)


async def build_story_feed(services: Services, principal: Principal, which: StoryFilter, *, form: str) -> Feed:
    """The latest stories that match, as a feed; a form's own writer is in `almanac.feeds`."""
    stories = await find_articles(services, principal, which, limit=ITEMS, order="-date")
    return story_feed(stories.page.items, which, base=services.settings.public_url, form=form)


def story_feed(stories: Sequence[NewsArticle], which: StoryFilter, *, base: str, form: str) -> Feed:
    """Stories as a feed, titled in the language that is asked for, or that they all are in."""
    asked = {
        "q": which.words,
        "tag": which.tag,
        "country": which.country,
        "lang": which.language,
        "source": which.source,
    }
    query = urlencode({name: value for name, value in asked.items() if value})
    language = which.language or common_language(story.language for story in stories)
    subject = which.words or which.tag or which.country or pgettext("stories", "latest")
    return Feed(
        title=translate(gettext("News: %(subject)s", subject=subject), language),
        link=f"{base}/news?{query}" if query else f"{base}/news",
        self_link=f"{base}/api/v1/news/feeds/{form}" + (f"?{query}" if query else ""),
        items=tuple(_item(article, base) for article in stories),
        language=language,
    )


def _item(article: NewsArticle, base: str) -> FeedItem:
    # Other programs may leave out when they found and read a page.
    moment = article.processed_at or article.discovered_at or EPOCH
    return FeedItem(
        id=f"urn:almanac:news:{article.id}",
        title=article.headline(article.language),
        link=f"{base}/news/stories/{article.id}",
        published=moment,
        summary=article.content,
        categories=tuple(article.tags),
        language=article.language,
    )

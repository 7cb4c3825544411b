"""Adds the demo documents to the knowledge base: one shared feed file per publisher."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from itertools import groupby
from urllib.parse import urlsplit

from almanac.demo import DemoContent, DemoRun
from almanac.desks.newsletter.demo.documents import DemoDocument, load_documents
from almanac.errors import NotFound
from almanac.feeds.model import Feed, FeedItem
from almanac.feeds.writers import write_json_feed
from almanac.kit.messages import gettext
from almanac.knowledge import KnowledgeViewer, Visibility

SOURCE = "source"


async def add_sources(run: DemoRun) -> None:
    """Add the sources that are missing; the worker reads them. A recorded publisher has all its documents."""
    publishers = group_by_publisher(load_documents())
    for number, (publisher, published) in enumerate(publishers.items()):
        await run.ledger.progress(number, len(publishers), gettext("Adding %(name)s", name=publisher))
        name = publisher_slug(published[0].url)
        if name not in run.made(SOURCE):
            source = await run.services.knowledge.add_file(
                KnowledgeViewer(run.owner.user_id),
                f"demo-{name}.json",
                build_feed(publisher, published, run.day),
                title=f"{publisher} (demo)",
                visibility=Visibility.EVERYONE,
            )
            await run.note(SOURCE, name, source.id)


async def remove_sources(content: DemoContent) -> None:
    """Remove the sources; those that are already gone are skipped."""
    for source_id in content.made(SOURCE).values():
        try:
            await content.services.knowledge.remove(KnowledgeViewer(content.owner.user_id), source_id)
        except NotFound:
            continue


def group_by_publisher(documents: Iterable[DemoDocument]) -> dict[str, list[DemoDocument]]:
    """The documents of each publisher."""
    by_age = sorted(documents, key=lambda document: (document.source, document.age))
    return {source: list(published) for source, published in groupby(by_age, lambda document: document.source)}


def publisher_slug(url: str) -> str:
    """The publisher's name in its address, such as `pest-watch`."""
    return (urlsplit(url).hostname or "").partition(".")[0]


def build_feed(publisher: str, published: list[DemoDocument], day: date) -> bytes:
    """The publisher's documents as a JSON feed, with the title, address and date of each."""
    home = f"https://{urlsplit(published[0].url).hostname}/"
    items = tuple(_feed_item(document, day) for document in published)
    about = "Demo content: the organisations, people and figures in it are invented."
    return write_json_feed(
        Feed(title=publisher, link=home, self_link=f"{home}feed.json", items=items, description=about, author=publisher)
    )


def _feed_item(document: DemoDocument, day: date) -> FeedItem:
    return FeedItem(
        id=document.url,
        title=document.title,
        link=document.url,
        published=datetime.combine(document.published(day), time(6), UTC),
        summary=document.text(day),
        authors=(document.source,),
        categories=document.topics,
        language=document.language,
    )

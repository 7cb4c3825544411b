"""The desk's share of the public side: the archive of issues, each issue, and a feed of them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time

from markupsafe import Markup

from almanac.desks.newsletter.published import store
from almanac.desks.newsletter.published.store import ListedIssue
from almanac.desks.newsletter.urls import ARCHIVE_PATH, archive_path
from almanac.errors import Gone, NotFound
from almanac.feeds.model import Feed, FeedItem
from almanac.feeds.writers import ATOM_TYPE, write_atom
from almanac.kit.locale_formats import format_day
from almanac.kit.messages import gettext, translate
from almanac.public import (
    PublicFile,
    PublicPage,
    PublicPart,
    PublicRequest,
    PublicRoute,
    SitemapEntry,
    Teaser,
)
from almanac.read_ports import ReadPorts

_PAGE, _TEASERS, _FEED_ITEMS = 20, 4, 30
_FEED = f"{ARCHIVE_PATH}/feed.atom"
_TITLE = gettext("Newsletters")


async def show_archive(request: PublicRequest) -> PublicPage:
    """The issues in the archive, newest first."""
    issues = await store.list_issues(request.ports.database, limit=_PAGE + 1, after=_parse_place(request.cursor or ""))
    shown = issues[:_PAGE]
    last = shown[-1] if len(issues) > _PAGE else None

    async def load() -> Mapping[str, object]:
        return {
            "issues": [(issue, _link(request, issue)) for issue in shown],
            "next_url": request.links.page(request.language, ARCHIVE_PATH, cursor=f"{last.day}_{last.code}")
            if last
            else "",
            "first_url": request.links.page(request.language, ARCHIVE_PATH) if request.cursor else "",
        }

    return PublicPage(
        template="newsletter/public_archive.html",
        title=translate(_TITLE, request.language),
        stamp=issues,
        load=load,
        feed=_FEED,
        is_listed=request.cursor is None,
    )


async def show_issue(request: PublicRequest) -> PublicPage:
    """One issue of a newsletter; 410 after it was withdrawn."""
    issue = await store.get_issue(request.ports.database, request.params["code"][:40])
    if issue is None:
        raise NotFound(gettext("This issue isn't in the archive."))
    if issue.withdrawn:
        raise Gone(gettext("This issue was withdrawn."))

    async def load() -> Mapping[str, object]:
        # The desk rendered it from a publication when it was put into the archive: everything in it is escaped.
        return {"issue": issue, "body": Markup(issue.body)}  # noqa: S704

    schema = {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": issue.title,
        "inLanguage": issue.language,
        "datePublished": issue.published_at.isoformat(),
        "dateModified": issue.changed_at.isoformat(),
    }
    return PublicPage(
        template="newsletter/public_issue.html",
        title=issue.title,
        description=issue.summary,
        stamp=(issue.code, issue.edition, issue.changed_at),
        modified=issue.changed_at,
        load=load,
        feed=_FEED,
        kind="article",
        content_language=issue.language,
        schema=schema,
    )


async def show_feed(request: PublicRequest) -> PublicFile:
    """The latest issues as an Atom feed."""
    issues = await store.list_issues(request.ports.database, limit=_FEED_ITEMS)
    links, language = request.links, request.language
    feed = Feed(
        title=f"{request.ports.settings.organisation or 'Almanac'}: {translate(_TITLE, language)}",
        link=links.whole(language, ARCHIVE_PATH),
        self_link=links.whole(language, _FEED),
        author=request.ports.settings.organisation or "Almanac",
        language=language,
        items=tuple(
            FeedItem(
                id=f"urn:almanac:newsletter:{issue.code}",
                title=issue.title,
                link=links.whole(language, archive_path(issue.code)),
                published=datetime.combine(issue.day, time(), UTC),
                updated=issue.changed_at,
                summary=issue.summary,
                language=issue.language,
            )
            for issue in issues
        ),
    )
    return PublicFile(content=write_atom(feed), media_type=ATOM_TYPE)


async def list_teasers(request: PublicRequest) -> Sequence[Teaser]:
    """The latest issues, for the front page."""
    issues = await store.list_issues(request.ports.database, limit=_TEASERS)
    return [
        Teaser(
            title=issue.title,
            path=_link(request, issue),
            day=format_day(issue.day, request.language),
            text=issue.summary,
            language=issue.language,
        )
        for issue in issues
    ]


async def count_pages(ports: ReadPorts) -> int:
    """How many issues are in the archive."""
    return await store.count_issues(ports.database)


async def list_sitemap(ports: ReadPorts, offset: int, limit: int) -> Sequence[SitemapEntry]:
    """The issues in the order in which they were published."""
    changes = await store.list_changes(ports.database, offset=offset, limit=limit)
    return [SitemapEntry(archive_path(code), changed_at) for code, changed_at in changes]


def _link(request: PublicRequest, issue: ListedIssue) -> str:
    return request.links.page(request.language, archive_path(issue.code))


def _parse_place(cursor: str) -> tuple[date, str] | None:
    """Where the next page begins; a cursor that isn't one begins anew."""
    day, _, code = cursor.partition("_")
    try:
        return date.fromisoformat(day), code[:40]
    except ValueError:
        return None


PART = PublicPart(
    name="newsletter",
    title=_TITLE,
    home=ARCHIVE_PATH,
    feed=_FEED,
    routes=(
        PublicRoute(ARCHIVE_PATH, show_archive),
        PublicRoute(_FEED, show_feed),
        PublicRoute(f"{ARCHIVE_PATH}/{{code}}", show_issue),
    ),
    teasers=list_teasers,
    count_pages=count_pages,
    sitemap=list_sitemap,
)

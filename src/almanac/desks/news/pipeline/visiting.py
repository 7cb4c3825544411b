"""One visit to a link: may we, what does it say, is it known by another address, and what is told about it.

Nothing is written here; `settling` stores what a visit brought.
"""

import hashlib
import logging
from datetime import UTC, datetime, time

from almanac.articles import NoArticle, PageRequest, ParsedPage
from almanac.desks.news.indexing import KIND
from almanac.desks.news.model.identities import further_identities, is_page_of
from almanac.desks.news.model.links import Cause, LeasedLink, LinkStatus
from almanac.desks.news.model.rules import Verdict, judge
from almanac.desks.news.model.urls import canonical_url, domain_of, url_hash
from almanac.desks.news.pipeline.newsroom import Newsroom
from almanac.desks.news.pipeline.outcomes import (
    Ended,
    LedHome,
    LeftOut,
    Outcome,
    RobotsForbid,
    SiteBlocked,
    Told,
    outcome_of,
    unchanged,
    unforeseen,
)
from almanac.desks.news.pipeline.sameness import known_elsewhere
from almanac.desks.news.store.links import Settlement
from almanac.errors import AlmanacError
from almanac.fetch import Conditions, Fetched
from almanac.search import SearchDocument

ACCEPT = "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5"
MOST_LEADS = 3
logger = logging.getLogger(__name__)


async def visit(room: Newsroom, link: LeasedLink) -> Outcome:
    """Everything up to storing; whatever goes wrong becomes an outcome with its reason."""
    try:
        return await _visit(room, link)
    except AlmanacError as error:
        return outcome_of(error, link, room.services.clock.now())
    except Exception:
        # One page must not end the run of all the others; the log has the rest.
        logger.exception("A link could not be read.", extra={"link": link.id})
        return unforeseen()


async def _visit(room: Newsroom, link: LeasedLink) -> Outcome:
    fetched = await _fetch(room, link)
    if fetched.not_modified:
        return unchanged(fetched.conditions, fetched.status)
    page, told_by = await _read(room, link, fetched)
    # What a page said that only leads on says nothing about changes of the article.
    conditions = fetched.conditions if told_by is fetched else Conditions()
    if text_hash(page.text) == link.text_hash:
        return unchanged(conditions, told_by.status)
    own = canonical_url(link.url)
    identities = [own, *further_identities(link.url, final=told_by.url, stated=page.stated_url)]
    if (other := await _known_elsewhere(room, link, identities)) is not None:
        return other
    verdict = await _judged(room, page, link)
    written = await room.composer.compose(page, link.id)
    tags = tuple(dict.fromkeys((*page.tags, *verdict.tags)))
    return Told(
        page=page,
        written=written,
        tags=tags,
        identities=identities,
        conditions=conditions,
        answer=told_by.status,
    )


def text_hash(text: str) -> str:
    """What tells whether an article changed."""
    return hashlib.sha256(text.encode()).hexdigest()


async def _fetch(room: Newsroom, link: LeasedLink) -> Fetched:
    services = room.services
    if link.blocked_until is not None:
        raise SiteBlocked(link.domain, link.blocked_until, link.blocked_reason or "it refused us.")
    if not (await room.robots.rules_for(link.url)).allows(link.url):
        raise RobotsForbid(link.domain)
    known = Conditions(etag=link.etag, last_modified=link.last_modified) if link.text_hash else None
    return await services.fetcher.get(link.url, accept=ACCEPT, conditions=known)


async def _read(room: Newsroom, link: LeasedLink, fetched: Fetched) -> tuple[ParsedPage, Fetched]:
    """The article and the answer that holds it: of a page that only leads on, as a redirect does, what it leads to."""
    seen: list[str] = []
    while True:
        if not is_page_of(fetched.url, link.url):
            raise LedHome(link.domain)
        try:
            return await room.reader.read(_errand(fetched)), fetched
        except NoArticle as refusal:
            onward = refusal.leads_to
            if onward is None:
                raise
            seen.append(fetched.url)
            if onward in seen or len(seen) > MOST_LEADS:
                raise NoArticle(f"{link.domain} sends us around in circles; its pages only lead on.") from refusal
        fetched = await _fetch_onward(room, onward)


def _errand(fetched: Fetched) -> PageRequest:
    return PageRequest(
        url=fetched.url, content=fetched.body, content_type=fetched.content_type, charset=fetched.charset
    )


async def _fetch_onward(room: Newsroom, url: str) -> Fetched:
    if not (await room.robots.rules_for(url)).allows(url):
        raise RobotsForbid(domain_of(url))
    return await room.services.fetcher.get(url, accept=ACCEPT)


async def _known_elsewhere(room: Newsroom, link: LeasedLink, identities: list[str]) -> Ended | None:
    """Before anything is written: the page may be there already under another address."""
    if is_alone(link, identities):
        return None
    async with room.services.database.unit() as unit:
        other = await known_elsewhere(unit, link.id, [url_hash(one) for one in identities])
    return same_page(other) if other is not None else None


def is_alone(link: LeasedLink, identities: list[str]) -> bool:
    """Whether the only address is the one that the table keeps unique."""
    return len(identities) == 1 and url_hash(identities[0]) == link.url_hash


def same_page(other: int) -> Ended:
    """The link is another address of one that is known."""
    return Ended(
        settlement=Settlement(
            status=LinkStatus.DUPLICATE,
            cause=Cause.SAME_PAGE,
            duplicate_of=other,
            reason=f"It is another address of link {other}.",
        ),
        site="answered",
    )


async def _judged(room: Newsroom, page: ParsedPage, link: LeasedLink) -> Verdict:
    if not room.rules:
        return Verdict()
    day = page.published or link.published
    document = SearchDocument(
        kind=KIND.name,
        id=str(link.id),
        title=page.title,
        path="",
        body=page.text,
        language=page.language,
        date=datetime.combine(day, time(), UTC) if day else None,
        facets={"tag": page.tags, "country": (page.country,) if page.country else (), "source": (link.domain,)},
    )
    verdict = judge(room.rules, document)
    if verdict.left_out is not None:
        raise LeftOut(verdict.left_out)
    return verdict

"""One visit to a link: check robots.txt, fetch, parse, look for a duplicate, apply the rules, write the story.

Nothing is written to the database here; `storage` stores the outcome.
"""

import logging
from datetime import UTC, datetime, time

from almanac.articles import NoArticle, PageRequest, ParsedPage
from almanac.desks.news.indexing import KIND
from almanac.desks.news.model.articles import text_hash
from almanac.desks.news.model.canonical_urls import canonical_url, leads_to_page, other_urls, url_domain, url_hash
from almanac.desks.news.model.links import LeasedLink
from almanac.desks.news.model.rules import RuleVerdict, apply_rules
from almanac.desks.news.pipeline.context import PipelineContext
from almanac.desks.news.pipeline.dedup import find_duplicate, has_single_url, mark_duplicate
from almanac.desks.news.pipeline.outcome import (
    ArticleRead,
    DisallowedByRobots,
    ExcludedByRule,
    LinkEnded,
    RedirectedToHomepage,
    SiteBlocked,
    VisitOutcome,
    article_unchanged,
    outcome_for_error,
    unexpected_failure,
)
from almanac.errors import AlmanacError
from almanac.fetch import Conditions, Fetched
from almanac.kit.messages import gettext
from almanac.search import SearchDocument

ACCEPT = "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5"
MAX_REFRESHES = 3
logger = logging.getLogger(__name__)


async def visit_link(ctx: PipelineContext, link: LeasedLink) -> VisitOutcome:
    """Everything up to storing. Every failure becomes an outcome with its reason; this never raises."""
    try:
        return await _visit(ctx, link)
    except AlmanacError as error:
        return outcome_for_error(error, link, ctx.services.clock.now())
    except Exception:
        # One page must not end the run for all the others.
        logger.exception("A link could not be read.", extra={"link": link.id})
        return unexpected_failure()


async def _visit(ctx: PipelineContext, link: LeasedLink) -> VisitOutcome:
    first = await _fetch(ctx, link)
    if first.not_modified:
        return article_unchanged(first.conditions, first.status)
    page, fetched = await _parse(ctx, link, first)
    # The validators of a page that only refreshes to another one say nothing about changes of the article.
    conditions = first.conditions if fetched is first else Conditions()
    if text_hash(page.text) == link.text_hash:
        return article_unchanged(conditions, fetched.status)
    urls = [canonical_url(link.url), *other_urls(link.url, final=fetched.url, stated=page.stated_url)]
    if (duplicate := await _check_duplicate(ctx, link, urls)) is not None:
        return duplicate
    verdict = _apply_rules(ctx, page, link)
    written = await ctx.composer.compose(page, link.id)
    return ArticleRead(
        page=page,
        written=written,
        tags=tuple(dict.fromkeys((*page.tags, *verdict.tags))),
        urls=urls,
        conditions=conditions,
        status_code=fetched.status,
    )


async def _fetch(ctx: PipelineContext, link: LeasedLink) -> Fetched:
    if link.blocked_until is not None:
        raise SiteBlocked(link.domain, link.blocked_until, link.blocked_reason or gettext("it refused us."))
    if not (await ctx.robots.rules_for(link.url)).allows(link.url):
        raise DisallowedByRobots(link.domain)
    conditions = Conditions(etag=link.etag, last_modified=link.last_modified) if link.text_hash else None
    return await ctx.services.fetcher.get(link.url, accept=ACCEPT, conditions=conditions)


async def _parse(ctx: PipelineContext, link: LeasedLink, fetched: Fetched) -> tuple[ParsedPage, Fetched]:
    """The article and the response that holds it, following pages that only refresh to another one."""
    visited: list[str] = []
    while True:
        if not leads_to_page(fetched.url, link.url):
            raise RedirectedToHomepage(link.domain)
        try:
            return await ctx.reader.read(_page_request(fetched)), fetched
        except NoArticle as refusal:
            target = refusal.leads_to
            if target is None:
                raise
            visited.append(fetched.url)
            if target in visited or len(visited) > MAX_REFRESHES:
                raise NoArticle(gettext("The pages of %(domain)s redirect in a loop.", domain=link.domain)) from refusal
        fetched = await _fetch_refresh(ctx, target)


def _page_request(fetched: Fetched) -> PageRequest:
    return PageRequest(
        url=fetched.url, content=fetched.body, content_type=fetched.content_type, charset=fetched.charset
    )


async def _fetch_refresh(ctx: PipelineContext, url: str) -> Fetched:
    if not (await ctx.robots.rules_for(url)).allows(url):
        raise DisallowedByRobots(url_domain(url))
    return await ctx.services.fetcher.get(url, accept=ACCEPT)


async def _check_duplicate(ctx: PipelineContext, link: LeasedLink, urls: list[str]) -> LinkEnded | None:
    """Before a story is written: the page may be stored already under another address."""
    if has_single_url(link, urls):
        return None
    async with ctx.services.database.unit() as unit:
        original = await find_duplicate(unit, link.id, [url_hash(url) for url in urls])
    return mark_duplicate(original) if original is not None else None


def _apply_rules(ctx: PipelineContext, page: ParsedPage, link: LeasedLink) -> RuleVerdict:
    if not ctx.rules:
        return RuleVerdict()
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
    verdict = apply_rules(ctx.rules, document)
    if verdict.excluded_because is not None:
        raise ExcludedByRule(verdict.excluded_because)
    return verdict

"""The desk's share of the public side: its routes, teasers, feed and sitemap."""

from collections.abc import Sequence

from almanac.desks.recap.model.items import ArticleCard
from almanac.desks.recap.model.record_names import format_day, record_language
from almanac.desks.recap.published import (
    cards,
    corrections,
    data_files,
    embeds,
    error_report,
    feeds,
    method,
    pages,
    public_api,
    speech_pages,
    store,
)
from almanac.desks.recap.published.alert_pages import ALERT_FORMS, ALERT_ROUTES
from almanac.desks.recap.published.error_report import REPORT_FORM
from almanac.desks.recap.published.feed_links import FEED
from almanac.desks.recap.published.layout import DATA_TITLE, METHOD_TITLE, urls
from almanac.desks.recap.store.objects import BULK_PREFIX
from almanac.desks.recap.store.table import articles as articles_table
from almanac.kit.messages import gettext, translate
from almanac.public import PublicPart, PublicRequest, PublicRoute, SitemapEntry, Teaser
from almanac.public.links import join_path
from almanac.read_ports import ReadPorts

_TEASERS = 6


def _describe_sitting(card: ArticleCard, language: str) -> str:
    return f"{translate(format_day(card.date), language)} {card.name_of_meeting or ''}".strip()


async def list_teasers(request: PublicRequest) -> Sequence[Teaser]:
    """The latest meetings, for the front page."""
    page = await store.list_latest_cards(request.ports.database, limit=_TEASERS)
    to = urls(request)
    return [
        Teaser(
            title=listed.card.title,
            path=to.article(listed.card.id),
            day=_describe_sitting(listed.card, request.language),
            text=listed.card.description or "",
            language=record_language(listed.card.name_of_house),
        )
        for listed in page.items
    ]


async def count_pages(ports: ReadPorts) -> int:
    """How many articles, people and bills there are."""
    return await store.count_pages(ports.database)


async def list_sitemap(ports: ReadPorts, offset: int, limit: int) -> Sequence[SitemapEntry]:
    """The articles in the order in which they first appeared, then people and bills."""
    listed = await store.list_pages(ports.database, offset=offset, limit=limit)
    return [SitemapEntry(f"/recap{join_path(page.kind, page.name)}", page.changed_at) for page in listed]


API = (
    ("/articles", public_api.list_articles, True),
    ("/articles.jsonl", public_api.list_whole_articles, True),
    ("/articles/{article_id}", public_api.get_article, False),
    ("/articles/{article_id}/speeches.jsonl", public_api.list_speeches, False),
    ("/articles/{article_id}/speeches/{order}", public_api.get_speech, False),
    ("/speeches", public_api.find_speeches, True),
    ("/people", public_api.find_people, True),
    ("/people/{name}", public_api.get_person, True),
    ("/bills", public_api.list_bills, True),
    ("/bills/{key}", public_api.get_bill, True),
    ("/files", public_api.list_files, True),
)
"""The API: paths below its root, what answers them, and whether an answer may be some seconds old."""

PART = PublicPart(
    name="recap",
    title=gettext("Parliament"),
    home="/recap",
    feed=FEED,
    search="/recap/articles",
    routes=(
        PublicRoute("/recap", pages.show_articles),
        PublicRoute("/recap/feed.{form}", feeds.show_feed),
        PublicRoute("/recap/corrections.atom", feeds.show_corrections_feed),
        PublicRoute("/recap/corrections", corrections.show_corrections),
        PublicRoute("/recap/articles", pages.show_articles, is_costly=True),
        PublicRoute("/recap/articles/{article_id}/corrections", corrections.show_article_corrections),
        PublicRoute("/recap/articles/{article_id}", pages.show_article),
        PublicRoute("/recap/articles/{article_id}/card.png", cards.show_article_card),
        PublicRoute("/recap/articles/{article_id}/embed", embeds.show_article_embed),
        PublicRoute("/recap/articles/{article_id}/speeches/{order}/embed", embeds.show_speech_embed),
        PublicRoute("/recap/articles/{article_id}/speeches/{order}", pages.redirect_to_speech),
        PublicRoute("/recap/speeches", speech_pages.show_speeches, is_costly=True),
        PublicRoute("/recap/people", pages.show_people, is_costly=True),
        PublicRoute("/recap/people/{name}", pages.show_person, is_costly=True),
        PublicRoute("/recap/people/{name}/card.png", cards.show_person_card, is_costly=True),
        PublicRoute("/recap/bills", pages.show_bills, is_costly=True),
        PublicRoute("/recap/bills/{key}", pages.show_bill, is_costly=True),
        PublicRoute("/recap/bills/{key}/card.png", cards.show_bill_card, is_costly=True),
        PublicRoute("/recap/method", method.show_method, is_costly=True),
        PublicRoute("/recap/data", data_files.show_data, is_costly=True),
        PublicRoute("/files/recap/SHA256SUMS", data_files.show_checksums, has_language=False),
        PublicRoute("/files/recap/{name}", data_files.download_file, has_language=False),
        PublicRoute(REPORT_FORM.path, error_report.show_report_form),
        PublicRoute(REPORT_FORM.done, error_report.show_thanks),
        PublicRoute("/recap/agenda/{key}", pages.show_agenda_item),
        PublicRoute("/recap/issues/{issue_id}", pages.show_issue),
        *(
            PublicRoute(f"{public_api.ROOT}{path}", answer, is_costly=is_costly, has_language=False)
            for path, answer, is_costly in API
        ),
        *ALERT_ROUTES,
    ),
    forms=(REPORT_FORM, *ALERT_FORMS),
    tables=(articles_table.name,),
    prefixes=("recap/articles/", "recap/records/", BULK_PREFIX),
    teasers=list_teasers,
    count_pages=count_pages,
    sitemap=list_sitemap,
    embed=embeds.find_embed,
    notes=((METHOD_TITLE, "/recap/method"), (DATA_TITLE, "/recap/data")),
)

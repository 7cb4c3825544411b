"""The desk's public pages. Each knows by a cheap read whether it has changed before it loads what it shows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from almanac.citations.passages import parse_quote
from almanac.desks.recap.model.filters import ArticleFilter, parse_filter
from almanac.desks.recap.model.follows import follow_of
from almanac.desks.recap.model.minutes import MinutesFilter
from almanac.desks.recap.model.recap import without_internals
from almanac.desks.recap.model.views import ArticlePage, ForeignArticle, PersonView
from almanac.desks.recap.published import store
from almanac.desks.recap.published.article_view import TONES, build_article_values, locate_speech
from almanac.desks.recap.published.bill_view import MOST_BILLS, BillSpeeches, list_bill_rows, load_bill_speeches
from almanac.desks.recap.published.cards import article_preview, describe_sitting, preview
from almanac.desks.recap.published.corrections import withdrawn_page
from almanac.desks.recap.published.feed_links import MeetingFeed
from almanac.desks.recap.published.foreign_view import build_foreign_values, locate_foreign_speech
from almanac.desks.recap.published.labels import SECTIONS
from almanac.desks.recap.published.layout import build_page, urls
from almanac.desks.recap.published.list_view import explain_error, filter_chips, query_values
from almanac.desks.recap.published.person_view import SaidFilter, list_people, load_person
from almanac.desks.recap.published.schema_org import describe_article, describe_bill, describe_person
from almanac.desks.recap.service import articles, editorial, search
from almanac.desks.recap.service.group_votes import load_group_votes
from almanac.desks.recap.store.article_mapping import card_from_article
from almanac.errors import Gone, InputError, NotFound
from almanac.kit.markdown import markdown_text
from almanac.kit.messages import gettext, translate
from almanac.public import PublicPage, PublicRedirect, PublicRequest
from almanac.public.links import join_path

_PAGE = 20
_LONGEST_KEY = 400


_LEAD = gettext(
    "What parliament said and decided, from the official record. Every sentence links to the speech it comes from."
)


async def show_articles(request: PublicRequest) -> PublicPage:
    """The meetings, newest first, with a search in all of them."""
    to = urls(request)
    wanted, problem, results = ArticleFilter(), "", ArticlePage()
    try:
        wanted = parse_filter(query_values(request.query))
        results = await _list_articles(request, wanted)
    except InputError as error:
        problem = explain_error(error)

    async def load() -> Mapping[str, object]:
        return {
            "wanted": wanted,
            "results": results,
            "problem": problem,
            "chips": filter_chips(wanted, to),
            "follow": follow_of(wanted),
            "facet_links": [],
            "has_filters": bool(wanted.parameters()),
            "next_url": to.matching(wanted, ("cursor", results.next_cursor)) if results.next_cursor else "",
            "first_url": to.matching(wanted) if request.cursor else "",
        }

    is_first = not wanted.parameters() and request.cursor is None
    return build_page(
        request,
        "articles",
        "list",
        load,
        to=to,
        title=translate(gettext("Meetings"), request.language),
        description=translate(_LEAD, request.language),
        stamp=(results, problem),
        is_listed=is_first,
        canonical="/recap" if is_first else "",
        feed=MeetingFeed(wanted),
    )


async def _list_articles(request: PublicRequest, wanted: ArticleFilter) -> ArticlePage:
    """Without filters, which is what most readers ask for, it is one statement."""
    if wanted != ArticleFilter():
        return await search.list_articles(request.ports, wanted, cursor=request.cursor, limit=_PAGE)
    below = request.number("cursor", 0, most=2**62) or None
    page = await store.list_latest_cards(request.ports.database, limit=_PAGE, below=below)
    return ArticlePage(items=page.items, next_cursor=page.next_cursor)


async def show_article(request: PublicRequest) -> PublicPage:
    """One meeting: key points, plain words, in detail, and the minutes with the original words."""
    to, article_id = urls(request), request.params["article_id"][:200]
    try:
        stored = await articles.get_published(request.ports, article_id)
    except Gone:
        return withdrawn_page(request, await editorial.get_status(request.ports, article_id))
    stamp = (stored.version, stored.updated_at, stored.asset_url, stored.votes_at)

    async def load() -> Mapping[str, object]:
        article = await articles.show_article(request.ports, article_id)
        if isinstance(article, ForeignArticle):
            return build_foreign_values(article, level=request.text("level"), part=_part(request), to=to)
        wanted = MinutesFilter(
            request.text("within"),
            request.text("speaker"),
            request.text("group"),
            request.text("reaction"),
            bool(request.text("full")),
            _part(request),
            request.number("speech", 0, most=1_000_000) or None,
            parse_quote(request.text("quote")),
        )
        level = request.text("level")
        shown = replace(article, recap=without_internals(article.recap))
        values = build_article_values(shown, wanted, level=level, version=None, to=to)
        return {**values, "group_votes": await load_group_votes(request.ports, article)}

    image = article_preview(card_from_article(stored), request.language)
    return build_page(
        request,
        "articles",
        "article" if stored.version else "foreign_article",
        load,
        to=to,
        title=stored.title or article_id,
        description=markdown_text(stored.description or ""),
        stamp=stamp,
        kind="article",
        schema=describe_article(request, stored, image),
        canonical=f"/recap{join_path('articles', article_id)}",
        image=image,
        is_embeddable=True,
        modified=stored.updated_at,
    )


def _part(request: PublicRequest) -> int:
    return request.number("part", 1, most=10_000)


async def redirect_to_speech(request: PublicRequest) -> PublicRedirect:
    """The permanent address of a speech leads to its place in the minutes, and to the words that it quotes."""
    order = request.params["order"]
    if not order.isascii() or not order.isdecimal() or len(order) > 7:
        raise NotFound(gettext("This speech doesn't exist."))
    article = await articles.show_article(request.ports, request.params["article_id"][:200])
    if isinstance(article, ForeignArticle):
        return PublicRedirect(locate_foreign_speech(article, int(order), urls(request)))
    return PublicRedirect(
        locate_speech(article, int(order), quote=request.text("quote"), version=None, to=urls(request))
    )


async def show_people(request: PublicRequest) -> PublicPage:
    """Who spoke most, or whose name begins as asked."""
    text = request.text("q").strip()
    people = await list_people(request.ports, text)

    async def load() -> Mapping[str, object]:
        return {"people": people, "q": text}

    return build_page(
        request,
        "people",
        "people",
        load,
        to=urls(request),
        title=translate(SECTIONS["people"], request.language),
        stamp=people,
        is_listed=not text,
    )


async def show_person(request: PublicRequest) -> PublicPage:
    """One person: offices over time, meetings, and their own words on a bill."""
    to, name = urls(request), request.params["name"][:_LONGEST_KEY]
    chosen_words = SaidFilter(request.text("bill"), request.text("q").strip(), request.text("year"))
    person, values = await load_person(
        request.ports, name, key=request.text("key"), chosen=chosen_words, cursor=request.cursor, to=to
    )
    here, chosen = to.person(name, request.text("key"), request.text("bill")), person.articles.next_cursor
    joint = "&" if "?" in here else "?"

    async def load() -> Mapping[str, object]:
        next_url = f"{here}{joint}cursor={chosen}" if chosen else ""
        return {**values, "next_url": next_url, "first_url": here if request.cursor else ""}

    # Without its key the address of somebody with namesakes is that of whoever spoke most.
    path = f"/recap{join_path('people', name)}"
    key = f"?{urlencode({'key': person.identity.key})}" if person.namesakes else ""
    image = preview(path, person.identity.name, *_last_office(person), query=key)
    return build_page(
        request,
        "people",
        "person",
        load,
        to=to,
        title=name,
        description=image.alt,
        stamp=values,
        kind="profile",
        is_listed=request.cursor is None and not chosen_words,
        schema=describe_person(request, person, path + key),
        canonical=path + key,
        image=image,
        feed=MeetingFeed(_spoken_by(person)),
    )


def _spoken_by(person: PersonView) -> ArticleFilter:
    identity = person.identity
    return ArticleFilter(speaker=(identity.key,)) if ":" in identity.key else ArticleFilter(person=(identity.name,))


def _last_office(person: PersonView) -> Sequence[str]:
    office = max(person.offices, key=lambda each: each.day, default=None)
    return (office.position, office.role, office.group) if office else ()


async def show_bills(request: PublicRequest) -> PublicPage:
    """The bills that most meetings dealt with lately, those that moved last at the top."""
    bills = await search.list_frequent_values(request.ports, ("bill",), most=MOST_BILLS)
    lines = await list_bill_rows(request.ports, bills)

    async def load() -> Mapping[str, object]:
        return {"bills": lines, "is_cut": len(bills) == MOST_BILLS}

    title = translate(gettext("Bills"), request.language)
    return build_page(request, "bills", "bills", load, to=urls(request), title=title, stamp=lines)


async def show_bill(request: PublicRequest) -> PublicPage:
    """One bill through both houses."""
    key = request.params["key"][:_LONGEST_KEY]
    timeline = await articles.get_bill_timeline(request.ports, key)

    async def load() -> Mapping[str, object]:
        return {"timeline": timeline, "spoken": await load_bill_speeches(request.ports, key), "tones": TONES}

    image = preview(
        f"/recap{join_path('bills', key)}",
        timeline.title,
        describe_sitting(timeline.entries[-1].card, request.language),
    )
    return build_page(
        request,
        "bills",
        "bill",
        load,
        to=urls(request),
        title=timeline.title,
        description=image.alt,
        stamp=timeline,
        schema=describe_bill(request, timeline),
        image=image,
        feed=MeetingFeed(ArticleFilter(bill=(key,)), {key: timeline.title}),
    )


async def show_agenda_item(request: PublicRequest) -> PublicPage:
    """One item of the agenda across meetings."""
    timeline = await articles.get_agenda_timeline(request.ports, request.params["key"][:_LONGEST_KEY])

    async def load() -> Mapping[str, object]:
        return {"timeline": timeline, "spoken": BillSpeeches(), "tones": TONES}

    return build_page(request, "bills", "bill", load, to=urls(request), title=timeline.title, stamp=timeline)


async def show_issue(request: PublicRequest) -> PublicPage:
    """Every article about one record."""
    timeline = await articles.get_issue_timeline(request.ports, request.params["issue_id"][:_LONGEST_KEY])

    async def load() -> Mapping[str, object]:
        return {"timeline": timeline}

    return build_page(request, "articles", "issue", load, to=urls(request), title=timeline.title, stamp=timeline)

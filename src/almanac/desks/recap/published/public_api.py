"""The desk's public pages as JSON for programs: no key, the same for everybody, nothing that the pages don't show."""

from collections.abc import Callable
from urllib.parse import urlencode

from almanac.desks.recap.model.bulk import speech_values, whole_article_values, write_line
from almanac.desks.recap.model.filters import parse_filter
from almanac.desks.recap.model.items import ArticleCard
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.record_names import language_of, record_language
from almanac.desks.recap.model.speech_filters import parse_speech_filter
from almanac.desks.recap.model.speech_views import SpeechHit
from almanac.desks.recap.model.views import FacetValue, FullArticle, ListedArticle, MeetingTimeline
from almanac.desks.recap.published import store
from almanac.desks.recap.published.bill_view import MOST_BILLS, list_bill_rows
from almanac.desks.recap.published.data_files import FILES
from almanac.desks.recap.published.list_view import query_values
from almanac.desks.recap.published.person_view import list_people
from almanac.desks.recap.service import articles, people, search, speeches
from almanac.desks.recap.urls import RecapUrls
from almanac.errors import NotFound
from almanac.kit.catalogs import nearest_language
from almanac.kit.json_text import encode_json, to_builtins
from almanac.kit.messages import gettext
from almanac.public import PublicDocument, PublicFile, PublicRequest

ROOT = "/data/v1/recap"
JSON, JSON_LINES = "application/json", "application/jsonl"
_PAGE, _MOST = 20, 50
_WHOLE_PAGE, _MOST_WHOLE = 10, 20
_LONGEST_KEY = 400
ArticleWriter = Callable[[FullArticle, RecapUrls], bytes]


async def list_articles(request: PublicRequest) -> PublicFile:
    """Articles that match a filter, newest first, as JSON."""
    limit = request.number("limit", _PAGE, most=_MOST)
    wanted = parse_filter(query_values(request.query))
    page = await search.list_articles(request.ports, wanted, cursor=request.cursor, limit=limit)
    body = {"items": [_listed(row, request) for row in page.items], "next_cursor": page.next_cursor}
    return _file(body, next_url=_next(request, "articles", page.next_cursor))


async def list_whole_articles(request: PublicRequest) -> PublicFile:
    """Articles that match a filter with all their texts, one a line; the next ones are in the header Link."""
    limit = request.number("limit", _WHOLE_PAGE, most=_MOST_WHOLE)
    wanted = parse_filter(query_values(request.query))
    page = await search.list_articles(request.ports, wanted, cursor=request.cursor, limit=limit)
    lines = [await _whole_line(request, row.card) for row in page.items]
    return PublicFile(
        content=b"".join(lines),
        media_type=JSON_LINES,
        next_url=_next(request, "articles.jsonl", page.next_cursor),
    )


async def get_article(request: PublicRequest) -> PublicDocument:
    """One article with all its texts and every speech, as JSON."""

    def write(article: FullArticle, to: RecapUrls) -> bytes:
        minutes = list(speech_values(article, to.speech))
        return encode_json({**whole_article_values(article, to.article(article.card.id)), "minutes": minutes})

    return await _document(request, write, JSON)


async def list_speeches(request: PublicRequest) -> PublicDocument:
    """The speeches of an article in their original words, one a line."""

    def write(article: FullArticle, to: RecapUrls) -> bytes:
        return b"".join(write_line(values, "speeches", "jsonl") for values in speech_values(article, to.speech))

    return await _document(request, write, JSON_LINES)


async def get_speech(request: PublicRequest) -> PublicDocument:
    """One speech in its original words, as JSON."""
    order = request.params["order"]

    def write(article: FullArticle, to: RecapUrls) -> bytes:
        for values in speech_values(article, to.speech):
            if str(values["order"]) == order:
                return encode_json(values)
        raise NotFound(gettext("This speech doesn't exist."))

    return await _document(request, write, JSON)


async def find_speeches(request: PublicRequest) -> PublicFile:
    """Speeches by words, person, bill and other filters, as JSON."""
    limit = request.number("limit", _PAGE, most=_MOST)
    wanted = parse_speech_filter(query_values(request.query))
    page = await speeches.list_speeches(request.ports, wanted, cursor=request.cursor, limit=limit)
    items = [{**speeches.describe_speech(hit), **_places(hit, request)} for hit in page.items]
    body = {"items": items, "next_cursor": page.next_cursor}
    return _file(body, next_url=_next(request, "speeches", page.next_cursor))


def _places(hit: SpeechHit, request: PublicRequest) -> dict[str, object]:
    """Where a speech is here and in the official record, and the words around those looked for."""
    snippet = "".join(span.text for span in hit.snippet)
    to = _urls(request, hit.card.name_of_house)
    return {"official_url": hit.url, "url": to.speech(hit.card.id, hit.order), "snippet": snippet}


async def find_people(request: PublicRequest) -> PublicFile:
    """Who spoke most, or whose name begins with `q`, as JSON."""
    rows = await list_people(request.ports, request.text("q").strip())
    return _file({"items": [_person(row, _urls_of(request, row.value)) for row in rows]})


async def get_person(request: PublicRequest) -> PublicFile:
    """One person: offices over time and meetings, as JSON; `key` tells namesakes apart."""
    name = request.params["name"][:_LONGEST_KEY]
    person = await people.get_person(
        request.ports, name, key=request.text("key") or None, cursor=request.cursor, limit=_PAGE
    )
    to, following = _urls_of(request, name), person.articles.next_cursor
    body = {
        "identity": person.identity,
        "namesakes": person.namesakes,
        "offices": person.offices,
        "articles": [_listed(row, request) for row in person.articles.items],
        "next_cursor": following,
        "url": to.person(name, request.text("key")),
    }
    return _file(body)


async def list_bills(request: PublicRequest) -> PublicFile:
    """The bills that most meetings dealt with, those that moved last first, as JSON."""
    bills = await search.list_frequent_values(request.ports, ("bill",), most=MOST_BILLS)
    rows = await list_bill_rows(request.ports, bills)
    return _file({"items": [{**to_builtins(row), "url": _urls_of(request, row.title).bill(row.key)} for row in rows]})


async def get_bill(request: PublicRequest) -> PublicFile:
    """One bill through both houses, as JSON."""
    timeline = await articles.get_bill_timeline(request.ports, request.params["key"][:_LONGEST_KEY])
    return _file(_timeline(timeline, request))


async def list_files(request: PublicRequest) -> PublicFile:
    """The files of whole sessions with their sizes and checksums, as JSON."""
    files = await store.list_bulk_files(request.ports.database)
    return _file(
        {
            "items": [
                {
                    "name": file.name,
                    "session": file.session,
                    "content": file.content,
                    "lines": file.lines,
                    "size": file.size,
                    "sha256": file.digest,
                    "made_at": file.made_at,
                    "url": f"{request.links.base}{FILES}/{file.name}",
                }
                for file in files
            ]
        }
    )


async def _document(request: PublicRequest, write: ArticleWriter, media_type: str) -> PublicDocument:
    stored = await articles.get_published(request.ports, request.params["article_id"][:200])

    async def load() -> bytes:
        article = await articles.open_article(request.ports, stored.id)
        return write(article, _urls_in(request, parliament_of(article.meeting).language))

    stamp = (stored.version, stored.updated_at, stored.asset_url)
    return PublicDocument(stamp=stamp, load=load, media_type=media_type, modified=stored.updated_at)


async def _whole_line(request: PublicRequest, card: ArticleCard) -> bytes:
    try:
        article = await articles.open_article(request.ports, card.id)
    except NotFound as error:
        return encode_json({"id": card.id, "date": card.date, "problem": error.sentence}) + b"\n"
    return encode_json(whole_article_values(article, _urls(request, card.name_of_house).article(card.id))) + b"\n"


def _urls(request: PublicRequest, house: str | None) -> RecapUrls:
    """Programs are given the pages in the language of the record, since an address of theirs has none."""
    return _urls_in(request, record_language(house))


def _urls_of(request: PublicRequest, name: str) -> RecapUrls:
    """The same for what is known by its name alone."""
    return _urls_in(request, language_of(name))


def _urls_in(request: PublicRequest, language: str) -> RecapUrls:
    return RecapUrls(request.links.whole(nearest_language(language), "/recap"))


def _next(request: PublicRequest, path: str, cursor: str | None) -> str:
    """The whole address of the next page; empty if there is none."""
    if cursor is None:
        return ""
    kept = [(name, value) for name, value in request.query.multi_items() if name != "cursor"]
    return f"{request.links.base}{ROOT}/{path}?{urlencode([*kept, ('cursor', cursor)])}"


def _file(body: object, next_url: str = "") -> PublicFile:
    return PublicFile(content=encode_json(body), media_type=JSON, next_url=next_url)


def _listed(row: ListedArticle, request: PublicRequest) -> dict[str, object]:
    snippet = "".join(span.text for span in row.snippet)
    return {**_card(row.card, request), "snippet": snippet}


def _card(card: ArticleCard, request: PublicRequest) -> dict[str, object]:
    return {**to_builtins(card), "url": _urls(request, card.name_of_house).article(card.id)}


def _person(row: FacetValue, to: RecapUrls) -> dict[str, object]:
    return {"name": row.value, "articles": row.count, "url": to.person(row.value)}


def _timeline(timeline: MeetingTimeline, request: PublicRequest) -> dict[str, object]:
    entries = [
        {"article": _card(entry.card, request), "outcome": entry.outcome, "orders": entry.orders}
        for entry in timeline.entries
    ]
    return {
        "key": timeline.key,
        "title": timeline.title,
        "url": _urls_of(request, timeline.title).bill(timeline.key),
        "entries": entries,
    }

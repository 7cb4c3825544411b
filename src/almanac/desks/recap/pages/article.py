"""One meeting as an article: three levels to read it at, the minutes with the original words, where it comes from."""

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.citations.passages import QUOTE_ANCHOR, parse_quote
from almanac.citations.store import list_visible_citations
from almanac.desks.recap.indexing import KIND
from almanac.desks.recap.model.cited_levels import build_level
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.model.minutes import Minutes, MinutesFilter, find_part, read_minutes
from almanac.desks.recap.model.views import BareArticle, FullArticle, VersionDifference
from almanac.desks.recap.pages.layout import PHRASES, ArticleId, Reader, render_page
from almanac.desks.recap.service import articles
from almanac.desks.recap.urls import PREFIX, RecapUrls, recap_url
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.pages import redirect
from almanac.language.translations import Translator

router = APIRouter(prefix=PREFIX + "/articles")
Level = Literal["points", "plain", "detailed"]
LEVELS: tuple[Level, ...] = get_args(Level)
TONES = {
    "質問": "question",
    "答弁": "answer",
    "賛成": "done",
    "反対": "failed",
    "採決": "done",
    "動議": "question",
    "議事進行": "plain",
}
Short = Annotated[str, Query(max_length=200)]
Number = Annotated[int | None, Query(ge=0, le=1_000_000)]
Version = Annotated[int, Query(ge=1, le=1_000_000)]
_SIGNS = {"added": "+", "removed": "-"}

Lines = list[tuple[str, str]]


@router.get("/{article_id}")
async def show_article(
    request: Request,
    article_id: ArticleId,
    principal: Reader,
    level: Short = "points",
    within: Short = "",
    speaker: Short = "",
    group: Short = "",
    reaction: Short = "",
    full: Short = "",
    part: Annotated[int, Query(ge=1, le=10_000)] = 1,
    speech: Number = None,
    version: Number = None,
    quote: Short = "",
) -> Response:
    """The article at a level, with the speeches that the reader asks for."""
    services = get_state(request).services
    article = await articles.show_article(services, article_id, version)
    if isinstance(article, BareArticle):
        return await render_page(request, principal, "articles", "bare_article", bare=article, card=article.card)
    wanted = MinutesFilter(within, speaker, group, reaction, bool(full), part, speech, parse_quote(quote))
    level = level if level in LEVELS else LEVELS[0]
    minutes = read_minutes(article.meeting, article.recap.dialogs, wanted)
    here, wording = recap_url("articles", article_id), PHRASES.choose(request, principal)
    level_links = {name: _with_query(here, level=name, version=version) for name in LEVELS}
    return await render_page(
        request,
        principal,
        "articles",
        "article",
        article=article,
        recap=article.recap,
        meeting=article.meeting,
        card=article.card,
        level=level,
        levels=LEVELS,
        read=build_level(article.recap, level),
        minutes=minutes,
        wanted=wanted,
        here=here,
        link=SpeechLinks(article, minutes, version),
        decided=article.recap.facts.decisions,
        level_links=level_links,
        speaker_options=_options(wording("anybody"), minutes.speakers),
        group_options=_options(wording("any_group"), minutes.groups),
        reaction_options=_options(wording("any_reaction"), minutes.reactions, wording),
        tones=TONES,
        part_links=_part_links(level_links[level], minutes, wanted),
        official=official_url(article),
        remake_url=recap_url("tasks", task_pk(article.meeting), "remake"),
        uses=await list_visible_citations(services.database, principal, KIND.name, article_id),
    )


@router.get("/{article_id}/speeches/{order}")
async def redirect_to_speech(
    request: Request, article_id: ArticleId, order: int, _principal: Reader, quote: Short = "", version: Number = None
) -> Response:
    """The permanent address of a speech leads to its place in the minutes, and to the words that it quotes."""
    article = await articles.open_article(get_state(request).services, article_id, version)
    part = find_part(article.meeting, order)
    if part is None:
        raise NotFound("This meeting has no speech with that number; open the meeting and search its minutes.")
    url = _with_query(
        recap_url("articles", article_id), version=version, part=part if part > 1 else None, speech=order, quote=quote
    )
    return redirect(request, f"{url}#{QUOTE_ANCHOR if parse_quote(quote) else f'speech-{order}'}")


class SpeechLinks:
    """Where a reference leads: down the page where the speech is on it, else to its permanent address.

    A reader of an earlier version stays in it.
    """

    def __init__(self, article: FullArticle, minutes: Minutes, version: int | None) -> None:
        self._version = version
        self._shown = minutes.shown_orders
        self._article_id = article.card.id
        self._speakers = {speech.order: speech.speaker for speech in article.meeting.speeches}
        self._keys = {order: person.key for person in article.recap.participants for order in person.orders}

    def __call__(self, order: int) -> str:
        if order in self._shown:
            return f"#speech-{order}"
        return _with_query(recap_url("articles", self._article_id, "speeches", str(order)), version=self._version)

    def speaker(self, order: int) -> str:
        return self._speakers.get(order, "")

    def person(self, order: int) -> str:
        """The page of whoever spoke, and of nobody else of that name."""
        return RecapUrls().person(self.speaker(order), self._keys.get(order, ""))


def official_url(article: FullArticle) -> str:
    """The official record, or its first speech where the source gives no address of the whole."""
    urls = (article.meeting.url, *(speech.url for speech in article.meeting.speeches))
    return next((url for url in urls if url), "")


def _options(
    everything: str, counts: Sequence[tuple[str, int]], wording: Translator | None = None
) -> list[tuple[str, str]]:
    """What a select offers, each with how many speeches it leaves."""
    words = [(value, wording(f"reaction_{value}") if wording else value, count) for value, count in counts]
    return [("", everything), *((value, f"{word} ({count})") for value, word, count in words)]


def _part_links(here: str, minutes: Minutes, wanted: MinutesFilter) -> list[tuple[int, str, bool]]:
    """Every page of the minutes, as the reader has them now."""
    chosen = {
        "within": wanted.text,
        "speaker": wanted.speaker,
        "group": wanted.group,
        "reaction": wanted.reaction,
        "full": "yes" if wanted.in_full else "",
    }
    return [
        (number, f"{_with_query(here, **chosen, part=number)}#minutes", number == minutes.part)
        for number in range(1, minutes.parts + 1)
    ]


def _with_query(path: str, **values: object) -> str:
    query = urlencode({name: value for name, value in values.items() if value not in (None, "")})
    return f"{path}{'&' if '?' in path else '?'}{query}" if query else path


@router.get("/{article_id}/versions")
async def show_versions(request: Request, article_id: ArticleId, principal: Reader) -> Response:
    """Every version, the latest first."""
    services = get_state(request).services
    article = await articles.open_article(services, article_id)
    versions = await articles.list_versions(services, article_id)
    return await render_page(
        request, principal, "articles", "versions", article=article, card=article.card, versions=versions
    )


@router.get("/{article_id}/compare")
async def show_differences(
    request: Request, article_id: ArticleId, principal: Reader, older: Version = 1, newer: Version = 2
) -> Response:
    """What one version says otherwise than another."""
    services = get_state(request).services
    article = await articles.open_article(services, article_id)
    differences = await articles.compare_versions(services, article_id, older, newer)
    return await render_page(
        request,
        principal,
        "articles",
        "compare",
        article=article,
        card=article.card,
        older=older,
        newer=newer,
        parts=_by_part(differences),
    )


def _by_part(differences: list[VersionDifference]) -> list[tuple[str, Lines]]:
    return [
        (part, [(_SIGNS[difference.kind], difference.text) for difference in group])
        for part, group in groupby(differences, key=lambda difference: difference.part)
    ]

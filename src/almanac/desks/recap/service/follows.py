"""Following a person, a bill, a body or words: what it is called, and the words that a mail quotes."""

from collections.abc import Sequence
from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.recap.model.filters import ArticleFilter, fold_value, parse_filter
from almanac.desks.recap.model.follows import (
    Follow,
    MeetingFollows,
    filter_for,
    follow_of,
    is_followable,
    quote_speech,
)
from almanac.desks.recap.model.houses import HOUSES
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.speech_filters import SpeechFilter
from almanac.desks.recap.model.views import FullArticle
from almanac.desks.recap.service import people
from almanac.desks.recap.service.articles import get_bill_timeline, open_article
from almanac.desks.recap.service.search import list_articles
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.urls import WORKSPACE
from almanac.errors import NotFound
from almanac.kit.messages import day_text, gettext, translate
from almanac.kit.text import shorten
from almanac.saved.model import AlertSettings, MatchQuote, SavedQuery, SavedQueryInput
from almanac.services import Services
from almanac.subscribers import AlertQuote, FollowedTarget, UntoldPart

_KIND, _HOUR, _LONGEST_NAME = "recap", 7, 120
_NOTHING = gettext("There is nothing to follow here.")


async def describe_follow(services: RecapReads, kind: str, target: str) -> Follow:
    """What somebody asks to follow, under its name; NotFound if there is nothing of it."""
    match kind:
        case "person":
            name = target.partition(":")[0]
            person = await people.get_person(services, name, key=target if ":" in target else None, limit=1)
            return Follow("person", person.identity.key or target, person.identity.name)
        case "bill":
            return Follow("bill", target, (await get_bill_timeline(services, target)).title)
        case "meeting":
            house, _, meeting = target.partition("/")
            wanted = ArticleFilter(house=(house,) if house else (), meeting=(meeting,))
            if not meeting or not (await list_articles(services, wanted, limit=1)).items:
                raise NotFound(_NOTHING)
            return Follow("meeting", target, f"{house} {meeting}".strip())
        case "words" if is_followable(fold_value(target)):
            return Follow("words", fold_value(target), f"「{' '.join(target.split())}」")
        case _:
            raise NotFound(_NOTHING)


async def quote_parts(services: RecapReads, parts: Sequence[UntoldPart], language: str) -> list[AlertQuote]:
    """Speeches in their own words, for mails; what was withdrawn or held is missing."""
    articles: dict[str, _QuotedArticle | None] = {}
    for part in parts:
        if part.item not in articles:
            opened = await _open(services, part.item)
            articles[part.item] = None if opened is None else _QuotedArticle(opened)
    quotes = [article.quote(part, language) for part in parts if (article := articles[part.item]) is not None]
    return [quote for quote in quotes if quote is not None]


async def _open(services: RecapReads, article_id: str) -> FullArticle | None:
    try:
        return await open_article(services, article_id)
    except NotFound:
        return None


class _QuotedArticle:
    """An article whose speeches a mail quotes."""

    def __init__(self, article: FullArticle) -> None:
        self._id, self._meeting = article.card.id, article.meeting
        self._follows = MeetingFollows(article.meeting, article.recap)
        self._all: dict[tuple[str, str], frozenset[str]] = {}

    def quote(self, part: UntoldPart, language: str) -> AlertQuote | None:
        """A speech in its own words, and which others of the meeting are about the same."""
        meeting = self._meeting
        speech = meeting.by_order.get(int(part.part))
        if speech is None:
            return None
        words = next((follow.target for follow in part.follows if follow.kind == "words"), "")
        return AlertQuote(
            part=part,
            speaker=_describe_speaker(speech),
            place=f"{translate(HOUSES.get(meeting.house, meeting.house), language)} {meeting.meeting}",
            day=translate(day_text(meeting.date, "weekday"), language),
            words=quote_speech(meeting, speech, words),
            path=WORKSPACE.speech(self._id, speech.order),
            language=parliament_of(meeting).language,
            like_it=self._like(part.follows[0]),
            like_it_path=self._list_path(part.follows[0]),
        )

    def _like(self, follow: FollowedTarget) -> frozenset[str]:
        key = (follow.kind, follow.target)
        if key not in self._all:
            self._all[key] = frozenset(map(str, self._follows.find_all(*key)))
        return self._all[key]

    def _list_path(self, follow: FollowedTarget) -> str:
        """The list of the meeting's speeches about what is followed."""
        day, target = self._meeting.date, (follow.target,)
        here = SpeechFilter(house=(self._meeting.house,), meeting=(self._meeting.meeting,), since=day, until=day)
        match follow.kind:
            case "person":
                here = replace(here, speaker=target) if ":" in follow.target else replace(here, person=target)
            case "bill":
                here = replace(here, bill=target)
            case "words":
                here = replace(here, text=follow.target)
        return WORKSPACE.speeches(here)


def _describe_speaker(speech: Speech) -> str:
    who = "・".join(filter(None, (speech.position, speech.group)))
    return f"{speech.speaker}（{who}）" if who else speech.speaker


async def quote_match(services: RecapReads, saved: SavedQuery, article_id: str) -> list[MatchQuote]:
    """What a saved query follows in an article, in the words of the record; nothing if it follows nothing."""
    follow = follow_of(parse_filter({**saved.filters, "q": [saved.query.replace('"', "")]}))
    article = await _open(services, article_id) if follow else None
    if follow is None or article is None:
        return []
    meeting = article.meeting
    matches = MeetingFollows(meeting, article.recap).find(follow.kind, [follow.target])
    words = follow.target if follow.kind == "words" else ""
    return [
        MatchQuote(
            speaker=_describe_speaker(speech),
            words=quote_speech(meeting, speech, words),
            path=WORKSPACE.speech(article_id, match.order),
            language=parliament_of(meeting).language,
        )
        for match in matches
        for speech in [meeting.by_order[match.order]]
    ]


async def find_followed(services: Services, by: Principal, follow: Follow) -> SavedQuery | None:
    """The saved query by which somebody follows something; None if they don't."""
    if not by.may("saved.own"):
        return None
    query, filters = filter_for(follow)
    saved = await services.saved.list(by)
    return next(
        (
            query_of
            for query_of in saved
            if (query_of.query, dict(query_of.filters), query_of.kinds) == (query, filters, (_KIND,))
        ),
        None,
    )


async def start_following(services: Services, by: Principal, kind: str, target: str) -> Follow:
    """Follow something by a saved query with a daily mail. Idempotent."""
    follow = await describe_follow(services, kind, target)
    if await find_followed(services, by, follow) is None:
        query, filters = filter_for(follow)
        wish = SavedQueryInput(
            name=shorten(follow.label, _LONGEST_NAME), query=query, kinds=[_KIND], filters=filters, sort="-date"
        )
        saved = await services.saved.save(by, wish)
        zone = by.preferences.time_zone or services.settings.time_zone
        await services.alerts.set(by, saved.id, AlertSettings(frequency="daily", hour=_HOUR, time_zone=zone))
    return follow


async def stop_following(services: Services, by: Principal, kind: str, target: str) -> Follow:
    """Follow something no more. Idempotent."""
    follow = await describe_follow(services, kind, target)
    if (saved := await find_followed(services, by, follow)) is not None:
        await services.saved.delete(by, saved.id)
    return follow

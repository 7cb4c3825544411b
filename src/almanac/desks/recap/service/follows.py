"""Following a person, a bill, a body or words: what it is called, and the words that a mail quotes."""

from collections.abc import Sequence

from almanac.desks.recap.model.filters import ArticleFilter, fold_value
from almanac.desks.recap.model.follows import Follow, is_followable, quote_speech
from almanac.desks.recap.model.houses import HOUSES
from almanac.desks.recap.model.views import FullArticle
from almanac.desks.recap.service import people
from almanac.desks.recap.service.articles import get_bill_timeline, open_article
from almanac.desks.recap.service.search import list_articles
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.urls import RecapUrls
from almanac.errors import NotFound
from almanac.kit.messages import day_text, gettext, translate
from almanac.subscribers import AlertQuote, UntoldPart

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
    articles: dict[str, FullArticle | None] = {}
    for part in parts:
        if part.item not in articles:
            articles[part.item] = await _open(services, part.item)
    quotes = [_quote(article, part, language) for part in parts if (article := articles[part.item]) is not None]
    return [quote for quote in quotes if quote is not None]


async def _open(services: RecapReads, article_id: str) -> FullArticle | None:
    try:
        return await open_article(services, article_id)
    except NotFound:
        return None


def _quote(article: FullArticle, part: UntoldPart, language: str) -> AlertQuote | None:
    speech = article.meeting.by_order.get(int(part.part))
    if speech is None:
        return None
    words = next((follow.target for follow in part.follows if follow.kind == "words"), "")
    meeting = article.meeting
    who = "・".join(filter(None, (speech.position, speech.group)))
    return AlertQuote(
        part=part,
        speaker=f"{speech.speaker}（{who}）" if who else speech.speaker,
        place=f"{translate(HOUSES.get(meeting.house, meeting.house), language)} {meeting.meeting}",
        day=translate(day_text(meeting.date, "weekday"), language),
        words=quote_speech(speech, words),
        path=RecapUrls().speech(article.card.id, speech.order),
    )

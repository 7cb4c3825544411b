"""What other desks may read of this one: speeches in the words of the record."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from almanac.citations.model import CurrentText, Passage, PassageLocation
from almanac.citations.passages import Excerpt, find_excerpts, passage_id, text_version
from almanac.desks.recap.indexing import KIND
from almanac.desks.recap.model.facts.speech_text import speaker_label
from almanac.desks.recap.model.filters import fold_value
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.views import FullArticle
from almanac.desks.recap.permissions import READ
from almanac.desks.recap.service.articles import open_article
from almanac.desks.recap.urls import article_path
from almanac.errors import Gone, NotFound
from almanac.language.detection import detect_language
from almanac.search import SearchViewer, any_words_query
from almanac.services import Services

KIND_NAME = KIND.name
_MOST_SPEECHES = 3


async def find_speeches(
    services: Services,
    viewer: SearchViewer,
    phrases: Sequence[str],
    *,
    since: datetime,
    until: datetime,
    articles: int = 10,
) -> list[Passage]:
    """Passages of speeches with any of the phrases, from meetings in the window; empty if the viewer may not read."""
    query = any_words_query(phrases)
    if not query or not viewer.may(READ):
        return []
    results = await services.search.find(
        query, viewer=viewer, kinds=[KIND.name], since=since, until=until, limit=articles
    )
    return [passage for hit in results.hits for passage in await _passages(services, hit.id, phrases)]


async def get_current_texts(
    services: Services, viewer: SearchViewer, places: Iterable[PassageLocation]
) -> Mapping[tuple[str, str], CurrentText]:
    """The present text of speeches by (item, part); missing if a speech is gone or the viewer may not read it."""
    if not viewer.may(READ):
        return {}
    wanted = list(places)
    now: dict[tuple[str, str], CurrentText] = {}
    for item in dict.fromkeys(place.item for place in wanted):
        article = await _article(services, item)
        speeches = article.meeting.by_order if article else {}
        for order in (place.part for place in wanted if place.item == item):
            speech = speeches.get(int(order)) if order.isdecimal() else None
            if speech is not None:
                now[item, order] = CurrentText(text=speech.text, version=text_version(speech.text))
    return now


async def _article(services: Services, article_id: str) -> FullArticle | None:
    try:
        return await open_article(services, article_id)
    except (Gone, NotFound):
        return None


async def _passages(services: Services, article_id: str, phrases: Sequence[str]) -> list[Passage]:
    """One passage from each of the speeches with the most occurrences."""
    article = await _article(services, article_id)
    if article is None:
        return []
    counts = [(_count_occurrences(speech, phrases), speech) for speech in article.meeting.spoken]
    best = sorted((pair for pair in counts if pair[0]), key=lambda pair: (-pair[0], pair[1].order))
    return [
        _passage(article, speech, stretch)
        for _, speech in best[:_MOST_SPEECHES]
        for stretch in _find_excerpts(speech, phrases)
    ]


def _count_occurrences(speech: Speech, phrases: Sequence[str]) -> int:
    text = fold_value(speech.text)
    return sum(text.count(fold_value(phrase)) for phrase in phrases if fold_value(phrase))


def _find_excerpts(speech: Speech, phrases: Sequence[str]) -> list[Excerpt]:
    """The best excerpt of a speech, without the speaker's label."""
    label = speaker_label(speech)
    begin = speech.text.index(label) + len(label) if label else 0
    excerpts = find_excerpts(speech.text[begin:], phrases, most=1)
    return [Excerpt(excerpt.text, begin + excerpt.start, begin + excerpt.end) for excerpt in excerpts]


def _passage(article: FullArticle, speech: Speech, stretch: Excerpt) -> Passage:
    meeting, item, part = article.meeting, article.card.id, str(speech.order)
    return Passage(
        id=passage_id(KIND.name, item, part, stretch.text),
        text=stretch.text,
        title=article.card.title,
        source=" ".join(filter(None, (meeting.house, meeting.meeting, speech.speaker))),
        url=speech.url or meeting.url or "",
        date=meeting.date,
        language=detect_language(stretch.text),
        place=PassageLocation(
            desk=KIND.name,
            item=item,
            part=part,
            version=text_version(speech.text),
            path=f"{article_path(item)}/speeches/{part}",
            start=stretch.start,
            end=stretch.end,
        ),
    )

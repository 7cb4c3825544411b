"""What other desks may read of this one: what was said in parliament, speech by speech, each with its permalink."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from almanac.desks.recap.filing import KIND, READ_PERMISSION, speech_path
from almanac.desks.recap.filters import folded
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.service.reading import open_article
from almanac.desks.recap.views import FullArticle
from almanac.errors import NotFound
from almanac.kit.text import shorten
from almanac.search import Viewer
from almanac.services import Services

KIND_NAME = KIND.name
_MOST_OF_ONE = 3
_LONGEST = 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechPassage:
    """One speech in the words of the record; `url` is its official permalink, `path` where it opens here."""

    id: str
    text: str
    title: str
    source: str
    speaker: str
    url: str
    path: str
    date: date
    language: str = "ja"


async def speeches_about(
    services: Services, viewer: Viewer, phrases: Sequence[str], *, since: datetime, until: datetime, articles: int = 10
) -> list[SpeechPassage]:
    """Speeches that hold any of the phrases, of sittings in the window, as far as the viewer may read this desk."""
    quoted = [phrase.replace('"', " ").strip() for phrase in phrases]
    query = " OR ".join(f'"{phrase}"' for phrase in quoted if phrase)
    if not query or not viewer.may_see(None, READ_PERMISSION):
        return []
    found = await services.search.find(
        query, viewer=viewer, kinds=[KIND.name], since=since, until=until, limit=articles
    )  # fmt: skip
    return [passage for hit in found.hits for passage in await _passages(services, hit.id, quoted)]


async def _passages(services: Services, article_id: str, phrases: Sequence[str]) -> list[SpeechPassage]:
    try:
        article = await open_article(services, article_id)
    except NotFound:
        return []
    told = [(_occurrences(speech, phrases), speech) for speech in article.meeting.spoken]
    best = sorted((one for one in told if one[0]), key=lambda one: (-one[0], one[1].order))
    return [_passage(article, speech) for _, speech in best[:_MOST_OF_ONE]]


def _occurrences(speech: Speech, phrases: Sequence[str]) -> int:
    text = folded(speech.text)
    return sum(text.count(folded(phrase)) for phrase in phrases if folded(phrase))


def _passage(article: FullArticle, speech: Speech) -> SpeechPassage:
    meeting = article.meeting
    path = speech_path(article.card.id, speech.order)
    return SpeechPassage(
        id=f"recap:{article.card.id}:{speech.order}",
        text=shorten(speech.text, _LONGEST),
        title=article.card.title,
        source=" ".join(filter(None, (meeting.house, meeting.meeting, speech.speaker))),
        speaker=speech.speaker,
        url=speech.url or path,
        path=path,
        date=meeting.date,
    )

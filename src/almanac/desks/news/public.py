"""What other desks may read: passages of stories that can be cited, and the current text of stories.

Passages are cut from the first article of a story, in its own language, so that citations quote what was published.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from almanac.citations.model import CurrentText, Passage, PassageLocation
from almanac.citations.passages import Excerpt, find_excerpts, passage_id, text_version
from almanac.desks.news.indexing import KIND
from almanac.desks.news.model.articles import NewsArticle
from almanac.desks.news.permissions import READ
from almanac.desks.news.store import articles
from almanac.desks.news.urls import story_path
from almanac.search import SearchViewer, any_words_query
from almanac.services import Services

STORY_KIND = KIND.name
_MAX_ID = 2**31


async def find_story_passages(
    services: Services,
    viewer: SearchViewer,
    phrases: Sequence[str],
    *,
    since: datetime,
    until: datetime,
    stories: int = 40,
) -> list[Passage]:
    """Passages of stories that contain any of the phrases; none where the viewer may not read this desk."""
    query = any_words_query(phrases)
    if not query or not viewer.may(READ):
        return []
    results = await services.search.find(
        query, viewer=viewer, kinds=[KIND.name], since=since, until=until, limit=stories
    )
    return [
        _passage(article, stretch)
        for article in await _list_articles(services, [hit.id for hit in results.hits])
        for stretch in find_excerpts(article.article, phrases, language=article.language)
    ]


async def current_story_texts(
    services: Services, viewer: SearchViewer, places: Iterable[PassageLocation]
) -> Mapping[tuple[str, str], CurrentText]:
    """The current text of stories by (id, ""). Stories that are gone or that the viewer may not read are missing."""
    if not viewer.may(READ):
        return {}
    stories = await _list_articles(services, list(dict.fromkeys(place.item for place in places)))
    return {
        (str(story.id), ""): CurrentText(text=story.article, version=text_version(story.article)) for story in stories
    }


async def _list_articles(services: Services, ids: Sequence[str]) -> list[NewsArticle]:
    valid = [int(article_id) for article_id in ids if article_id.isdecimal() and int(article_id) < _MAX_ID]
    async with services.database.unit() as unit:
        return await articles.list_articles(unit, valid)


def _passage(article: NewsArticle, stretch: Excerpt) -> Passage:
    item = str(article.id)
    return Passage(
        id=passage_id(KIND.name, item, "", stretch.text),
        text=stretch.text,
        title=article.title,
        source=article.domain,
        url=article.url,
        date=article.news_date,
        language=article.language,
        place=PassageLocation(
            desk=KIND.name,
            item=item,
            version=text_version(article.article),
            path=story_path(article.id),
            start=stretch.start,
            end=stretch.end,
        ),
    )

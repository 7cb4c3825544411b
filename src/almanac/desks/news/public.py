"""What other desks may read of this one: stories cut into passages that can be cited, and their words as they are now.

A passage is cut from the story's first article, in its own language, so that what is cited is what was published.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from almanac.citations import Passage, Place, Stretch, WordsNow, passage_id, stretches_about, version_of
from almanac.desks.news.indexing import KIND, READ_PERMISSION, story_path
from almanac.desks.news.model.articles import Article
from almanac.desks.news.store import articles
from almanac.search import SearchViewer, any_phrase_query
from almanac.services import Services

KIND_NAME = KIND.name
_LARGEST_NUMBER = 2**31


async def stories_about(
    services: Services,
    viewer: SearchViewer,
    phrases: Sequence[str],
    *,
    since: datetime,
    until: datetime,
    stories: int = 40,
) -> list[Passage]:
    """Passages of stories that hold any of the phrases, as far as the viewer may read this desk."""
    query = any_phrase_query(phrases)
    if not query or not viewer.may_see(None, READ_PERMISSION):
        return []
    found = await services.search.find(query, viewer=viewer, kinds=[KIND.name], since=since, until=until, limit=stories)
    return [
        _passage(article, stretch)
        for article in await _articles(services, [hit.id for hit in found.hits])
        for stretch in stretches_about(article.article, phrases, language=article.language)
    ]


async def words_now(
    services: Services, viewer: SearchViewer, places: Iterable[Place]
) -> Mapping[tuple[str, str], WordsNow]:
    """What the stories say today; one that is gone, or that the viewer may not read, is missing."""
    if not viewer.may_see(None, READ_PERMISSION):
        return {}
    told = await _articles(services, list(dict.fromkeys(place.item for place in places)))
    return {(str(one.id), ""): WordsNow(text=one.article, version=version_of(one.article)) for one in told}


async def _articles(services: Services, ids: Sequence[str]) -> list[Article]:
    known = [int(one) for one in ids if one.isdecimal() and int(one) < _LARGEST_NUMBER]
    async with services.database.unit() as unit:
        return await articles.list_articles(unit, known)


def _passage(article: Article, stretch: Stretch) -> Passage:
    item = str(article.id)
    return Passage(
        id=passage_id(KIND.name, item, "", stretch.text),
        text=stretch.text,
        title=article.title,
        source=article.domain,
        url=article.url,
        date=article.news_date,
        language=article.language,
        place=Place(
            desk=KIND.name,
            item=item,
            version=version_of(article.article),
            path=story_path(article.id),
            start=stretch.start,
            end=stretch.end,
        ),
    )

"""How an article stands in the search index and in the register; both follow from the article and can be made again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

import msgspec

from almanac.accounts.permissions import desk_permission
from almanac.desks.recap import register
from almanac.desks.recap.assets import load_asset, load_record
from almanac.desks.recap.filters import FACETS, Facet
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap, running_text
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.table import Article, ArticleCard
from almanac.errors import NotFound
from almanac.relational import Unit
from almanac.search import Batch, Document, Kind
from almanac.services import Services

_MOST_FACET_BYTES, _BYTES_PER_VALUE = 6500, 9
READ_PERMISSION = desk_permission("recap", "read")
KIND = Kind(
    "recap",
    "Meeting",
    "Meetings",
    {
        "category": "Category",
        "person": "Person",
        "keyword": "Keyword",
        "session": "Session",
        "house": "House",
        "meeting": "Meeting",
        "imagekind": "Kind of record",
        "issue": "Record",
        "bill": "Bill",
        "speaker": "Speaker",
    },
)


def path_of(article_id: str) -> str:
    """Where an article opens on this site."""
    return f"/recap/articles/{article_id}"


def speech_path(article_id: str, order: int) -> str:
    """Where a speech opens on this site."""
    return f"{path_of(article_id)}#speech-{order}"


def card_of(article: Article) -> ArticleCard:
    """The article as a list shows it."""
    return ArticleCard(
        id=article.id,
        title=article.title,
        date=article.date,
        month=article.month,
        image_kind=article.image_kind,
        session=article.session,
        name_of_house=article.name_of_house,
        name_of_meeting=article.name_of_meeting,
        categories=article.categories,
        description=article.description,
    )


def read_card(stored: object) -> ArticleCard:
    """A card as it was kept beside an entry."""
    return msgspec.convert(stored, ArticleCard)


def values_of(article: Article) -> dict[Facet, tuple[str, ...]]:
    """Under what an article is filed; other programs write people and keywords as plain texts."""
    people = [one if isinstance(one, str) else one.get("name", "") for one in article.participants]
    keys = ["" if isinstance(one, str) else one.get("key", "") for one in article.participants]
    words = [one if isinstance(one, str) else one.get("keyword", "") for one in article.keywords]
    single = {
        "session": "" if article.session is None else str(article.session),
        "house": article.name_of_house or "",
        "meeting": article.name_of_meeting or "",
        "imagekind": article.image_kind or "",
        "issue": article.issue_id or "",
    }
    found: dict[str, Sequence[str]] = {
        "category": article.categories,
        "person": people,
        "keyword": words,
        "speaker": keys,
        "bill": [bill["key"] for bill in article.bills or ()],
        **{name: [value] for name, value in single.items()},
    }
    return {facet: tuple(dict.fromkeys(value for value in found[facet] if value)) for facet in FACETS}


def document_of(article: Article, recap: Recap | None, meeting: Meeting | None) -> Document:
    """The article as search knows it: what was written about the sitting, and then every word that was said."""
    return Document(
        kind=KIND.name,
        id=article.id,
        title=article.title,
        path=path_of(article.id),
        body=_body(article, recap, meeting),
        language="ja",
        date=datetime.combine(day_of(article), time(), UTC),
        facets=_fitting(values_of(article)),
        fields={"card": msgspec.json.encode(card_of(article)).decode()},
        permission=READ_PERMISSION,
    )


def _fitting(values: Mapping[Facet, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """As many values as the search index can hold for one document; the register has all of them."""
    room, kept = _MOST_FACET_BYTES, dict[str, tuple[str, ...]]()
    for facet, found in values.items():
        fitting = []
        for value in found:
            room -= len(facet) + len(value.encode()) + _BYTES_PER_VALUE
            if room >= 0:
                fitting.append(value)
        kept[facet] = tuple(fitting)
    return kept


def _body(article: Article, recap: Recap | None, meeting: Meeting | None) -> str:
    written = [running_text(recap.key_points), running_text(recap.summary)] if recap else [article.description or ""]
    return "\n".join([*written, *(speech.text for speech in (meeting.spoken if meeting else ()))])


def day_of(article: Article) -> date:
    """The day of the sitting; other programs write a moment."""
    return date.fromisoformat(article.date[:10])


def entry_of(article: Article) -> register.Entry:
    """The article as the register files it."""
    card = msgspec.json.encode(card_of(article))
    return register.Entry(
        id=article.id, version=article.version or 0, day=day_of(article), values=values_of(article), card=card
    )


async def file_article(unit: Unit, services: Services, article: Article, document: Document) -> bool:
    """Let an article be found: by words and by every combination of filters, once the unit has committed.

    True where this version was not known here before, so that it can be announced once.
    """
    known = await register.version_filed(unit, article.id)
    await services.search.put(unit, document)
    await register.file(unit, [entry_of(article)])
    return known < (article.version or 0)


async def unfile_article(unit: Unit, services: Services, article_id: str) -> None:
    """Let an article be found no more."""
    await services.search.remove(unit, KIND.name, [article_id])
    await register.remove(unit, [article_id])


@dataclass(frozen=True, slots=True)
class ArticleProvider:
    """Gives every article to a search index that is rebuilt, and files it in the register on the way."""

    services: Services
    kind: Kind = field(default=KIND)

    async def count(self) -> int:
        async with self.services.database.unit() as unit:
            return await register.size(unit)

    async def batch(self, after: str | None, limit: int) -> Batch:
        page = await store.list_all(self.services.tables, cursor=after, limit=limit)
        async with self.services.database.unit() as unit:
            await register.file(unit, [entry_of(article) for article in page.items])
        return Batch([await self._document(article) for article in page.items], page.next_cursor)

    async def _document(self, article: Article) -> Document:
        """Articles of other programs may keep their texts where we can't read them; their card is found as well."""
        try:
            asset = await load_asset(self.services, article.asset_url or "")
            record = await load_record(self.services, asset.record_url)
        except NotFound:
            return document_of(article, None, None)
        return document_of(article, asset.recap, record)


def searchable(services: Services) -> tuple[ArticleProvider, ...]:
    """What of this desk can be searched for."""
    return (ArticleProvider(services),)

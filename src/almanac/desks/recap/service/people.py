"""People: one identity among namesakes, what they were when, their articles, and what they said on one matter."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from almanac.desks.recap import register
from almanac.desks.recap.assets import load_asset, load_record
from almanac.desks.recap.derive.people import person_key
from almanac.desks.recap.filing import card_of, speech_path
from almanac.desks.recap.filters import ArticleFilter, folded
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.searching import by_register, find_articles
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.table import Article, Participant
from almanac.desks.recap.views import Identity, Listed, Office, PersonView, Quotation
from almanac.errors import NotFound
from almanac.language import sentences
from almanac.services import Services

# Offices and quotations are read from so many articles at most; namesakes are counted over all of them.
_LOOKED_AT = 60
_MOST_NAMESAKES = 20
_READING = ":"
_MOST_SENTENCES = 6


async def person(
    services: Services, name: str, *, key: str | None = None, cursor: str | None = None, limit: int = 20
) -> PersonView:
    """A person by name, and by key where several have it; without a key the one with the most articles."""
    identities = await _identities(services, name)
    chosen = _chosen(identities, key)
    wanted = _speaking(chosen)
    articles = await find_articles(services, wanted, facets=("category", "keyword"), cursor=cursor, limit=limit)
    is_whole = cursor is None and articles.next_cursor is None and limit <= _LOOKED_AT
    found = await _articles_of(services, wanted, articles.items if is_whole else None)
    return PersonView(
        identity=chosen,
        namesakes=[one for one in identities if one.key != chosen.key],
        offices=[office for article in found for office in _offices(article, chosen)],
        articles=articles,
    )


async def _identities(services: Services, name: str) -> list[Identity]:
    """Everybody with this name, told apart by its reading; articles of other programs know the name alone."""
    plain = person_key(name, None)
    async with services.database.reading() as reading:
        counted = await register.suggestions(reading, plain + _READING, ("speaker",), limit=_MOST_NAMESAKES)
        others = await register.count_of(reading, [("speaker", plain), ("person", name)])
    unread, named = others.get("speaker", 0), others.get("person", 0)
    counts = [(one.value, one.count) for one in counted] + ([(plain, unread)] if unread else [])
    if not counts and named:
        return [Identity(key="", name=name, yomi="", articles=named)]
    return [
        Identity(key=key, name=name, yomi=key.partition(_READING)[2], articles=count)
        for key, count in sorted(counts, key=lambda one: (-one[1], one[0]))
    ]


def _chosen(identities: Sequence[Identity], key: str | None) -> Identity:
    found = next((one for one in identities if not key or one.key == key), None)
    if found is None:
        raise NotFound("No article has this person; look for the name in the list of articles.")
    return found


def _speaking(who: Identity) -> ArticleFilter:
    return ArticleFilter(speaker=(who.key,)) if who.key else ArticleFilter(person=(who.name,))


async def _articles_of(
    services: Services, wanted: ArticleFilter, known: Sequence[Listed] | None = None
) -> list[Article]:
    """The articles of a filter, which need not be looked for where all of them are known already."""
    listed = (await by_register(services, wanted, None, _LOOKED_AT)).items if known is None else known
    return await store.get_articles(services.tables, [one.card.id for one in listed])


def _entries(article: Article, name: str) -> list[Participant]:
    named = (Participant(name=one) if isinstance(one, str) else one for one in article.participants)
    return [one for one in named if folded(one["name"]) == folded(name)]


def _offices(article: Article, who: Identity) -> list[Office]:
    return [
        Office(
            day=date.fromisoformat(article.date[:10]),
            group=one.get("group", ""),
            position=one.get("position", ""),
            role=one.get("role", ""),
            article_id=article.id,
        )
        for one in _entries(article, who.name)
        if one.get("key", "") == who.key
    ]


async def quotations(services: Services, name: str, matter_key: str, *, key: str | None = None) -> list[Quotation]:
    """What a person said on a bill, oldest first, in the words of the record and in nothing else.

    Of several people with the name it is the one that `person` shows.
    """
    who = _chosen(await _identities(services, name), key)
    wanted = replace(_speaking(who), bill=(matter_key,), order="oldest")
    found: list[Quotation] = []
    for article in await _articles_of(services, wanted):
        try:
            asset = await load_asset(services, article.asset_url or "")
            meeting = await load_record(services, asset.record_url)
        except NotFound:
            # Another program wrote it and kept no record that could be quoted; that hides nobody else's words.
            continue
        orders = _orders_on(asset.recap, matter_key)
        found += [
            _quoted(article, speech)
            for speech in meeting.spoken
            if speech.order in orders and _is(asset.recap, speech, who)
        ]
    return [one for one in found if one.sentences]


def _orders_on(recap: Recap, matter_key: str) -> frozenset[int]:
    """Speeches that name the bill or were made while it was before the house; what else was said is not about it."""
    return frozenset(order for bill in recap.facts.bills if bill.key == matter_key for order in bill.orders)


def _is(recap: Recap, speech: Speech, who: Identity) -> bool:
    """By the key; by the name alone where no article knows more of the person."""
    spoke = next((one for one in recap.participants if speech.order in one.orders), None)
    if who.key:
        return spoke is not None and spoke.key == who.key
    return folded(spoke.name if spoke else speech.speaker) == folded(who.name)


def _quoted(article: Article, speech: Speech) -> Quotation:
    """The first sentences of a speech, without the mark and the name that open it."""
    spoken = speech.text.partition("\u3000")[2] if speech.text.startswith("○") else speech.text
    said = [one.text.strip() for one in sentences(spoken)]
    return Quotation(
        card=card_of(article),
        order=speech.order,
        sentences=[one for one in said if one][:_MOST_SENTENCES],
        path=speech_path(article.id, speech.order),
        official_url=speech.url or "",
    )

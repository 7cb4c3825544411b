"""People: one identity among namesakes, what they were when, their articles, and what they said on one matter."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from almanac.desks.recap.model.facts.speakers import person_key
from almanac.desks.recap.model.filters import ArticleFilter, fold_value
from almanac.desks.recap.model.items import StoredParticipant
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.model.views import ListedArticle, PersonIdentity, PersonOffice, PersonView, SpeechQuotation
from almanac.desks.recap.service.search import list_articles, list_by_register
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import register
from almanac.desks.recap.store.article_mapping import card_from_article
from almanac.desks.recap.store.objects import load_asset, load_record
from almanac.desks.recap.store.table import Article
from almanac.desks.recap.urls import speech_path
from almanac.errors import NotFound
from almanac.language.segmentation import split_sentences
from almanac.services import Services

# Offices and quotations are read from so many articles at most; namesakes are counted over all of them.
_LOOKED_AT = 60
_MOST_NAMESAKES = 20
_READING = ":"
_MOST_SENTENCES = 6


async def get_person(
    services: Services, name: str, *, key: str | None = None, cursor: str | None = None, limit: int = 20
) -> PersonView:
    """A person by name, and by key where several have it; without a key the one with the most articles."""
    identities = await _identities(services, name)
    chosen = _chosen(identities, key)
    wanted = _speaking(chosen)
    articles = await list_articles(services, wanted, facets=("category", "keyword"), cursor=cursor, limit=limit)
    is_whole = cursor is None and articles.next_cursor is None and limit <= _LOOKED_AT
    found = await _articles_of(services, wanted, articles.items if is_whole else None)
    return PersonView(
        identity=chosen,
        namesakes=[one for one in identities if one.key != chosen.key],
        offices=[office for article in found for office in _offices(article, chosen)],
        articles=articles,
    )


async def _identities(services: Services, name: str) -> list[PersonIdentity]:
    """Everybody with this name, told apart by its reading; articles of other programs know the name alone."""
    plain = person_key(name, None)
    async with services.database.reading() as reading:
        counted = await register.suggest_values(reading, plain + _READING, ("speaker",), limit=_MOST_NAMESAKES)
        others = await register.count_by_value(reading, [("speaker", plain), ("person", name)])
    unread, named = others.get("speaker", 0), others.get("person", 0)
    counts = [(one.value, one.count) for one in counted] + ([(plain, unread)] if unread else [])
    if not counts and named:
        return [PersonIdentity(key="", name=name, yomi="", articles=named)]
    return [
        PersonIdentity(key=key, name=name, yomi=key.partition(_READING)[2], articles=count)
        for key, count in sorted(counts, key=lambda one: (-one[1], one[0]))
    ]


def _chosen(identities: Sequence[PersonIdentity], key: str | None) -> PersonIdentity:
    found = next((one for one in identities if not key or one.key == key), None)
    if found is None:
        raise NotFound("No article has this person; look for the name in the list of articles.")
    return found


def _speaking(who: PersonIdentity) -> ArticleFilter:
    return ArticleFilter(speaker=(who.key,)) if who.key else ArticleFilter(person=(who.name,))


async def _articles_of(
    services: Services, wanted: ArticleFilter, known: Sequence[ListedArticle] | None = None
) -> list[Article]:
    """The articles of a filter, which need not be looked for where all of them are known already."""
    listed = (await list_by_register(services, wanted, None, _LOOKED_AT)).items if known is None else known
    return await store.get_articles(services.tables, [one.card.id for one in listed])


def _entries(article: Article, name: str) -> list[StoredParticipant]:
    named = (StoredParticipant(name=one) if isinstance(one, str) else one for one in article.participants)
    return [one for one in named if fold_value(one["name"]) == fold_value(name)]


def _offices(article: Article, who: PersonIdentity) -> list[PersonOffice]:
    return [
        PersonOffice(
            day=date.fromisoformat(article.date[:10]),
            group=one.get("group", ""),
            position=one.get("position", ""),
            role=one.get("role", ""),
            article_id=article.id,
        )
        for one in _entries(article, who.name)
        if one.get("key", "") == who.key
    ]


async def list_quotations(
    services: Services, name: str, matter_key: str, *, key: str | None = None
) -> list[SpeechQuotation]:
    """What a person said on a bill, oldest first, in the words of the record and in nothing else.

    Of several people with the name it is the one that `person` shows.
    """
    who = _chosen(await _identities(services, name), key)
    wanted = replace(_speaking(who), bill=(matter_key,), order="oldest")
    found: list[SpeechQuotation] = []
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


def _is(recap: Recap, speech: Speech, who: PersonIdentity) -> bool:
    """By the key; by the name alone where no article knows more of the person."""
    spoke = next((one for one in recap.participants if speech.order in one.orders), None)
    if who.key:
        return spoke is not None and spoke.key == who.key
    return fold_value(spoke.name if spoke else speech.speaker) == fold_value(who.name)


def _quoted(article: Article, speech: Speech) -> SpeechQuotation:
    """The first sentences of a speech, without the mark and the name that open it."""
    spoken = speech.text.partition("\u3000")[2] if speech.text.startswith("○") else speech.text
    said = [one.text.strip() for one in split_sentences(spoken)]
    return SpeechQuotation(
        card=card_from_article(article),
        order=speech.order,
        sentences=[one for one in said if one][:_MOST_SENTENCES],
        path=speech_path(article.id, speech.order),
        official_url=speech.url or "",
    )

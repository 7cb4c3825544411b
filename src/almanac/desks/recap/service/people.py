"""People: one identity among namesakes, their offices over time, their articles, and quotations on a bill."""

from collections.abc import Sequence
from dataclasses import replace

from almanac.desks.recap.model.facts.speakers import person_key, reading_in_key
from almanac.desks.recap.model.filters import ArticleFilter, fold_value
from almanac.desks.recap.model.items import StoredParticipant
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.model.views import ListedArticle, PersonIdentity, PersonOffice, PersonView, SpeechQuotation
from almanac.desks.recap.service.search import list_articles, list_by_register, suggest_values
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import register
from almanac.desks.recap.store.article_mapping import card_from_article, meeting_day
from almanac.desks.recap.store.objects import load_asset, load_record
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.store.table import Article
from almanac.desks.recap.urls import WORKSPACE, speech_path
from almanac.errors import NotFound
from almanac.http.desk import NamedObject
from almanac.kit.messages import gettext
from almanac.language.segmentation import split_sentences
from almanac.services import Services

# Offices and quotations are read from this many articles at most; namesakes are counted over all of them.
_MOST_ARTICLES = 60
_MOST_NAMESAKES = 20
_MOST_NAMED = 5
_READING = ":"
_MOST_SENTENCES = 6


async def get_person(
    services: RecapReads, name: str, *, key: str | None = None, cursor: str | None = None, limit: int = 20
) -> PersonView:
    """A person by name, and by key among namesakes; without a key the one with the most articles."""
    identities = await _identities(services, name)
    chosen = _choose_identity(identities, key)
    wanted = _filter_for(chosen)
    articles = await list_articles(services, wanted, facets=("category", "keyword"), cursor=cursor, limit=limit)
    is_whole = cursor is None and articles.next_cursor is None and limit <= _MOST_ARTICLES
    spoken_in = await _list_articles(services, wanted, articles.items if is_whole else None)
    return PersonView(
        identity=chosen,
        namesakes=[identity for identity in identities if identity.key != chosen.key],
        offices=[office for article in spoken_in for office in _offices(article, chosen)],
        articles=articles,
    )


async def find_named_people(services: Services, text: str) -> list[NamedObject]:
    """The pages of people by any part of a name or its reading."""
    people = await suggest_values(services, text, facet="person", limit=_MOST_NAMED)
    return [NamedObject(person.value, WORKSPACE.person(person.value)) for person in people]


async def _identities(services: RecapReads, name: str) -> list[PersonIdentity]:
    """Everyone with this name, distinguished by its reading; articles of other programs have only the name."""
    plain = person_key(name, None)
    async with services.database.reading() as reading:
        counted = await register.suggest_values(reading, plain + _READING, ("speaker",), limit=_MOST_NAMESAKES)
        others = await register.count_by_value(reading, [("speaker", plain), ("person", name)])
    unread, named = others.get("speaker", 0), others.get("person", 0)
    counts = [(pairue.value, pairue.count) for pairue in counted] + ([(plain, unread)] if unread else [])
    if not counts and named:
        return [PersonIdentity(key="", name=name, yomi="", articles=named)]
    return [
        PersonIdentity(key=key, name=name, yomi=reading_in_key(key), articles=count)
        for key, count in sorted(counts, key=lambda pair: (-pair[1], pair[0]))
    ]


def _choose_identity(identities: Sequence[PersonIdentity], key: str | None) -> PersonIdentity:
    identity = next((candidate for candidate in identities if not key or candidate.key == key), None)
    if identity is None:
        raise NotFound(gettext("There is no article with this person; search the list of articles."))
    return identity


def _filter_for(who: PersonIdentity) -> ArticleFilter:
    return ArticleFilter(speaker=(who.key,)) if who.key else ArticleFilter(person=(who.name,))


async def _list_articles(
    services: RecapReads, wanted: ArticleFilter, already_listed: Sequence[ListedArticle] | None = None
) -> list[Article]:
    """The articles of a filter; `already_listed` saves the query if it has all of them."""
    listed = (
        (await list_by_register(services, wanted, None, _MOST_ARTICLES)).items
        if already_listed is None
        else already_listed
    )
    return await store.get_articles(services.tables, [article.card.id for article in listed])


def _participants_named(article: Article, name: str) -> list[StoredParticipant]:
    named = (
        StoredParticipant(name=participant) if isinstance(participant, str) else participant
        for participant in article.participants
    )
    return [participant for participant in named if fold_value(participant["name"]) == fold_value(name)]


def _offices(article: Article, who: PersonIdentity) -> list[PersonOffice]:
    return [
        PersonOffice(
            day=meeting_day(article),
            group=entry.get("group", ""),
            position=entry.get("position", ""),
            role=entry.get("role", ""),
            article_id=article.id,
        )
        for entry in _participants_named(article, who.name)
        if entry.get("key", "") == who.key
    ]


async def list_quotations(
    services: RecapReads, name: str, matter_key: str, *, key: str | None = None
) -> list[SpeechQuotation]:
    """What a person said on a bill, oldest first, in the exact words of the record.

    Among namesakes it is the person that `get_person` returns.
    """
    who = _choose_identity(await _identities(services, name), key)
    wanted = replace(_filter_for(who), bill=(matter_key,), order="oldest")
    quotations: list[SpeechQuotation] = []
    for article in await _list_articles(services, wanted):
        try:
            asset = await load_asset(services, article.asset_url or "")
            meeting = await load_record(services, asset.record_url)
        except NotFound:
            # Another program wrote it and stored no record to quote; the other articles can still be quoted.
            continue
        orders = _orders_on(asset.recap, matter_key)
        quotations += [
            _quotation(article, speech)
            for speech in meeting.spoken
            if speech.order in orders and _is_speaker(asset.recap, speech, who)
        ]
    return [quotation for quotation in quotations if quotation.sentences]


def _orders_on(recap: Recap, matter_key: str) -> frozenset[int]:
    """Speeches that name the bill or were made while it was under discussion."""
    return frozenset(order for bill in recap.facts.bills if bill.key == matter_key for order in bill.orders)


def _is_speaker(recap: Recap, speech: Speech, who: PersonIdentity) -> bool:
    """Whether a person made a speech: by key, or by name if no key is known."""
    spoke = next((participant for participant in recap.participants if speech.order in participant.orders), None)
    if who.key:
        return spoke is not None and spoke.key == who.key
    return fold_value(spoke.name if spoke else speech.speaker) == fold_value(who.name)


def _quotation(article: Article, speech: Speech) -> SpeechQuotation:
    """The first sentences of a speech, without its label."""
    spoken = speech.text.partition("\u3000")[2] if speech.text.startswith("○") else speech.text
    texts = [sentence.text.strip() for sentence in split_sentences(spoken)]
    return SpeechQuotation(
        card=card_from_article(article),
        order=speech.order,
        sentences=[text for text in texts if text][:_MOST_SENTENCES],
        path=speech_path(article.id, speech.order),
        official_url=speech.url or "",
    )

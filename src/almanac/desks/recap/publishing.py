"""Publishing: a recap becomes an article with all its thin items, a version that stays, and entries to find it by.

The order makes it safe to be killed anywhere: objects, then the version, then the article in one write, then the
entries. Until the article is written the old one is whole; publishing again goes on from whatever was done.
"""

from dataclasses import dataclass
from datetime import datetime

from almanac.audit.model import SYSTEM, Actor
from almanac.desks.recap.assets import content_digest, save_asset
from almanac.desks.recap.events import PUBLISHED, REMADE, announce
from almanac.desks.recap.filing import document_of, file_article, unfile_article
from almanac.desks.recap.identity import agenda_key, article_id, task_pk
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Participant, Recap
from almanac.desks.recap.objects import article_prefix, task_prefixes
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import tasks
from almanac.desks.recap.store.articles import Overtaken
from almanac.desks.recap.table import Article, Keyword, Matter, Term, Version
from almanac.desks.recap.table import Participant as StoredParticipant
from almanac.errors import Unavailable
from almanac.services import Services

_MOST = {"categories": 10, "participants": 200, "keywords": 30, "terms": 100, "bills": 30, "agenda": 30}
_TURNS = 5


@dataclass(frozen=True, slots=True)
class Published:
    """What became of it: the article's id, its version, and whether that is a new one."""

    article_id: str
    version: int
    is_new: bool


async def publish(
    services: Services, meeting: Meeting, recap: Recap, *, record_url: str, reason: str = "", by: Actor = SYSTEM
) -> Published:
    """Publish a recap; one that says the same as the present version makes no new one."""
    for _ in range(_TURNS):
        try:
            article, is_new = await _put(services, meeting, recap, record_url, reason)
        except Overtaken:
            continue
        await _file(services, article, recap, meeting, by)
        return Published(article.id, article.version or 1, is_new)
    raise Unavailable("Others publish the same article again and again; try again in a moment.")


async def withdraw(services: Services, meeting: Meeting) -> None:
    """Remove an article with everything that belongs to it, and its task."""
    name, pk = article_id(meeting), task_pk(meeting)
    await store.remove_article(services.tables, name)
    await tasks.remove(services.tables, pk)
    async with services.database.unit() as unit:
        await unfile_article(unit, services, name)
    for prefix in (article_prefix(name), *task_prefixes(pk)):
        await services.objects.delete_prefix(prefix)


async def _put(
    services: Services, meeting: Meeting, recap: Recap, record_url: str, reason: str
) -> tuple[Article, bool]:
    """The article as it is now, and whether it has a new version."""
    name, digest = article_id(meeting), content_digest(recap)
    known = await store.find_article(services.tables, name, consistent=True)
    if known is not None and known.version is not None and known.content_digest == digest:
        await store.settle(services.tables, name)
        return known, False
    number = ((known.version or 0) if known else 0) + 1
    asset_url = await save_asset(services, name, recap, record_url)
    version = Version(
        id=name,
        number=number,
        asset_url=asset_url,
        record_url=record_url,
        content_digest=digest,
        record_digest=meeting.digest,
        title=recap.title,
        made_at=recap.provenance.made_at,
        model=recap.provenance.model,
        prompt_version=recap.provenance.prompt_version,
        reason=reason,
    )
    article = article_of(meeting, recap, asset_url=asset_url, version=number, now=services.clock.now())
    replaces = known.version if known else None
    await store.publish(services.tables, article, version, replaces=replaces)
    return article, True


async def _file(services: Services, article: Article, recap: Recap, meeting: Meeting, by: Actor) -> None:
    """Let it be found, and tell of a version that nobody was told of yet."""
    document = document_of(article, recap, meeting)
    async with services.database.unit() as unit:
        if await file_article(unit, services, article, document):
            event = PUBLISHED if article.version == 1 else REMADE
            await announce(
                unit,
                services,
                by,
                event,
                article.id,
                title=article.title,
                version=article.version or 1,
                issue_id=meeting.issue_id,
            )


def article_of(meeting: Meeting, recap: Recap, *, asset_url: str, version: int, now: datetime) -> Article:
    """The item of an article; nothing without a name comes into a key."""
    day = meeting.date.isoformat()
    return Article(
        id=article_id(meeting),
        asset_url=asset_url,
        title=recap.title,
        date=day,
        month=day[:7],
        image_kind=_named(meeting.image_kind),
        session=meeting.session or None,
        name_of_house=_named(meeting.house),
        name_of_meeting=_named(meeting.meeting),
        issue_id=meeting.issue_id,
        categories=_distinct(recap.categories)[: _MOST["categories"]],
        description=recap.description,
        participants=_participants(recap.participants),
        keywords=_keywords(recap),
        terms=[Term(term=t.term, definition=t.definition, order=t.order) for t in recap.terms[: _MOST["terms"]]],
        bills=_bills(recap) or None,
        agenda=_agenda(recap) or None,
        version=version,
        content_digest=content_digest(recap),
        updated_at=now,
    )


def _named(text: str | None) -> str | None:
    """A name to list under; programs before this one listed under the word `undefined`."""
    clean = (text or "").strip()
    return None if clean.lower() in ("", "undefined", "null") else clean


def _distinct(texts: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(clean for text in texts if (clean := text.strip())))


def _participants(people: tuple[Participant, ...]) -> list[StoredParticipant | str]:
    """Those who spoke most where there are more than an item can hold."""
    named = [one for one in people if one.name.strip()]
    most = sorted(named, key=lambda one: -len(one.orders))[: _MOST["participants"]]
    return [_participant(one) for one in named if one in most]


def _participant(one: Participant) -> StoredParticipant:
    stored = StoredParticipant(name=one.name.strip(), key=one.key)
    if one.summary:
        stored["summary"] = one.summary
    if one.yomi:
        stored["yomi"] = one.yomi
    if one.group:
        stored["group"] = one.group
    if one.position:
        stored["position"] = one.position
    if one.role:
        stored["role"] = one.role
    return stored


def _keywords(recap: Recap) -> list[Keyword | str]:
    by_word = {one.keyword.strip(): one.priority for one in reversed(recap.keywords) if one.keyword.strip()}
    words = list(reversed(by_word.items()))[: _MOST["keywords"]]
    return [Keyword(keyword=word, priority=priority) for word, priority in words]


def _bills(recap: Recap) -> list[Matter]:
    outcomes = _outcomes(recap)
    return [
        _matter(bill.key, bill.title, bill.orders, outcomes.get(bill.key, "")) for bill in recap.facts.bills if bill.key
    ][: _MOST["bills"]]


def _outcomes(recap: Recap) -> dict[str, str]:
    """What became of each bill: the decision on the bill itself counts before one on a resolution that goes with it."""
    titles = {bill.key: bill.title for bill in recap.facts.bills}
    named = [(one.bill, one) for one in recap.facts.decisions if one.bill]
    return {key: one.outcome for key, one in sorted(named, key=lambda pair: pair[1].subject == titles.get(pair[0]))}


def _agenda(recap: Recap) -> list[Matter]:
    """Items that are about no bill; those have a history of their own."""
    items = {agenda_key(item.title): item for item in recap.facts.agenda if item.bill is None}
    return [_matter(key, item.title, item.orders, "") for key, item in items.items() if key][: _MOST["agenda"]]


def _matter(key: str, title: str, orders: tuple[int, ...], outcome: str) -> Matter:
    matter = Matter(key=key, title=title, orders=list(orders[:50]))
    if outcome:
        matter["outcome"] = outcome
    return matter

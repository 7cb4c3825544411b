"""Conversions between a recap, the article item in the table, its card in lists and its entry in the register."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from zlib import crc32

import msgspec

from almanac.desks.recap.model.days import parse_day
from almanac.desks.recap.model.filters import FACETS, Facet
from almanac.desks.recap.model.identity import agenda_key, article_id_for
from almanac.desks.recap.model.items import ArticleCard, LegislativeItem, StoredKeyword, StoredParticipant, StoredTerm
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap, RecapParticipant
from almanac.desks.recap.store.objects import content_digest
from almanac.desks.recap.store.register import RegisterEntry
from almanac.desks.recap.store.table import Article
from almanac.kit.json_text import encode_json
from almanac.kit.markdown import markdown_text

_MOST = {"categories": 10, "participants": 200, "keywords": 30, "terms": 100, "bills": 30, "agenda": 30}
_MOST_ORDERS = 50


def article_from_recap(
    meeting: Meeting,
    recap: Recap,
    *,
    asset_url: str,
    version: int,
    now: datetime,
    published_at: datetime | None = None,
) -> Article:
    """The article item of a recap. Names that would be empty are left out, since keys are made of them."""
    day = meeting.date.isoformat()
    return Article(
        id=article_id_for(meeting),
        asset_url=asset_url,
        title=recap.title,
        date=day,
        month=day[:7],
        image_kind=_usable_name(meeting.image_kind),
        session=meeting.session or None,
        name_of_house=_usable_name(meeting.house),
        name_of_meeting=_usable_name(meeting.meeting),
        issue_id=meeting.issue_id,
        categories=_distinct(recap.categories)[: _MOST["categories"]],
        description=recap.description,
        participants=_participants(recap.participants),
        keywords=_keywords(recap),
        terms=[
            StoredTerm(term=term.term, definition=term.definition, order=term.order)
            for term in recap.terms[: _MOST["terms"]]
        ],
        bills=_bills(recap) or None,
        agenda=_agenda(recap) or None,
        version=version,
        content_digest=content_digest(recap),
        published_at=published_at or now,
        updated_at=now,
        record_stage="preliminary" if meeting.is_preliminary else None,
    )


def card_from_article(article: Article) -> ArticleCard:
    """The article as a list shows it."""
    return ArticleCard(
        id=article.id,
        title=article.title or article.id,
        date=article.date,
        month=article.month,
        image_kind=article.image_kind,
        session=article.session,
        name_of_house=article.name_of_house,
        name_of_meeting=article.name_of_meeting,
        categories=article.categories,
        description=None if article.description is None else markdown_text(article.description),
        published_at=article.published_at,
        updated_at=article.updated_at,
        record_stage=article.record_stage,
    )


def decode_card(stored: object) -> ArticleCard:
    """A card from the decoded JSON of the register or the search index."""
    return msgspec.convert(stored, ArticleCard)


def facet_values(article: Article) -> dict[Facet, tuple[str, ...]]:
    """The values of every facet of an article; other programs write people and keywords as plain strings."""
    people = [_name_in(person, "name") for person in article.participants]
    keys = ["" if isinstance(person, str) else _name_in(person, "key") for person in article.participants]
    words = [_name_in(word, "keyword") for word in article.keywords]
    values: dict[str, Sequence[str]] = {
        "category": [_clean(category) for category in article.categories],
        "person": people,
        "keyword": words,
        "speaker": keys,
        "bill": [bill["key"] for bill in article.bills or ()],
        "session": ["" if article.session is None else str(article.session)],
        "house": [_clean(article.name_of_house)],
        "meeting": [_clean(article.name_of_meeting)],
        "imagekind": [_clean(article.image_kind)],
        "issue": [article.issue_id or ""],
    }
    return {facet: tuple(dict.fromkeys(value for value in values[facet] if value)) for facet in FACETS}


def _name_in(item: object, field: str) -> str:
    """A name that stands alone or as a field of an object; empty where neither is a text."""
    name = item.get(field) if isinstance(item, dict) else item
    return name.strip() if isinstance(name, str) else ""


def _clean(name: str | None) -> str:
    return _usable_name(name) or ""


def meeting_day(article: Article) -> date:
    """The day of the sitting; other programs store a timestamp, or write it with other signs."""
    return parse_day(article.date) or parse_day(f"{article.month}-01") or date.min


def register_entry(article: Article) -> RegisterEntry:
    """The article's entry in the register."""
    values, card = facet_values(article), encode_json(card_from_article(article))
    return RegisterEntry(
        id=article.id,
        version=article.version or _foreign_version(values, card),
        day=meeting_day(article),
        values=values,
        card=card,
    )


def _foreign_version(values: Mapping[Facet, Sequence[str]], card: bytes) -> int:
    """A negative number that changes with what is registered: other programs number no versions."""
    return -1 - (crc32(encode_json(values) + card) & 0x7FFFFFFF)


def _usable_name(text: str | None) -> str | None:
    """A name to list the article under; None for the placeholders that older programs wrote, such as `undefined`."""
    clean = (text or "").strip()
    return None if clean.lower() in ("", "undefined", "null") else clean


def _distinct(texts: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(clean for text in texts if (clean := text.strip())))


def _participants(people: tuple[RecapParticipant, ...]) -> list[StoredParticipant | str]:
    """Those who spoke most, where there are more than an item can hold."""
    named = [person for person in people if person.name.strip()]
    most = sorted(named, key=lambda person: -len(person.orders))[: _MOST["participants"]]
    return [_participant(person) for person in named if person in most]


def _participant(person: RecapParticipant) -> StoredParticipant:
    stored = StoredParticipant(name=person.name.strip(), key=person.key)
    if person.summary:
        stored["summary"] = person.summary
    if person.yomi:
        stored["yomi"] = person.yomi
    if person.group:
        stored["group"] = person.group
    if person.position:
        stored["position"] = person.position
    if person.role:
        stored["role"] = person.role
    return stored


def _keywords(recap: Recap) -> list[StoredKeyword | str]:
    by_word = {note.keyword.strip(): note.priority for note in reversed(recap.keywords) if note.keyword.strip()}
    words = list(reversed(by_word.items()))[: _MOST["keywords"]]
    return [StoredKeyword(keyword=word, priority=priority) for word, priority in words]


def _bills(recap: Recap) -> list[LegislativeItem]:
    outcomes = _bill_outcomes(recap)
    return [
        _legislative_item(bill.key, bill.title, bill.orders, outcomes.get(bill.key, ""))
        for bill in recap.facts.bills
        if bill.key
    ][: _MOST["bills"]]


def _bill_outcomes(recap: Recap) -> dict[str, str]:
    """The outcome of each bill; a decision on the bill itself takes precedence over one on a related resolution."""
    titles = {bill.key: bill.title for bill in recap.facts.bills}
    decisions = [(decision.bill, decision) for decision in recap.facts.decisions if decision.bill]
    by_precedence = sorted(decisions, key=lambda pair: pair[1].subject == titles.get(pair[0]))
    return {key: decision.outcome for key, decision in by_precedence}


def _agenda(recap: Recap) -> list[LegislativeItem]:
    """Agenda items that aren't bills; bills have a history of their own."""
    items = {agenda_key(item.title): item for item in recap.facts.agenda if item.bill is None}
    return [_legislative_item(key, item.title, item.orders, "") for key, item in items.items() if key][
        : _MOST["agenda"]
    ]


def _legislative_item(key: str, title: str, orders: tuple[int, ...], outcome: str) -> LegislativeItem:
    item = LegislativeItem(key=key, title=title, orders=list(orders[:_MOST_ORDERS]))
    if outcome:
        item["outcome"] = outcome
    return item

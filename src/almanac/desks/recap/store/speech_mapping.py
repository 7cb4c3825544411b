"""Speeches of a meeting as the index stores them, and stored ones as readers find them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, time

from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.minutes import strip_label
from almanac.desks.recap.model.recap import Dialog, Recap, RecapParticipant
from almanac.desks.recap.model.speech_filters import SPEECH_FACETS, SpeechFacet
from almanac.desks.recap.model.speech_views import SpeechHit
from almanac.desks.recap.store.article_mapping import decode_card, meeting_day
from almanac.desks.recap.store.speeches import SpeechEntry, StoredSpeech
from almanac.desks.recap.store.table import Article
from almanac.kit.json_text import encode_json
from almanac.search import SearchDocument, Snippet
from almanac.search.terms import extract_lexemes
from almanac.search.text_search import build_tsvector

_KIND = "speech"
_UNSTORABLE = str.maketrans(dict.fromkeys([0, *range(0xD800, 0xE000)], " "))
_MOST_BILLS = 12


def build_speech_entries(article: Article, recap: Recap, meeting: Meeting) -> list[SpeechEntry]:
    """Every speech of a meeting with a speaker, as it is indexed."""
    speakers = {order: person for person in recap.participants for order in person.orders}
    dialogs = {dialog.order: dialog for dialog in recap.dialogs}
    bills: dict[int, list[str]] = {}
    for bill in recap.facts.bills:
        for order in bill.orders if bill.key else ():
            bills.setdefault(order, []).append(bill.key)
    return [
        _entry(
            article,
            speech,
            _facet_values(
                article, speech, speakers.get(speech.order), dialogs.get(speech.order), bills.get(speech.order, [])
            ),
        )
        for speech in meeting.spoken
    ]


def _facet_values(
    article: Article, speech: Speech, person: RecapParticipant | None, dialog: Dialog | None, bills: list[str]
) -> dict[str, tuple[str, ...]]:
    values: Mapping[SpeechFacet, tuple[str | None, ...]] = {
        "person": (person.name if person else speech.speaker,),
        "speaker": (person.key if person else None,),
        "group": (speech.group or (person.group if person else None),),
        "reaction": (dialog.reaction if dialog else None,),
        "bill": tuple(bills[:_MOST_BILLS]),
        "house": (article.name_of_house,),
        "meeting": (article.name_of_meeting,),
        "session": (str(article.session) if article.session else None,),
    }
    return {facet: tuple(text for value in values[facet] if (text := (value or "").strip())) for facet in SPEECH_FACETS}


def _entry(article: Article, speech: Speech, facets: Mapping[str, tuple[str, ...]]) -> SpeechEntry:
    text = strip_label(speech.text).translate(_UNSTORABLE).replace("\r\n", "\n").strip()
    document = SearchDocument(
        kind=_KIND,
        id="",
        title="",
        path="",
        body=text,
        date=datetime.combine(meeting_day(article), time(), UTC),
        facets=facets,
    )
    lexemes = extract_lexemes(document)
    # Everything here is a speech, so nobody looks for the kind.
    vector, _ = build_tsvector(replace(lexemes, marked=frozenset(lexemes.marked - {f"kind={_KIND}"})))
    about = {"position": speech.position or "", "role": speech.role or "", "url": speech.url or ""}
    return SpeechEntry(
        article_id=article.id,
        order=speech.order,
        words=lexemes.words,
        facets=[
            f"{name}={value}".translate(_UNSTORABLE)
            for name, values in lexemes.facets.items()
            for value in values
            if name != "kind"
        ],
        about=encode_json({name: value for name, value in about.items() if value}),
        text=text,
        vector=vector.translate(_UNSTORABLE),
    )


def hit_from_row(row: StoredSpeech, snippet: Snippet) -> SpeechHit:
    """A stored speech as a reader finds it."""
    facets: dict[str, tuple[str, ...]] = {}
    for name, _, value in (facet.partition("=") for facet in row.facets):
        facets[name] = (*facets.get(name, ()), value)

    def first(name: str) -> str:
        return next(iter(facets.get(name, ())), "")

    return SpeechHit(
        card=decode_card(row.card),
        order=row.speech,
        speaker=first("person"),
        key=first("speaker"),
        group=first("group"),
        position=row.about.get("position", ""),
        role=row.about.get("role", ""),
        reaction=first("reaction"),
        bills=facets.get("bill", ()),
        text=row.text,
        snippet=snippet,
        url=row.about.get("url", ""),
        added_at=row.first_at,
    )

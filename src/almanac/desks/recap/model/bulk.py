"""Lines of the files for programs: one for an article, one for a speech in the words of the record."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.recap import without_internals
from almanac.desks.recap.model.views import FullArticle
from almanac.kit.json_text import encode_json, to_builtins

BulkContent = Literal["articles", "speeches"]
BulkForm = Literal["jsonl", "csv"]
LineValues = Mapping[str, object]
SpeechUrl = Callable[[str, int], str]
FORMAT = 2
"""Counts up whenever lines get another form, so that the files of every session are made again."""
MEDIA_TYPES: Mapping[BulkForm, str] = {"jsonl": "application/jsonl", "csv": "text/csv; charset=utf-8"}
COLUMNS: Mapping[BulkContent, list[str]] = {
    "articles": (
        "id parliament session date house meeting issue issue_id title description categories keywords bills speeches "
        "decisions decisions_without_subject writer version official_url url"
    ).split(),
    "speeches": (
        "article_id parliament session date house meeting issue issue_id order speech_id speaker yomi group position "
        "role kind bills text official_url url"
    ).split(),
}
# Without it, spreadsheet programs take UTF-8 for something else.
_BYTE_ORDER_MARK = "\ufeff"
# A spreadsheet takes what begins with these for a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_BETWEEN_VALUES = "|"


@dataclass(slots=True)
class BulkFigures:
    """What was counted while the files of a session were made; `unbound` decisions have no subject."""

    articles: int = 0
    speeches: int = 0
    decisions: int = 0
    unbound: int = 0
    corrections: int = 0
    origins: set[str] = field(default_factory=set)

    def count(self, article: FullArticle) -> None:
        """Add an article; origins are the hosts that publish its record."""
        decisions = article.recap.facts.decisions
        self.articles += 1
        self.speeches += len(_speeches(article))
        self.decisions += len(decisions)
        self.unbound += sum(not decision.subject for decision in decisions)
        self.corrections += len(article.recap.corrections)
        urls = (article.meeting.url, *(speech.url for speech in article.meeting.speeches[:2]))
        self.origins |= {host for url in urls if url and (host := urlsplit(url).hostname)}


def article_values(article: FullArticle, url: str) -> dict[str, object]:
    """An article in one line."""
    recap, decisions = article.recap, article.recap.facts.decisions
    return {
        "id": article.card.id,
        **_sitting(article),
        "title": recap.title,
        "description": recap.description,
        "categories": recap.categories,
        "keywords": [word.keyword for word in recap.keywords],
        "bills": [bill.key for bill in recap.facts.bills],
        "speeches": len(_speeches(article)),
        "decisions": len(decisions),
        "decisions_without_subject": sum(not decision.subject for decision in decisions),
        "writer": recap.provenance.model,
        "version": article.version,
        "official_url": article.meeting.url or "",
        "url": url,
    }


def whole_article_values(article: FullArticle, url: str) -> dict[str, object]:
    """An article with all its texts."""
    return {**article_values(article, url), "recap": to_builtins(without_internals(article.recap))}


def speech_values(article: FullArticle, url_of: SpeechUrl) -> Iterator[dict[str, object]]:
    """Each speech of a sitting with its original words; the record's header and its own notes aren't speeches."""
    kinds = {dialog.order: dialog.reaction for dialog in article.recap.dialogs}
    bills = article.recap.facts.bills
    for speech in _speeches(article):
        yield {
            "article_id": article.card.id,
            **_sitting(article),
            "order": speech.order,
            "speech_id": speech.id,
            "speaker": speech.speaker,
            "yomi": speech.yomi or "",
            "group": speech.group or "",
            "position": speech.position or "",
            "role": speech.role or "",
            "kind": kinds.get(speech.order, ""),
            "bills": [bill.key for bill in bills if speech.order in bill.orders],
            "text": speech.text,
            "official_url": speech.url or "",
            "url": url_of(article.card.id, speech.order),
        }


def write_beginning(content: BulkContent, form: BulkForm) -> bytes:
    """What a file begins with."""
    return (_BYTE_ORDER_MARK + _csv_line(COLUMNS[content])).encode() if form == "csv" else b""


def write_line(values: LineValues, content: BulkContent, form: BulkForm) -> bytes:
    """One line; in a table, several values in one cell stand between bars."""
    if form == "jsonl":
        return encode_json(values) + b"\n"
    return _csv_line(_cell(values[name]) for name in COLUMNS[content]).encode()


def _speeches(article: FullArticle) -> list[Speech]:
    return [speech for speech in article.meeting.spoken if speech.is_spoken]


def _sitting(article: FullArticle) -> dict[str, object]:
    meeting = article.meeting
    return {
        "parliament": meeting.parliament_id,
        "session": meeting.session,
        "date": meeting.date.isoformat(),
        "house": meeting.house,
        "meeting": meeting.meeting,
        "issue": meeting.issue,
        "issue_id": meeting.issue_id,
    }


def _cell(value: object) -> str:
    text = _BETWEEN_VALUES.join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _csv_line(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()

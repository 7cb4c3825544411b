"""RSS, Atom and JSON feeds: each entry a document, with the words that the feed itself carries."""

import calendar
import hashlib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from almanac.knowledge.reading.dates import date_in, plausible
from almanac.knowledge.reading.feed_forms import JsonItem, json_feed_in, title_words, xml_feed_in
from almanac.knowledge.reading.markup import blocks_of_markup
from almanac.knowledge.reading.plain import joined_lines, read_plain
from almanac.knowledge.reading.result import Block, Draft, Unreadable

MOST_ENTRIES = 1000
_NO_FEED = "This is no RSS, Atom or JSON feed; look for the feed's own address on the site."


def read_feed(content: bytes, url: str | None = None) -> tuple[str, list[Draft], list[str]]:
    """The title of a feed, its entries that hold words, and a sentence about those that don't."""
    title, entries = _json_feed(content) or _xml_feed(content, url)
    kept = [entry for entry in entries if entry.blocks]
    silent = len(entries) - len(kept)
    problems = [f"{silent} of {len(entries)} entries hold no words and were passed over."] if silent else []
    return title, list({entry.key: entry for entry in reversed(kept)}.values())[::-1], problems


def _xml_feed(content: bytes, url: str | None) -> tuple[str, list[Draft]]:
    found = xml_feed_in(content, url)
    if found is None:
        raise Unreadable(_NO_FEED)
    entries = [_entry(entry, found.version) for entry in found.entries[:MOST_ENTRIES]]
    return title_words(found.feed, found.version), entries


def _entry(entry: Any, version: str) -> Draft:
    title = title_words(entry, version)
    contents = [part.get("value", "") for part in entry.get("content", ())] + [entry.get("summary", "")]
    blocks = blocks_of_markup(max(contents, key=len))
    link = entry.get("link") or None
    return Draft(
        blocks=blocks or _title_alone(title),
        title=title,
        url=link,
        key=entry.get("id") or link or _digest(title, blocks),
        published=_entry_date(entry),
    )


def _entry_date(entry: Any) -> date | None:
    for name in ("published_parsed", "updated_parsed", "created_parsed"):
        if moment := entry.get(name):
            return plausible(datetime.fromtimestamp(calendar.timegm(moment), UTC).date())
    return None


def _json_feed(content: bytes) -> tuple[str, list[Draft]] | None:
    found = json_feed_in(content)
    return (
        None if found is None else (joined_lines(found.title or ""), list(_json_entries(found.entries(MOST_ENTRIES))))
    )


def _json_entries(items: Iterator[JsonItem]) -> Iterator[Draft]:
    for item in items:
        title = joined_lines(item.title or "")
        marked, plain = item.content_html or "", item.content_text or item.summary or ""
        blocks = blocks_of_markup(marked) if marked else list(read_plain(plain).blocks)
        yield Draft(
            blocks=blocks or _title_alone(title),
            title=title,
            url=item.url,
            key=str(item.id or item.url or _digest(title, blocks)),
            published=date_in(item.date_published or item.date_modified or ""),
        )


def _title_alone(title: str) -> list[Block]:
    """Many feeds carry nothing but headlines, and a headline is a sentence too."""
    return [Block(title)] if title else []


def _digest(title: str, blocks: list[Block]) -> str:
    return hashlib.sha256("\n".join([title, *(block.text for block in blocks)]).encode()).hexdigest()

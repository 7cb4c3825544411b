"""RSS, Atom and JSON feeds: each entry a document, with the words that the feed itself carries."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date
from time import struct_time
from typing import Any, NamedTuple

from almanac.reading.dates import date_in, plausible
from almanac.reading.feed_forms import JsonItem, json_feed_in, title_words, xml_feed_in
from almanac.reading.markup import blocks_of_markup
from almanac.reading.plain import joined_lines, read_plain
from almanac.reading.result import Block, Draft, Unreadable

MOST_ENTRIES = 1000
_NO_FEED = "This is no RSS, Atom or JSON feed; look for the feed's own address on the site."


class _Found(NamedTuple):
    """A feed: its title, the first of its entries that can be read, and how many it lists."""

    title: str
    entries: Sequence[Draft]
    listed: int


def read_feed(content: bytes, url: str | None = None) -> tuple[str, list[Draft], list[str]]:
    """The title of a feed, its entries that hold words, and a sentence about each sort of those that are left out."""
    found = _json_feed(content) or _xml_feed(content, url)
    kept = [entry for entry in found.entries if entry.blocks]
    by_key = {entry.key: entry for entry in reversed(kept)}
    others = sum(entry.blocks != by_key[entry.key].blocks for entry in kept)
    left_out = {
        "hold no words and were passed over.": len(found.entries) - len(kept),
        "can't be read and were passed over.": min(found.listed, MOST_ENTRIES) - len(found.entries),
        "have the id of another entry and were passed over.": others,
        f"come after the first {MOST_ENTRIES:,} and were passed over.": max(0, found.listed - MOST_ENTRIES),
    }
    problems = [f"{count:,} of {found.listed:,} entries {why}" for why, count in left_out.items() if count]
    return found.title, list(by_key.values())[::-1], problems


def _xml_feed(content: bytes, url: str | None) -> _Found:
    found = xml_feed_in(content, url)
    if found is None:
        raise Unreadable(_NO_FEED)
    entries = [_entry(entry, found.version) for entry in found.entries[:MOST_ENTRIES]]
    return _Found(title_words(found.feed, found.version), entries, len(found.entries))


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
    """The first of its dates that can be true; programs that know none write a day of the year nought."""
    days = (_day(entry.get(name)) for name in ("published_parsed", "updated_parsed", "created_parsed"))
    return next((day for day in days if day), None)


def _day(moment: struct_time | None) -> date | None:
    try:
        return plausible(date(moment.tm_year, moment.tm_mon, moment.tm_mday)) if moment else None
    except ValueError:
        return None


def _json_feed(content: bytes) -> _Found | None:
    found = json_feed_in(content)
    if found is None:
        return None
    entries = list(_json_entries(found.entries(MOST_ENTRIES)))
    return _Found(joined_lines(found.title or ""), entries, len(found.items))


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

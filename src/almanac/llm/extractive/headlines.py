"""Headlines: the source's own title where it fits, else a cut from the sentence that tells most."""

import re
from collections.abc import Sequence

from almanac.llm.extractive.clauses import cjk_cut, latin_cut
from almanac.llm.extractive.ranking import SUMMARY, rank
from almanac.llm.extractive.reading import Line, Reading, one_line, read_all, size
from almanac.llm.sources import Cited, Reference, Source

_SITE = re.compile(
    r"\s+[|｜–—-]\s+[^|｜–—]{2,40}$|[_｜|][^_｜|]{2,20}$|[-－]\s?\S{2,8}(?:网|網|新聞|新闻|ニュース|報|日报)$"
)
_KICKER = re.compile(
    r"^(?:【[^】]{1,12}】|\[[^\]]{1,14}\]|<[^>]{1,12}>|＜[^＞]{1,12}＞|(?:BREAKING|UPDATE \d|EXCLUSIVE|WATCH|LIVE)\s*[:|-]\s*)\s*",
    re.IGNORECASE,
)
_END = re.compile(r"[.。!！]+$")
_PART = re.compile(r"\s*[:：;；—–|]\s*|,\s+|(?<=[^\d])[，、]|\s+-\s+|\u3000")
_WEAK_END = re.compile(
    r"\b(?:the|a|an|of|to|in|on|at|by|for|from|with|and|or|as|yang|di|ke|dan|dengan|untuk|pada|oleh|bagi)$",
    re.IGNORECASE,
)
_FEWEST = 2.0
_TRIED = 6


def headline(sources: Sequence[Source], words: int, *, language: str | None = None) -> Cited | None:
    """What happened in a few words, or None where no part of the sources can say it."""
    readings = read_all(sources, language)
    for reading in readings:
        if found := _from_title(reading, words):
            return found
    worth = rank(readings, SUMMARY)
    for line in sorted(worth, key=lambda line: -worth[line])[:_TRIED]:
        if found := _from_line(line, words):
            return found
    return None


def item_title(reading: Reading, words: int = 12) -> str:
    """A title for what a source tells, empty where it yields none."""
    found = headline([reading.source], words)
    return found.text if found else ""


def _from_title(reading: Reading, words: int) -> Cited | None:
    number = None if reading.source.title.strip() else reading.opening[0] if reading.opening else None
    title = one_line(reading.source.title) or (reading.opening[1] if reading.opening else "")
    title = _END.sub("", _KICKER.sub("", _SITE.sub("", title))).strip()
    kept = title if _FEWEST <= size(title) <= words else _part_of(title, words, reading.title_about)
    if not kept or kept.endswith(("?", "？", "…", "...")):
        return None
    return Cited(text=kept, references=(Reference(source=reading.source.id, sentence=number),))


def _part_of(title: str, words: int, _about: frozenset[str]) -> str:
    """The longest run of parts of a long title that fits and doesn't end in mid-phrase."""
    edges = [0, *(edge for found in _PART.finditer(title) for edge in found.span()), len(title)]
    parts = [(edges[i], edges[i + 1]) for i in range(0, len(edges) - 1, 2)]
    runs = [title[parts[i][0] : parts[j][1]] for i in range(len(parts)) for j in range(i, len(parts))]
    fitting = [run for run in runs if 3 <= size(run) <= words and not _WEAK_END.search(run)]
    return max(fitting, key=size, default="")


def _from_line(line: Line, words: int) -> Cited | None:
    text = line.alone
    if text is None or not line.ended:
        return None
    cut = cjk_cut(text, words) if size(text) > 1.4 * len(text.split()) else latin_cut(text, words)
    return line.cited(cut) if cut else None

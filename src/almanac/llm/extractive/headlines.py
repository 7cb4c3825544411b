"""Headlines: the source's own title where it fits, else a cut from the sentence that tells most."""

import re
from collections.abc import Sequence

from almanac.llm.extractive.clauses import cjk_cut, headline_size, latin_cut
from almanac.llm.extractive.ranking import SUMMARY, rank
from almanac.llm.extractive.reading import Line, Reading, is_mostly_cjk, one_line, read_all
from almanac.llm.sources import Cited, Reference, Source

_SITE = re.compile(
    r"\s+[|｜–—-]\s+[^|｜–—]{2,40}$|[_｜|][^_｜|]{2,20}$|[-－]\s?\S{2,8}(?:网|網|新聞|新闻|ニュース|報|日报)$"
)
_KICKER = re.compile(
    r"^(?:【[^】]{1,12}】|\[[^\]]{1,14}\]|<[^>]{1,12}>|＜[^＞]{1,12}＞"
    r"|(?:BREAKING|UPDATE \d|EXCLUSIVE|WATCH|LIVE)\s*[:|-]\s*)\s*",
    re.IGNORECASE,
)
_END = re.compile(r"[.。!！]+$")
_STRONG_BREAK = re.compile(r"\s*[:：;；—–|]\s*|\s+-\s+")
_CJK_BREAK = re.compile(r"\s+|\s*[:：;；—–|]\s*")
_WEAK_BREAK = re.compile(r"\s*[:：;；—–|]\s*|\s+-\s+|,\s+|[，、]|(?<=[\u3040-\u9fff])\s+")
_WEAK_END = re.compile(
    r"\b(?:the|a|an|of|to|in|on|at|by|for|from|with|and|or|as|yang|di|ke|dan|dengan|untuk|pada|oleh|bagi)$",
    re.IGNORECASE,
)
_FEWEST, _FEWEST_OF_A_PART = 2.0, 3.0
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


def _from_title(reading: Reading, words: int) -> Cited | None:
    number = None if reading.source.title.strip() else reading.opening[0] if reading.opening else None
    title = one_line(reading.source.title) or (reading.opening[1] if reading.opening else "")
    title = _END.sub("", _KICKER.sub("", _SITE.sub("", title))).strip()
    kept = title if _FEWEST <= headline_size(title) <= words else _part_of(title, words)
    if not kept or kept.endswith(("?", "？", "…", "...")):
        return None
    return Cited(text=kept, references=(Reference(source=reading.source.id, sentence=number),))


def _part_of(title: str, words: int) -> str:
    """The part of a long title that fits: at a strong break before a weak one, from its beginning before elsewhere."""
    strong = _CJK_BREAK if is_mostly_cjk(title) else _STRONG_BREAK
    for separator in (strong, _WEAK_BREAK):
        edges = [0, *(edge for found in separator.finditer(title) for edge in found.span()), len(title)]
        parts = [(edges[i], edges[i + 1]) for i in range(0, len(edges) - 1, 2)]
        for first in range(len(parts)):
            runs = [title[parts[first][0] : part[1]] for part in parts[first:]]
            fitting = [run for run in runs if _is_whole(run, words)]
            if fitting:
                return fitting[-1]
    return ""


def _is_whole(run: str, words: int) -> bool:
    balanced = all(run.count(pair[0]) == run.count(pair[1]) for pair in ("「」", "“”", "（）", "()", "《》"))
    return balanced and _FEWEST_OF_A_PART <= headline_size(run) <= words and not _WEAK_END.search(run)


def _from_line(line: Line, words: int) -> Cited | None:
    text = line.alone
    if text is None or not line.ended:
        return None
    cut = cjk_cut(text, words) if is_mostly_cjk(text) else latin_cut(text, words)
    return line.cited(cut) if cut else None

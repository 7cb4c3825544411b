"""Headlines: the source's title where it fits, else a cut of the highest-ranked sentence."""

import re
from collections.abc import Sequence

from almanac.language.boilerplate import is_boilerplate, is_instruction
from almanac.llm.extractive.corrections import uses_withdrawn
from almanac.llm.extractive.cues import BINDING, is_formality, standalone_part, word_list
from almanac.llm.extractive.measures import is_mostly_cjk, join_lines
from almanac.llm.extractive.selection import SUMMARY, rank_lines
from almanac.llm.extractive.source_parser import ParsedSource, SourceLine, parse_sources, topic_words
from almanac.llm.sources import Cited, Reference, StepSource

_BEFORE = word_list("phrase_starts")
_NEVER_LAST = word_list("never_last")
_VERB = re.compile(
    r"\b(?:will|has|have|is|are|was|were|would|can|may|must|rose|fell|grew|won|lost|cut|cuts|hit|hits|sees|plans|wants|seeks|"
    r"raises|holds|says|said|found|finds|shows|gets|gave|began|begins|became|made|makes|took|takes|sold|bought|spent|met|"
    r"akan|telah|sudah|naik|turun|kekal|mahu|perlu|boleh|catat|umum|lulus|"
    r"(?!need|hundred|speed|breed|red|bed|feed|seed)\w{2,}ed|(?:me[mnl]|ber|di|ter)\w{4,})\b"
)
# What comes after a relative pronoun or after such a verb is part of it.
_RELATIVE = re.compile(r"\b(?:who|whose|which|where)\b")
_OPEN_VERB = re.compile(
    r"\b\w{2,}(?:ed|ing)$|\b(?:must|will|can|may|should|could|would|to|akan|boleh|perlu|mesti)\s+\w+$"
)
_INTRODUCTION = re.compile(
    r"(?:According|In|By|After|For|With|On|At|Since|Despite|During|Under|From|Menurut|Pada|Dalam|Bagi)\b"
)
_ASKS = re.compile(r"[?？](?=.)")
_MARK = re.compile(r"[,;:—–(\"“]$|^[(“\"—–]")
_ATTRIBUTION = re.compile(
    r"(?:表示|指出|显示|顯示|称|稱|说|說|认为|強調|强调|介绍|透露|宣布|报道|報導|获悉|消息|资料|数据)$"
)
_ZH_PART = re.compile(r"[，；：]")
_JA_CLAUSE_EDGE = re.compile(r"[、，]|(?<=[\u4e00-\u9fff々]{3}で)(?=[\u4e00-\u9fff])")
_JA_TAIL = re.compile(
    r"(?:こと(?:を|が|に|で|とし).*|と(?:発表|述べ|明らか|表明|説明|指摘|強調|語っ|報告|発言).*|(?:方針|考え|見通し|見解|意向)を?(?:示し|明らか|固め|表明).*|"
    r"よう(?:に)?(?:求め|要請).*|もの(?:です|であ).*)$"
)
_HIRAGANA = re.compile(r"[\u3041-\u3096]")
_DANGLING_HIRAGANA = re.compile(
    r"(?:[はがをにでとのもへや]|など|から|より|として|について|ため|により|において|に対し)$"
)
_THIS_MATTER = ("本件", "本案", "本法", "本委員会", "本日")
_LATIN_LEAST = 4
_CJK_LEAST = 3.5
_CHARACTERS_PER_WORD = 3.0
_FROM_THE_START = 6.0


def headline_size(text: str) -> float:
    """The length in words: three Chinese or Japanese characters, or six others among them, count as one."""
    if not is_mostly_cjk(text):
        return len(text.split())
    wide = sum(not character.isascii() for character in text)
    return (wide + (len(text) - wide) / 2) / _CHARACTERS_PER_WORD


def cut_latin_sentence(text: str, words: int) -> str:
    """The beginning of a sentence up to the last end of a phrase within the limit; empty where there is none."""
    tokens = text.rstrip(".").split()
    if len(tokens) <= words and not _has_quotation_mark(text):
        return " ".join(tokens)
    for count in range(min(words, len(tokens) - 1), _LATIN_LEAST - 1, -1):
        kept, following = tokens[:count], tokens[count]
        last = kept[-1]
        if not (following.casefold() in _BEFORE or _MARK.search(last) or _MARK.match(following)):
            continue
        cut = " ".join(kept).rstrip(",;:—–(")
        if last.strip(",;:").casefold() not in _NEVER_LAST and _is_clause(cut) and not loses_condition(tokens[count:]):
            return cut
    return ""


def loses_condition(rest: Sequence[str]) -> bool:
    """Whether words that are cut off say on what condition something is so, or who says it."""
    return bool(BINDING.search(" ".join(rest)))


def _is_clause(cut: str) -> bool:
    if _INTRODUCTION.match(cut) and "," not in cut:
        return False
    if _has_quotation_mark(cut) or cut.count(",") > 1 or _RELATIVE.search(cut) or _OPEN_VERB.search(cut):
        return False
    return any(_is_finite(cut, verb) for verb in _VERB.finditer(cut, cut.find(" ") + 1))


def _is_finite(cut: str, verb: re.Match[str]) -> bool:
    """Whether a verb's form is that of a whole clause, and not a participle, as in “newly elected mayor”."""
    before = cut[: verb.start()].split()
    if not verb[0].endswith("ed") or not before:
        return True
    return before[-1].casefold() not in {"the", "a", "an", "its", "their", "of", "and"} and not before[-1].endswith(
        "ly"
    )


def _has_quotation_mark(text: str) -> bool:
    return any(mark in text for mark in '“”"')


def cut_cjk_sentence(text: str, words: int) -> str:
    """The best clause, or run of clauses, of a Chinese or Japanese sentence within the limit; empty if none fits."""
    japanese = bool(_HIRAGANA.search(text))
    text = text.rstrip("。．！")
    edges = [
        0,
        *(edge for match in (_JA_CLAUSE_EDGE if japanese else _ZH_PART).finditer(text) for edge in match.span()),
        len(text),
    ]
    parts = [(edges[i], edges[i + 1]) for i in range(0, len(edges) - 1, 2)]
    runs = [text[parts[i][0] : parts[j][1]] for i in range(len(parts)) for j in range(i, len(parts))]
    # A Japanese sentence has its verb at the end, so that only its end is a whole clause.
    shortened = [_JA_TAIL.sub("", run) for run in runs if text.endswith(run)] if japanese else runs
    fitting = [run for run in shortened if _CJK_LEAST <= headline_size(run) <= words and _reads_as_headline(run)]
    return max(
        fitting,
        key=lambda run: (headline_size(run) + _FROM_THE_START * text.startswith(run), -text.find(run)),
        default="",
    )


def _reads_as_headline(run: str) -> bool:
    if any(run.count(pair[0]) != run.count(pair[1]) for pair in ("「」", "（）", "“”", "《》", "『』")):
        return False
    if run[0] in "。」）”" or _ATTRIBUTION.search(run) or _DANGLING_HIRAGANA.search(run):
        return False
    return not run.startswith(_THIS_MATTER) and standalone_part(run) == run


_SITE = re.compile(
    r"\s+[|｜–—-]\s+[^|｜–—]{2,60}$|[_｜|][^_｜|]{2,20}$|-{2,}[^-]{2,12}$|[-－：:]\s?\S{2,10}(?:网|網|新聞|新闻|ニュース|報|日报|デジタル)$"
    r"|[（(](?:[A-Z][\w.& ]{2,20}|[^（）()]{2,12}(?:新聞|通信|ニュース|社|网))[）)]$"
)
_MOST_SITES = 3
_BARS = re.compile(r"\s+[|｜]\s*|\s*[|｜]\s+|\s+::+\s*")
_KICKER = re.compile(
    r"^(?:【[^】]{1,12}】|\[[^\]]{1,14}\]|<[^>]{1,12}>|＜[^＞]{1,12}＞|(?:動画|写真|速報|独自|视频|視頻|图集|快讯)[：:]"
    r"|#\w+\s*[:|-]\s*|(?:BREAKING|UPDATE \d|EXCLUSIVE|WATCH|LIVE|THE LATEST|VIDEO|PHOTOS?|GALLERY)\s*[:|-]\s*)\s*",
    re.IGNORECASE,
)
_END = re.compile(r"[.。!！]+$")
_STRONG_BREAK = re.compile(r"\s*[:：;；—–|]\s*|\s+-\s+|(?<=[a-z\d][.!?])\s+(?=[A-Z“‘])")
_CJK_BREAK = re.compile(r"\s+|\s*[:：;；—–|。]\s*")
_WEAK_BREAK = re.compile(r"\s*[:：;；—–|]\s*|\s+-\s+|,\s+|[，、]|(?<=[\u3040-\u9fff])\s+")
_WEAK_END = re.compile(
    r"\b(?:the|a|an|of|to|in|on|at|by|for|from|with|and|or|as|yang|di|ke|dan|dengan|untuk|pada|oleh|bagi)$",
    re.IGNORECASE,
)
# A later part of a title that begins so is a remark about the first.
_REMARK = re.compile(
    r"(?:the|a|an|and|or|but|so|with|as|in|on|at|of|for|to|by|what|why|how|here|ranked|says?|study|report)\b",
    re.IGNORECASE,
)
_FEWEST, _FEWEST_OF_A_PART = 2.0, 3.0
_FEWEST_OWN_WORDS, _FEWEST_LINES = 3, 3
_MAX_CANDIDATES = 6


def extract_headline(sources: Sequence[StepSource], words: int, *, language: str | None = None) -> Cited | None:
    """What happened in a few words; None where no part of the sources makes a headline."""
    readings = parse_sources(sources, language)
    for source in readings:
        if headline := _from_title(source, words):
            return headline
    worth = rank_lines(readings, SUMMARY)
    for line in sorted(worth, key=lambda line: -worth[line])[:_MAX_CANDIDATES]:
        if headline := _from_line(line, words):
            return headline
    return None


def _from_title(source: ParsedSource, words: int) -> Cited | None:
    number = None if source.source.title.strip() else source.heading[0] if source.heading else None
    title = join_lines(source.source.title) or (source.heading[1] if source.heading else "")
    if _is_no_headline(_KICKER.sub("", title)) or uses_withdrawn(title, source.withdrawn):
        return None
    title = _END.sub("", _KICKER.sub("", _without_site(title, source))).strip()
    whole = _FEWEST <= headline_size(title) <= words and not _ASKS.search(title)
    kept = _END.sub("", title if whole else _cut_title(title, words))
    if (
        not kept
        or kept.endswith(("?", "？", "…", "..."))
        or _is_no_headline(kept)
        or _names_only_the_site(kept, source)
    ):
        return None
    return Cited(text=kept, references=(Reference(source=source.source.id, sentence=number),))


def _names_only_the_site(title: str, source: ParsedSource) -> bool:
    """Whether a short title has nothing to do with the article, as “Daily News” and “Press release” have not."""
    if len(source.lines) < _FEWEST_LINES:
        return False
    words = topic_words(title, source.language)
    return len(words) < _FEWEST_OWN_WORDS and not any(words & line.topic_words for line in source.lines)


def _without_site(title: str, source: ParsedSource) -> str:
    """The title without the names of site and section: of parts between bars the one that is about the article."""
    about = frozenset(word for line in source.lines for word in line.topic_words)
    parts = [part.strip() for part in _BARS.split(title) if part.strip()]
    if len(parts) > 1:
        shares = [len(topic_words(part, source.language) & about) for part in parts]
        best = max(range(len(parts)), key=lambda at: (shares[at], -at))
        title = parts[best]
    for _ in range(_MOST_SITES):
        shorter = _SITE.sub("", title)
        title = shorter or title
    return title


def _is_no_headline(text: str) -> bool:
    """Whether it is a byline, a notice of the publisher or an instruction."""
    return is_formality(text) or is_boilerplate(text) or is_instruction(text)


def _cut_title(title: str, words: int) -> str:
    """The part of a long title that fits: strong breaks before weak ones, the beginning before the rest."""
    strong = _CJK_BREAK if is_mostly_cjk(title) else _STRONG_BREAK
    for separator in (strong, _WEAK_BREAK):
        edges = [0, *(edge for match in separator.finditer(title) for edge in match.span()), len(title)]
        parts = [(edges[i], edges[i + 1]) for i in range(0, len(edges) - 1, 2)]
        for first in range(len(parts)):
            runs = [title[parts[first][0] : part[1]] for part in parts[first:]]
            fitting = [run for run in runs if _is_complete_part(run, words)]
            if fitting and not (first and _is_remark(fitting[-1], separator)):
                return fitting[-1]
    return ""


def _is_remark(part: str, separator: re.Pattern[str]) -> bool:
    return separator is _WEAK_BREAK or bool(_REMARK.match(part)) or _is_no_headline(part)


def _is_complete_part(run: str, words: int) -> bool:
    balanced = all(run.count(pair[0]) == run.count(pair[1]) for pair in ("「」", "“”", "（）", "()", "《》"))
    if not balanced or "?" in run or "？" in run:
        return False
    return _FEWEST_OF_A_PART <= headline_size(run) <= words and not _WEAK_END.search(run)


def _from_line(line: SourceLine, words: int) -> Cited | None:
    text = line.standalone
    if text is None or line.needs or not line.is_complete:
        return None
    cut = cut_cjk_sentence(text, words) if is_mostly_cjk(text) else cut_latin_sentence(text, words)
    return line.cite(cut) if cut else None

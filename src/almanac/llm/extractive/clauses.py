"""Where a sentence may be cut so that its beginning, or one clause of it, still reads as a headline."""

import re

from almanac.llm.extractive.openers import standing_alone
from almanac.llm.extractive.reading import size

_BEFORE = frozenset(
    "after as amid while because since following despite when which who where over during under within through "
    "until with in on at by from for against between into before although though but and if unless per including "
    "selepas ketika semasa kerana berikutan walaupun manakala apabila yang pada di dari daripada dengan untuk bagi oleh "
    "sejak antara melalui menerusi sebelum jika termasuk susulan bermula sehingga sepanjang dalam".split()
)
_NEVER_LAST = frozenset(
    "the a an of to in on at by for from with and or as than that more less its his her their our new first last about "
    "is are was were be been has have had will would could should may might can not no very between both such several "
    "said says told added focus focuses focused rely relies depend depends based aimed account accounts consist "
    "resulted result deal call called calls led lead leads belong respond refer refers insist invest invests look "
    "came comes come went go took take set put carried according due compared related prior nearly almost only just "
    "yang dan atau ke di dari daripada dengan untuk pada oleh bagi akan telah adalah ialah lebih kurang para seorang "
    "sebuah satu bahawa tidak belum sudah juga turut berkata kata sebanyak kira-kira hampir antara kepada terhadap "
    "agar supaya memberi menjadi dalam bergantung".split()
)
_VERB = re.compile(
    r"\b(?:will|has|have|is|are|was|were|would|can|may|must|rose|fell|grew|won|lost|cut|cuts|hit|hits|sees|plans|wants|seeks|"
    r"raises|holds|says|said|found|finds|shows|gets|gave|began|begins|became|made|makes|took|takes|sold|bought|spent|met|"
    r"akan|telah|sudah|naik|turun|kekal|mahu|perlu|boleh|catat|umum|lulus|"
    r"(?!need|hundred|speed|breed|red|bed|feed|seed)\w{2,}ed|(?:me[mnl]|ber|di|ter)\w{4,})\b"
)
_MARK = re.compile(r"[,;:—–(\"“]$|^[(“\"—–]")
_ATTRIBUTION = re.compile(
    r"(?:表示|指出|显示|顯示|称|稱|说|說|认为|強調|强调|介绍|透露|宣布|报道|報導|获悉|消息|资料|数据)$"
)
_ZH_PART = re.compile(r"[，；：]")
_JA_PART = re.compile(r"[、，]|(?<=[\u4e00-\u9fff々]{3}で)(?=[\u4e00-\u9fff])")
_JA_TAIL = re.compile(
    r"(?:こと(?:を|が|に|で|とし).*|と(?:発表|述べ|明らか|表明|説明|指摘|強調|語っ|報告|発言).*|(?:方針|考え|見通し|見解|意向)を?(?:示し|明らか|固め|表明).*|"
    r"よう(?:に)?(?:求め|要請).*)$"
)
_KANA = re.compile(r"[\u3041-\u3096]")
_DANGLING_KANA = re.compile(r"(?:[はがをにでとのもへや]|など|から|より|として|について|ため|により|において|に対し)$")
_LATIN_LEAST = 4
_CJK_LEAST = 4.5


def latin_cut(text: str, words: int) -> str:
    """The beginning of a sentence up to the last place within the limit where a phrase ends; empty where none does."""
    tokens = text.rstrip(".").split()
    if len(tokens) <= words and not _quotes(text):
        return " ".join(tokens)
    for count in range(min(words, len(tokens) - 1), _LATIN_LEAST - 1, -1):
        kept, following = tokens[:count], tokens[count]
        last = kept[-1]
        if not (following.casefold() in _BEFORE or _MARK.search(last) or _MARK.match(following)):
            continue
        cut = " ".join(kept).rstrip(",;:—–(")
        if last.strip(",;:").casefold() not in _NEVER_LAST and _is_clause(cut):
            return cut
    return ""


def _is_clause(cut: str) -> bool:
    return bool(_VERB.search(cut.partition(" ")[2])) and not _quotes(cut) and cut.count(",") <= 1


def _quotes(text: str) -> bool:
    return any(mark in text for mark in '“”"')


def cjk_cut(text: str, words: int) -> str:
    """The best clause, or run of clauses, of a Chinese or Japanese sentence within the limit; empty where none fits."""
    japanese = bool(_KANA.search(text))
    text = text.rstrip("。．！")
    edges = [
        0,
        *(edge for found in (_JA_PART if japanese else _ZH_PART).finditer(text) for edge in found.span()),
        len(text),
    ]
    parts = [(edges[i], edges[i + 1]) for i in range(0, len(edges) - 1, 2)]
    runs = [text[parts[i][0] : parts[j][1]] for i in range(len(parts)) for j in range(i, len(parts))]
    shortened = [_without_tail(run) if japanese else run for run in runs]
    limit = words * 1.5
    fitting = [run for run in shortened if _CJK_LEAST <= size(run) <= limit and _reads_as_headline(run)]
    return max(fitting, key=lambda run: (min(size(run), words), -text.find(run)), default="")


def _without_tail(run: str) -> str:
    return _JA_TAIL.sub("", run)


def _reads_as_headline(run: str) -> bool:
    if any(run.count(pair[0]) != run.count(pair[1]) for pair in ("「」", "（）", "“”", "《》", "『』")):
        return False
    if run[0] in "。」）”" or _ATTRIBUTION.search(run) or _DANGLING_KANA.search(run):
        return False
    return standing_alone(run) == run

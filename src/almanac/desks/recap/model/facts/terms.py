"""The terms that speakers explain: only real definitions, in the speaker's own words.

Four constructions count: 「Xとは、…のことです」, 「A、いわゆるX」, 「A、通称X」 and 「A（以下「X」という。）」.
In the last three, A must be a noun phrase: most sentences with いわゆる only call something by a name, and what
stands before it explains nothing.
"""

from collections.abc import Iterable, Iterator

from almanac.desks.recap.model.facts.speech_text import SpokenSentence
from almanac.desks.recap.model.recap import GlossaryTerm
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import KANJI_ZERO_TO_NINE, SMALL_UNITS
from almanac.language.scripts import HAN, KATAKANA

MOST_TERMS = 30
_WORD = rf"[{HAN}{KATAKANA}A-Za-zＡ-Ｚａ-ｚ0-9０-９・ー―]"
# A name may hold kana, as 水土里ビジョン doesn't and 学びの多様化学校 does, but only between quotes.
_TERM = rf"(?:「(?P<quoted>[^「」。、]{{2,24}})」|(?P<plain>{_WORD}{{2,24}}))"
# “X means …”: only endings that define; とは is also “with”, “as for” and the beginning of a question.
_DEFINED = lazy_regex(
    rf"(?:\A|[、。])(?:この|その|ここで言う)?{_TERM}とは、?(?P<definition>[^。]{{6,160}}?)"
    r"(?:のことで(?:す|あり|ござい)|を(?:いいます|いう|言います|言う|指します|指す|意味します|意味する)|(?<=ること)で(?:す|あり|ござい))"
)
# What comes before the name: the noun phrase up to the last comma.
_NAMED = lazy_regex(
    rf"(?:\A|[、。])(?P<definition>[^、。「」]{{4,80}})、(?:いわゆる|通称|略称|略して){_TERM}(?P<after>.?)"
)
_ABBREVIATED = lazy_regex(
    r"(?P<definition>[^、。「」（）]{4,80})（以下「(?P<quoted>[^」]{2,24})」と(?:いう|いいます|します|略)[^）]*）"
)
_TOPIC = lazy_regex(rf"\A.*?(?:では|には|とは|からは|は|も)(?=[{HAN}{KATAKANA}])")
_NOUN_AT_END = lazy_regex(rf"{_WORD}{{2,}}\Z")
# Nouns that only place a sentence in time or in an argument.
_ADVERB_AT_END = lazy_regex(
    r"(?:結果|場合|以上|以下|一方|今回|現在|最近|昨今|近年|当時|今日|本日|以来|以降|以前|途中|段階|時点|場面|際|上|中|間|内|年|月|日|年度|頃|後|前|ため|他方|反面|皆様|皆さん|方々|総理|大臣|議員|委員|君)\Z"
)
_QUESTION = lazy_regex(r"何|どの|どう|いかなる|いかに|でしょうか|ですか")
_IDLE = lazy_regex(r"\A(?:これ|それ|あれ|私|我々|もの|こと|今回|今|本案|本件|同|当該|先ほど)")
_NUMBER = lazy_regex(rf"[{KANJI_ZERO_TO_NINE}{''.join(SMALL_UNITS)}万億兆0-9０-９・円年月日人割％%]+")
# A definition that points elsewhere, names a person, or begins in the middle of an argument explains nothing.
_NO_DEFINITION = lazy_regex(
    r"[こそ](?:の(?!他)|れ)|の[二三四五六七両]者|\A(?:当然|當然|やはり|まさに|例えば|特に|先ほど|今回の)|(?:官|隊員|職員|議員|氏|さん|者|容疑者|会長|社長)\Z"
)
_PARTICLES = tuple("のはがをにでとへもや」。（")


def extract_terms(spoken: Iterable[SpokenSentence]) -> tuple[GlossaryTerm, ...]:
    """The terms that speeches explain in their own words, each once, where it is first explained."""
    terms: dict[str, GlossaryTerm] = {}
    for sentence in spoken:
        for term, definition in _explained(sentence.text):
            terms.setdefault(term, GlossaryTerm(term=term, definition=definition, order=sentence.order))
    return tuple(terms.values())[:MOST_TERMS]


def _explained(text: str) -> Iterator[tuple[str, str]]:
    for match in _DEFINED.finditer(text):
        term, definition = match["quoted"] or match["plain"], match["definition"].strip("、 　")
        if _is_term(term) and not _QUESTION.search(definition):
            yield term, definition
    for match in _NAMED.finditer(text):
        term, definition = match["quoted"] or match["plain"], _noun_phrase(match["definition"])
        if _is_term(term) and definition and term not in definition and match["after"] in ("", *_PARTICLES):
            yield term, definition
    for match in _ABBREVIATED.finditer(text):
        if (definition := _noun_phrase(match["definition"])) and _is_term(match["quoted"]):
            yield match["quoted"], definition


def _is_term(term: str) -> bool:
    return not (_IDLE.match(term) or _NUMBER.fullmatch(term))


def _noun_phrase(text: str) -> str:
    """The noun phrase at the end of a text, without what the sentence says it about; empty if it doesn't end in one."""
    phrase = _TOPIC.sub("", text.strip(" 　"), count=1)
    ends_in_noun = _NOUN_AT_END.search(phrase) and not _ADVERB_AT_END.search(phrase)
    if not ends_in_noun or len(phrase) < 4 or _IDLE.match(phrase) or _NO_DEFINITION.search(phrase):
        return ""
    return phrase

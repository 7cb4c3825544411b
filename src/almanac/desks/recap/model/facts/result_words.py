"""Whether a text says no more than which results a sitting had: its words are those of the decisions, or form."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from almanac.desks.recap.model.facts.business_names import short_names
from almanac.desks.recap.model.record import HouseDecision
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import NUMERAL_PATTERN, parse_kanji_number

# Words of form in which results are told, with the counts and the manner, which are compared elsewhere.
_FORM = lazy_regex(
    r"(?:賛成|反対|投票総数|白色?票|青色?票)(?:者)?[は、:：が]*[0-9]+票?|[0-9]+票?対[0-9]+|[0-9]+票"
    r"|全会[一1]致|満場[一1]致|全員[一1]致|(?:起立|挙手|賛成|反対)(?:多数|総員|少数)|総員(?:の賛成|起立)?|過半数(?:の賛成)?|多数|少数|異議な[しく]|記名投票|押しボタン(?:式投票)?"
    r"|(?:修正|原案|附帯)?(?:可決|否決|成立|議決|承認|承諾|是認|採択|同意|決定|決議|継続審査|撤回)|不同意|修正|原案|附帯|選任|選出|指名|任命|設置|許可|当選|就任|辞任|辞職"
    r"|改正案|改正|法律案|法案|議案|予算案|予算|規則案|決議案|両案|両件|案件|条約|協定|議定書|締結|全体|委員会|本会議|衆議院|参議院|衆院|参院|衆参|国会|内閣|提出|動議"
    r"|(?:など|ほか)[0-9]+(?:件|案|本|法案)|成案|報告|君|氏|議員|与え|付す?|決[まし]|決め|得|行わ|以上|結果|日|審査|採決|票"
)
_SIDES = lazy_regex(r"賛成|反対|立場|討論|表明|代表|会派|述べ|意(?=を)|行[いっわ]|全て|すべて|党|委員|大臣")
_LEFTOVER = lazy_regex(r"[案件等外]")
_CONTENT = lazy_regex(r"[一-龥々ァ-ヶーA-Za-zＡ-Ｚ0-9]")
_SHORTEST, _ALIKE = 2, 0.5


def states_more(text: str, decisions: Sequence[HouseDecision], words: Sequence[str]) -> bool:
    """Whether a text has content that neither the decisions, nor the given words, nor the words of form have."""
    names = [name for each in decisions for name in short_names(each.subject)]
    sources = sorted({_canonical(each) for each in (*words, *names, *(each.subject for each in decisions))}, key=len)
    own_words_first = _FORM.sub("", _without_words(_canonical(text), sources))
    form_first = _without_words(_FORM.sub("＿", _canonical(text)), sources)
    return all(_CONTENT.search(_LEFTOVER.sub("", rest)) for rest in (own_words_first, form_first))


def _without_words(text: str, sources: Sequence[str]) -> str:
    for source in reversed(sources):
        text = _without_common(text, source)
    return text


def states_more_than_sides(text: str, words: Sequence[str]) -> bool:
    """Whether a text has content besides the given words and who was for or against."""
    rest = _without_words(_canonical(text), sorted({_canonical(each) for each in words}, key=len))
    return bool(_CONTENT.search(_LEFTOVER.sub("", _FORM.sub("", _SIDES.sub("", rest)))))


def is_worded_alike(part: str, subject: str) -> bool:
    """Whether a text has most of the words for what was decided."""
    pairs = {first + second for first, second in pairwise(_canonical(subject))}
    return bool(pairs) and len(pairs & {a + b for a, b in pairwise(_canonical(part))}) >= _ALIKE * len(pairs)


def _without_common(text: str, source: str) -> str:
    """The text without every passage of two or more characters that the source has, longest first."""
    at = 0
    while at < len(text):
        length = 0
        while at + length < len(text) and text[at : at + length + 1] in source:
            length += 1
        if length >= _SHORTEST:
            text = f"{text[:at]}＿{text[at + length :]}"
        at += 1
    return text


def _canonical(text: str) -> str:
    """Without blanks and quotation marks, with every number in digits."""
    plain = re.sub(r"[\s　「」『』]", "", unicodedata.normalize("NFKC", text))
    return re.sub(NUMERAL_PATTERN, lambda match: str(parse_kanji_number(match[0]) or match[0]), plain)

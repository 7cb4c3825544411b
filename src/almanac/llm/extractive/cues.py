"""Judges the wording of a sentence: formalities, datelines, openings that depend on the sentence before, figures.

The lists in `data/` have one pattern per line, or words separated by spaces; `#` starts a comment.
"""

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from almanac.language.scripts import HAN


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(word for line in patterns(name) for word in line.split())


def alternatives(*names: str) -> str:
    """A pattern that matches any pattern of the lists."""
    return "(?:" + "|".join(line for name in names for line in patterns(name)) + ")"


def patterns(name: str) -> list[str]:
    """The patterns of a list, one for each line."""
    text = files(__package__).joinpath("data", f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


class CuedPattern:
    """A long list of patterns that is searched only in texts with one of its cues, which is far faster."""

    def __init__(self, name: str) -> None:
        """`name` is the list of patterns; the list of their cues has the same name and ends in `_cues`."""
        self._pattern = re.compile(alternatives(name), re.IGNORECASE)
        self._cues = tuple(patterns(f"{name}_cues"))

    def search(self, text: str) -> bool:
        """Whether one of the patterns is found."""
        folded = text.casefold()
        return any(cue in folded for cue in self._cues) and bool(self._pattern.search(text))


_COURTESIES = re.compile(rf"{alternatives('courtesies')}\b", re.IGNORECASE)
_SPEAKER_LABEL = re.compile(r"^[A-Z][^:.!?“\"]{2,70}:\s+")
_PROCEDURE = re.compile(alternatives("japanese_procedure"))
_ADDRESS = re.compile(r"^©|https?://|www\.|@\w{2,}|#\w{3,}|\bis (?:sponsored|brought to you) by\b")


def is_formality(text: str) -> bool:
    """Whether it is a courtesy, procedure of a meeting, a line with an address or a sponsor rather than content."""
    spoken = _SPEAKER_LABEL.sub("", text)
    return any((_COURTESIES.match(spoken), _ADDRESS.search(text), not text.isascii() and _PROCEDURE.search(text)))


_CITY = r"[A-Z][A-Z'.-]+(?:[ ,/][ ]?[A-Z][A-Z'.-]+){0,3}(?: via [A-Z]\w+)?"
_DATE = r"(?:\d{1,2} [A-Z]\w+\.?(?: \d{4})?|[A-Z]\w+\.? \d{1,2}(?:, \d{4})?)"
_DATELINE = re.compile(
    rf"[\w.+-]+@[\w-]+(?:\.[a-z]{{2,4}}?)+(?=[A-Z\s])\s*|"
    rf"(?:{_CITY}(?:,? {_DATE})?(?: ?\([^()]{{2,40}}\))?|[A-Z]\w+(?: [A-Z]\w+)?, {_DATE}(?: ?\([^()]{{2,40}}\))?)"
    rf"(?:\s*[—–:]+\s*|\s+-{{1,2}}\s+)|{_DATE}\s*(?:--|—|–)\s+"
    r"|[A-Z][A-Z'.-]{2,}(?: [A-Z'.-]+)*, (?:[A-Z][a-z]+\.? ?){1,2}(?:\([^()]{2,40}\)\s*)?[—–-]{1,2}\s+"
    r"|[（(【\[［][^（）()【】\[\]［］]{2,30}[）)】\]］]\s*[-－—–]*\s*"
    r"|\S{2,12}社\S{2,10}\d{1,2}月\d{1,2}日电(?:[（(][^（）()]{2,30}[）)])?\s*"
    r"|(?:本报|本報|中新网|中新社|中央社)\S{0,12}(?:日电|日訊|日讯|讯|訊|日電)\s*(?:[（(][^（）()]{2,30}[）)])?\s*[：:]?\s*"
)


def without_dateline(text: str) -> str:
    """The text without the writer's address, the place, date or agency before it."""
    dateline = _DATELINE.match(text)
    return text[dateline.end() :] if dateline and dateline.end() < len(text) else text


class _Openers(NamedTuple):
    connective: re.Pattern[str]
    pointer: re.Pattern[str]


_LATIN = _Openers(
    re.compile(rf"{alternatives('connectives')}\b,?\s+|{alternatives('connectives_before_a_comma')},\s+"),
    re.compile(rf"{alternatives('pointers')}\b"),
)
_CHINESE = _Openers(
    re.compile(
        rf"{alternatives('chinese_connectives')}[，,、：]?|{alternatives('chinese_connectives_before_a_comma')}[，,、：]"
    ),
    re.compile(alternatives("chinese_pointers")),
)
_JAPANESE = _Openers(
    re.compile(
        rf"{alternatives('japanese_connectives')}[、，]?|{alternatives('japanese_connectives_before_a_comma')}[、，]"
    ),
    re.compile(alternatives("japanese_pointers")),
)
_KANA = re.compile("[\u3041-\u3096]")
_HAN = re.compile(f"[{HAN}]")
_JAPANESE_SUBJECT = re.compile(r"[はがも]")
_BACK_REFERENCE = re.compile(r"(?i:\b(?:it|its|he|his|him|she|her)\b)")
_CAPITALISED = re.compile(r"(?<=\s)[A-Z]|[“\"]")
_DETERMINER = re.compile(r"\b(?:the|a|an|every|each|any|no|one|who|whoever)\b", re.IGNORECASE)
_PRONOUN = (
    r"(?:he|she|they|his|her|their|its|it(?! (?:is|was|will be|would be|has been|emerged|became|seems|takes|took)\b))"
)
_PREPOSITION = (
    r"(?:In|At|On|For|With|From|Among|By|During|After|Before|Under|Since|Until|Due to|Because of|Despite|Through|Over|"
    r"Without|As well as|Besides|Beyond|To)"
)
# “In nine schools they did not.”, “At this time, she left.”, “Born in Ipoh, he moved.”
_PHRASE_BEFORE_PRONOUN = re.compile(
    rf"{_PREPOSITION}\s+(?:[a-z\d][\w’'-]*\s+){{1,5}}{_PRONOUN}\b"
    rf"|(?:{_PREPOSITION}\b|(?:Born|Known|Raised|Educated|Asked|Speaking|Writing|Founded|Based|[A-Z][a-z]+ing)\b)[^,]{{2,90}},\s+"
    rf"(?:[a-z]+ly )?{_PRONOUN}\b"
    rf"|(?:When|While|After|Before|As|If|Since|Once|Although|Though|Because)\s+{_PRONOUN}\b[^,]*,\s+{_PRONOUN}\b"
)
# “Two did not.”: what they did or didn't do was told before.
_WITHOUT_VERB = re.compile(
    r"\b(?:did|do|does|had|has|have|was|were|is|are|will|would|could|can)(?:\s+not|n['’]t)?(?:\s+(?:so|too|either))?[.!]$"
)
_MOST_WORDS_WITHOUT_VERB = 12
_COUNT = (
    r"(?:\d[\d,.]*%?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|most|many|several|"
    r"few|none|half|some|about half)"
)
# “Most were closed.”, “About 65 percent said no.”: of whom was told before.
_COUNT_AS_SUBJECT = re.compile(
    rf"(?:(?:About|Around|Some|Nearly|Almost|More than|At least|Only|Just|Roughly)\s+)?{_COUNT}(?:\s+per ?cent)?\s+"
    r"(?:were|was|are|is|had|have|has|did|do|said|say|died|will|would|received|remain|remained|came|went|got|live|lived|could)\b",
    re.IGNORECASE,
)
# Who speaks isn't told by what is said: 「市が払う」と話した。
_SPOKEN = re.compile(r"「[^」]*」(?=と|などと|とし)")
_JAPANESE_ELLIPSIS = re.compile(
    r"[^、。]{1,14}では(?:でき(?:な|ず)|そうで|なかった|ない|違)|[約およそ]*[\d０-９.]+(?:％|%|割|校|社|館|店|施設)[がは]"
)
_CHINESE_POINTER_AFTER_SOURCE = re.compile(
    r"[^，。：]{1,25}(?:说|表示|称|指出|认为|透露|介绍|說|稱)[，：:]\s*(?:该|該|这|這|此|上述)"
)
_MOST_CONNECTIVES = 2


def standalone_part(text: str) -> str | None:
    """The rest of a sentence that can be read without the one before; None where there is none."""
    openers = _openers_for(text)
    for _ in range(_MOST_CONNECTIVES):
        connective = openers.connective.match(text)
        if connective is None:
            break
        text = text[connective.end() :]
        if not text or text[0].islower():
            return None
    return text if text and not _depends_on_previous(text, openers) else None


def _openers_for(text: str) -> _Openers:
    if _KANA.search(text):
        return _JAPANESE
    return _CHINESE if _HAN.search(text) else _LATIN


def _depends_on_previous(text: str, openers: _Openers) -> bool:
    if openers.pointer.match(text) or openers.connective.match(text):
        return True
    if openers is _JAPANESE:
        return not _JAPANESE_SUBJECT.search(_SPOKEN.sub("", text)) or bool(_JAPANESE_ELLIPSIS.match(text))
    if openers is _CHINESE:
        return bool(_CHINESE_POINTER_AFTER_SOURCE.match(text))
    return _leaves_out_its_subject(text) or _has_unbound_pronoun(text)


def _leaves_out_its_subject(text: str) -> bool:
    """Whether who or what a Latin sentence is about was told before it."""
    if _PHRASE_BEFORE_PRONOUN.match(text) or _COUNT_AS_SUBJECT.match(text):
        return True
    return text.count(" ") < _MOST_WORDS_WITHOUT_VERB and bool(_WITHOUT_VERB.search(text))


def _has_unbound_pronoun(text: str) -> bool:
    """Whether a pronoun comes before anything that it could refer to."""
    reference = _BACK_REFERENCE.search(text)
    if reference is None:
        return False
    before = text[: reference.start()]
    return not _CAPITALISED.search(before) and not _DETERMINER.search(before)


_FIGURE = re.compile(
    rf"{alternatives('currencies')}\s?\d|\d[\d,.]*\s?{alternatives('units')}"
    r"|[一二三四五六七八九十百千]+[億亿万兆]|\b\d{1,3}(?:,\d{3})+\b"
)
_DECISION = re.compile(rf"\b{alternatives('decisions')}\b|{alternatives('cjk_decisions')}")
_QUESTION = re.compile(r"[?？][\"”」』）)]*$|(?:です|ます|ません|でしょう|の|ました|たい)か[。．]?$|\?”")
_FIRST_PERSON = re.compile(
    r"\b(?:I|I'm|we|We|our|Our|my|My|us|saya|Saya|kami|Kami|kita|Kita|you|You|your)\b"
    r"|我们|我們|我(?!国|國|省|市|州)|私(?:は|ども|たち)|我々"
)
_FIRST_WORD = re.compile(r"(?:I|I'm|My|Saya|You|Your)\b|我(?!国|國|省|市|州)|私(?:は|ども|たち)")
_BACK_TO_A_NOUN = re.compile(r"(?:[\w-]+ ){1,4}?(?:itu|berkenaan)\b")
_ALSO = re.compile(
    r"\b(?:also|added|too|turut|tambahnya|tambah beliau|katanya|kata beliau|ujarnya)\b"
    r"|也|还(?!是|原)|還|も(?:また|述べ)"
)
_QUOTED = re.compile(r"[“\"「『]([^”\"」』]*)[”\"」』]")


class SentenceCues(NamedTuple):
    """Features of a sentence's wording that affect its rank."""

    figure: bool
    decision: bool
    quoted: float
    first_person: float
    continues: bool
    points_back: bool


def read_cues(text: str) -> SentenceCues:
    """Extract the cues of a sentence."""
    return SentenceCues(
        figure=bool(_FIGURE.search(text)),
        decision=bool(_DECISION.search(text)),
        quoted=sum(len(quotation[1]) for quotation in _QUOTED.finditer(text)) / max(1, len(text)),
        first_person=_first_person(text),
        continues=bool(_ALSO.search(text)),
        points_back=bool(_BACK_TO_A_NOUN.match(text)),
    )


BINDING = re.compile(rf"\b{alternatives('conditions')}\b", re.IGNORECASE)
"""Words of conditions, hedges, negations and attributions, which may not be cut off a sentence."""
_LEAD_IN = re.compile(
    r"^here(?:['’]s| is| are) (?:what|how|why|a look|some|the|everything)\b"
    r"|(?:\bas follows|\b(?:the|these|some) following(?: \w+)?|\blisted below|\b(?:seperti|adalah) berikut)[.:]?$"
    r"|(?:次|以下|下記)の?(?:とおり|通り|よう)(?:です|である|だ|になります|になる|となります)?[。.:：]?$"
    r"|このようにな(?:る|ります)。$|如下(?:所示)?[。：:]?$",
    re.IGNORECASE,
)
_PROVISO = re.compile(
    r"(?:However, |But |Namun,? |Bagaimanapun,? )?"
    r"(?:This|That|It|They|The \w+|Ia|Ini|Perkara (?:itu|ini)|\w+ (?:itu|tersebut)) "
    r"(?:(?:is|are|was|were|will be|remains?|still) )*"
    r"(?:subject to|conditional (?:on|upon)|dependent on|depends? on|not final|(?:tertakluk|bergantung) kepada)"
    r"|(?:Only if|Provided that|Unless|Except)\b|ただし|但し|ただ、|但须|但需|但須|前提是|除非|不过须|不過須"
)


def is_lead_in(text: str) -> bool:
    """Whether a sentence only announces a list, as in “The prices are as follows.”"""
    return bool(_LEAD_IN.search(text))


def is_proviso(text: str) -> bool:
    """Whether a sentence limits the one before it, as in “This is subject to approval.”"""
    return bool(_PROVISO.match(text))


def is_question(text: str) -> bool:
    """Whether it is a question, with or without a question mark."""
    return bool(_QUESTION.search(text))


def _first_person(text: str) -> float:
    """1.5 if it starts in the first person or addresses the reader, 0.5 if it does so later, else 0."""
    if _FIRST_WORD.match(text):
        return 1.5
    return 0.5 if _FIRST_PERSON.search(_QUOTED.sub("", text)) else 0.0

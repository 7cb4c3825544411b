"""Words that a speech itself explains, with the explanation in its own words."""

from collections.abc import Iterable, Iterator

from almanac.desks.recap.derive.wording import Said
from almanac.desks.recap.model.recap import Term
from almanac.kit.lazy_regex import lazy_regex
from almanac.language.scripts import HAN, KATAKANA

MOST_TERMS = 30
_NOUN = rf"[{HAN}{KATAKANA}A-Za-zＡ-Ｚａ-ｚ0-9０-９・ー]{{2,24}}"
_DEFINED = lazy_regex(
    rf"(?:\A|、)「?(?P<term>{_NOUN})」?とは、?(?P<told>[^。]{{8,200}}?(?:をいいます|をいう|を指します|のことです|のことであります|のことでございます|であります|でございます|です|ものです|意味します))。"
)
_SO_CALLED = lazy_regex(
    rf"(?:\A|、|。)(?P<told>[^、。]{{6,80}})、いわゆる「?(?P<term>{_NOUN})」?(?=[のはがをにで、。と]|による|」)"
)
_ABBREVIATED = lazy_regex(r"(?P<told>[^、。「」（）]{6,80})（以下「(?P<term>[^」]{2,24})」と(?:いう|します|略)[^）]*）")
_IDLE = lazy_regex(r"\A(?:これ|それ|私|もの|こと|今回|今|本案|本件)")


def terms(spoken: Iterable[Said]) -> tuple[Term, ...]:
    """Each term once, where it is first explained."""
    found: dict[str, Term] = {}
    for sentence in spoken:
        for term in _explained(sentence):
            found.setdefault(term.term, term)
    return tuple(found.values())[:MOST_TERMS]


def _explained(sentence: Said) -> Iterator[Term]:
    for pattern in (_DEFINED, _SO_CALLED, _ABBREVIATED):
        for match in pattern.finditer(sentence.text):
            if not _IDLE.match(match["term"]):
                yield Term(term=match["term"], definition=match["told"].strip("、 　"), order=sentence.order)

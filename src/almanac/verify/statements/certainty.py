"""Finds possible or planned events stated as certain: `may be cut` as `will be cut`, `plans to close` as `closed`.

The source has the verb only after words such as may or plans to, the claim without any of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN
from almanac.verify.alignment import Alignment, coverage_for_language
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.names.latin import latin_words
from almanac.verify.reasons import overstated_certainty
from almanac.verify.sources import irregular_verbs, stem_word

_MIN_COVERAGE = 0.6
_BETWEEN = r"(?: (?:not|also|soon|then|be|have|been|only|now|still|lagi|juga|turut|terus|[a-z]+ly))*"
_POSSIBLE = lazy_regex(
    rf"\b(?:may|might|could|[Mm]ungkin|[Bb]arangkali|berkemungkinan|boleh jadi){_BETWEEN} (?P<verb>[a-z]+)"
)
_FUTURE = lazy_regex(rf"\b(?:will|shall|akan|bakal){_BETWEEN} (?P<verb>[a-z]+)")
_PLANNED = lazy_regex(
    r"\b(?:plans?|planned|planning|intends?|aims?|hopes?|wants?|proposes?|expects?"
    r"|expected|scheduled|due|seeks?|considers?)"
    r"(?: [a-z]+){0,3}? to (?:be |[a-z]+ly )*(?P<verb>[a-z]+)"
    r"|\b(?:merancang|bercadang|berhasrat|mahu|ingin|dijangka|dijadualkan|mencadangkan)"
    r"(?: untuk| akan)? (?P<other>[a-z]+)"
)
_PENDING = lazy_regex(
    r"\b(?:subject to|pending|awaiting|awaits?|tertakluk kepada|menunggu)(?: (?:the|its|their|final))* (?P<verb>[a-z]+)"
)
_PENDING_ZH = lazy_regex("[待需须][^,。;]{0,14}?(?P<verb>批准|通过|核准|审批|同意|表决)")
_OPEN = lazy_regex(
    r"(?i)\b(?:may|might|could|can|possib\w+|potential\w*|perhaps|maybe|likely|probabl\w+|plan\w*|propos\w+|intend\w*|intent\w*"
    r"|aim\w*|hop(?:e|es|ed|ing)|want\w*|expect\w*|schedul\w+|due|consider\w*|seek\w*|would|should|if|unless|forecast\w*"
    r"|project(?:s|ed|ions?)|predict\w*|warn\w*|threat\w*|risk\w*|fear\w*|chance\w*|prospect\w*|draft|subject|target\w*|goal"
    r"|urg\w+|pending|await\w*|upcoming|need\w*|must|asks?|asked|called|mungkin|barangkali|\w*mungkin\w*|boleh|merancang|\w*rancang\w*"
    r"|cadang\w*|\w+cadang\w*|\w*hasrat\w*|mahu|ingin|\w*jangka\w*|\w*jadual\w*|jika|kalau|sekiranya|bakal|perlu|\w*ramal\w*)\b"
)
_WILL = lazy_regex(r"(?i)\b(?:will|shall|akan|bakal|pasti|going to|to be|is to|are to)\b|'ll\b")
_SURE = lazy_regex(rf"(?i)\b(?:will|shall|akan|bakal|pasti|certainly|definitely){_BETWEEN} $")
_DONE_BEFORE = lazy_regex(r"(?i)\b(?:was|were|has|have|had|telah|sudah)(?: [a-z]+ly| been| pun)* $")
_NOT_DONE_BEFORE = lazy_regex(r"(?i)\b(?:to|be|is|are|being|the|a|an)(?: [a-z]+ly)* $")

_KANA = "ぁ-ん"
_MAY_JA = "可能性|おそれ|恐れ|かもしれ"
_PLAN_JA = "見込み|見通し|予定|計画|方針|考え(?!ら)|つもり|意向|検討"
_HEDGED_JA = lazy_regex(rf"(?P<verb>[{HAN}]{{1,4}})(?P<kana>[{_KANA}]{{1,6}}?)(?:(?P<may>{_MAY_JA})|{_PLAN_JA})")
_OPEN_JA = lazy_regex(
    f"{_MAY_JA}|{_PLAN_JA}|とみられ|見られ|だろう|でしょう|なら|れば|たら|目標|求め|目指|期待|予想|予測|想定|準備|提案|べき|要望"
    "|諮|懸念|危険|リスク|見方|前提|場合"
)
_DONE_JA = lazy_regex(rf"[{_KANA}]{{0,5}}?[ただ](?=[。、とのがはも」]|$)")
_PLAIN_JA = lazy_regex(rf"[{_KANA}]{{0,4}}?[るうくすつぬぶむぐ](?=[。と、」]|$)")

_MAY_ZH = "可能|或许|也许|或将|或会|或(?![者是])|恐怕|恐将|有望|料将|料会"
_PLAN_ZH = "计划|拟(?!定)|打算|有意|提议|争取|力争|准备|将(?![近军来领士])"
_HEDGED_ZH = lazy_regex(f"(?:(?P<may>{_MAY_ZH})|{_PLAN_ZH})(?P<rest>[^,。;、]*)")
_ADVERB_ZH = lazy_regex(
    r"[从于在自到至]?\|+(?:年?底|初|起|前|后|内|期间)*|(?:从|于|在|自)[^,。;]{1,8}?(?:起|前|后|内|底|期间)"
    "|[再把会被将对向也都还要]|进一步|逐步|首次|再次|继续|最多|至少"
)
_OPEN_ZH = lazy_regex(
    f"{_MAY_ZH}|计划|拟|打算|有意|提议|争取|力争|准备|恐|料|预计|估计|预期|预测|建议|考虑|希望|目标|若|如果|待|方案|草案|要求|应|须|需|警告|担心|风险"
)
_WILL_ZH = lazy_regex("将(?![近军来领士])|(?<![大委])会(?![议员长见上])|即将|要")
_DONE_ZH = lazy_regex("已经?|了|曾")


@dataclass(frozen=True, slots=True)
class _HedgedVerb:
    """A verb that the source has only as possible, planned or pending."""

    verb: str
    possible: bool
    pending: bool = False


def check_certainty(facts: SentenceFacts, alignment: Alignment, language: str) -> list[ClaimFinding]:
    """Report the first event that the source leaves open and the claim states as certain."""
    if coverage_for_language(facts, alignment, language) < _MIN_COVERAGE:
        return []
    sentences = [
        sentence.facts.masked_text if language == "zh" else sentence.facts.text for sentence in alignment.sentences
    ]
    find_overstatement = {"ja": _find_overstatement_ja, "zh": _find_overstatement_zh}.get(language, _find_overstatement)
    overstatement = find_overstatement(facts.text, sentences)
    return [] if overstatement is None else [overstated_certainty(*overstatement)]


def _find_overstatement(claimed: str, sentences: Sequence[str]) -> tuple[str, str] | None:
    if _OPEN.search(claimed):
        return None
    for sentence in sentences:
        for hedged in _find_hedged_verbs(sentence):
            alone = sum(stem_word(word.key) == hedged.verb for each in sentences for word in latin_words(each))
            if alone > sum(hedged.verb == other.verb for each in sentences for other in _find_hedged_verbs(each)):
                continue
            word = next((word for word in latin_words(claimed) if stem_word(word.key) == hedged.verb), None)
            if word is not None and _is_settled(claimed, word.start, word.key, hedged):
                return claimed, sentence
    return None


def _find_hedged_verbs(sentence: str) -> Iterator[_HedgedVerb]:
    for pattern in (_POSSIBLE, _FUTURE, _PLANNED, _PENDING):
        for match in pattern.finditer(sentence):
            yield _HedgedVerb(stem_word(match[match.lastgroup or 0]), pattern is _POSSIBLE, pattern is _PENDING)


def _is_settled(claimed: str, start: int, word: str, hedged: _HedgedVerb) -> bool:
    """Whether the claim states the verb as done, or as certain where the source says it may happen."""
    before = claimed[:start]
    if _DONE_BEFORE.search(before):
        return True
    if _WILL.search(claimed):
        return hedged.possible and bool(_SURE.search(before))
    return (_is_past(word) or (hedged.pending and word.startswith("me"))) and not _NOT_DONE_BEFORE.search(before)


def _is_past(word: str) -> bool:
    return word in irregular_verbs() or word.endswith("ed")


def _find_overstatement_ja(claimed: str, sentences: Sequence[str]) -> tuple[str, str] | None:
    if _OPEN_JA.search(claimed):
        return None
    for sentence in sentences:
        for match in _HEDGED_JA.finditer(sentence):
            stem = re.compile(rf"(?<![{HAN}]){match['verb']}" if len(match["verb"]) == 1 else match["verb"])
            places = [place.end() for place in stem.finditer(claimed)]
            forms = (_DONE_JA, _PLAIN_JA) if match["may"] else (_DONE_JA,)
            is_settled = any(form.match(claimed, place) for form in forms for place in places)
            elsewhere = any(
                form.match(each, at.end()) for each in sentences for at in stem.finditer(each) for form in forms
            )
            if is_settled and not elsewhere:
                return claimed, sentence
    return None


def _find_overstatement_zh(claimed: str, sentences: Sequence[str]) -> tuple[str, str] | None:
    if _OPEN_ZH.search(claimed):
        return None
    for sentence in sentences:
        pending = _PENDING_ZH.search(sentence)
        if pending and pending["verb"] in claimed and not _WILL_ZH.search(claimed):
            return claimed, sentence
        for match in _HEDGED_ZH.finditer(sentence):
            verb = _verb_zh(match["rest"])
            if verb is None or verb not in claimed or sum(each.count(verb) for each in sentences) > 1:
                continue
            done = _DONE_ZH.search(claimed) and not _DONE_ZH.search(match[0]) and not _WILL_ZH.search(claimed)
            if match["may"] or done:
                return claimed, sentence
    return None


def _verb_zh(rest: str) -> str | None:
    """The two characters after the adverbials, where Chinese has its verb; None if there are none."""
    at = 0
    while adverb := _ADVERB_ZH.match(rest, at):
        at = adverb.end()
    verb = rest[at : at + 2]
    return verb if re.fullmatch(f"[{HAN}]{{2}}", verb) else None

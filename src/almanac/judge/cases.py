"""Cases for the judge: a checked sentence with the passages it cites, and what a judgement makes of its verdict."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from almanac.judge.step import JUDGE, JudgedAs
from almanac.kit.text import one_line, shorten
from almanac.language.boilerplate import is_instruction
from almanac.language.segmentation import TextSentence, split_sentences
from almanac.language.terms import content_words
from almanac.llm.model_config import ModelEndpoint
from almanac.verify import CheckedClaim, ClaimFinding, FindingKind, Verdict

_JUDGED_VERDICTS = frozenset({Verdict.SUPPORTED, Verdict.UNCONFIRMED})
# A source of this length is shown whole; of a longer one, what is nearest to the sentence.
_WHOLE_CHARACTERS = 1500
_NEAREST_SENTENCES = 5
_LONGEST_CLAIM, _LONGEST_REASON = 1000, 300


class StoredJudgement(msgspec.Struct, frozen=True):
    """A judgement as it is cached."""

    verdict: JudgedAs
    reason: str


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """A sentence and its passages, one per line. The key is equal for the same question to the same model."""

    key: str
    sentence: str
    passages: str


def build_case(claim: CheckedClaim, sources: Mapping[str, str], model: ModelEndpoint) -> JudgeCase | None:
    """The case of a sentence; None if there is nothing to ask, because of its verdict or because it cites nothing."""
    if claim.verdict not in _JUDGED_VERDICTS or not claim.needs_source or claim.judged_by:
        return None
    sentence = one_line(claim.text)
    if not sentence or len(sentence) > _LONGEST_CLAIM or is_instruction(sentence):
        return None
    cited = [_choose_passages(claim, name, sources[name]) for name in claim.references if sources.get(name)]
    passages = "\n".join(filter(None, cited))
    if not passages:
        return None
    parts = (str(model), model.base_url, JUDGE.prompt.version, sentence, passages)
    key = hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()
    return JudgeCase(f"judge:{key}", sentence, passages)


def _choose_passages(claim: CheckedClaim, name: str, text: str) -> str:
    """A short source, or the sentences of a long one around the matched one and with the most common words."""
    sentences = split_sentences(text)
    if len(text) > _WHOLE_CHARACTERS:
        chosen = _matched(claim, name, sentences) | _nearest(claim.text, sentences)
        sentences = [sentences[number] for number in sorted(chosen)]
    return "\n".join(one_line(sentence.text) for sentence in sentences)


def _matched(claim: CheckedClaim, name: str, sentences: Sequence[TextSentence]) -> set[int]:
    """The matched sentence with its neighbours."""
    if claim.best_source != name or claim.matched is None:
        return set()
    start, end = claim.matched
    inside = [number for number, sentence in enumerate(sentences) if sentence.start < end and start < sentence.end]
    return {near for number in inside for near in (number - 1, number, number + 1) if 0 <= near < len(sentences)}


def _nearest(text: str, sentences: Sequence[TextSentence]) -> set[int]:
    words = set(content_words(text))
    shared = {number: len(words & set(content_words(sentence.text))) for number, sentence in enumerate(sentences)}
    ranked = sorted((number for number in shared if shared[number]), key=lambda number: -shared[number])
    return set(ranked[:_NEAREST_SENTENCES])


def apply_judgement(claim: CheckedClaim, judgement: StoredJudgement, model: str) -> CheckedClaim:
    """The claim with the judge's verdict, where that is lower or confirms an unconfirmed one; otherwise unchanged."""
    if claim.verdict not in _JUDGED_VERDICTS:
        return claim
    match judgement.verdict:
        case "contradicted":
            return _lowered(claim, Verdict.CHANGED, judgement.reason, model)
        case "unstated":
            if claim.verdict is Verdict.UNCONFIRMED:
                return claim
            return _lowered(claim, Verdict.UNCONFIRMED, judgement.reason, model)
        case "supported":
            if claim.verdict is Verdict.SUPPORTED:
                return claim
            return replace(claim, verdict=Verdict.SUPPORTED, findings=(), judged_by=model)


def _lowered(claim: CheckedClaim, verdict: Verdict, reason: str, model: str) -> CheckedClaim:
    reason = f"{model} judged: {shorten(reason, _LONGEST_REASON)}"
    finding = ClaimFinding(kind=FindingKind.JUDGED, found=claim.text, reason=reason)
    return replace(claim, verdict=verdict, findings=(*claim.findings, finding))

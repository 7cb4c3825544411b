"""Finds a cause that the source doesn't give: 〜のため, 〜により, where its sentence tells none."""

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.words.content import carried_keys, content_words

_CAUSE = lazy_regex(
    "(?:たため|のため(?=[、に])|であるため|いるため|ないため|ることから|たことから|たので|るので|なので|により(?!、?支払)|によって|が原因|の影響で|を受けて|おかげで|せいで"
    "|を理由に|に伴い|に伴って|の結果)"
)
_CAUSE_IN_SOURCE = lazy_regex(
    "ため|ので|から|により|によって|による|原因|影響|受け|おかげ|せい|理由|伴|結果|響|要因|背景|起因|もたら|招|つなが|よって|従って|したがって|以上|で、|て、|し、"
)


def check_causes(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report a cause whose own sentence in the source has no word for cause, or doesn't have what it causes."""
    match = _CAUSE.search(facts.masked_text)
    if match is None:
        return []
    words = [word for word in content_words(facts.masked_text, "ja") if word.keys]
    cause = [word for word in words if word.end <= match.start() + 1]
    effect = [word for word in words if word.start >= match.end()]
    for sentence in alignment.sentences:
        keys = carried_keys([sentence.facts.masked_text], "ja")
        has_cause = sum(bool(word.keys & keys) for word in cause) * 2 >= len(cause)
        if has_cause and _CAUSE_IN_SOURCE.search(sentence.facts.masked_text):
            return []
    return [uncertain_difference(match[0], alignment.best.text)] if cause and effect else []

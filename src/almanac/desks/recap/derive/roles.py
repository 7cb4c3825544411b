"""Who is speaking in which capacity, seen from the record's own data and label, never from what is said."""

import re

from almanac.desks.recap.derive.wording import label_of
from almanac.desks.recap.model.meeting import Speech
from almanac.kit.lazy_regex import lazy_regex

_CHAIR = lazy_regex(r"(?:議長|委員長|主査|会長|座長)(?:代理|代行)?(?:（|\Z)|\A理事（|仮議長|臨時議長|年長委員|事務総長")
_ANSWERS = lazy_regex(
    r"大臣|副大臣|政務官|政府参考人|政府委員|政府特別補佐人|長官|局長|参考人|公述人|証人|説明員|総裁|理事長|事務総長|人事官|検査院|答弁者|提出者|発議者|会長（"
)
_NOT_CHAIR = lazy_regex(r"参考人|公述人|大臣|君\Z")


def presides(speech: Speech) -> bool:
    """Whether the chair speaks as chair; a committee's chair reporting to the plenary doesn't."""
    label = label_of(speech)
    if label:
        return bool(_CHAIR.search(label)) and not _NOT_CHAIR.search(re.sub(r"（[^）]*）", "", label))
    return bool(_CHAIR.search(speech.position or "")) and speech.role is None


def answers_for_office(speech: Speech) -> bool:
    """Whether the speaker is there to answer: the government, officials, witnesses, movers of a bill."""
    told = " ".join(filter(None, (label_of(speech), speech.position, speech.role)))
    return bool(_ANSWERS.search(told)) and not presides(speech)

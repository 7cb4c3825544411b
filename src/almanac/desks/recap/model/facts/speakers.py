"""Who speaks and in which capacity, from the record's own data and labels, never from what is said."""

import re
import unicodedata
from collections import defaultdict

from almanac.desks.recap.model.facts.speech_text import speaker_label
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.recap import RecapParticipant
from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import is_cjk

# Speaker of the house, committee chair, section chair …, their deputies, and members who preside for them.
_CHAIR = lazy_regex(r"(?:議長|委員長|主査|会長|座長)(?:代理|代行)?(?:（|\Z)|\A理事（|仮議長|臨時議長|年長委員|事務総長")
# Ministers, vice-ministers, government witnesses, agency heads, expert witnesses, movers of a bill.
_ANSWERS = lazy_regex(
    r"大臣|副大臣|政務官|政府参考人|政府委員|政府特別補佐人|長官|局長|参考人|公述人|証人|説明員|総裁|理事長|事務総長|人事官|検査院|答弁者|提出者|発議者|会長（"
)
_NOT_CHAIR = lazy_regex(r"参考人|公述人|大臣|君\Z")


def person_key(name: str, yomi: str | None) -> str:
    """A person's key across meetings: the normalized name, and its reading, which distinguishes namesakes.

    In other parliaments than the Diet the source's id of the person stands in place of the reading.
    """
    plain, reading = _plain(name), _plain(yomi or "")
    return f"{plain}:{reading}" if reading else plain


def list_participants(meeting: Meeting) -> tuple[RecapParticipant, ...]:
    """Everyone who spoke, in the order of their first speech; missing data is taken from their other speeches."""
    spoken: dict[str, list[Speech]] = defaultdict(list)
    readings = {_plain(speech.speaker): speech.yomi for speech in meeting.spoken if speech.yomi}
    for speech in meeting.spoken:
        if name := _plain(speech.speaker):
            spoken[person_key(name, speech.yomi or readings.get(name))].append(speech)
    return tuple(_participant(key, speeches) for key, speeches in spoken.items())


def _participant(key: str, speeches: list[Speech]) -> RecapParticipant:
    def first_value(field: str) -> str | None:
        return next((value for speech in speeches if (value := getattr(speech, field))), None)

    return RecapParticipant(
        key=key,
        name=_plain(speeches[0].speaker),
        yomi=first_value("yomi"),
        group=first_value("group"),
        position=first_value("position"),
        role=first_value("role"),
        orders=tuple(speech.order for speech in speeches),
    )


def _plain(text: str) -> str:
    """In one width, without the spaces that records put inside Japanese names; other names keep single ones."""
    normal = unicodedata.normalize("NFKC", text)
    return ("" if any(map(is_cjk, normal)) else " ").join(normal.split())


def reading_in_key(key: str) -> str:
    """The reading of a name in a person's key; empty where the key has none, or a source's id in its place."""
    reading = key.partition(":")[2]
    return reading if any(map(is_cjk, reading)) else ""


def is_chair(speech: Speech) -> bool:
    """Whether the chair speaks as chair; a committee's chair who reports to the plenary doesn't."""
    label = speaker_label(speech)
    if label:
        return bool(_CHAIR.search(label)) and not _NOT_CHAIR.search(re.sub(r"（[^）]*）", "", label))
    return bool(_CHAIR.search(speech.position or "")) and speech.role is None


def is_official(speech: Speech) -> bool:
    """Whether the speaker is there to answer: the government, officials, witnesses, movers of a bill."""
    offices = " ".join(filter(None, (speaker_label(speech), speech.position, speech.role)))
    return bool(_ANSWERS.search(offices)) and not is_chair(speech)

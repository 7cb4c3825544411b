"""People as the record gives them: one identity across meetings, with group and office as they were on that day."""

import unicodedata
from collections import defaultdict

from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.recap import Participant


def person_key(name: str, yomi: str | None) -> str:
    """One person's key: the name in one width without gaps, and its reading, which tells people of one name apart."""
    plain, reading = _plain(name), _plain(yomi or "")
    return f"{plain}:{reading}" if reading else plain


def participants(meeting: Meeting) -> tuple[Participant, ...]:
    """Everybody who spoke, in the order of their first speech; what one speech leaves out another may tell."""
    spoken: dict[str, list[Speech]] = defaultdict(list)
    readings = {_plain(speech.speaker): speech.yomi for speech in meeting.spoken if speech.yomi}
    for speech in meeting.spoken:
        if name := _plain(speech.speaker):
            spoken[person_key(name, speech.yomi or readings.get(name))].append(speech)
    return tuple(_participant(key, speeches) for key, speeches in spoken.items())


def _participant(key: str, speeches: list[Speech]) -> Participant:
    def told(field: str) -> str | None:
        return next((value for speech in speeches if (value := getattr(speech, field))), None)

    return Participant(
        key=key,
        name=_plain(speeches[0].speaker),
        yomi=told("yomi"),
        group=told("group"),
        position=told("position"),
        role=told("role"),
        orders=tuple(speech.order for speech in speeches),
    )


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())

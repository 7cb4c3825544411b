"""Speeches of Hansard from its paragraphs: what the record itself reports is told apart from what was said.

Both forms of Hansard put such notes (“Question put and agreed to.”) into paragraphs behind a speech, as if its speaker
had said them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET

from almanac.desks.recap.model.meeting import HEADER_SPEAKER, Speech

_NOTE = re.compile(
    r"(?:Motion made,? and )?Question\b,? ?(?:accordingly |again )?(?:proposed|put|agreed|negatived)\b"
    r"|(?:Main|Original) Question\b"
    r"|(?:The )?(?:House|Committee)(?: having)? (?:divided|proceeded to a [Dd]ivision|adjourned|rose|resumed)\b"
    r"|(?:The )?(?:Deputy Speaker|Speaker|Chair|Deputy Chair) put forthwith\b"
    r"|(?:Manuscript )?[Aa]mendments? (?:proposed|made)\b"
    r"|[Aa]mendments? \(?[A-Z]{0,3}\d[\w ,()]* (?:agreed|disagreed|withdrawn|not moved)\b"
    r"|(?:Motion|Amendment|Clause|Schedule),? (?:by leave|accordingly|agreed|disagreed)\b"
    r"|Bill (?:accordingly |, as amended,? ?)?(?:read|reported|passed|to be)\b"
    r"|New [Cc]lause \w+ (?:accordingly |read|added)"
    r"|Clauses? \d[\w ,]*(?:agreed|ordered)\b|Lords amendments? \w+.{0,60}(?:agreed|disagreed) to\b"
    r"|(?:Resolved|Ordered),|Division No\b|Contents \d|Br\w+ up\b|claimed to move the closure\b"
    r"|Sitting (?:suspended|adjourned)\b|On resuming\b|Debate (?:to be resumed|interrupted|adjourned)\b"
    r"|\[.{0,80}in the Chair\]|Moved by\b|Tabled by\b|Adjourned\b.{0,40}\b(?:at|until|till)\b"
)
_VOTE_WORDS = {"content": "Contents", "not-content": "Not-Contents"}


def is_note(text: str) -> bool:
    """Whether a paragraph is the record's own report of the procedure."""
    return bool(_NOTE.match(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class HansardSpeaker:
    """Who speaks; nobody where the name is empty."""

    name: str = ""
    group: str | None = None
    position: str | None = None
    person: str = ""


NOBODY = HansardSpeaker()


@dataclass(slots=True)
class SpeechCollector:
    """Puts paragraphs together: those of one speaker in a row to a speech, notes in a row to a note."""

    speeches: list[Speech] = field(default_factory=list)
    headings: list[tuple[str, ...]] = field(default_factory=list)

    def add(
        self,
        path: tuple[str, ...],
        speaker: HansardSpeaker,
        paragraphs: Iterable[tuple[str, bool]],
        *,
        speech_id: str = "",
        url: str | None = None,
    ) -> None:
        """Add paragraphs of a speech, each with whether it is a note."""
        self._enter(path)
        lines: list[tuple[bool, list[str]]] = []
        for text, noted in paragraphs:
            if lines and lines[-1][0] == noted:
                lines[-1][1].append(text)
            elif text:
                lines.append((noted, [text]))
        for part, (noted, texts) in enumerate(lines):
            by = NOBODY if noted else speaker
            self._append(path, by, "\n".join(texts), _part_id(speech_id, part), url)

    def add_division(
        self,
        path: tuple[str, ...],
        number: str,
        counts: dict[str, str],
        names: dict[str, list[str]],
        *,
        speech_id: str = "",
        url: str | None = None,
    ) -> None:
        """Add a division: the counts in the words of the record, then who voted which way."""
        self._enter(path)
        in_favour, against = ("content", "not-content") if "content" in counts else ("ayes", "noes")
        words = {"ayes": "Ayes", "noes": "Noes"} | _VOTE_WORDS
        title = f"Division No. {number}: " if number else "Division: "
        text = f"{title}{words[in_favour]} {counts.get(in_favour, '')}, {words[against]} {counts.get(against, '')}."
        lists = [f"{vote}: {'; '.join(voters)}" for vote, voters in names.items() if voters]
        self._put(
            Speech(
                order=0, id=speech_id, text="\n".join((text, *lists)), url=url, kind="division", headings=path or UNSET
            )
        )

    def numbered(self) -> tuple[Speech, ...]:
        """All speeches in order, after a header that lists the headings."""
        titles = dict.fromkeys(" – ".join(path) for path in self.headings if path)
        header = Speech(order=0, speaker=HEADER_SPEAKER, text="\n".join(titles))
        spoken = [_with_order(speech, order) for order, speech in enumerate(self.speeches, 1)]
        return (header, *spoken) if titles else tuple(spoken)

    def _enter(self, path: tuple[str, ...]) -> None:
        if not self.headings or self.headings[-1] != path:
            self.headings.append(path)

    def _append(self, path: tuple[str, ...], by: HansardSpeaker, text: str, speech_id: str, url: str | None) -> None:
        self._put(
            Speech(
                order=0,
                id=speech_id,
                speaker=by.name,
                group=by.group,
                position=by.position,
                text=text,
                url=url,
                kind=UNSET if by.name else "note",
                headings=path or UNSET,
                person=by.person or UNSET,
            )
        )

    def _put(self, speech: Speech) -> None:
        last = self.speeches[-1] if self.speeches else None
        if last is not None and _goes_on(last, speech):
            self.speeches[-1] = _joined(last, speech)
        else:
            self.speeches.append(speech)


def _part_id(speech_id: str, part: int) -> str:
    """The id of a part of a speech that notes divide; the first has the speech's own."""
    return f"{speech_id}/{part + 1}" if speech_id and part else speech_id


def _goes_on(last: Speech, speech: Speech) -> bool:
    return last.kind == speech.kind != "division" and (last.speaker, last.headings) == (speech.speaker, speech.headings)


def _joined(last: Speech, speech: Speech) -> Speech:
    return msgspec.structs.replace(last, text=f"{last.text}\n{speech.text}")


def _with_order(speech: Speech, order: int) -> Speech:
    return msgspec.structs.replace(speech, order=order)

"""A recap: everything written about one meeting, each sentence with the orders of the speeches that support it.

Field names are those of the stored JSON.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, get_args

import msgspec

from almanac.desks.recap.model.record import RecordFacts

Reaction = Literal[
    "質問",  # question
    "答弁",  # answer
    "趣旨説明",  # explanation of a bill
    "報告",  # report
    "賛成",  # argument in favour
    "反対",  # argument against
    "意見",  # opinion
    "動議",  # motion
    "採決",  # vote
    "議事進行",  # procedure
    "会議録情報",  # header of the record
]
REACTIONS: tuple[Reaction, ...] = get_args(Reaction)
"""What a speech does in the debate; 会議録情報 is the header, and what fits nothing else is 意見."""

Priority = Literal["high", "medium", "low"]
PointKind = Literal["decision", "vote", "figure", "proposal", "question", "answer", "position", "other"]


LeftOutKind = Literal["uncovered", "differs", "unsupported", "decision", "instruction", "limit", "judged"]


class WrittenSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A written sentence that the speeches in `based_on_orders` support, as far as the rules of `verify` can tell.

    `moved` says that the writer named another speech.
    """

    text: str
    based_on_orders: tuple[int, ...]
    moved: bool = False


class KeyPoint(WrittenSentence, frozen=True, kw_only=True):
    """A sentence of the shortest level, and its kind."""

    kind: PointKind = "other"


class MiddleSection(msgspec.Struct, frozen=True, kw_only=True):
    """One part of the detailed level: an agenda item, or an exchange between members and the government."""

    title: str
    sentences: tuple[WrittenSentence, ...]


class SummarySection(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a speech in short; every bullet rests on that speech."""

    title: str
    bullets: tuple[str, ...]


class Dialog(msgspec.Struct, frozen=True, kw_only=True):
    """One speech: what it does, what it says in short, and whom it answers. Speaker data come from the record.

    `response_to` holds the orders of the speeches it answers, `answered_by` those that answer it. A procedural speech
    has no content of its own: calling a speaker, opening a vote.
    """

    order: int
    speech_id: str = ""
    speaker: str = ""
    yomi: str | None = None
    group: str | None = None
    position: str | None = None
    role: str | None = None
    url: str | None = None
    reaction: Reaction = "意見"
    procedural: bool = False
    summary: str = ""
    summary_sections: tuple[SummarySection, ...] = ()
    response_to: tuple[int, ...] = ()
    answered_by: tuple[int, ...] = ()


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """A question and its answers; `answers` is empty if the record has none."""

    question: WrittenSentence
    answers: tuple[WrittenSentence, ...] = ()


class RecapParticipant(msgspec.Struct, frozen=True, kw_only=True):
    """Someone who spoke; `key` is the same across meetings and distinguishes namesakes by the reading of the name."""

    key: str
    name: str
    yomi: str | None = None
    group: str | None = None
    position: str | None = None
    role: str | None = None
    orders: tuple[int, ...] = ()
    summary: str = ""
    based_on_orders: tuple[int, ...] = ()


class RecapKeyword(msgspec.Struct, frozen=True, kw_only=True):
    """A word to find the article by."""

    keyword: str
    priority: Priority = "medium"
    orders: tuple[int, ...] = ()


class GlossaryTerm(msgspec.Struct, frozen=True, kw_only=True):
    """A term that readers may not know, explained in the words of the speech at `order`."""

    term: str
    definition: str
    order: int


class SpeechCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """How many speeches and speakers the written levels cite, out of all, and how many decisions the article tells.

    A decision whose subject the record doesn't let us tell is counted and not told.
    """

    speeches: int = 0
    speeches_shown: int = 0
    speakers: int = 0
    speakers_shown: int = 0
    decisions: int = 0
    decisions_shown: int = 0


class LeftOutSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that a model wrote and that isn't shown.

    `orders` are the speeches it named, `words` those of its words that are at fault, `expected` what the record says,
    `reason` what a second judge said.
    """

    text: str
    kind: LeftOutKind
    orders: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    expected: str = ""
    reason: str = ""


class JudgedSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that the rules left unconfirmed, and the model that confirmed it as second judge."""

    text: str
    model: str


class WritingFallback(msgspec.Struct, frozen=True, kw_only=True):
    """Why extraction took the place of a model, and whether the model is asked again by itself."""

    reason: str
    asks_again: bool = False


class RecapProvenance(msgspec.Struct, frozen=True, kw_only=True):
    """Who wrote it: `model` is "extractive" if no model took part; `dropped` counts what is in `left_out`.

    `instructions` are the orders of speeches that hold text addressed to machines.
    """

    model: str
    prompt_version: str
    made_at: datetime
    coverage: SpeechCoverage = msgspec.field(default_factory=SpeechCoverage)
    dropped: int = 0
    record_digest: str = ""
    left_out: tuple[LeftOutSentence, ...] = ()
    fallback: WritingFallback | None = None
    instructions: tuple[int, ...] = ()
    judged: tuple[JudgedSentence, ...] = ()


class RecapCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """What an editor corrected, with a note for readers: what a text said before, and what it says now.

    `kind` is replaced, removed, note or withdrawn; `part` is title, description, sentence or article.
    """

    id: str
    kind: str
    part: str
    note: str
    made_at: datetime
    before: str = ""
    after: str = ""
    orders: tuple[int, ...] = ()


class Recap(msgspec.Struct, frozen=True, kw_only=True):
    """The whole article about one sitting; every order of the record is in `dialogs` exactly once."""

    title: str
    description: str
    categories: tuple[str, ...]
    key_points: tuple[KeyPoint, ...]
    summary: tuple[WrittenSentence, ...]
    soft_language_summary: tuple[WrittenSentence, ...]
    middle_summary: tuple[MiddleSection, ...]
    dialogs: tuple[Dialog, ...]
    exchanges: tuple[Exchange, ...]
    participants: tuple[RecapParticipant, ...]
    keywords: tuple[RecapKeyword, ...]
    terms: tuple[GlossaryTerm, ...]
    facts: RecordFacts
    provenance: RecapProvenance
    corrections: tuple[RecapCorrection, ...] = ()


def join_sentences(sentences: Iterable[WrittenSentence]) -> str:
    """The sentences as one text, without their orders; with spaces between them where the script has them."""
    return "".join(
        f"{each.text} " if each.text.isascii() or each.text[-1:] in ".!?" else each.text for each in sentences
    ).rstrip()


def without_internals(recap: Recap) -> Recap:
    """The recap without what only editors see: sentences that were left out, and why a model failed."""
    provenance = msgspec.structs.replace(recap.provenance, left_out=(), fallback=None)
    return msgspec.structs.replace(recap, provenance=provenance)

"""What editors decide about an article: hold, withdraw or correct it. Field names are those of the stored JSON.

A correction names the sentence as it stood, so that it can be applied again to an article that is made again.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVar, get_args

import msgspec

from almanac.desks.recap.model.recap import MiddleSection, Recap, RecapCorrection, WrittenSentence
from almanac.kit.messages import gettext

FINDINGS = {
    "sum": gettext("The votes for and against don't add up to the total."),
    "majority": gettext("The result is not the one that the votes give."),
    "untold": gettext("Votes were counted, and the record doesn't let us tell what about."),
    "unasked": gettext("There is a result, and no question before it."),
    "contradiction": gettext("It was both carried and rejected."),
    "text": gettext("The title or the description says otherwise than the record."),
}

ArticleState = Literal["published", "held", "withdrawn"]
STATES: tuple[ArticleState, ...] = get_args(ArticleState)
CorrectionKind = Literal["replaced", "removed", "note", "withdrawn"]
CorrectionStatus = Literal["applied", "unmatched", "undone"]
CorrectedPart = Literal["title", "description", "sentence", "article"]
SentenceT = TypeVar("SentenceT", bound=WrittenSentence)


@dataclass(frozen=True, slots=True)
class CorrectableText:
    """A text of an article that can be corrected; `orders` are the speeches it rests on."""

    part: CorrectedPart
    text: str
    orders: tuple[int, ...] = ()


def list_correctable(recap: Recap) -> list[CorrectableText]:
    """Title, description and every written sentence, each once, in the order of the article."""
    texts = {
        sentence.text: CorrectableText("sentence", sentence.text, sentence.based_on_orders)
        for sentence in reversed(list(iterate_sentences(recap)))
    }
    return [
        CorrectableText("title", recap.title),
        CorrectableText("description", recap.description),
        *reversed(texts.values()),
    ]


def iterate_sentences(recap: Recap) -> Iterator[WrittenSentence]:
    """The written sentences of all levels."""
    yield from recap.key_points
    yield from recap.summary
    yield from recap.soft_language_summary
    for section in recap.middle_summary:
        yield from section.sentences


def apply_corrections(recap: Recap, corrections: Sequence[RecapCorrection]) -> tuple[Recap, frozenset[str]]:
    """The recap with its corrections, the oldest first, and the ids of those whose text it doesn't have any more.

    One that only adds a note always applies; so does one whose corrected text the recap has already.
    """
    applied: list[RecapCorrection] = []
    unmatched: set[str] = set()
    for correction in corrections:
        corrected = _apply(recap, correction)
        if corrected is None:
            unmatched.add(correction.id)
        else:
            recap = corrected
            applied.append(correction)
    return msgspec.structs.replace(recap, corrections=tuple(applied)), frozenset(unmatched)


def _apply(recap: Recap, correction: RecapCorrection) -> Recap | None:
    if correction.kind in ("note", "withdrawn"):
        return recap
    if correction.part in ("title", "description"):
        current = recap.title if correction.part == "title" else recap.description
        if current not in (correction.before, correction.after):
            return None
        return msgspec.structs.replace(recap, **{correction.part: correction.after})
    texts = {sentence.text for sentence in iterate_sentences(recap)}
    if correction.before not in texts:
        return recap if correction.kind == "replaced" and correction.after in texts else None
    return _with_sentences(recap, correction)


def _with_sentences(recap: Recap, correction: RecapCorrection) -> Recap:
    """The sentence changed wherever it stands, since levels repeat each other."""
    change = _sentence_change(correction)
    sections = (
        MiddleSection(title=section.title, sentences=change(section.sentences)) for section in recap.middle_summary
    )
    return msgspec.structs.replace(
        recap,
        key_points=change(recap.key_points),
        summary=change(recap.summary),
        soft_language_summary=change(recap.soft_language_summary),
        middle_summary=tuple(section for section in sections if section.sentences),
    )


def _sentence_change(correction: RecapCorrection) -> Callable[[Sequence[SentenceT]], tuple[SentenceT, ...]]:
    def change(sentences: Sequence[SentenceT]) -> tuple[SentenceT, ...]:
        if correction.kind == "removed":
            return tuple(sentence for sentence in sentences if sentence.text != correction.before)
        return tuple(
            msgspec.structs.replace(
                sentence,
                text=correction.after,
                based_on_orders=correction.orders or sentence.based_on_orders,
                moved=False,
            )
            if sentence.text == correction.before
            else sentence
            for sentence in sentences
        )

    return change


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionWish:
    """A correction as an editor asks for it; `report_id` is the reader's report that it settles."""

    kind: CorrectionKind
    part: CorrectedPart
    note: str
    before: str = ""
    after: str = ""
    orders: tuple[int, ...] = ()
    report_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleStatusView:
    """Whether an article is published, held or withdrawn, since when, by whom and why.

    `revision` rises with every decision of an editor. Who decided is empty for what the desk held by itself.
    """

    article_id: str
    state: ArticleState
    revision: int = 0
    reason: str = ""
    by: str = ""
    since: datetime | None = None
    title: str = ""
    date: str = ""
    house: str = ""
    meeting: str = ""
    findings: Sequence["ReconciliationFinding"] = ()

    @property
    def version(self) -> int:
        """The number that an edit must name."""
        return self.revision


FindingKind = Literal["sum", "majority", "untold", "unasked", "contradiction", "text"]


class ReconciliationFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Something in a sitting that doesn't reconcile: `orders` are the speeches concerned, `text` what they say."""

    kind: FindingKind
    subject: str = ""
    text: str = ""
    orders: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionView:
    """A correction in a list: of which meeting, what it said before, what it says now, and why."""

    article_id: str
    correction_id: str
    kind: CorrectionKind
    part: CorrectedPart
    status: CorrectionStatus
    before: str
    after: str
    note: str
    created_at: datetime
    by: str = ""
    report_id: str = ""
    meeting: str = ""
    date: str = ""
    house: str = ""

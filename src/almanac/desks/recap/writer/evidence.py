"""Checks of written sentences against the speeches they name: which wording is supported, by what, and why none is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from almanac.desks.recap.model.facts.debate import DebateCourse
from almanac.desks.recap.model.facts.outcomes import SittingFacts, confirms_record, contradicts_record, gather_facts
from almanac.desks.recap.model.facts.speakers import list_participants
from almanac.desks.recap.model.meeting import DIET, Meeting, Speech
from almanac.desks.recap.model.parliaments.parliament import Parliament
from almanac.desks.recap.model.parliaments.record_reader import read_record, trace_course
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.parliaments.stated_results import contradicts_results
from almanac.desks.recap.model.recap import LeftOutSentence
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.writer.extractive.labels import attribution, speaker_with_group, stance_sentence
from almanac.desks.recap.writer.multilingual.decision_sentences import decision_sentence
from almanac.desks.recap.writer.multilingual.labels import side_label, speaker_title
from almanac.desks.recap.writer.multilingual.phrasebook import phrases_for
from almanac.desks.recap.writer.rewordings import rewords
from almanac.judge import JudgeOpinions, SourcedCheck
from almanac.language.boilerplate import is_instruction
from almanac.llm.sources import Cited
from almanac.verify import CheckedClaim, CitedClaim, FindingKind, Verdict
from almanac.verify.checker import Checker

_RAISED_WITHIN = 3
_WITHOUT_WORDS = frozenset({FindingKind.WORDING, FindingKind.NO_REFERENCE, FindingKind.DANGLING_REFERENCE})


@dataclass(frozen=True, slots=True)
class SentenceDraft:
    """A drafted sentence: wordings in order of preference, and the orders of the speeches that support it.

    One that states a decision as the procedure was read is true by that reading, whatever words the chair used. So is
    the opening, such as who argued for which side: it stands even if no wording after it is supported.
    """

    wordings: tuple[str, ...]
    orders: tuple[int, ...]
    states_decision: bool = False
    opening: str = ""

    @property
    def preferred(self) -> str:
        """The text if its first wording is supported."""
        return self.opening + "".join(self.wordings[:1])


def new_draft(orders: tuple[int, ...] | int, *wordings: str) -> SentenceDraft:
    """A draft without empty or repeated wordings."""
    kept = tuple(dict.fromkeys(wording for wording in wordings if wording))
    return SentenceDraft(kept, (orders,) if isinstance(orders, int) else orders)


def choose_wordings(drafts: Sequence[SentenceDraft], meeting: Meeting) -> list[str | None]:
    """For each draft the first wording that its speeches support; None if they support none."""
    evidence = evidence_for(meeting)
    return [_choose(each, evidence, meeting) for each in drafts]


def _choose(draft: SentenceDraft, evidence: "SpeechEvidence", meeting: Meeting) -> str | None:
    otherwise = draft.wordings[0] if draft.states_decision else None
    speech = meeting.by_order.get(draft.orders[0]) if len(draft.orders) == 1 else None

    spoken_by = f"（{attribution(speech)}）" if speech is not None else ""

    def holds(text: str) -> bool:
        # Who spoke, in brackets, is what the record itself says.
        words = text.replace(spoken_by, "") if spoken_by else text
        repeats = speech is not None and rewords(words, speech) and evidence.agrees(text)
        return repeats or evidence.supports(text, draft.orders)

    chosen = next((text for text in draft.wordings if holds(text)), otherwise)
    return f"{draft.opening}{chosen or ''}" or None


def cited_orders(cited: Cited) -> tuple[int, ...]:
    """The orders of the speeches that a sentence refers to."""
    return tuple(sorted({int(reference.source) for reference in cited.references}))


@dataclass(slots=True)
class SpeechEvidence:
    """The speeches of one meeting as evidence; each is parsed once, and each check is cached.

    `confirmed` has the sentences that a second judge confirmed, with the name of its model.
    """

    checker: Checker
    texts: Mapping[str, str]
    orders: tuple[int, ...]
    facts: SittingFacts
    speakers: Mapping[str, tuple[int, ...]]
    rulings: tuple[HouseDecision, ...] = ()
    opinions: JudgeOpinions | None = None
    confirmed: dict[str, str] = field(default_factory=dict)
    _decided: dict[tuple[str, tuple[int, ...]], CheckedClaim] = field(default_factory=dict)
    _checked: dict[tuple[str, tuple[int, ...]], CheckedClaim] = field(default_factory=dict)

    def copy(self, opinions: JudgeOpinions | None = None) -> "SpeechEvidence":
        """The same evidence with the cached checks, without decisions so far, and with the opinions of a judge."""
        return SpeechEvidence(
            self.checker,
            self.texts,
            self.orders,
            self.facts,
            self.speakers,
            self.rulings,
            opinions,
            _checked=self._checked,
        )

    def supports(self, text: str, orders: tuple[int, ...]) -> bool:
        """Whether the speeches support a sentence. One addressed to machines is no content of a speech."""
        checked = self._decide(text, orders)
        if checked.judged_by:
            self.confirmed[text] = checked.judged_by
        if not self.agrees(text, orders):
            return False
        return checked.verdict is Verdict.SUPPORTED or confirms_record(text, self.facts, self._cited(orders))

    def agrees(self, text: str, orders: tuple[int, ...] = ()) -> bool:
        """Whether a text tells no result or side that the sitting didn't have, and isn't addressed to machines."""
        return not self._contradicts(text, orders) and not is_instruction(text)

    def find_support(self, text: str, orders: tuple[int, ...]) -> tuple[int, ...]:
        """The speeches that support a sentence: those it names, else another one of the meeting; empty if none does."""
        if self.supports(text, orders):
            return orders
        nearest = self._check(text, self.orders).best_source
        other = (int(nearest),) if nearest else ()
        return other if other and self.supports(text, other) else ()

    def orders_about(self, text: str) -> tuple[int, ...]:
        """The speeches that must support a text about the whole meeting: of those it names as speakers, else all."""
        named = (name for name in self.speakers if re.search(rf"{re.escape(name)}[^、。「]{{0,12}}?[はがも、「]", text))
        own = {order for name in named for order in self.speakers[name]}
        return tuple(sorted(own)) or self.orders

    def mentions(self, phrase: str, orders: tuple[int, ...]) -> bool:
        """Whether one of the speeches, or one of the few before it that may have raised the matter, has these words."""
        near = {order - back for order in orders for back in range(_RAISED_WITHIN + 1)}
        return any(phrase in self.texts.get(str(order), "") for order in near)

    def explain(self, text: str, orders: tuple[int, ...]) -> LeftOutSentence:
        """Why the speeches don't support a sentence."""
        if is_instruction(text):
            return LeftOutSentence(text=text, kind="instruction", orders=orders)
        if self._contradicts(text, orders):
            return LeftOutSentence(text=text, kind="decision", orders=orders)
        findings = self._decide(text, orders).findings
        if judged := next((finding for finding in findings if finding.kind is FindingKind.JUDGED), None):
            return LeftOutSentence(text=text, kind="judged", orders=orders, reason=judged.reason)
        if differing := next((finding for finding in findings if finding.expected), None):
            expected = differing.expected or ""
            return LeftOutSentence(
                text=text, kind="differs", orders=orders, words=(differing.found,), expected=expected
            )
        lacking = [finding.found for finding in findings if finding.kind not in _WITHOUT_WORDS]
        words = tuple(dict.fromkeys(word for phrase in lacking for word in phrase.split()))
        return LeftOutSentence(text=text, kind="uncovered" if words else "unsupported", orders=orders, words=words)

    def _contradicts(self, text: str, orders: tuple[int, ...]) -> bool:
        """Whether a text tells a result that the sitting doesn't have; each language has words of its own for them."""
        return contradicts_record(text, self.facts, self._cited(orders)) or contradicts_results(text, self.rulings)

    @property
    def decisions(self) -> list[SourcedCheck]:
        """The checks by the rules that decided about a sentence."""
        return [SourcedCheck(checked, self._sources(orders)) for (_, orders), checked in self._decided.items()]

    def _decide(self, text: str, orders: tuple[int, ...]) -> CheckedClaim:
        """A check that decides about a sentence, by the rules and the opinion of a judge."""
        checked = self._decided[text, orders] = self._check(text, orders)
        return self.opinions.apply(checked, self._sources(orders)) if self.opinions else checked

    def _cited(self, orders: tuple[int, ...]) -> tuple[int, ...]:
        """The speeches that a sentence cites; one about the whole meeting cites none in particular."""
        return orders if orders != self.orders else ()

    def _sources(self, orders: tuple[int, ...]) -> dict[str, str]:
        return {name: self.texts[name] for name in map(str, orders) if name in self.texts}

    def _check(self, text: str, orders: tuple[int, ...]) -> CheckedClaim:
        """Cached, since the levels of a recap often repeat sentences."""
        key = (text, orders)
        if key not in self._checked:
            self._checked[key] = self.checker.check(CitedClaim(text, tuple(map(str, orders))), 0, len(text))
        return self._checked[key]


@lru_cache(maxsize=2)
def evidence_for(meeting: Meeting) -> SpeechEvidence:
    """The evidence of a meeting. The last ones are cached, since the packs of a meeting are written one by one."""
    course, parliament = trace_course(meeting), parliament_of(meeting)
    decisions = read_record(meeting).decisions
    sources = {str(speech.order): _evidence_text(speech, course, parliament, decisions) for speech in meeting.speeches}
    orders = tuple(speech.order for speech in meeting.spoken)
    speakers = {person.name: person.orders for person in list_participants(meeting) if len(person.name) > 1}
    return SpeechEvidence(Checker(sources, None, None), sources, orders, gather_facts(meeting), speakers, decisions)


def _evidence_text(
    speech: Speech, course: DebateCourse, parliament: Parliament, decisions: Sequence[HouseDecision]
) -> str:
    """The words of a speech, and behind them what the record tells about it.

    That is who spoke, for which side, under which headings, and what was decided there.
    """
    text, language = speech.text.replace("\r\n", "\n"), parliament.language
    if parliament.id != DIET:
        decided = (
            decision_sentence(each, phrases_for(language))
            for each in decisions
            if each.subject and speech.order in (each.order, each.asked_at)
        )
        around = (speaker_title(speech, language), side_label(speech, course, language), *speech.heading_path)
        return "\n".join(filter(None, (text, *around, *decided)))
    side = stance_sentence(speech, course) if speech.order in course.argued else ""
    return "\n".join(filter(None, (text, speaker_with_group(speech), side)))

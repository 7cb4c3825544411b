"""Why a newsletter isn't finished, and why a sentence of it may or may not be published: its sources and verdict."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from almanac.desks.newsletter.indexing import KIND
from almanac.desks.newsletter.model.draft_text import strip_markup
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.verification import TracedSentence, list_obstacles
from almanac.desks.newsletter.permissions import READ, WRITE
from almanac.desks.newsletter.pipeline.verification import check_draft
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.provenance import QuoteSupport, get_provenance
from almanac.desks.newsletter.service.reader import open_readable_draft
from almanac.desks.newsletter.urls import newsletter_path
from almanac.errors import NotFound
from almanac.kit.messages import gettext
from almanac.kit.text import shorten
from almanac.verify import ClaimKind, Verdict
from almanac.verify.explanations import explain_fault
from almanac.why import (
    UNKNOWN_SUBJECT,
    TraceAction,
    TraceStep,
    WhyQuestion,
    WhyReader,
    WhySource,
    WhySubject,
    WhyTone,
    WhyTrace,
)

SENTENCE = "sentence"
_SHORTEST_PHRASE, _MOST_LOOKED_INTO, _MOST_SENTENCES, _QUOTE = 12, 2, 4, 240
_STEP_TONES: dict[str, WhyTone] = {"completed": "done", "processing": "running", "failed": "failed"}


async def find_sentences(reader: WhyReader, question: WhyQuestion) -> Sequence[WhySubject]:
    """Sentences of the reader's newsletters that contain what is typed; only where why is asked outright."""
    if not question.is_asked or len(question.words) < _SHORTEST_PHRASE:
        return ()
    subjects: list[WhySubject] = []
    for hit in [hit for hit in question.hits if hit.kind == KIND.name][:_MOST_LOOKED_INTO]:
        with suppress(NotFound):
            full = await open_newsletter(reader.services, reader.principal, hit.id)
            subjects += await _matching_sentences(reader, full, question.words.casefold())
    return subjects[:_MOST_SENTENCES]


async def _matching_sentences(reader: WhyReader, full: FullNewsletter, words: str) -> list[WhySubject]:
    drafted = " ".join(section.text for section in full.draft.draft.sections)
    if words not in strip_markup(drafted).casefold():
        return []
    return [
        _sentence_subject(full.code, sentence.key, sentence.checked.text)
        for section in await check_draft(reader.services, full)
        for sentence in section.sentences
        if words in sentence.checked.text.casefold()
    ]


def _sentence_subject(code: str, key: str, text: str) -> WhySubject:
    return WhySubject(kind=SENTENCE, id=f"{code}/{key}", title=shorten(text, _QUOTE), label=gettext("Sentence"))


async def explain_newsletter(reader: WhyReader, code: str) -> WhyTrace:
    """Each step with its state, and what keeps the draft from being completed."""
    full = await open_newsletter(reader.services, reader.principal, code)
    newsletter, draft = full.newsletter, newsletter_path(code, "draft")
    obstacles = list_obstacles(full, await check_draft(reader.services, full))
    if not newsletter.is_draft:
        obstacles = []
    return WhyTrace(
        subject=WhySubject(kind=KIND.name, id=code, title=newsletter.title, label=KIND.title),
        state=gettext("Not finished. %(reason)s", reason=obstacles[0].sentence) if obstacles else _finished(full),
        tone="waiting" if obstacles else "done",
        href=newsletter_path(code),
        steps=[
            *_steps(full),
            *(
                TraceStep(
                    sentence=obstacle.sentence,
                    tone="waiting",
                    href=f"{draft}#section-{obstacle.section}" if obstacle.section else draft,
                )
                for obstacle in obstacles
            ),
        ],
        actions=(TraceAction(label=gettext("Open newsletter"), href=newsletter_path(code)),),
    )


def _finished(full: FullNewsletter) -> str:
    if full.newsletter.is_draft:
        return gettext("Ready to be completed: every sentence rests on its source or on a person.")
    return gettext("Finished: every sentence rests on its source or on a person.")


def _steps(full: FullNewsletter) -> Sequence[TraceStep]:
    states = (
        (gettext("Topics"), "topics", full.topics.state),
        (gettext("Outline"), "outline", full.outline.state),
        (gettext("Draft"), "draft", full.draft.state),
    )
    return [
        TraceStep(
            sentence=name,
            tone=_STEP_TONES.get(state.status, "plain"),
            at=state.completed_at or state.started_at,
            href=newsletter_path(full.code, part),
            quote=state.error or "",
        )
        for name, part, state in states
    ]


async def explain_sentence(reader: WhyReader, sentence_id: str) -> WhyTrace:
    """The verdict on a sentence, and the words of its sources as they were and whether they still stand."""
    code, _, key = sentence_id.rpartition("/")
    provenance = await get_provenance(reader.services, reader.principal, code)
    pair = next((pair for pair in provenance.sentences if pair[0].key == key), None)
    if pair is None:
        raise NotFound(UNKNOWN_SUBJECT)
    sentence, supports = pair
    return WhyTrace(
        subject=_sentence_subject(code, key, sentence.checked.text),
        state=_sentence_state(sentence),
        tone="done" if _is_finished(sentence) else "waiting",
        href=_place(code, sentence),
        steps=[*_support_steps(supports), *_verdict_steps(sentence)],
        actions=[*await _read_beside_source(reader, code, key), *_sentence_actions(reader, code, sentence)],
    )


async def _read_beside_source(reader: WhyReader, code: str, key: str) -> Sequence[TraceAction]:
    _, document = await open_readable_draft(reader.services, reader.principal, code)
    numbers = (number for number, sentence in enumerate(document.sentences, 1) if sentence.key == key)
    return [
        TraceAction(
            label=gettext("Read it beside its source"), href=f"{newsletter_path(code, 'read')}?sentence={number}"
        )
        for number in islice(numbers, 1)
    ]


def _place(code: str, sentence: TracedSentence) -> str:
    return f"{newsletter_path(code, 'draft')}#sentence-{sentence.section}-{sentence.number}"


def _is_finished(sentence: TracedSentence) -> bool:
    return sentence.checked.verdict is Verdict.SUPPORTED or sentence.confirmation is not None


def _sentence_state(sentence: TracedSentence) -> str:
    checked = sentence.checked
    if checked.kind is ClaimKind.OWN:
        return gettext("It is the editor's own sentence, which needs no source.")
    if sentence.confirmation is not None:
        return gettext("Confirmed by %(person)s, who read it beside its source.", person=sentence.confirmation.by)
    match checked.verdict:
        case Verdict.SUPPORTED:
            return gettext("Supported: its source says this.")
        case Verdict.UNCONFIRMED:
            return gettext("A person must read it. %(reason)s", reason=explain_fault(checked))
        case Verdict.CHANGED:
            return gettext("Changed: its source says something else. %(reason)s", reason=explain_fault(checked))
    return gettext("Without support. %(reason)s", reason=explain_fault(checked))


def _support_steps(supports: Sequence[QuoteSupport]) -> Sequence[TraceStep]:
    return [
        TraceStep(
            sentence=gettext("%(name)s: %(value)s", name=support.quoted.chunk.title, value=support.sentence),
            tone="done" if support.status in ("unchanged", "revised") else "waiting",
            at=support.quoted.chunk.date,
            href=support.path or support.quoted.chunk.url,
            quote=support.quoted.text,
        )
        for support in supports
    ] or [TraceStep(sentence=gettext("It names no source."))]


def _verdict_steps(sentence: TracedSentence) -> Sequence[TraceStep]:
    checked, confirmation = sentence.checked, sentence.confirmation
    steps = []
    if checked.judged_by:
        steps.append(
            TraceStep(sentence=gettext("Supported, judged by %(model)s.", model=checked.judged_by), tone="done")
        )
    elif checked.verdict is not Verdict.SUPPORTED:
        steps.append(TraceStep(sentence=explain_fault(checked), tone="waiting"))
    if confirmation is not None:
        read = gettext("%(person)s read it and vouches for it.", person=confirmation.by)
        steps.append(TraceStep(sentence=read, tone="done", at=confirmation.at))
    return steps


def _sentence_actions(reader: WhyReader, code: str, sentence: TracedSentence) -> Sequence[TraceAction]:
    actions = [TraceAction(label=gettext("Open in the draft"), href=_place(code, sentence))]
    if reader.may(WRITE) and sentence.checked.verdict is Verdict.UNCONFIRMED and sentence.confirmation is None:
        href = newsletter_path(code, "draft", "sentences", sentence.key, "confirm")
        values = {"section": sentence.section, "number": str(sentence.number)}
        actions.append(TraceAction(label=gettext("I checked this"), href=href, posts=True, values=values))
    return actions


WHY = WhySource(
    permission=READ,
    traces={KIND.name: explain_newsletter, SENTENCE: explain_sentence},
    documents=frozenset({KIND.name}),
    find=find_sentences,
    examples=((gettext("A sentence of a newsletter"), gettext("What does this sentence rest on?")),),
)

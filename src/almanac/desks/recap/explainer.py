"""Why a meeting is here or not, and where a sentence or decision of an article comes from: the speeches it rests on."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime

from almanac.desks.recap.indexing import KIND
from almanac.desks.recap.jobs import COLLECT_DAILY, LOOK_BACK
from almanac.desks.recap.model.editorial import FINDINGS, ArticleStatusView
from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.items import TaskStatus
from almanac.desks.recap.model.left_out import left_out_words
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.model.record_names import house_name
from almanac.desks.recap.model.views import ArticleVersionView, FullArticle, MeetingTaskView
from almanac.desks.recap.permissions import READ, WRITE
from almanac.desks.recap.service import tasks
from almanac.desks.recap.service.articles import list_versions, open_article
from almanac.desks.recap.service.editorial import get_visible_status
from almanac.desks.recap.service.search import list_articles
from almanac.desks.recap.urls import WORKSPACE, article_path
from almanac.errors import Gone, NotFound
from almanac.kit.messages import day_text, gettext, ngettext
from almanac.kit.text import shorten
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
from almanac.why.finder import has_name
from almanac.why.sentences import future_day, named_day

DAY, TASK, STATEMENT = "sitting-day", "meeting-task", "statement"
_MEETING = gettext("Meeting")
_UNFINISHED: tuple[TaskStatus, ...] = ("failed", "pending", "ingested")
_TONES: dict[TaskStatus, WhyTone] = {"failed": "failed", "pending": "running", "completed": "done"}
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_TASKS, _MOST_STEPS, _MOST_LOOKED_INTO, _QUOTE = 100, 8, 2, 240
_SHORTEST_PHRASE = 8


@dataclass(frozen=True, slots=True)
class ArticleStatement:
    """A sentence of an article with the orders of its speeches; `number` names it within the article."""

    number: int
    text: str
    orders: tuple[int, ...]


async def find_sittings(reader: WhyReader, question: WhyQuestion) -> Sequence[WhySubject]:
    """A day, a meeting that isn't written about yet (for editors), and sentences that contain what is typed."""
    words = question.words
    if _ISO_DAY.fullmatch(words):
        with suppress(ValueError):
            day = date.fromisoformat(words)
            return (WhySubject(kind=DAY, id=words, title=day_text(day, "full_date"), label=_MEETING, is_exact=True),)
    if not question.is_asked:
        return ()
    meetings = [
        WhySubject(kind=TASK, id=task.pk, title=_task_title(task), label=_MEETING)
        for task in await _list_unfinished(reader)
        if has_name(_task_title(task), words)
    ]
    return [*meetings, *await _find_statements(reader, question)]


async def _list_unfinished(reader: WhyReader) -> list[MeetingTaskView]:
    if not reader.may(WRITE):
        return []
    pages = [await tasks.list_tasks(reader.services, status, limit=_MOST_TASKS) for status in _UNFINISHED]
    return [task for page in pages for task in page.items]


async def _find_statements(reader: WhyReader, question: WhyQuestion) -> list[WhySubject]:
    if len(question.words) < _SHORTEST_PHRASE:
        return []
    subjects = []
    for hit in [hit for hit in question.hits if hit.kind == KIND.name][:_MOST_LOOKED_INTO]:
        with suppress(Gone, NotFound):
            article = await open_article(reader.services, hit.id)
            subjects += [
                _statement_subject(hit.id, statement)
                for statement in list_statements(article.recap)
                if question.words in statement.text
            ]
    return subjects


def list_statements(recap: Recap) -> list[ArticleStatement]:
    """Every sentence that names its speeches, in the order of the article, and every decision."""
    return [ArticleStatement(number, text, orders) for number, (text, orders) in enumerate(_statements(recap))]


def _statements(recap: Recap) -> Iterator[tuple[str, tuple[int, ...]]]:
    written = (
        *recap.key_points,
        *recap.summary,
        *recap.soft_language_summary,
        *(sentence for section in recap.middle_summary for sentence in section.sentences),
    )
    for sentence in written:
        yield sentence.text, sentence.based_on_orders
    for decision in recap.facts.decisions:
        yield decision.subject, (decision.order,)


def _statement_subject(article_id: str, statement: ArticleStatement) -> WhySubject:
    title = shorten(statement.text, _QUOTE)
    return WhySubject(kind=STATEMENT, id=f"{article_id}/{statement.number}", title=title, label=gettext("Sentence"))


async def explain_article(reader: WhyReader, article_id: str) -> WhyTrace:
    """When the record was taken, who wrote the article and from how many speeches, and what was left out and why."""
    status = await get_visible_status(reader.services, article_id, is_editor=reader.may(WRITE))
    if status.state != "published":
        return _explain_unpublished(reader, status)
    article = await open_article(reader.services, article_id)
    made = article.recap.provenance
    day = named_day(reader.day_of(made.made_at), reader.day_of(reader.now))
    return WhyTrace(
        subject=WhySubject(kind=KIND.name, id=article_id, title=article.card.title, label=KIND.title),
        state=ngettext(
            "Here since %(day)s: written from %(num)s speech of the official record.",
            "Here since %(day)s: written from %(num)s speeches of the official record.",
            len(article.meeting.spoken),
            day=day,
        ),
        tone="done",
        href=article_path(article_id),
        steps=[
            *_record_steps(article),
            *sorted((*_correction_steps(article), *await _version_steps(reader, article_id)), key=_to_the_second),
            *_left_out(article.recap),
        ],
        actions=(TraceAction(label=gettext("Read the article"), href=article_path(article_id)),),
    )


def _explain_unpublished(reader: WhyReader, status: ArticleStatusView) -> WhyTrace:
    """Why an article is held or was withdrawn, by whom, and what an editor can do."""
    href = WORKSPACE.article_corrections(status.article_id)
    is_held = status.state == "held"
    steps = [
        TraceStep(
            sentence=FINDINGS[finding.kind],
            tone="waiting",
            href=f"{article_path(status.article_id)}?speech={finding.orders[0]}" if finding.orders else "",
            quote=finding.text,
        )
        for finding in status.findings[:_MOST_STEPS]
    ]
    decided = gettext("%(name)s decided so.", name=status.by) if status.by else gettext("The desk held it by itself.")
    steps.append(TraceStep(sentence=decided, tone="done", at=status.since, quote=status.reason))
    actions = (TraceAction(label=gettext("Correct or withdraw"), href=href),) if reader.may(WRITE) else ()
    return WhyTrace(
        subject=WhySubject(kind=KIND.name, id=status.article_id, title=status.title, label=KIND.title),
        state=gettext("Held: only editors see it.") if is_held else gettext("Withdrawn: its address says why."),
        tone="waiting",
        href=href,
        steps=steps,
        actions=actions,
    )


def _correction_steps(article: FullArticle) -> list[TraceStep]:
    href = WORKSPACE.article_corrections(article.card.id)
    return [
        TraceStep(sentence=gettext("An editor corrected it."), tone="done", at=each.made_at, href=href, quote=each.note)
        for each in article.recap.corrections
    ]


def _to_the_second(step: TraceStep) -> datetime:
    """When a step was made; versions are stored to the second, and come behind the corrections that made them."""
    assert step.moment is not None
    return step.moment.replace(microsecond=0)


def _record_steps(article: FullArticle) -> list[TraceStep]:
    meeting, made = article.meeting, article.recap.provenance
    sat = gettext("The meeting took place.")
    steps = [
        TraceStep(
            sentence=sat,
            tone="done",
            at=meeting.date,
            href=meeting.url or "",
            quote=f"{house_name(meeting.house)} {meeting.meeting}",
        )
    ]
    if made.fallback:
        sentence = gettext("Taken from the record word for word, because no model wrote about it.")
        steps.append(TraceStep(sentence=sentence, tone="waiting", at=made.made_at, quote=made.fallback.reason))
    return steps


async def _version_steps(reader: WhyReader, article_id: str) -> list[TraceStep]:
    return [
        TraceStep(
            sentence=_describe_version(version),
            tone="done",
            at=version.made_at,
            href=f"{article_path(article_id)}/versions",
            quote=version.reason,
        )
        for version in reversed(await list_versions(reader.services, article_id))
    ]


def _describe_version(version: ArticleVersionView) -> str:
    if version.is_edited:
        return gettext("Version %(number)s was made by an editor.", number=version.number)
    if version.model == "extractive":
        return gettext("Version %(number)s was made of the record's own sentences.", number=version.number)
    return gettext("Version %(number)s was written by %(model)s.", number=version.number, model=version.model)


def _left_out(recap: Recap) -> list[TraceStep]:
    return [
        TraceStep(
            sentence=gettext("Left out. %(reason)s", reason=left_out_words(sentence)),
            tone="waiting",
            quote=sentence.text,
        )
        for sentence in recap.provenance.left_out[:_MOST_STEPS]
    ]


async def explain_statement(reader: WhyReader, statement_id: str) -> WhyTrace:
    """The speeches that a sentence rests on, in their own words."""
    article_id, _, number = statement_id.rpartition("/")
    article = await open_article(reader.services, article_id)
    statements = {str(statement.number): statement for statement in list_statements(article.recap)}
    if number not in statements:
        raise NotFound(UNKNOWN_SUBJECT)
    statement, judged = statements[number], {each.text: each.model for each in article.recap.provenance.judged}
    count = len(statement.orders)
    steps = [*_speech_steps(article, statement)]
    if statement.text in judged:
        sentence = gettext("Supported, judged by %(model)s.", model=judged[statement.text])
        steps.append(TraceStep(sentence=sentence, tone="done"))
    return WhyTrace(
        subject=_statement_subject(article_id, statement),
        state=ngettext("It rests on %(num)s speech.", "It rests on %(num)s speeches.", count),
        tone="done" if count else "waiting",
        href=article_path(article_id),
        steps=steps,
        actions=(TraceAction(label=gettext("Read the article"), href=article_path(article_id)),),
    )


def _speech_steps(article: FullArticle, statement: ArticleStatement) -> Iterator[TraceStep]:
    for order in statement.orders:
        if speech := article.meeting.by_order.get(order):
            yield TraceStep(
                sentence=gettext("Speech %(order)s by %(speaker)s.", order=order, speaker=speech.speaker),
                tone="done",
                href=f"{article_path(article.card.id)}/speeches/{order}",
                quote=shorten(speech.text, _QUOTE),
            )


async def explain_day(reader: WhyReader, iso_day: str) -> WhyTrace:
    """Which meetings of a day are here, which wait or failed, or that nobody collected any."""
    try:
        day = date.fromisoformat(iso_day)
    except ValueError as error:
        raise NotFound(UNKNOWN_SUBJECT) from error
    listed = await list_articles(reader.services, ArticleFilter(since=day, until=day), limit=_MOST_STEPS)
    unfinished = [task for task in await _list_unfinished(reader) if task.date == iso_day]
    steps = [
        TraceStep(
            sentence=gettext("Written and here."), tone="done", href=article_path(item.card.id), quote=item.card.title
        )
        for item in listed.items
    ]
    return WhyTrace(
        subject=WhySubject(kind=DAY, id=iso_day, title=day_text(day, "full_date"), label=_MEETING),
        state=_day_state(reader, day, len(listed.items), unfinished),
        tone="done" if steps else "waiting",
        href=f"/recap/articles?from={iso_day}&until={iso_day}" if steps else "",
        steps=[*steps, *(_task_step(task) for task in unfinished)],
        next_step=await _next_collection(reader, day),
        actions=[*(action for task in unfinished for action in _task_actions(reader, task)), *_collect(reader, day)],
    )


def _day_state(reader: WhyReader, day: date, here: int, unfinished: Sequence[MeetingTaskView]) -> str:
    named = named_day(day, reader.day_of(reader.now))
    if here:
        return ngettext("%(num)s meeting of %(day)s is here.", "%(num)s meetings of %(day)s are here.", here, day=named)
    if unfinished:
        return _task_state(unfinished[0])
    if day > reader.day_of(reader.now):
        return gettext("Not here: %(day)s is still to come.", day=named)
    if not reader.may(WRITE):
        return gettext("Not here: nothing about a meeting of %(day)s was published.", day=named)
    return gettext("Not here: no meeting of %(day)s was collected.", day=named)


async def _next_collection(reader: WhyReader, day: date) -> str:
    """The record of a recent day is looked for every day, since it comes out late."""
    if day < reader.day_of(reader.now - LOOK_BACK):
        return gettext("Records this old are only collected if somebody asks for them.")
    schedules = await reader.services.jobs.schedules()
    due = next((view.next_due for view in schedules if view.name == COLLECT_DAILY.name), None)
    if due is None:
        return gettext("Nothing is collected by itself: the schedule is paused.")
    return gettext("Records of the last three weeks are collected again %(day)s.", day=future_day(reader, due))


def _collect(reader: WhyReader, day: date) -> Sequence[TraceAction]:
    if not reader.may(WRITE) or day > reader.day_of(reader.now):
        return ()
    values = {"since": day.isoformat(), "until": day.isoformat()}
    return (TraceAction(label=gettext("Collect this day"), href="/recap/tasks/collect", posts=True, values=values),)


async def explain_task(reader: WhyReader, pk: str) -> WhyTrace:
    """Why a collected meeting is not written about yet, for editors."""
    reader.principal.require(WRITE)
    task = await tasks.get_task(reader.services, pk)
    if task.article_id:
        return await explain_article(reader, task.article_id)
    collected = TraceStep(
        sentence=ngettext(
            "Its record was collected, with %(num)s speech.",
            "Its record was collected, with %(num)s speeches.",
            task.speeches,
        ),
        tone="done",
        at=task.created_at,
    )
    return WhyTrace(
        subject=WhySubject(kind=TASK, id=pk, title=_task_title(task), label=_MEETING),
        state=_task_state(task),
        tone=_TONES.get(task.status, "waiting"),
        href=f"/recap/tasks?status={task.status}",
        steps=(collected, _task_step(task)),
        actions=_task_actions(reader, task),
    )


def _task_title(task: MeetingTaskView) -> str:
    return " ".join(filter(None, (task.date, house_name(task.house), task.meeting or task.issue_id)))


def _task_state(task: MeetingTaskView) -> str:
    if task.status == "failed":
        return gettext("Not here: writing failed. %(reason)s", reason=task.error)
    if task.status == "pending":
        return gettext("Not here yet: it is being written.")
    return gettext("Not here yet: its record was collected and waits to be written.")


def _task_step(task: MeetingTaskView) -> TraceStep:
    tone, href = _TONES.get(task.status, "waiting"), f"/recap/tasks?status={task.status}"
    return TraceStep(sentence=_task_state(task), tone=tone, at=task.updated_at, href=href, quote=_task_title(task))


def _task_actions(reader: WhyReader, task: MeetingTaskView) -> Sequence[TraceAction]:
    if task.status != "failed" or not reader.may(WRITE):
        return ()
    return (TraceAction(label=gettext("Retry"), href=f"/recap/tasks/{task.pk}/retry", posts=True),)


WHY = WhySource(
    permission=READ,
    traces={KIND.name: explain_article, DAY: explain_day, TASK: explain_task, STATEMENT: explain_statement},
    documents=frozenset({KIND.name}),
    find=find_sittings,
    examples=(
        (gettext("A day such as 2026-03-12"), gettext("Why is a meeting of that day not here?")),
        (gettext("A sentence of an article"), gettext("Which speech says this?")),
    ),
)

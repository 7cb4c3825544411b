"""Every statement that the demo's artefacts make at all five desks, each with the means to ask whether it holds."""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from almanac.accounts.model import CONSOLE, Principal
from almanac.desks.habits.formats.report_pdf import ReportFile
from almanac.desks.habits.model.week_report import WeekReport
from almanac.desks.habits.pipeline.mail import report_message
from almanac.desks.habits.service.progress import get_week_report
from almanac.desks.news.service import articles as news
from almanac.desks.news.service.articles import StoryFilter
from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.publication_builder import build_issue
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.verification import check_sections
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.service import articles, search
from almanac.desks.recap.writer.evidence import evidence_for
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.service.templates import get_template
from almanac.desks.reminders.store.drafts import iterate_drafts
from almanac.desks.reminders.writer.checks import InventedFact, require_stated
from almanac.desks.reminders.writer.letters import template_words
from almanac.desks.reminders.writer.templates import get_sender_name
from almanac.language.segmentation import split_sentences
from almanac.services import Services
from almanac.verify import CitedClaim, Verdict, check, check_stated_figures
from almanac.verify.checker import Checker

NOWHERE = "nowhere"
WEEKS = 8
STATES = ("draft", "approved", "snoozed", "sending", "unknown", "rejected", "failed", "sent", "cancelled")
_MARKERS = re.compile(r"\[\^[^\]]*\](?!:)|\\(?=[^\w\s])")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, or one letter, of an artefact. `holds` asks whether its sources support a wording of it.

    `holds_elsewhere` asks the same with a reference that leads nowhere; `source` is all that it may rest on. A text
    that a person wrote, such as the demo's news stories, may be left for a person to read: `is_contradicted` asks
    whether its sources say otherwise.
    """

    desk: str
    artefact: str
    text: str
    language: str
    source: str
    holds: Callable[[str], bool]
    holds_elsewhere: Callable[[], bool] | None = None
    is_contradicted: Callable[[], bool] | None = None

    @property
    def is_wrong(self) -> bool:
        return not self.holds(self.text) if self.is_contradicted is None else self.is_contradicted()


async def statements(services: Services, owner: Principal) -> list[Statement]:
    """Everything, desk by desk."""
    results = [_new async for _new in _news(services)]
    results += [item async for item in _recap(services)]
    results += [newsletter async for newsletter in _newsletters(services, owner)]
    results += [reminder async for reminder in _reminders(services)]
    results += [habit async for habit in _habits(services, owner)]
    return results


def _against(source: str, *, translated: bool) -> Callable[[str, str], bool]:
    def holds(text: str, reference: str = "article") -> bool:
        return check([CitedClaim(text, (reference,))], {"article": source}, across_translation=translated).supported

    return holds


def _contradicts(source: str, text: str, *, translated: bool) -> bool:
    report = check([CitedClaim(text, ("article",))], {"article": source}, across_translation=translated)
    return report.sentences[0].verdict in {Verdict.CHANGED, Verdict.UNSUPPORTED}


async def _news(services: Services) -> AsyncIterator[Statement]:
    """Headlines and points in every language that a story is told in, against the words of the page."""
    cursor: str | None = None
    while True:
        results = await news.find_articles(services, CONSOLE, StoryFilter(), cursor=cursor, limit=100)
        for article in results.page.items:
            source = f"{article.title}\n\n{article.article}"
            headlines = [("news headline", language, text) for language, text in article.titles.items()]
            headlines += [("news point", name, text) for point in article.points for name, text in point.texts.items()]
            for artefact, language, text in headlines:
                holds = _against(source, translated=language != article.language)
                yield Statement(
                    "news",
                    artefact,
                    text,
                    language,
                    source,
                    lambda text, holds=holds: holds(text, "article"),
                    lambda text=text, holds=holds: holds(text, NOWHERE),
                    lambda text=text, source=source, translated=language != article.language: _contradicts(
                        source, text, translated=translated
                    ),
                )
        cursor = results.page.next_cursor
        if cursor is None:
            return


async def _recap(services: Services) -> AsyncIterator[Statement]:
    """Every level of every article and what is told of each speech, against the speeches named."""
    for listed in (await search.list_articles(services, ArticleFilter(), limit=100)).items:
        article = await articles.open_article(services, listed.card.id)
        meeting = article.meeting
        for artefact, text, orders in _of_recap(article.recap, meeting):
            source = "\n".join(meeting.by_order[order].text for order in orders if order in meeting.by_order)
            yield Statement(
                "recap",
                artefact,
                text,
                "ja",
                source,
                lambda text, orders=orders, meeting=meeting: evidence_for(meeting).supports(text, orders),
                lambda text=text, meeting=meeting: evidence_for(meeting).supports(text, (1_000_000,)),
                (lambda text=text, meeting=meeting: _contradicts(_record(meeting), text, translated=False))
                if artefact == "recap title"  # it may use its own words, and names the committee
                else None,
            )


def _record(meeting: Meeting) -> str:
    return "\n".join(speech.text for speech in meeting.spoken)


def _of_recap(written: Recap, meeting: Meeting) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    everything = tuple(speech.order for speech in meeting.spoken)
    yield "recap title", _without_true_count(written), everything
    levels = {
        "recap key point": written.key_points,
        "recap summary": written.summary,
        "recap plain summary": written.soft_language_summary,
        "recap detailed summary": [sentence for part in written.middle_summary for sentence in part.sentences],
    }
    for artefact, text in levels.items():
        yield from ((artefact, item.text, item.based_on_orders) for item in text)
    for dialog in written.dialogs:
        bullets = [bullet for section in dialog.summary_sections for bullet in section.bullets]
        yield from (("recap speech in short", bullet, (dialog.order,)) for bullet in bullets)


def _without_true_count(written: Recap) -> str:
    """A title counts what was decided, which no speech does: a true count is left out of what speeches must support."""
    decided = {
        decision.subject for decision in written.facts.decisions if decision.bill and "附帯決議" not in decision.subject
    }
    return written.title.replace(f"など{len(decided)}件", "").replace(f"、ほか{len(decided) - 1}件を議決", "")


async def _newsletters(services: Services, owner: Principal) -> AsyncIterator[Statement]:
    """The sentences of every draft against what they cite, and those of every export against the draft."""
    for listed in (await newsletter_service.list_own_newsletters(services, owner, limit=100)).items:
        full = await open_newsletter(services, owner, listed.code)
        checker = Checker(full.sources, None, None)
        languages = {chunk.id: chunk.language for chunk in full.topics.chunks}
        for section in check_sections(full):
            for sentence in section.report.sentences:
                if sentence.references:
                    yield _cited(full, checker, sentence.text, sentence.references, languages)
        for statement in _exported(full, services.clock.now().date()):
            yield statement


def _cited(
    full: FullNewsletter, checker: Checker, text: str, references: tuple[str, ...], languages: dict[str, str]
) -> Statement:
    def holds(wording: str, named: tuple[str, ...] = references) -> bool:
        return not checker.check(CitedClaim(wording, named), 0, len(wording)).findings

    source = "\n".join(full.sources[name] for name in references if name in full.sources)
    return Statement(
        "newsletter",
        "newsletter sentence",
        text,
        languages.get(references[0], ""),
        source,
        holds,
        lambda: holds(text, (NOWHERE,)),
    )


def _exported(full: FullNewsletter, today: date) -> Iterator[Statement]:
    """An export says what the draft says: each of its sentences is one of the draft's."""
    if full.newsletter.status == "draft":
        return
    statements = {_bare(sentence.text) for section in check_sections(full) for sentence in section.report.sentences}
    body = export_issue(build_issue(full, today), ExportFormat.MARKDOWN).content.decode().partition("\n## ")[2]
    lines = body.partition("\n[^1]:")[0].splitlines()[1:]
    for line in lines:
        for sentence in [] if line.startswith("#") else split_sentences(_MARKERS.sub("", line)):
            if _bare(sentence.text):
                yield Statement(
                    "newsletter",
                    "exported sentence",
                    sentence.text,
                    "",
                    "",
                    lambda text: any(_bare(text) in item for item in statements),
                )


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text))


async def _reminders(services: Services) -> AsyncIterator[Statement]:
    """Every letter against the ledger, whatever became of it."""
    for state in STATES:
        async for draft in iterate_drafts(services.tables, state):
            if draft.facts is not None:
                words = await _template_words(services, draft)
                yield Statement(
                    "reminders",
                    "reminder letter",
                    draft.wording.text,
                    "en",
                    "",
                    lambda text, draft=draft, words=words: _is_stated(draft, text, words),
                )


async def _template_words(services: Services, draft: ReminderDraft) -> tuple[str, ...]:
    wording = draft.wording
    if wording.template_id is None:
        return (get_sender_name(services),)
    template = await get_template(services, CONSOLE, wording.template_id, wording.template_version)
    return tuple(template_words(template, get_sender_name(services)))


def _is_stated(draft: ReminderDraft, text: str, words: tuple[str, ...]) -> bool:
    assert draft.facts is not None
    try:
        require_stated(draft.wording.subject, text, draft.facts, customer_name=draft.customer_name, also=words)
    except InventedFact:
        return False
    return True


async def _habits(services: Services, owner: Principal) -> AsyncIterator[Statement]:
    """The letter of each week against what the log of that week comes to."""
    today = services.clock.now().date()
    for ago in range(1, WEEKS + 1):
        week = await get_week_report(services, owner, today - timedelta(weeks=ago))
        letter = report_message("https://almanac.example", owner, week, ReportFile("week.pdf", b"")).text
        existing = [owner.name, f"https://almanac.example/habits/report?week={week.first}", *_figures(week)]
        yield Statement(
            "habits",
            "weekly report",
            letter,
            "en",
            "",
            lambda text, existing=existing: not check_stated_figures(text, existing),
        )


def _figures(week: WeekReport) -> Iterator[str]:
    yield f"{week.title}. {week.first:%-d %B %Y}. {week.last:%-d %B %Y}."
    yield f"{week.kept} of {week.asked}. {week.points} points. {week.total_points} points."
    for habit in week.habits:
        yield f"{habit.name}. {habit.kept} of {habit.asked}. {habit.rule}. {habit.streak_words}. {habit.points} points."
        yield f"{habit.strength:.0%}"
    yield from (f"{strength.last_day:%-d %b}. {strength.strength:.0%}" for strength in week.strengths)

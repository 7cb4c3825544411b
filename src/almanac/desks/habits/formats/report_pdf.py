"""The weekly report as PDF: a table of the habits and a chart of their strength."""

import asyncio
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from almanac.desks.habits.model.explanation import DayEffect
from almanac.desks.habits.model.week_report import HabitWeek, WeekReport
from almanac.kit.catalogs import nearest_language
from almanac.kit.json_text import encode_json
from almanac.kit.locale_formats import format_number
from almanac.kit.messages import day_text, gettext, ngettext, pgettext, speaking, translate
from almanac.pdf import GlyphNames, add_break_points, render_pdf, sans_fonts

PDF = "application/pdf"
_FITS = 16
_KINDS: dict[DayEffect, str] = {
    "counts": "done",
    "protects": "protected",
    "breaks": "missed",
    "open": "open",
    "nothing": "none",
}
_KIND_WORDS: dict[DayEffect, str] = {
    "counts": pgettext("day of a habit", "done"),
    "protects": pgettext("day of a habit", "protected"),
    "breaks": pgettext("day of a habit", "missed"),
    "open": pgettext("day of a habit", "open"),
    "nothing": pgettext("day of a habit", "none"),
}
_COLUMNS = (
    gettext("Habit"),
    gettext("Mon to Sun"),
    gettext("Kept"),
    gettext("Streak"),
    gettext("Strength"),
    gettext("Points"),
)
_WORDS = {
    "habits": gettext("Habits"),
    "empty": gettext("No habits in this week."),
    "at_risk": gettext("at risk today"),
    "legend": gettext("Full square: done. Light square: protected. Crossed square: missed. Dash: not due."),
    "strength": gettext("Strength, the last weeks"),
    "strengths": gettext("Average strength in per cent at the end of each week:"),
}


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A PDF with its file name."""

    name: str
    content: bytes


async def render_report_pdf(week: WeekReport, language: str) -> ReportFile:
    """Typeset a report as PDF in a language, in a thread because it takes long."""
    spoken = nearest_language(language)
    pdf = await asyncio.to_thread(render_pdf, _template(), lambda signs: _encode(week, signs, spoken), week.last)
    return ReportFile(f"habits-{week.first}.pdf", pdf.content)


@cache
def _template() -> bytes:
    return (files("almanac.desks.habits") / "templates" / "week_report.typ").read_bytes()


def _encode(week: WeekReport, signs: GlyphNames, language: str) -> str:
    with speaking(language):
        data = {
            "sans": sans_fonts(language),
            "lang": language,
            "date": [week.last.year, week.last.month, week.last.day],
            "title": translate(gettext("A week of habits")),
            "person": _text(week.person, signs),
            "week": translate(week.title),
            "figures": _figures(week, language),
            "habits": [_row(habit, signs, language) for habit in week.habits],
            "strengths": [
                [translate(day_text(strength.last_day, "short")), round(100 * strength.strength, 1)]
                for strength in week.strengths
            ],
            "columns": [translate(column) for column in _COLUMNS],
            "words": {name: translate(words) for name, words in _WORDS.items()},
        }
    return encode_json(data).decode()


def _figures(week: WeekReport, language: str) -> list[list[str]]:
    at_risk = sum(habit.at_risk for habit in week.habits)
    figures = (
        (_kept(week), gettext("kept")),
        (format_number(week.points, language), gettext("points this week")),
        (format_number(week.total_points, language), gettext("points in total")),
        (ngettext("%(num)s streak", "%(num)s streaks", at_risk), gettext("at risk")),
    )
    return [[translate(number), translate(words)] for number, words in figures]


def _kept(counts: WeekReport | HabitWeek) -> str:
    return gettext("%(kept)s of %(asked)s", kept=counts.kept, asked=counts.asked)


def _row(habit: HabitWeek, signs: GlyphNames, language: str) -> dict[str, object]:
    return {
        "name": _text(habit.name, signs),
        "rule": _text(translate(habit.rule), signs),
        "days": [_KINDS[day] for day in habit.days],
        "day_words": ", ".join(translate(_KIND_WORDS[day]) for day in habit.days),
        "kept": translate(_kept(habit)),
        "streak": translate(habit.streak_words),
        "strength": f"{habit.strength:.0%}",
        "points": format_number(habit.points, language),
        "at_risk": habit.at_risk,
    }


def _text(text: str, signs: GlyphNames) -> str:
    return add_break_points(text.translate(signs), _FITS)

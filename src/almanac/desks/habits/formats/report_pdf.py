"""The weekly report as PDF: a table of the habits and a chart of their strength."""

import asyncio
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from almanac.desks.habits.model.explanation import DayEffect
from almanac.desks.habits.model.week_report import HabitWeek, WeekReport
from almanac.kit.text import counted
from almanac.pdf import GlyphNames, add_break_points, render_pdf, sans_fonts

PDF = "application/pdf"
LANGUAGE = "en"
_FITS = 16
_KINDS: dict[DayEffect, str] = {
    "counts": "done",
    "protects": "protected",
    "breaks": "missed",
    "open": "open",
    "nothing": "none",
}


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A PDF with its file name."""

    name: str
    content: bytes


async def render_report_pdf(week: WeekReport) -> ReportFile:
    """Typeset a report as PDF, in a thread because it takes long."""
    pdf = await asyncio.to_thread(render_pdf, _template(), lambda signs: _encode(week, signs), week.last)
    return ReportFile(f"habits-{week.first}.pdf", pdf.content)


@cache
def _template() -> bytes:
    return (files("almanac.desks.habits") / "templates" / "week_report.typ").read_bytes()


def _encode(week: WeekReport, signs: GlyphNames) -> str:
    data = {
        "sans": sans_fonts(LANGUAGE),
        "lang": LANGUAGE,
        "date": [week.last.year, week.last.month, week.last.day],
        "title": "A week of habits",
        "person": _text(week.person, signs),
        "week": week.title,
        "figures": _figures(week),
        "habits": [_row(habit, signs) for habit in week.habits],
        "strengths": [
            [f"{strength.last_day:%-d %b}", round(100 * strength.strength, 1)] for strength in week.strengths
        ],
    }
    return msgspec.json.encode(data).decode()


def _figures(week: WeekReport) -> list[list[str]]:
    return [
        [f"{week.kept} of {week.asked}", "kept"],
        [f"{week.points:,}", "points this week"],
        [f"{week.total_points:,}", "points in total"],
        [counted(sum(habit.at_risk for habit in week.habits), "streak"), "at risk"],
    ]


def _row(habit: HabitWeek, signs: GlyphNames) -> dict[str, object]:
    return {
        "name": _text(habit.name, signs),
        "rule": _text(habit.rule, signs),
        "days": [_KINDS[day] for day in habit.days],
        "kept": f"{habit.kept} of {habit.asked}",
        "streak": habit.streak_words,
        "strength": f"{habit.strength:.0%}",
        "points": f"{habit.points:,}",
        "at_risk": habit.at_risk,
    }


def _text(text: str, signs: GlyphNames) -> str:
    return add_break_points(text.translate(signs), _FITS)

"""The report on paper: a table of the habits and a chart of their strength, set as PDF."""

import asyncio
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from almanac.desks.habits.model.explanation import DayEffect
from almanac.desks.habits.model.week_report import HabitWeek, WeekReport
from almanac.kit.text import counted
from almanac.typesetting.pdf import GlyphNames, add_break_points, render_pdf, sans_fonts

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
    """A finished PDF with its name."""

    name: str
    content: bytes


async def render_report_pdf(week: WeekReport) -> ReportFile:
    """The week as a PDF; setting it takes its time, so it is done in a thread."""
    made = await asyncio.to_thread(render_pdf, _template(), lambda signs: _encoded(week, signs), week.last)
    return ReportFile(f"habits-{week.first}.pdf", made.content)


@cache
def _template() -> bytes:
    return (files("almanac.desks.habits") / "templates" / "week_report.typ").read_bytes()


def _encoded(week: WeekReport, signs: GlyphNames) -> str:
    data = {
        "sans": sans_fonts(LANGUAGE),
        "lang": LANGUAGE,
        "date": [week.last.year, week.last.month, week.last.day],
        "title": "A week of habits",
        "person": _text(week.person, signs),
        "week": week.title,
        "figures": _figures(week),
        "habits": [_row(one, signs) for one in week.habits],
        "strengths": [[f"{one.last_day:%-d %b}", round(100 * one.strength, 1)] for one in week.strengths],
    }
    return msgspec.json.encode(data).decode()


def _figures(week: WeekReport) -> list[list[str]]:
    return [
        [f"{week.kept} of {week.asked}", "kept"],
        [f"{week.points:,}", "points this week"],
        [f"{week.total_points:,}", "points in all"],
        [counted(sum(one.at_risk for one in week.habits), "streak"), "at risk"],
    ]


def _row(one: HabitWeek, signs: GlyphNames) -> dict[str, object]:
    return {
        "name": _text(one.name, signs),
        "rule": _text(one.rule, signs),
        "days": [_KINDS[day] for day in one.days],
        "kept": f"{one.kept} of {one.asked}",
        "streak": one.streak_words,
        "strength": f"{one.strength:.0%}",
        "points": f"{one.points:,}",
        "at_risk": one.at_risk,
    }


def _text(text: str, signs: GlyphNames) -> str:
    return add_break_points(text.translate(signs), _FITS)

"""A week of habits as a report: worked out once, told on a page, by mail and on paper."""

from almanac.desks.habits.reporting.collecting import week_of
from almanac.desks.habits.reporting.paper import ReportFile, report_file
from almanac.desks.habits.reporting.week import HabitWeek, Week

__all__ = ["HabitWeek", "ReportFile", "Week", "report_file", "week_of"]

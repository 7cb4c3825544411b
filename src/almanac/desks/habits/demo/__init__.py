"""The desk's demo content: four people who kept habits for a year, one of them the owner of the installation."""

from almanac.demo import DemoPart
from almanac.desks.habits.demo.loading import HABIT, bring_people, remove_people

__all__ = ["PART"]

PART = DemoPart(kinds=(HABIT,), steps=(bring_people,), remove=remove_people)

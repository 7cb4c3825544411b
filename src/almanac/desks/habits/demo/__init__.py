"""The desk's demo content: four people with a year of habits, one of them the owner of the installation."""

from almanac.demo import DemoPart
from almanac.desks.habits.demo.loader import load_people, remove_people
from almanac.desks.habits.pipeline.demo_habits import HABIT
from almanac.kit.messages import ngettext

__all__ = ["PART"]

PART = DemoPart(
    kinds={HABIT: lambda num: ngettext("%(num)s habit", "%(num)s habits", num)},
    steps=(load_people,),
    remove=remove_people,
)

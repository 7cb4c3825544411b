"""Which habits are demo content: nobody gets mail about them."""

from almanac.demo.model import read_record
from almanac.desks.habits.model.habit import Habit
from almanac.services import Services

DESK, HABIT, OWNER = "habits", "habit", "owner"
_AS_LOADED = 1


def demo_key(person: str, name: str) -> str:
    """The name under which a loaded habit is recorded."""
    return f"{person}/{name}"


async def is_demo_habit(services: Services, habit: Habit) -> bool:
    """Whether the habit was loaded as demo content; whoever edits it, such as its reminder, makes it their own."""
    if habit.version != _AS_LOADED:
        return False
    loaded = await read_record(services.objects, DESK)
    if loaded is None or loaded.owner_id != habit.owner_id:
        return False
    return demo_key(OWNER, habit.name) in loaded.made.get(HABIT, {})

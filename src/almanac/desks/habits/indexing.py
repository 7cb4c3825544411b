"""Habits in the search index, visible only to their owner, with name, description, group and tags."""

from dataclasses import dataclass, field

from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.store import habits
from almanac.kit.messages import gettext
from almanac.relational import Database
from almanac.search import DocumentBatch, DocumentKind, SearchDocument

KIND = DocumentKind("habit", gettext("Habit"), gettext("Habits"), {"tag": gettext("Tag")})


def habit_document(habit: Habit) -> SearchDocument:
    """The search document of a habit."""
    return SearchDocument(
        kind=KIND.name,
        id=habit.id,
        title=habit.name,
        path=f"/habits/{habit.id}",
        body=" ".join(part for part in (habit.description, habit.group, *habit.tags) if part),
        date=habit.created_at,
        facets={"tag": habit.tags},
        owner=habit.owner_id,
    )


@dataclass(frozen=True, slots=True)
class HabitProvider:
    """Lists all habits when the search index is rebuilt."""

    database: Database
    kind: DocumentKind = field(default=KIND)

    async def count(self) -> int:
        async with self.database.unit() as unit:
            return await habits.count_habits(unit)

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        async with self.database.unit() as unit:
            page = await habits.list_all_habits(unit, after=after or "", limit=limit)
        return DocumentBatch([habit_document(habit) for habit in page], page[-1].id if len(page) == limit else None)

"""The vocabulary of the index on PostgreSQL: similar words, how many documents have them, and words that are gone."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.messages import gettext
from almanac.language.terms import stem
from almanac.relational import Database, Unit
from almanac.search import store
from almanac.search.corrections import MisspeltWord
from almanac.search.query import QueryText
from almanac.search.store import SearchParameters
from almanac.search.text_search import compile_text, quote_lexeme

_MAX_CANDIDATES = 500
_TIDY_BATCH = 500


@dataclass(frozen=True, slots=True)
class IndexVocabulary:
    """The words of all documents, and those that a search may find."""

    unit: Unit
    params: SearchParameters

    async def count_texts(self, texts: Sequence[QueryText], *, upto: int) -> list[int]:
        expressions = [f"({self.params.restrictions}) & ({compile_text(text)})" for text in texts]
        return await store.count_words(self.unit, self.params, expressions, upto=upto)

    async def similar_words(self, words: Sequence[MisspeltWord]) -> list[list[str]]:
        return [
            await store.find_similar_words(
                self.unit,
                store.WordLookup(word.trigrams, word.required_trigrams, word.fewest_shared, *word.lengths),
                limit=_MAX_CANDIDATES,
            )
            for word in words
        ]


async def tidy_vocabulary(database: Database) -> int:
    """Remove words that no document has any more, and duplicates; returns how many."""
    removed, after = 0, ""
    while True:
        async with database.unit() as unit:
            words = await store.list_words(unit, after, limit=_TIDY_BATCH)
            if not words:
                return removed
            stems = await store.list_indexed_lexemes(unit, sorted({quote_lexeme(stem(word)) for word in words}))
            gone = [word for word in words if quote_lexeme(stem(word)) not in stems]
            removed += await store.remove_words(unit, gone, first=words[0], last=words[-1])
        after = words[-1]


def tidy_schedule(database: Database) -> Schedule:
    """Every night: a word that was removed with its document isn't kept longer than a day."""

    async def tidy(_job: RunningJob[object]) -> None:
        await tidy_vocabulary(database)

    job_type = JobType(
        "search.tidy", tidy, queue="housekeeping", title=gettext("Remove words that nothing has any more")
    )
    return Schedule("search.tidy", job_type, cron="40 3 * * *")
